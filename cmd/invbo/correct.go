package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

func correctCommand() *cobra.Command {
	var to, outcome, reason string
	var n int
	var se float64
	var strike bool
	var flags *pflag.FlagSet
	given := func(flag string) bool { return isGiven(flags, flag) }
	c := labCommand(&cobra.Command{
		Use:   "correct STUDY NAME {--to VALUE | --strike --reason WORDS} [flags]",
		Short: "Correct or strike one measurement",
		Long: `correct puts another value in the place of one measurement of a string, or strikes it: a
measurement that was never one of that string, as of a wrong sample. NAME is what the
string is called, or the number of its trial; invbo export numbers its measurements.
VALUE is read as in a table that is told: a number, a bound such as '>4.5', or
'failed: reason'. Where pIC50 is made of IC50 (nM), give nM, or another unit with
the number: '0.3 uM'. The standard error is in the same unit; without --se it stays.
Of a study with further outcomes, --outcome names the one that is wrong.

What is struck stays in the study, with the reason, and counts no more. To correct
many values at once: invbo tell --correct.`,
		Example: `  invbo correct lab.db W-7 --to 7.2
  invbo correct lab.db W-7 --measurement 2 --to 7.2 --se 0.1
  invbo correct lab.db W-7 --outcome hERG --to '>30'
  invbo correct lab.db 81 --measurement 2 --strike --reason 'wrong well'`,
		Args: exactly(2, "the file of a study, and the name of a string"),
	}, false, func(ctx context.Context, b *experiment.Experiment, args []string, stdout io.Writer) error {
		switch {
		case strike == (to != ""):
			return usage.Errorf("give either --to VALUE or --strike")
		case given("se") && !(se > 0 && se <= oracle.Largest):
			return usage.Errorf("--se %g: give a number above 0; without --se the standard error stays", se)
		case strike && (reason == "" || se != 0):
			return usage.Errorf("--strike needs --reason WORDS, and no --se")
		case outcome != "" && (strike || se != 0):
			return usage.Errorf("--outcome is for --to VALUE; what is struck is struck with all its outcomes, and standard errors are those of scores")
		case !strike && reason != "":
			return usage.Errorf("--reason says why a measurement is struck; give --strike, or --to 'failed: reason'")
		}
		field, outcome, err := fieldOf(b, outcome)
		if err != nil {
			return err
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
			if r, err = rightValue(b, trial, field, outcome, to, se); err != nil {
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
		switch {
		case outcome != "":
			scale, score = outcome, t.OutcomeBound(outcome).String()+experiment.Number(t.Outcome(outcome)).String()
		case len(b.Spec.Objectives) > 1:
			scale = b.Spec.Objectives[0].Name
		case b.Columns.Scale != "": // not what was typed
			scale = b.Columns.Score
		}
		one := ""
		if bound := correctedBound(t, n, outcome); bound != "" && bound != score {
			one = fmt.Sprintf("Measurement %d is now %s, and bounds do not count beside values. ", n, bound)
		}
		_, err = fmt.Fprintf(stdout, "%s: %s. %sThe %s of %s is now %s\n", usage.Visible(b.Name(t.Proposal)), what, one, usage.Visible(scale), usage.Visible(usage.Shorten(t.Input, 60)), usage.Visible(score))
		return err
	})
	g := newGroup("Flags")
	flags = g.FlagSet
	g.StringVar(&to, "to", "", "the right `VALUE`")
	g.StringVar(&outcome, "outcome", "", "`COLUMN` of a further outcome, which is corrected instead of the score")
	g.Float64Var(&se, "se", 0, "its standard error `SE`, if it is known")
	g.Var(option.Count(&n), "measurement", "which one: its number `N` in the table of invbo export (default: the only one)")
	g.BoolVar(&strike, "strike", false, "strike it")
	g.StringVar(&reason, "reason", "", "why it is struck, in `WORDS`")
	return withGroups(c, g)
}

// correctedBound returns the bound that a trial's n-th measurement has, or has of an outcome; "" if n is 0 or it has none.
func correctedBound(t study.Trial, n int, outcome string) string {
	if n == 0 {
		return ""
	}
	m := t.Measurements[n-1]
	v, bound := m.Score, m.Bound
	if outcome != "" {
		v, bound = m.Value(outcome)
	}
	if math.IsNaN(v) || bound == study.Exact {
		return ""
	}
	return bound.String() + experiment.Number(v).String()
}

// fieldOf returns the place of an outcome among those that people fill in, and its name in the study; without a name it
// is the score's.
func fieldOf(b *experiment.Experiment, outcome string) (field int, name string, _ error) {
	filled, others := b.Filled(), b.FilledOthers()
	if outcome == "" {
		return 0, "", nil
	}
	for i, name := range others {
		if field := len(filled) - len(others) + i; strings.EqualFold(name, outcome) || strings.EqualFold(filled[field], outcome) {
			return field, name, nil
		}
	}
	if len(others) == 0 {
		return 0, "", usage.Errorf("--outcome %s: the study has no further outcomes", outcome)
	}
	return 0, "", usage.Errorf("--outcome %s: there is no such outcome; there are %s", outcome, strings.Join(others, ", "))
}

// rightValue reads the right value of a trial's measurement, or of one of its further outcomes, as people enter it in a
// field.
func rightValue(b *experiment.Experiment, trial, field int, outcome, to string, se float64) (r table.Record, _ error) {
	filled := b.Filled()
	cells := make([]string, len(filled))
	cells[field] = to
	if se != 0 {
		cells = append(cells, strconv.FormatFloat(se, 'g', -1, 64))
	}
	all, err := b.ReadForm(b.Page(trial-1, 1), [][]string{cells})
	if err != nil {
		return r, err
	}
	r = all[0].Record
	switch {
	case outcome != "" && len(r.OtherFailed) > 0:
		return r, usage.Errorf("--to: give a number of %s, or a bound such as '>4.5'; if all has failed, correct that without --outcome", outcome)
	case outcome == "" && b.Objective != nil && r.State != table.Failed:
		return r, usage.Errorf("the score is made of %s: name the one that is wrong with --outcome", strings.Join(filled, ", "))
	}
	for at, reason := range all[0].Problems {
		if at == len(filled) {
			return r, usage.Errorf("--se: %s", usage.Visible(reason.Text))
		}
		hint := ""
		switch {
		case reason.Code != table.NotNumber && reason.Code != table.NoValue:
		case outcome != "":
			hint = "; give a number, or a bound such as '>4.5'"
		default:
			hint = "; give a number, a bound such as '>4.5', or 'failed: reason'"
		}
		return r, usage.Errorf("--to: %s%s", usage.Visible(reason.Text), hint)
	}
	return r, nil
}
