package task

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
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
	by                  []option.Setting // that they were given by
}

// demands reads what the options ask for.
func (o Options) demands() (demands, error) {
	d := demands{maxAtoms: o.MaxAtoms, weight: o.Weight, logP: o.LogP}
	for _, list := range []struct {
		option   option.Name
		file     File
		patterns *[]*molecule.Pattern
	}{{"forbid", o.Forbid, &d.forbidden}, {"require", o.Require, &d.required}} {
		if list.file.Path == "" {
			continue
		}
		var err error
		if *list.patterns, err = readPatterns(list.file); err != nil {
			return d, option.Errorf("%s: %w", list.option, err)
		}
		d.by = append(d.by, option.Setting{Name: list.option, Value: list.file.Path})
	}
	if d.maxAtoms > 0 {
		d.by = append(d.by, option.Setting{Name: "max-atoms", Value: strconv.Itoa(d.maxAtoms)})
	}
	if d.weight.given() {
		d.by = append(d.by, option.Setting{Name: "weight", Value: d.weight.String()})
	}
	if d.logP.given() {
		d.by = append(d.by, option.Setting{Name: "logp", Value: d.logP.String()})
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

// readPatterns reads SMARTS, one per line; a name may follow, and a line that begins with # is a comment.
func readPatterns(f File) ([]*molecule.Pattern, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := plain(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source(), err)
	}
	var rows []Row
	if err := eachLine(text, Notation{}, func(text string, line int) { rows = append(rows, Row{Text: text, Line: line}) }); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source(), err)
	}
	var patterns []*molecule.Pattern
	for _, r := range rows {
		smarts := strings.Fields(r.Text)[0]
		if strings.HasPrefix(smarts, "#") {
			continue
		}
		p, err := molecule.CompilePatternMergeHs(smarts)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.Source(), r.Line, err)
		}
		patterns = append(patterns, p)
	}
	if len(patterns) == 0 {
		return nil, fmt.Errorf("%s: it contains no SMARTS", f.Source())
	}
	return patterns, nil
}
