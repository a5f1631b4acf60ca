package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

func tellCommand() *cobra.Command {
	var f tableFlags
	var flags *pflag.FlagSet
	var correct bool
	c := labCommand(&cobra.Command{
		Use:   "tell STUDY FILE [flags]",
		Short: "Tell what was measured",
		Long: `tell takes a table with measurements: that of invbo ask with scores filled in, or one of
your own. A row is a number; nothing, for what waits on; or "failed: reason". Rows are
found by name, by structure or by both, and compounds of your own are taken too.

Outcomes that --objective, --property or --constraint name may come in several tables: what
is told first is kept until the rest is told.

A table of invbo export may be told, too: what the study knows changes nothing.

A table may be told again: what is known already changes nothing. Another score of a
compound is another measurement, and the search uses the mean; with --correct it
takes the place of one that the table does not repeat. If a compound has several,
include all, and leave correct ones unchanged. --correct takes no new compounds.

If rows cannot be taken, the others are stored, the rows are named, and the exit code is 2.`,
		Example: `  invbo tell lab.db week1.csv
  invbo tell lab.db week1.csv --correct`,
		Args: exactly(2, "the file of a study, and a table"),
	}, false, func(ctx context.Context, b *experiment.Experiment, args []string, stdout io.Writer) error {
		known, err := b.TableOptions()
		if err != nil {
			return err
		}
		f.study, f.told = b.Place().String(), true
		f.Alike = known.Alike
		f.Normalize, f.Molecules, f.Named, f.Known, f.Others, f.Like = known.Normalize, known.Molecules, known.Named, known.Known, known.Others, known.Like
		f.Sequences, f.WildType, f.Offset, f.BothStrands = known.Sequences, known.WildType, known.Offset, known.BothStrands
		file, err := f.tableFile(args[0])
		if err != nil {
			return err
		}
		read, err := f.read(ctx, []task.File{file}, b.Objective)
		if q, ok := errors.AsType[*table.Question](err); ok {
			return question(file.Source(), q, false)
		}
		if e, ok := errors.AsType[*table.ColumnError](err); ok && e.Role == table.RoleScore && len(f.Score) == 0 && e.Name == f.Like.Score && e.Source == "" {
			called := *e
			called.Name = f.Like.Filled() // as the user's tables call it
			err = usage.Errorf("%s%w", strings.TrimSuffix(err.Error(), e.Error()), &called)
		}
		if u, ok := errors.AsType[*table.Unusable](err); ok && u.Invalid < u.Rows {
			err = nil // unlike the table of a new study, a table of results may have more failures than numbers: the other rows are stored
		}
		if err != nil {
			return explained(err, flags)
		}
		say(strings.ReplaceAll(strings.Join(slices.Concat(read.Notes, read.Remarks, unusedReplicates(read)), "\n"), "give its name as sheet", "give its name as --sheet"))
		if b.Objective != nil {
			read.Columns.Score = "" // it is made of others
		}
		outcomes, err := b.Tell(ctx, read.Records, correct)
		if len(outcomes) == 0 && err == nil {
			return usage.Errorf("%s: no row can be taken: %s", file.Source(), strings.TrimPrefix(read.Summary("rows"), "0 rows: "))
		}
		printOutcomes(stdout, read, outcomes, correct)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(outcomes, experiment.Told.Taken) {
			return usage.Errorf("%s: no row was taken", file.Source())
		}
		fmt.Fprint(stdout, b.Status())
		return notTaken(file.Source(), read, outcomes)
	})
	g := newGroup("Flags")
	flags = g.FlagSet
	g.BoolVar(&correct, "correct", false, "another score of a compound takes the place of the one that there is")
	g.Var(option.Once(&f.Input, oneInput), "input", "`COLUMN` of the strings (default: that of the study)")
	g.StringArrayVar(&f.Score, "score", nil, "`COLUMN` of the scores; several hold replicates (default: that of the study)")
	g.Var(option.Once(&f.ID, oneID), "id", "`COLUMN` of names (default: that of the study)")
	f.add(g)
	return withGroups(c, g)
}

