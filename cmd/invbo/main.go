// Command invbo finds strings that score well under an expensive black box, by Bayesian optimization in
// the latent space of a VAE. One file holds one command; task.go says what can be searched.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/simd"
)

// Exit codes.
const (
	exitFailure     = 1   // the run itself went wrong
	exitUsage       = 2   // the user's input has to change first
	exitInterrupted = 130 // Ctrl-C or SIGTERM; 128 + SIGINT, as in shells
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // most memory is a few large blocks, whose garbage is cheap to collect
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	c, out := root(), &output{Writer: os.Stdout}
	c.SetOut(out)
	err := cmp.Or(c.ExecuteContext(ctx), out.err)
	if err != nil {
		fmt.Fprintln(os.Stderr, "invbo:", strings.TrimPrefix(err.Error(), "invbo: ")) // the library's name is ours
	}
	os.Exit(exitCode(ctx, err))
}

// output remembers the first error of a Writer, so that no command exits with 0 whose answer is lost.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	var n int
	n, o.err = o.Writer.Write(p)
	return n, o.err
}

// exitCode tells the user's mistakes from the run's, and both from an interrupt.
func exitCode(ctx context.Context, err error) int {
	_, usage := errors.AsType[*usageError](err)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		return exitInterrupted
	case usage:
		return exitUsage
	}
	return exitFailure
}

// usageError is an error that the user can mend by other input; nothing has been evaluated or written.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef is fmt.Errorf for a usageError.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:   "invbo",
		Short: "Find strings that score well under an expensive black box",
		Long: `invbo searches for molecules, expressions and other strings that score well under
an expensive black box, within a few hundred evaluations. It runs Bayesian
optimization in the latent space of a VAE, with inversion and potential-aware
trust regions (InvBO; Chu et al., NeurIPS 2024).

First steps:

  invbo run --task med2 --out out/first     design molecules, and write what is found
  invbo run --task expression --out out/x   the same for arithmetic, without RDKit
  invbo tasks                               what can be searched
  invbo methods                             how

Exit codes: 0 done, 1 the run failed, 2 the input is wrong, 130 interrupted.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := simd.ISAError(); err != nil {
				fmt.Fprintln(c.ErrOrStderr(), "invbo:", err)
			}
			return noEmptyFlag(c.Flags())
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.CompletionOptions.HiddenDefaultCmd = true
	c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		// The flags of a command that there is not are unknown, too.
		if _, rest, _ := c.Root().Find(os.Args[1:]); c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			return noCommand(c, rest[:1])
		}
		return usagef("%w; see %s --help", plainFlagError(err), c.CommandPath())
	})
	c.AddCommand(runCommand(), tasksCommand(), methodsCommand(), trainCommand(), importCommand(), invertCommand(),
		encodeCommand(), decodeCommand(), sampleCommand(), scoreCommand(), benchCommand(), versionCommand())
	return c
}

// plainFlagError says of a value that no flag of its kind takes which kind that is, where pflag quotes the parser.
func plainFlagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	want := ""
	switch invalid.GetFlag().Value.Type() {
	case "int", "uint64":
		want = "a whole number"
	case "float64":
		want = "a number"
	case "duration":
		want = "a time with its unit, such as 90s, 20m or 8h"
	case "bool":
		want = "true or false"
	default:
		return err
	}
	return fmt.Errorf("--%s %s: give %s", invalid.GetFlag().Name, invalid.GetValue(), want)
}

// noEmptyFlag refuses flags that are given without anything in them, as a shell does of a variable that is not set.
func noEmptyFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok && len(list.GetSlice()) > 0 {
			values = list.GetSlice()
		} else if ok {
			values = []string{""}
		}
		if err == nil && slices.Contains(values, "") {
			err = usagef("--%s is empty, or has an empty name in it; give a value, or leave the flag out", f.Name)
		}
	})
	return err
}

// noCommand refuses what is no subcommand of c.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return usagef("there is no command %q%s", c.CommandPath()+" "+args[0], suggest(args[0], names))
}

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%q is one argument too many; see %s --help", args[n], c.CommandPath())
		}
		return nil
	}
}
