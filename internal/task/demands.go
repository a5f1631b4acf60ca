package task

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
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

func (r Range) holds(v float64) bool { return r.Min <= v && v <= r.Max }

// demands are what a user asks of molecules beside a good score.
type demands struct {
	forbidden, required []*molecule.Pattern
	maxAtoms            int // heavy ones; 0: any number
	weight, logP        Range
	flags               []string // that they were given by, for people
}

// demands reads what the options ask for.
func (o Options) demands(ctx context.Context) (demands, error) {
	d := demands{maxAtoms: o.MaxAtoms, weight: o.Weight, logP: o.LogP}
	for _, list := range []struct {
		flag     string
		file     File
		patterns *[]*molecule.Pattern
	}{{"forbid", o.Forbid, &d.forbidden}, {"require", o.Require, &d.required}} {
		if list.file.Path == "" {
			continue
		}
		var err error
		if *list.patterns, err = readPatterns(ctx, list.file); err != nil {
			return d, usage.Errorf("--%s: %w", list.flag, err)
		}
		d.flags = append(d.flags, "--"+list.flag+" "+list.file.Path)
	}
	if d.maxAtoms > 0 {
		d.flags = append(d.flags, fmt.Sprintf("--max-atoms %d", d.maxAtoms))
	}
	if d.weight.given() {
		d.flags = append(d.flags, "--weight "+d.weight.String())
	}
	if d.logP.given() {
		d.flags = append(d.flags, "--logp "+d.logP.String())
	}
	return d, nil
}

// met reports whether a molecule is as demanded.
func (d demands) met(m *molecule.Molecule) bool {
	if d.maxAtoms > 0 && heavyAtoms(m) > d.maxAtoms {
		return false
	}
	if d.weight.given() && !d.weight.holds(m.Weight()) || d.logP.given() && !d.logP.holds(m.LogP()) {
		return false
	}
	for _, p := range d.required {
		if !p.In(m) {
			return false
		}
	}
	for _, p := range d.forbidden {
		if p.In(m) {
			return false
		}
	}
	return true
}

func heavyAtoms(m *molecule.Molecule) int {
	n := 0
	for _, a := range m.Graph().Atoms {
		if a.Number != 1 {
			n++
		}
	}
	return n
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
	if t, tableErr := table.Read(ctx, r, table.Options{Input: "SMARTS", Score: table.NoScores}); tableErr == nil {
		patterns, err = nil, nil
		for _, r := range t.Records {
			if r.State == table.Invalid {
				return nil, fmt.Errorf("%s, line %d: %s", f.Source(), r.Line, r.Note)
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
	text, err := table.Text(r)
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
