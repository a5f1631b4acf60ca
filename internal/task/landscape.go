package task

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
)

// Landscape is a table of strings with scores that stands for an experiment. A string that is not in it cannot be scored.
type Landscape struct {
	File   File   `json:"file,omitzero"`
	Column string `json:"column,omitzero"` // of scores; empty: by its name
}

// LandscapeTask is the name of the task.
const LandscapeTask = "landscape"

// How many of the strings with the best scores a search should find; top: of landscapes with ten times as many.
const (
	best = 10
	top  = 100
)

// buildLandscape returns the parts of a search of a landscape. An initial design is a sample of its strings.
func buildLandscape(ctx context.Context, t Task, o Options) (Parts, error) {
	l, err := readLandscape(ctx, o)
	if err != nil {
		return Parts{}, err
	}
	ranked := l.ranked(t.Minimize)
	p := Parts{Notation: l.notation, Sequences: l.read.Sequences, Best: ranked[:min(best, len(ranked))], Optimum: new(l.scores[ranked[0]])}
	p.Notes.AddText(l.read.Note())
	if len(ranked) >= 10*top {
		for _, x := range ranked[:top] {
			p.Top = append(p.Top, l.scores[x])
		}
	}
	p.Oracle = oracle.Func(func(x string) oracle.Result { return l.score(x, len(o.Objectives) > 0) })
	p.Generate = func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		if n > len(l.xs) {
			return nil, option.Errorf("the landscape has %d strings; take fewer", len(l.xs))
		}
		return stats.Pick(l.xs, rng.Perm(len(l.xs))[:n]), nil
	}
	p.Space = func(d Design) (Space, error) {
		if l.kind != OwnMolecules {
			return ownSpace(o, nil, d)
		}
		space, err := molecules.New(d.Strings(), molecules.Options{})
		return Space{Space: space}, usage.Wrap(err)
	}
	return p, nil
}

// landscape is a table of strings whose scores are all known.
type landscape struct {
	kind     string // OwnMolecules or OwnStrings
	notation Notation
	read     *Strings
	xs       []string // with a score, in the order of the table
	scores   map[string]float64
}

// readLandscape reads the table that the options name. Scores are the means of replicates.
func readLandscape(ctx context.Context, o Options) (l landscape, err error) {
	if !o.Landscape.File.Given() {
		return l, option.Errorf("give the table of the landscape: %s", option.Setting{Name: "file", Value: "FILE"})
	}
	columns := table.Options{WildType: o.WildType, Offset: o.Offset, BothStrands: o.BothStrands, Scored: true, Pooled: true}
	if o.Landscape.Column != "" {
		columns.Score = []string{o.Landscape.Column}
	}
	if l.kind, err = Guess(o.Landscape.File, columns); err != nil {
		return l, err
	}
	l.notation = AnyStrings()
	if l.kind == OwnMolecules {
		l.notation = Molecules(table.Strip{KeepSalts: o.Strip.KeepSalts, KeepCharges: true})
	}
	file, err := l.notation.Open(o.Landscape.File, columns, nil)
	if err != nil {
		return l, err
	}
	if l.read, err = file.Read(ctx, columns); err != nil {
		return l, err
	}
	l.scores = map[string]float64{}
	for _, c := range l.read.Compounds() {
		if len(c.Scores) > 0 {
			l.xs = append(l.xs, c.Input)
			l.scores[c.Input] = floats.Sum(c.Scores) / float64(len(c.Scores))
		}
	}
	if len(l.xs) < 2 {
		return l, option.Errorf("%s has %d strings with a score, and a search needs 2", l.read.Source, len(l.xs))
	}
	return l, nil
}

// ranked returns the strings, the best first.
func (l landscape) ranked(minimize bool) []string {
	ranked := slices.Clone(l.xs)
	slices.SortStableFunc(ranked, func(a, b string) int {
		if minimize {
			a, b = b, a
		}
		return cmp.Compare(l.scores[b], l.scores[a])
	})
	return ranked
}

// score returns that of a string, and as an outcome if it may be an objective that is called as the column.
func (l landscape) score(x string, objective bool) oracle.Result {
	v, ok := l.scores[x]
	if !ok {
		return oracle.Result{Score: math.NaN(), Reason: "the landscape does not have it"}
	}
	r := oracle.Result{Score: v}
	if objective {
		r.Others = map[string]float64{l.read.Columns.Score: v}
	}
	return r
}
