package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// mostAsked is how many strings ask proposes, and everything is a NAME of --withdraw that stands for all of them.
const (
	mostAsked  = 10_000
	everything = "all"
)

func askCommand() *cobra.Command {
	var n int
	var out, reason string
	var withdraw []string
	c := labCommand(&cobra.Command{
		Use:   "ask STUDY [flags]",
		Short: "Propose what to measure next",
		Long: `ask writes a table of N proposals: name, string, predicted score and its standard
deviation, the measured string that is most like it, and an empty column to fill in
for invbo tell. Beside --out FILE.csv, molecules are drawn in FILE.svg. Neither file may
exist: a table may hold scores that have not been told.

What was proposed waits for its measurement, and ask proposes it again until it is
told; more than that is proposed only if N is greater. --withdraw, once for each name,
takes back what cannot be made or measured, and the search learns from it. --withdraw all
takes back all that wait without an answer; the search learns nothing from them. What
was taken back is not proposed again; a score of it may still be told.`,
		Example: `  invbo ask lab.db -n 5 --out week1.csv
  invbo ask lab.db --withdraw 82 --reason 'cannot be made'`,
		Args: exactly(1, "the file of a study"),
	}, false, func(ctx context.Context, b *experiment.Experiment, _ []string, stdout io.Writer) error {
		if reason != "" && len(withdraw) == 0 {
			return usage.Errorf("--reason says why a proposal is withdrawn; give its name with --withdraw NAME")
		}
		if out != "" {
			if err := newSheet(b, out); err != nil {
				return err
			}
		}
		var trials []int
		for _, name := range withdraw {
			if name == everything && len(withdraw) == 1 {
				n, err := b.WithdrawAll(ctx, cmp.Or(reason, "withdrawn"))
				if err != nil {
					return err
				}
				say(fmt.Sprintf("withdrawn: %d; the search learns nothing from them and does not propose them again; a score may still be told", n))
				continue
			}
			t, err := b.Waiting(name)
			if err != nil {
				return err
			}
			trials = append(trials, t.ID)
		}
		withdrawn, err := b.Withdraw(ctx, trials, cmp.Or(reason, "withdrawn"))
		if err != nil {
			return err
		}
		for _, t := range withdrawn {
			say(fmt.Sprintf("%s is withdrawn, and is not proposed again: %s", b.Name(t.Proposal), t.Input))
		}
		sayLimits(b.Plan, nil)
		say(strings.Join(b.Warnings(), "\n"))
		before := len(b.Pending())
		proposals, err := b.Ask(ctx, n)
		if err != nil && ctx.Err() != nil && len(proposals) > before { // they wait: whoever stopped it sees which
			return errors.Join(fmt.Errorf("%d of %d proposals are written, and wait for a measurement", len(proposals), n), writeSheet(b, proposals, out, stdout))
		}
		if errors.Is(err, study.ErrNoScore) {
			return usage.Errorf("%w; tell more of them first", err)
		}
		if err != nil && (len(proposals) == 0 || !errors.Is(err, study.ErrExhausted)) {
			return err
		}
		if err != nil {
			say(fmt.Sprintf("%d proposals and not %d: %v", len(proposals), n, err))
		}
		return writeSheet(b, proposals, out, stdout)
	})
	g := newGroup("Flags")
	n = 5
	g.VarP(option.UpTo(&n, mostAsked), "number", "n", "propose `N` strings")
	g.StringVarP(&out, "out", "o", "", "write the table to `FILE`.csv, or as an Excel workbook to FILE.xlsx (default: CSV to standard output)")
	g.StringArrayVar(&withdraw, "withdraw", nil, "take back the proposal of this `NAME` first; may be given several times; all takes back all")
	g.StringVar(&reason, "reason", "", "why it is withdrawn, in `WORDS` (default: withdrawn)")
	return withGroups(c, g)
}

// refuseTable refuses the name of a table whose format is not written, or whose folder does not exist.
func refuseTable(name string, molecules bool) error {
	if err := sheet.CheckName(name, molecules); err != nil {
		return usage.Errorf("%s: %w", name, err)
	}
	if dir := filepath.Dir(name); !files.Exists(dir) {
		return usage.Errorf("%s: there is no folder %s; make it first, or give another one", name, dir)
	}
	return nil
}

// newSheet refuses to overwrite: a table may hold scores that have not been told.
func newSheet(b *experiment.Experiment, out string) error {
	if err := refuseTable(out, b.Molecules()); err != nil {
		return fmt.Errorf("--out %w", err)
	}
	picture := ""
	if b.Molecules() {
		picture = pictureOf(out)
	}
	if picture == out {
		return usage.Errorf("--out %s: that is where molecules are drawn, and the table is CSV; give a name that ends in .csv", out)
	}
	for _, name := range []string{out, picture, routesOf(b, out)} {
		if name != "" && files.Exists(name) {
			return usage.Errorf("--out: %s exists already; give another name", name)
		}
	}
	return nil
}

// routesOf names the picture of the routes beside a table; "" if there are none.
func routesOf(b *experiment.Experiment, out string) string {
	if !b.Routes() {
		return ""
	}
	return strings.TrimSuffix(out, filepath.Ext(out)) + ".route.svg"
}

// pictureOf names the picture beside a table.
func pictureOf(out string) string { return strings.TrimSuffix(out, filepath.Ext(out)) + ".svg" }

func writeSheet(b *experiment.Experiment, proposals []study.Proposal, out string, stdout io.Writer) error {
	t, err := b.Sheet(proposals)
	if err != nil {
		return err
	}
	if out == "" {
		if progress.IsTerminal(stdout) {
			t = t.Visible()
		}
		return t.WriteCSV(stdout)
	}
	if err := t.WriteFile(out); err != nil {
		return usage.Errorf("--out: %w", err)
	}
	written := out
	if b.Molecules() {
		picture := pictureOf(out)
		if err := files.WriteWhole(picture, func(w io.Writer) error { return b.Draw(w, proposals) }); err != nil {
			return usage.Errorf("--out: %w", err)
		}
		written += " and " + picture
		if picture := routesOf(b, out); picture != "" {
			if err := files.WriteWhole(picture, func(w io.Writer) error { return b.DrawRoutes(w, proposals) }); err != nil {
				return usage.Errorf("--out: %w", err)
			}
			written += ", with routes in " + picture
		}
	}
	columns := "column"
	if len(b.Filled()) > 1 {
		columns = "columns"
	}
	filled := strings.Join(b.Filled(), ", ")
	if c := b.Columns; c.Scale != "" {
		filled += fmt.Sprintf(" (predictions are of %s)", c.Score)
	}
	proposed := "1 proposal"
	if n := len(proposals); n != 1 {
		proposed = fmt.Sprint(n, " proposals")
	}
	fmt.Fprintf(stdout, "%s in %s. Fill in the %s %s, then: invbo tell %s %s\n", proposed, written, columns, filled, usage.Quoted(b.Place().String()), usage.Quoted(out))
	return nil
}
