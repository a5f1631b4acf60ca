package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
)

func correctCommand() *cobra.Command {
	var to, reason string
	var n int
	var se float64
	var strike bool
	c := labCommand(&cobra.Command{
		Use:   "correct STUDY NAME {--to VALUE | --strike --reason WORDS} [flags]",
		Short: "Correct or strike one measurement",
		Long: `correct puts another value in the place of one measurement of a string, or strikes it: a
measurement that was never one of that string, as of a wrong sample. NAME is what the
string is called, or the number of its trial; invbo export numbers its measurements.
VALUE is read as in a table that is told: a number, a bound such as '>4.5', or
'failed: reason'. Where pIC50 is made of IC50 (nM), give nM, or another unit with
the number: '0.3 uM'. The standard error is in the same unit; without --se it stays.

What is struck stays in the study, with the reason, and counts no more. To correct
many values at once: invbo tell --correct.`,
		Example: `  invbo correct lab.db W-7 --to 7.2
  invbo correct lab.db W-7 --measurement 2 --to 7.2 --se 0.1
  invbo correct lab.db 81 --measurement 2 --strike --reason 'wrong well'`,
		Args: exactly(2, "the file of a study, and the name of a string"),
	}, false, func(ctx context.Context, b *experiment.Experiment, args []string, stdout io.Writer) error {
		switch {
		case strike == (to != ""):
			return usage.Errorf("give either --to VALUE or --strike")
		case strike && (reason == "" || se != 0):
			return usage.Errorf("--strike needs --reason WORDS, and no --se")
		case !strike && reason != "":
			return usage.Errorf("--reason says why a measurement is struck; give --strike, or --to 'failed: reason'")
		}
		trial, err := b.Numbered(args[0])
		if err != nil {
			return err
		}
		var what experiment.What
		var doubts []string
		if strike {
			what, err = b.Strike(ctx, trial, n, reason)
		} else {
			var r table.Record
			if r, err = rightValue(b, trial, to, se); err != nil {
				return err
			}
			what, err = b.Correct(ctx, trial, n, r)
			doubts = b.Doubts(r)
		}
		if err != nil {
			return err
		}
		say(strings.Join(doubts, "\n"))
		t := b.Page(trial-1, 1)[0]
		score := t.Bound.String() + experiment.Number(t.Score).String()
		if math.IsNaN(t.Score) {
			score = "none: " + t.Reason
		}
		scale := "score"
		if b.Columns.Scale != "" { // not what was typed
			scale = b.Columns.Score
		}
		_, err = fmt.Fprintf(stdout, "%s: %s. The %s of %s is now %s\n", usage.Visible(b.Name(t.Proposal)), what, usage.Visible(scale), usage.Visible(usage.Shorten(t.Input, 60)), usage.Visible(score))
		return err
	})
	g := newGroup("Flags")
	g.StringVar(&to, "to", "", "the right `VALUE`")
	g.Float64Var(&se, "se", 0, "its standard error `SE`, if it is known")
	g.Var(option.Count(&n), "measurement", "which one: its number `N` in the table of invbo export (default: the only one)")
	g.BoolVar(&strike, "strike", false, "strike it")
	g.StringVar(&reason, "reason", "", "why it is struck, in `WORDS`")
	return withGroups(c, g)
}

// rightValue reads the right value of a trial's measurement.
func rightValue(b *experiment.Experiment, trial int, to string, se float64) (r table.Record, _ error) {
	filled := b.Filled()
	cells := append([]string{to}, make([]string, max(0, len(filled)-1))...)
	if se != 0 {
		cells = append(cells, strconv.FormatFloat(se, 'g', -1, 64))
	}
	all, err := b.ReadForm(b.Page(trial-1, 1), [][]string{cells})
	if err != nil {
		return r, err
	}
	r = all[0].Record
	if b.Objective != nil && r.State != table.Failed {
		return r, usage.Errorf("the score is made of %s: correct what was measured with invbo tell --correct", strings.Join(filled, ", "))
	}
	for field, reason := range all[0].Problems {
		if field > 0 {
			return r, usage.Errorf("--se: %s", usage.Visible(reason.Text))
		}
		hint := ""
		if reason.Code == table.NotNumber || reason.Code == table.NoValue {
			hint = "; give a number, a bound such as '>4.5', or 'failed: reason'"
		}
		return r, usage.Errorf("--to: %s%s", usage.Visible(reason.Text), hint)
	}
	return r, nil
}
