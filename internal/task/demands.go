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
func (o Options) limits(ctx context.Context) (l molecules.Limits, by []option.Setting, _ error) {
	l = molecules.Limits{MaxAtoms: o.MaxAtoms, Weight: molecules.Range(o.Weight), LogP: molecules.Range(o.LogP)}
	for _, list := range []struct {
		option   option.Name
		file     File
		patterns *[]*molecule.Pattern
	}{{"forbid", o.Forbid, &l.Forbid}, {"require", o.Require, &l.Require}} {
		if list.file.Path == "" {
			continue
		}
		var err error
		if *list.patterns, err = readPatterns(ctx, list.file); err != nil {
			return l, nil, option.Errorf("%s: %w", list.option, err)
		}
		by = append(by, option.Setting{Name: list.option, Value: list.file.Path})
	}
	if o.MaxAtoms > 0 {
		by = append(by, option.Setting{Name: "max-atoms", Value: strconv.Itoa(o.MaxAtoms)})
	}
	if o.Weight.given() {
		by = append(by, option.Setting{Name: "weight", Value: o.Weight.String()})
	}
	if o.LogP.given() {
		by = append(by, option.Setting{Name: "logp", Value: o.LogP.String()})
	}
	return l, by, nil
}

// readPatterns reads SMARTS: one per line, which a name may follow, or the column SMARTS of a table. In lines, # begins a comment. One
// that is wrong is an error, as without it the others would ask for less.
func readPatterns(ctx context.Context, f File) ([]*molecule.Pattern, error) {
	patterns, err := patternLines(f)
	if err == nil {
		return patterns, nil
	}
	r, openErr := f.Open()
	if openErr != nil {
		return nil, openErr
	}
	defer r.Close()
	if t, tableErr := table.Read(ctx, r, table.Options{Input: "SMARTS", Score: []string{table.NoScores}}); tableErr == nil {
		patterns, err = nil, nil
		for _, r := range t.Records {
			if r.State == table.Invalid {
				return nil, fmt.Errorf("%s, line %d: %s", f.Source(), r.Line, r.Reason.Text)
			}
			p, err := molecule.CompilePatternMergeHs(r.Text)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", f.Source(), r.Line, err)
			}
			patterns = append(patterns, p)
		}
	}
	return patterns, err
}

func patternLines(f File) (patterns []*molecule.Pattern, _ error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := table.ReadText(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source(), err)
	}
	at := 0
	for line := range strings.Lines(text) {
		at++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		p, err := molecule.CompilePatternMergeHs(fields[0])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.Source(), at, err)
		}
		patterns = append(patterns, p)
	}
	if len(patterns) == 0 {
		return nil, fmt.Errorf("%s: it contains no SMARTS", f.Source())
	}
	return patterns, nil
}
