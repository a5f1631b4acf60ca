package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/page"
	"github.com/invbo/invbo/internal/serve"
	"github.com/invbo/invbo/internal/usage"
)

// serveFlags is `invbo serve`.
type serveFlags struct {
	addr, tokenFile, cert, key string
	limits                     serve.Limits
	mcp, logJSON, untilEOF     bool
	reconnect                  time.Duration
}

func serveCommand() *cobra.Command {
	f := serveFlags{addr: "127.0.0.1:8080", limits: serve.DefaultLimits()}
	c := &cobra.Command{
		Use:   "serve STUDY... [flags]",
		Short: "Offer studies to people in a browser, and to programs over HTTP or MCP",
		Long: `serve shows studies in a browser, at the address that it prints, if this build has the
page, and lets programs in other languages ask for proposals and tell scores, over HTTP,
until Ctrl-C. A study is called as its file without .db. The API is described, as
OpenAPI 3.1, at /openapi.json:

  POST /studies/lab/ask       {"n": 5, "lease": "8h"}
  POST /studies/lab/tell      {"answers": [{"trial": 81, "score": 7.2}]}
  POST /studies/lab/withdraw  {"trial": 82, "reason": "cannot be made"}
  POST /studies/lab/strike    {"trial": 81, "measurement": 2, "reason": "wrong well"}
  GET  /studies/lab           where it stands; /trials lists, /events follows
  GET  /healthz, /readyz      without a token; /metrics is for Prometheus

A proposal is lent to whoever asked for it. If its lease ends without an answer it is
handed out again, and so is what invbo ask proposed. Other machines may connect only
with a token, in a file that invbo serve token makes; people sign in with theirs. Give a certificate, too: without
one the token and the data are not encrypted. STUDY may also be in a PostgreSQL
database: postgres://ann@db.example.org/lab?study=first.

Every request is logged to standard error.

With --mcp the same verbs are tools of an assistant, by the Model Context Protocol
over standard input and output.`,
		Example: `  invbo serve lab.db
  invbo serve lab.db enzyme.db --addr :8443 --token-file token --tls-cert cert.pem --tls-key key.pem
  invbo serve --mcp lab.db`,
		Args: atLeast(1, "the files of one or more studies"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.mcp {
				for _, name := range []string{"addr", "token-file", "tls-cert", "tls-key", "rate", "streams", "log-json", "until-eof"} {
					if c.Flags().Changed(name) {
						return usage.Errorf("--%s is for HTTP, and --mcp uses standard input and output; leave one out", name)
					}
				}
			}
			return f.run(c.Context(), args, c.OutOrStdout())
		},
	}
	g := newGroup("Flags")
	g.StringVar(&f.addr, "addr", f.addr, "listen on `HOST:PORT`; port 0 is any that is free")
	g.StringVar(&f.tokenFile, "token-file", "", "answer only requests with the token in `FILE`")
	g.StringVar(&f.cert, "tls-cert", "", "encrypt with the certificate in `FILE`, PEM")
	g.StringVar(&f.key, "tls-key", "", "and its key in `FILE`, PEM")
	g.Var(option.Number(&f.limits.Rate, usage.Most), "rate", "answer up to `N` requests a second of each client, which is a token at an address, and ten times as many at once")
	g.Var(option.Count(&f.limits.PerClient), "streams", "of each client up to `N` streams of events at a time")
	g.BoolVar(&f.logJSON, "log-json", false, "log as JSON, an object per line")
	g.BoolVar(&f.untilEOF, "until-eof", false, "end when standard input does, too, so that the server ends with the program that started it")
	waits(g, &f.reconnect)
	g.BoolVar(&f.mcp, "mcp", false, "be an MCP server on standard input and output")
	c.AddCommand(tokenCommand())
	return withGroups(c, g)
}