// unusedReplicates says which columns look like replicates of the scores, and how they are told, too.
func unusedReplicates(t *table.Table) []string {
	if len(t.Replicates) == 0 {
		return nil
	}
	scores := max(1, len(t.Columns.From))
	var give []string
	for _, name := range t.Replicates {
		give = append(give, "--score "+usage.Quoted(name))
	}
	unused := t.Replicates[min(scores, len(t.Replicates)-1):]
	return []string{fmt.Sprintf("not used, though it looks like a replicate of the score: column %s; if it is one, tell the table again with %s", strings.Join(unused, ", column "), strings.Join(give, " "))}
}

// printOutcomes says how many rows became what, and which could not be taken.
func printOutcomes(w io.Writer, t *table.Table, outcomes []experiment.Told, correct bool) {
	counts := map[experiment.What]int{}
	var order []experiment.What
	apart, odd := 0, 0
	var called []experiment.Told
	for _, o := range outcomes {
		if o.Apart {
			apart++
		}
		if o.Called != "" {
			called = append(called, o)
		}
		if o.Odd != "" {
			odd++
			fmt.Fprintf(w, "Line %-6d %s: %s\n", o.Line, o.What, usage.Visible(o.Odd))
		}
		for _, doubt := range o.Doubts {
			fmt.Fprintf(w, "Line %-6d %s: %s\n", o.Line, o.What, usage.Visible(doubt))
		}
		if counts[o.What]++; counts[o.What] == 1 {
			order = append(order, o.What)
		}
		if o.Why != "" {
			fmt.Fprintf(w, "Line %-6d %s\n", o.Line, o)
		}
	}
	kinds := make([]string, len(order))
	for i, what := range order {
		kinds[i] = fmt.Sprintf("%d %s", counts[what], what)
	}
	fmt.Fprintf(w, "Read        %s\nTold        %s\n", t.Summary("rows"), strings.Join(kinds, ", "))
	if counts[experiment.Outdated] > 0 {
		fmt.Fprintf(w, "Again       what was corrected or struck is not taken again; if it was measured anew, tell it with --correct\n")
	}
	if correct && counts[experiment.Stays] > 0 {
		fmt.Fprintf(w, "Stays       a cell without a value takes no score out; invbo correct STUDY NAME --strike --reason WORDS does\n")
	}
	if len(called) > 0 {
		first := called[0]
		fmt.Fprintf(w, "Names       %d of strings that have another name, and keep it: line %d has %s, and the string is called %s\n", len(called), first.Line, usage.Visible(first.ID), usage.Visible(first.Called))
	}
	switch {
	case odd > 0:
		fmt.Fprintf(w, "Apart       %d of another structure than nearly all others: the search learns nothing from them\n", apart)
	case apart > 0:
		fmt.Fprintf(w, "Apart       %d of another length than the sequences that are compared: the search learns nothing from them\n", apart)
	}
}

// notTaken returns an error with the rows that say something that is not stored, or only in part; nil: there are none.
func notTaken(source string, t *table.Table, outcomes []experiment.Told) error {
	const most = 5 // are named
	type row struct {
		line int
		why  string
	}
	var rows []row
	for _, r := range t.Records {
		if r.State == table.Invalid || r.State == table.SetAside && (r.Reason.Code == table.OtherUnit || r.Reason.Code == table.NoUnit) {
			rows = append(rows, row{r.Line, r.Reason.Text})
		}
		for _, why := range r.Unread {
			rows = append(rows, row{r.Line, why})
		}
	}
	for _, o := range outcomes {
		if o.What == experiment.Refused || o.What == experiment.Waiting && o.Why != "" {
			rows = append(rows, row{o.Line, o.Why})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.line - b.line })
	var named []string
	for _, r := range rows[:min(most, len(rows))] {
		named = append(named, fmt.Sprintf("line %d (%s)", r.line, usage.Shorten(r.why, 200)))
	}
	if more := len(rows) - most; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return usage.Errorf("%s: not taken: %s; the others are stored, and the table may be told again", source, strings.Join(named, ", "))
}
