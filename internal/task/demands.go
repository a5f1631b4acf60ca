package task

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Range is an interval of numbers; an end that is infinite is open. The zero value stands for no Range.
type Range struct{ Min, Max float64 }

// Set, String and Type let a flag hold a Range, as MIN:MAX.
func (r *Range) Set(text string) error {
	from, to, ok := strings.Cut(text, ":")
	read := func(end string, open float64) float64 {
		if end == "" {
			return open
		}
		v, err := strconv.ParseFloat(end, 64)
		if err != nil || math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	v := Range{read(from, math.Inf(-1)), read(to, math.Inf(1))}
	if !ok || from == "" && to == "" || !(v.Min < v.Max) { // written this way, NaN fails
		return usage.Errorf("give MIN:MAX, two numbers in ascending order of which one may be left out, such as 250:450 or :450")
	}
	*r = v
	return nil
}

func (r Range) String() string {
	if !r.given() {
		return ""
	}
	end := func(v float64) string {
		if math.IsInf(v, 0) {
			return ""
		}
		return Float(v)
	}
	return end(r.Min) + ":" + end(r.Max)
}

func (r Range) Type() string { return "string" }

func (r Range) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r *Range) UnmarshalText(text []byte) error { return r.Set(string(text)) }

func (r Range) given() bool { return r != Range{} }

// limits returns what the options ask of molecules, and the options that do.
func (o Options) limits(ctx context.Context) (l molecules.Limits, by []option.Setting, err error) {
	l = molecules.Limits{MaxAtoms: o.MaxAtoms, Weight: molecules.Range(o.Weight), LogP: molecules.Range(o.LogP)}
	if l.Forbid, err = readPatterns(ctx, o.Forbid); err != nil {
		return l, nil, option.Errorf("%s: %w", option.Name("forbid"), err)
	}
	if l.Require, err = readPatterns(ctx, o.Require); err != nil {
		return l, nil, option.Errorf("%s: %w", option.Name("require"), err)
	}
	for _, s := range []option.Setting{
		{Name: "forbid", Value: o.Forbid.Path}, {Name: "require", Value: o.Require.Path}, {Name: "max-atoms", Value: strconv.Itoa(o.MaxAtoms)},
		{Name: "weight", Value: o.Weight.String()}, {Name: "logp", Value: o.LogP.String()},
	} {
		if s.Value != "" && s.Value != "0" {
			by = append(by, s)
		}
	}
	return l, by, nil
}

// readPatterns reads SMARTS: one per line, which a name may follow, or the column SMARTS of a table. In lines, # begins a comment. One
// that is wrong is an error, as without it the others would ask for less.
func readPatterns(ctx context.Context, f File) (patterns []*molecule.Pattern, _ error) {
	if f.Path == "" {
		return nil, nil
	}
	add := func(line int, smarts string) error {
		p, err := molecule.CompilePatternMergeHs(smarts)
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", f.Source(), line, err)
		}
		patterns = append(patterns, p)
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if t, err := table.Read(ctx, r, table.Options{Input: "SMARTS", Score: []string{table.NoScores}}); err == nil {
		for _, r := range t.Records {
			if r.State == table.Invalid {
				return nil, fmt.Errorf("%s, line %d: %s", f.Source(), r.Line, r.Reason.Text)
			}
			if err := add(r.Line, r.Text); err != nil {
				return nil, err
			}
		}
		return patterns, nil
	}
	lines, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	text, err := table.ReadText(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source(), err)
	}
	at := 0
	for line := range strings.Lines(text) {
		at++
		if fields := strings.Fields(line); len(fields) > 0 && !strings.HasPrefix(fields[0], "#") {
			if err := add(at, fields[0]); err != nil {
				return nil, err
			}
		}
	}
	if len(patterns) == 0 {
		return nil, fmt.Errorf("%s: it contains no SMARTS", f.Source())
	}
	return patterns, nil
}