func (f serveFlags) run(ctx context.Context, paths []string, stdout io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if f.logJSON {
		log = slog.New(slog.NewJSONHandler(os.Stderr, nil))
	}
	var tokens *serve.Tokens
	if f.tokenFile != "" {
		if tokens, err = serve.OpenTokens(f.tokenFile, log); err != nil {
			return err
		}
	}
	certificates, err := f.certificates()
	if err != nil {
		return err
	}
	var l net.Listener
	if !f.mcp {
		if l, err = serve.Listen(f.addr, tokens); err != nil {
			return err
		}
		defer l.Close()
	}
	s, notes, err := serve.Open(ctx, paths, serve.Options{Logger: log, Patience: f.reconnect})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	say(strings.Join(notes, "\n"))
	if f.mcp {
		err := serve.NewMCP(s, experiment.Version()).Run(ctx, serve.Lines(os.Stdin, os.Stdout))
		if ctx.Err() != nil { // which is how it is ended
			return nil
		}
		return err
	}
	if f.untilEOF {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		defer end()
		go func() { // ends with the process, as nothing interrupts a read of standard input
			io.Copy(io.Discard, os.Stdin) // an error ends it, too
			end()
		}()
	}
	scheme := "http"
	if len(certificates) > 0 {
		scheme = "https"
	}
	at := fmt.Sprintf("%s://%s", scheme, l.Addr())
	people := "Page        " + at + "/"
	if page.Bundle() == nil {
		people = "Page        none: " + serve.APIAlone
	}
	if _, err := fmt.Fprintf(stdout, "Serving     %s at %s/studies\n%s\n", strings.Join(s.Names(), ", "), at, people); err != nil {
		return err
	}
	return serve.NewAPI(s, tokens, experiment.Version(), f.limits).Serve(ctx, l, certificates...)
}

// certificates returns the certificate, if there is one.
func (f serveFlags) certificates() ([]tls.Certificate, error) {
	switch {
	case f.cert == "" && f.key == "":
		return nil, nil
	case f.cert == "" || f.key == "":
		return nil, usage.Errorf("a certificate has a key: give both --tls-cert and --tls-key")
	}
	c, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, usage.Errorf("--tls-cert %s, --tls-key %s: %w", f.cert, f.key, err)
	}
	return []tls.Certificate{c}, nil
}

func tokenCommand() *cobra.Command {
	var name, role, revoke string
	c := &cobra.Command{
		Use:   "token FILE [flags]",
		Short: "Make a token for invbo serve",
		Long: `token makes FILE with a random token, which only its owner can read. invbo serve reads it
with --token-file, and clients send it: Authorization: Bearer TOKEN.

With --name it adds a token of that name to FILE, which keeps only its hash, and prints
it. A role says what its holder may do: read looks, tell also asks, tells and withdraws,
and admin also corrects and strikes what was told. --revoke takes a token out. A server
that runs follows FILE: it needs no restart.`,
		Example: `  invbo serve token token
  invbo serve token tokens --name ann --role tell
  invbo serve token tokens --revoke ann`,
		Args: exactly(1, "the name of the file"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case revoke != "" && (name != "" || role != ""):
				return usage.Errorf("--revoke takes a token out, and --name adds one; give one of them")
			case revoke != "":
				return serve.RevokeToken(args[0], revoke)
			case name == "" && role != "":
				return usage.Errorf("--role is that of a token with a name; give --name, too")
			case name == "":
				return serve.WriteToken(args[0])
			}
			may, err := serve.ParseRole(cmp.Or(role, serve.Tell.String()))
			if err != nil {
				return fmt.Errorf("--role: %w", err)
			}
			token, err := serve.AddToken(args[0], name, may)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), token)
			return err
		},
	}
	g := newGroup("Flags")
	g.StringVar(&name, "name", "", "add a token of this `NAME`, and print it")
	g.StringVar(&role, "role", "", "what it may do: `ROLE` is read, tell or admin (default: tell)")
	g.StringVar(&revoke, "revoke", "", "take out the token of this `NAME`")
	return withGroups(c, g)
}
