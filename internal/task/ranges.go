package task

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
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
		return usage.Errorf("give MIN:MAX with MIN below MAX, such as 2:4; either may be left out, as in :4")
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

// short writes the range to four digits.
func (r Range) short() string {
	round := func(v float64) float64 {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
		return rounded
	}
	return Range{round(r.Min), round(r.Max)}.String()
}

func (r Range) Type() string { return "string" }

func (r Range) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r *Range) UnmarshalText(text []byte) error { return r.Set(string(text)) }

func (r Range) given() bool { return r != Range{} }

// Whole is an interval of whole numbers: N, MIN:MAX, MIN: or :MAX; empty: any.
type Whole string

// Set, String and Type let a flag hold it.
func (w *Whole) Set(text string) error {
	least, most, err := Whole(text).ends()
	if err != nil || least > most {
		return usage.Errorf("give a whole number, or MIN:MAX with MIN not above MAX, such as 1:3; either may be left out, as in :2")
	}
	*w = Whole(text)
	return nil
}

func (w Whole) String() string { return string(w) }
func (w Whole) Type() string   { return "string" }

// open is an end of a Whole that is not given.
const open = 1_000_000

// ends returns the least and the greatest number.
func (w Whole) ends() (least, most int, err error) {
	from, to, two := strings.Cut(string(w), ":")
	if !two {
		to = from
	}
	if from == "" && to == "" {
		return 0, 0, errors.New("no number")
	}
	least, most = -open, open
	if from != "" {
		least, err = strconv.Atoi(from)
	}
	if to != "" && err == nil {
		most, err = strconv.Atoi(to)
	}
	return least, most, err
}

// limit returns the range as a limit on molecules.
func (w Whole) limit() molecules.Range {
	least, most, err := w.ends()
	if w == "" || err != nil {
		return molecules.Range{}
	}
	return molecules.Whole(least, most)
}

// short writes a range of one number as that number.
func (w Whole) short() string {
	if least, most, err := w.ends(); err == nil && least == most {
		return strconv.Itoa(least)
	}
	return string(w)
}

// readPatterns reads SMARTS: one per line, which a name may follow, or the column SMARTS of a table. In lines, # begins
// a comment. One that is wrong is an error, as without it the others would ask for less.
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
	t, err := table.Read(ctx, r, table.Options{Input: "SMARTS", Score: []string{table.NoScores}, Carry: true})
	switch {
	case err == nil:
		counts := slices.IndexFunc(t.Carried, func(name string) bool { return strings.EqualFold(name, "min_count") })
		for _, r := range t.Records {
			if r.State == table.Invalid {
				return nil, fmt.Errorf("%s, line %d: %s", f.Source(), r.Line, r.Reason.Text)
			}
			if counts >= 0 && !slices.Contains([]string{"", "1"}, strings.TrimSpace(r.Carried[counts])) {
				return nil, option.Errorf("%s, line %d: min_count is for rules of alerts: give such a file with %s", f.Source(), r.Line, option.Setting{Name: "alerts", Value: "FILE"})
			}
			if err := add(r.Line, r.Text); err != nil {
				return nil, err
			}
		}
		return patterns, nil
	case ctx.Err() != nil || f.IsTable():
		return nil, fmt.Errorf("%s: %w", f.Source(), err)
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
