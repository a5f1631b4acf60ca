// Command invbo finds strings that score well under an expensive black box, by Bayesian optimization on the strings
// themselves or in the latent space of a VAE. Each command parses its flags, calls a package of internal and prints;
// flags.go has the flags that runs share.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Exit codes.
const (
	exitFailure     = 1   // the run itself went wrong
	exitUsage       = 2   // the user's input has to change first
	exitInterrupted = 130 // Ctrl-C, SIGTERM or SIGHUP; 128 + SIGINT, as in shells
)

func main() {
	if os.Getenv("GOMAXPROCS") == "" && molecule.Available() == nil {
		// A call of RDKit gives its place in Go's scheduler away, and waits for one when it returns: with one to spare,
		// reading molecules takes a fifth less time.
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(execute(ctx))
}

// execute carries out the command of os.Args and returns the exit code.
func execute(ctx context.Context) int {
	c, out := root(), &output{Writer: os.Stdout}
	c.SetOut(out)
	c, err := c.ExecuteContextC(ctx)
	if err = cmp.Or(err, out.err); err != nil {
		text := strings.TrimPrefix(option.Say(err, flagName(c.Flags())), "invbo: ") // the library's name is ours
		text = strings.TrimPrefix(text, "invbo ")                                   // as in invbo run: give …
		fmt.Fprintln(os.Stderr, "invbo:", usage.VisibleLines(usage.WithoutSecrets(text)))
	}
	return exitCode(ctx, err)
}

// output remembers the first error of a Writer, so that no command exits with 0 when its output is lost. What would
// change what a terminal shows, such as an escape in a name, is escaped.
type output struct {
	io.Writer
	cut []byte // the beginning of a character
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	text := append(o.cut, p...)
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ { // a character that goes on in the next piece
		if at := len(text) - i; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				end = at
			}
			break
		}
	}
	o.cut = slices.Clone(text[end:])
	if _, o.err = io.WriteString(o.Writer, usage.VisibleLines(string(text[:end]))); o.err != nil {
		return 0, o.err
	}
	return len(p), nil
}

// exitCode distinguishes errors in the input from failed runs, and both from an interrupt.
func exitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		return exitInterrupted
	case usage.Is(err):
		return exitUsage
	}
	return exitFailure
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:   "invbo",
		Short: "Find strings that score well under an expensive black box",
		Long: `invbo searches for molecules, expressions and other strings that score well under
an expensive black box, within a few hundred evaluations. It runs Bayesian
optimization on the strings themselves (evolve), and in the latent space of a VAE,
with inversion and potential-aware trust regions (InvBO; Chu et al., NeurIPS 2024).

First steps:

  invbo run --task med2 --out out/first     design molecules and write the results
  invbo run --task expression --out out/x   fit an expression; needs no RDKit
  invbo tasks                               list what can be searched
  invbo methods                             list how it can be searched

Exit codes: 0 done, 1 the run failed, 2 the input is wrong, 130 interrupted.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(50) // most memory is a few large blocks, whose garbage is cheap to collect
			}
			if err := simd.ISAError(); err != nil {
				fmt.Fprintln(c.ErrOrStderr(), "invbo:", err)
			}
			return cmp.Or(noEmptyFlag(c.Flags()), noRepeatedFlag(c))
		},
	}
	c.CompletionOptions.HiddenDefaultCmd = true
	c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		// An unknown command has unknown flags, too: report the command.
		if _, rest, _ := c.Root().Find(os.Args[1:]); c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			if err := c.Args(c, rest[:1]); err != nil {
				return err
			}
		}
		return usage.Errorf("%w; see %s --help", plainFlagError(c.Flags(), err), c.CommandPath())
	})
	return parent(c, runCommand(), resumeCommand(), workerCommand(), newCommand(), askCommand(), tellCommand(), correctCommand(), statusCommand(), exportCommand(), serveCommand(),
		tasksCommand(), methodsCommand(), reactionsCommand(), scoreCommand(), modelCommand(), benchCommand(), versionCommand(), manualCommand())
}

// parent returns a command that only has others below it.
func parent(c *cobra.Command, below ...*cobra.Command) *cobra.Command {
	c.Args = noCommand
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(below...)
	return c
}

// noCommand refuses an unknown subcommand of c. The error names one of that name below another command, or the closest one.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		names = append(names, sub.Name())
		for _, below := range sub.Commands() {
			if below.IsAvailableCommand() && below.Name() == args[0] {
				return usage.Errorf("%s %s is now %s", c.CommandPath(), args[0], below.CommandPath())
			}
		}
	}
	return usage.Errorf("there is no command %q%s", c.CommandPath()+" "+args[0], usage.Suggest(args[0], names))
}

// exactly refuses any number of arguments but n.
func exactly(n int, what string) cobra.PositionalArgs {
	return cobra.MatchAll(atLeast(n, what), atMost(n))
}

// atLeast refuses fewer than n arguments.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return usage.Errorf("%s: give %s", c.CommandPath(), what)
		}
		return nil
	}
}

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage.Errorf("%q is one argument too many; see %s --help", args[n], c.CommandPath())
		}
		return nil
	}
}
