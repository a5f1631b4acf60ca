package task

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/option"
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
	if !o.Landscape.File.Given() {
		return Parts{}, option.Errorf("give the table of the landscape: %s", option.Setting{Name: "file", Value: "FILE"})
	}
	columns := table.Options{WildType: o.WildType, Offset: o.Offset, BothStrands: o.BothStrands, Scored: true}
	if o.Landscape.Column != "" {
		columns.Score = []string{o.Landscape.Column}
	}
	kind, err := Guess(o.Landscape.File, columns)
	if err != nil {
		return Parts{}, err
	}
	n := AnyStrings()
	if kind == OwnMolecules {
		n = Molecules(table.Strip{KeepSalts: o.Strip.KeepSalts, KeepCharges: true})
	}
	file, err := n.Open(o.Landscape.File, columns, nil)
	if err != nil {
		return Parts{}, err
	}
	read, err := file.Read(ctx, columns)
	if err != nil {
		return Parts{}, err
	}
	var xs []string
	scores := map[string]float64{}
	for _, c := range read.Compounds() {
		if len(c.Scores) == 0 {
			continue
		}
		sum := 0.0
		for _, s := range c.Scores {
			sum += s
		}
		xs = append(xs, c.Input)
		scores[c.Input] = sum / float64(len(c.Scores))
	}
	if len(xs) < 2 {
		return Parts{}, option.Errorf("%s has %d strings with a score, and a search needs 2", read.Source, len(xs))
	}
	ranked := slices.Clone(xs)
	slices.SortStableFunc(ranked, func(a, b string) int {
		if t.Minimize {
			a, b = b, a
		}
		return cmp.Compare(scores[b], scores[a])
	})
	p := Parts{Notation: n, Sequences: read.Sequences, Best: ranked[:min(best, len(ranked))], Optimum: new(scores[ranked[0]])}
	p.Notes.AddText(read.Note())
	if len(ranked) >= 10*top {
		for _, x := range ranked[:top] {
			p.Top = append(p.Top, scores[x])
		}
	}
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		if v, ok := scores[x]; ok {
			r := oracle.Result{Score: v}
			if len(o.Objectives) > 0 { // which may be called as the column
				r.Others = map[string]float64{read.Columns.Score: v}
			}
			return r
		}
		return oracle.Result{Score: math.NaN(), Reason: "the landscape does not have it"}
	})
	p.Generate = func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		if n > len(xs) {
			return nil, option.Errorf("the landscape has %d strings; take fewer", len(xs))
		}
		var some []string
		for _, i := range rng.Perm(len(xs))[:n] {
			some = append(some, xs[i])
		}
		return some, nil
	}
	p.Space = func(d Design) (Space, error) {
		if kind != OwnMolecules {
			return ownSpace(o, nil, d)
		}
		space, err := molecules.New(d.Strings(), molecules.Options{})
		return Space{Space: space}, usage.Wrap(err)
	}
	return p, nil
}
