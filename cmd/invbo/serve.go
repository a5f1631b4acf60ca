package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/serve"
	"github.com/invbo/invbo/internal/usage"
)

// serveFlags is `invbo serve`.
type serveFlags struct {
	addr, tokenFile, cert, key string
	limits                     serve.Limits
	mcp                        bool
}

func serveCommand() *cobra.Command {
	f := serveFlags{addr: "127.0.0.1:8080", limits: serve.DefaultLimits()}
	c := &cobra.Command{
		Use:   "serve STUDY... [flags]",
		Short: "Offer studies to programs, over HTTP or MCP",
		Long: `serve lets programs in other languages ask for proposals and tell scores, over HTTP,
until Ctrl-C. A study is called as its file without .db. The API is described, as
OpenAPI 3.1, at /openapi.json:

  POST /studies/lab/ask       {"n": 5, "lease": "8h"}
  POST /studies/lab/tell      {"answers": [{"trial": 81, "score": 7.2}]}
  POST /studies/lab/withdraw  {"trial": 82, "reason": "cannot be made"}
  GET  /studies/lab           where it stands; /trials lists, /events follows

A proposal is lent to whoever asked for it. If its lease ends without an answer it is
handed out again, and so is what invbo ask proposed. Other machines may connect only
with a token, in a file that invbo serve token makes. Give a certificate, too: without
one the token and the data are not encrypted.

With --mcp the same verbs are tools of an assistant, by the Model Context Protocol
over standard input and output.`,
		Example: `  invbo serve lab.db
  invbo serve lab.db enzyme.db --addr :8443 --token-file token --tls-cert cert.pem --tls-key key.pem
  invbo serve --mcp lab.db`,
		Args: atLeast(1, "the files of one or more studies"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.mcp {
				for _, name := range []string{"addr", "token-file", "tls-cert", "tls-key", "rate"} {
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
	g.Var(option.Number(&f.limits.Rate, usage.Most), "rate", "answer up to `N` requests a second, and ten times as many at once")
	g.BoolVar(&f.mcp, "mcp", false, "be an MCP server on standard input and output")
	c.AddCommand(tokenCommand())
	return withGroups(c, g)
}

func (f serveFlags) run(ctx context.Context, paths []string, stdout io.Writer) (err error) {
	var token string
	if f.tokenFile != "" {
		if token, err = serve.ReadToken(f.tokenFile); err != nil {
			return err
		}
	}
	certificates, err := f.certificates()
	if err != nil {
		return err
	}
	var l net.Listener
	if !f.mcp {
		if l, err = serve.Listen(f.addr, token); err != nil {
			return err
		}
		defer l.Close()
	}
	s, notes, err := serve.Open(ctx, paths, serve.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	say(strings.Join(notes, "\n"))
	if f.mcp {
		err := serve.NewMCP(s, experiment.Version()).Run(ctx, &mcp.StdioTransport{})
		if ctx.Err() != nil { // which is how it is ended
			return nil
		}
		return err
	}
	scheme := "http"
	if len(certificates) > 0 {
		scheme = "https"
	}
	if _, err := fmt.Fprintf(stdout, "Serving     %s at %s://%s/studies\n", strings.Join(s.Names(), ", "), scheme, l.Addr()); err != nil {
		return err
	}
	return serve.NewAPI(s, token, experiment.Version(), f.limits).Serve(ctx, l, certificates...)
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
	return withGroups(&cobra.Command{
		Use:   "token FILE",
		Short: "Make a token for invbo serve",
		Long: `token makes FILE with a random token, which only its owner can read. invbo serve reads it
with --token-file, and clients send it: Authorization: Bearer TOKEN.`,
		Example: "  invbo serve token token",
		Args:    exactly(1, "the name of the file to make"),
		RunE: func(_ *cobra.Command, args []string) error {
			return serve.WriteToken(args[0])
		},
	})
}
