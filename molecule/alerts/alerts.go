// Package alerts holds rules for molecules that a chemist would not make: substructures that interfere with assays or
// make poor leads, and groups that do not last in water and air.
package alerts

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/invbo/invbo/molecule"
)

// Rule is a substructure that molecules should not have.
type Rule struct {
	Name   string
	SMARTS string
	Count  int    // of its matches, at least
	Flag   bool   // a molecule that matches is suspicious; otherwise it is excluded
	Reason string // why; may be empty

	pattern *molecule.Pattern // of the SMARTS, if that was compiled and has not changed since
	sound   string            // the SMARTS, if it is one of ours, which a test compiles
}

// The published rules are those of Schuffenhauer et al. 2020, "Evolution of Novartis' small molecule screening deck
// design" (J. Med. Chem. 63, 14425), as RDKit's Contrib has them (NIBRSubstructureFilters, BSD-3-Clause: see the file
// NOTICE of package molecule).
var (
	//go:embed nibr.tsv
	nibr string
	//go:embed unstable.tsv
	unstable string
)

// NIBR returns the rules that Novartis triages hits by: 260 that exclude, and 77 that flag. Annotations are left out.
func NIBR() []Rule {
	rules := ours(nibr)
	for i := range rules {
		rules[i].Reason = "hit triage at Novartis"
	}
	return rules
}

// Unstable returns rules for groups that react with water, air or each other, or that rearrange, each with the reason.
// They exclude.
func Unstable() []Rule { return ours(unstable) }

// ours returns rules of our own, without compiling them: that takes longer than all else that a short command does.
func ours(table string) []Rule {
	rules, err := read(table, func(r *Rule) error { r.sound = r.SMARTS; return nil })
	if err != nil {
		panic("alerts: " + err.Error())
	}
	return rules
}

// Read reads rules in one of two forms. As lines, each is a SMARTS and, after a blank, perhaps a name; # begins a
// comment. As a table, separated by tabs, commas or semicolons, it has the column smarts, and perhaps name, min_count,
// severity and reason. A severity is EXCLUDE (the default), FLAG or ANNOTATION; annotations are skipped. Errors name
// the line.
func Read(r io.Reader) ([]Rule, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return read(strings.TrimPrefix(string(content), "\ufeff"), (*Rule).compile)
}

// read reads rules. check may refuse a rule.
func read(text string, check func(*Rule) error) ([]Rule, error) {
	form := readLines
	header, _, _ := strings.Cut(text, "\n")
	for _, comma := range "\t,;" {
		if names := columns(strings.Split(header, string(comma))); slices.Contains(names, "smarts") {
			form = func(text string, check func(*Rule) error) ([]Rule, error) { return readTable(text, comma, check) }
			break
		}
	}
	rules, err := form(text, check)
	if err == nil && len(rules) == 0 {
		err = errors.New("it contains no SMARTS")
	}
	return rules, err
}

// columns returns names of columns as they are compared.
func columns(header []string) []string {
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"`))
	}
	return names
}

func readLines(text string, check func(*Rule) error) (rules []Rule, _ error) {
	at := 0
	for line := range strings.Lines(text) {
		at++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		r := Rule{Name: strings.Join(fields[1:], " "), SMARTS: fields[0], Count: 1}
		if r.Name == "" {
			r.Name = r.SMARTS
		}
		if err := check(&r); err != nil {
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func readTable(text string, comma rune, check func(*Rule) error) (rules []Rule, _ error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
	header, err := r.Read()
	if err != nil {
		return nil, err
	}
	names := columns(header)
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return rules, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		cell := func(name string) string {
			if i := slices.Index(names, name); i >= 0 && i < len(cells) {
				return strings.TrimSpace(cells[i])
			}
			return ""
		}
		rule, used, err := readRule(cell)
		if err == nil && used {
			err = check(&rule)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if used {
			rules = append(rules, rule)
		}
	}
}

// readRule returns the rule of a row, unless it is an annotation.
func readRule(cell func(column string) string) (r Rule, used bool, err error) {
	r = Rule{Name: cell("name"), SMARTS: cell("smarts"), Count: 1, Reason: cell("reason")}
	if r.Name == "" {
		r.Name = r.SMARTS
	}
	if count := cell("min_count"); count != "" {
		if r.Count, err = strconv.Atoi(count); err != nil || r.Count < 1 {
			return r, false, fmt.Errorf("min_count %q: give a positive number", count)
		}
	}
	switch severity := cell("severity"); strings.ToUpper(severity) {
	case "", "EXCLUDE":
	case "FLAG":
		r.Flag = true
	case "ANNOTATION":
		return r, false, nil
	default:
		return r, false, fmt.Errorf("severity %q: give EXCLUDE, FLAG or ANNOTATION", severity)
	}
	return r, true, nil
}

// compile reports what is wrong with the SMARTS. A build without RDKit cannot tell.
func (r *Rule) compile() (err error) {
	if molecule.Available() == nil && (r.pattern == nil || r.pattern.String() != r.SMARTS) {
		r.pattern, err = molecule.CompilePatternMergeHs(r.SMARTS)
	}
	return err
}

// Set holds rules that molecules are matched with, all in one pass. It is safe for concurrent use.
type Set struct {
	rules  []Rule
	screen func() (*molecule.Screen, error) // of rules, compiled when it is first needed if they are ours
	off    []bool                           // rules that do not count; nil: all do
	beyond map[int]allowed                  // rules that may be matched
}

// allowed is how often a rule may be matched.
type allowed struct {
	pattern *molecule.Pattern
	times   int
}

// Compile returns the set of some rules, perhaps of none. The error is that of a rule, or molecule.ErrNoRDKit.
func Compile(rules []Rule) (*Set, error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	s := &Set{rules: slices.Clone(rules)}
	s.screen = sync.OnceValues(func() (*molecule.Screen, error) { return compile(s.rules) })
	if slices.ContainsFunc(rules, func(r Rule) bool { return r.sound != r.SMARTS }) {
		if _, err := s.screen(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func compile(rules []Rule) (*molecule.Screen, error) {
	patterns, counts, errs := make([]*molecule.Pattern, len(rules)), make([]int, len(rules)), make([]error, len(rules))
	var parts sync.WaitGroup
	size := len(rules)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(rules); from += size {
		parts.Go(func() {
			for i := from; i < min(from+size, len(rules)); i++ {
				r := rules[i]
				if err := r.compile(); err != nil {
					errs[i] = fmt.Errorf("%s: %w", r.Name, err)
				}
				patterns[i], counts[i] = r.pattern, r.Count
			}
		})
	}
	parts.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return molecule.NewScreen(patterns, counts)
}

// Without returns the set without the rules for which out is true. It compiles nothing, since that takes time.
func (s *Set) Without(out func(Rule) bool) *Set {
	w := &Set{rules: s.rules, screen: s.screen, beyond: s.beyond, off: make([]bool, len(s.rules))}
	for i, r := range s.rules {
		w.off[i] = s.off != nil && s.off[i] || out(r)
	}
	if !slices.Contains(w.off, true) {
		w.off = nil
	}
	return w
}

// Beyond returns the set in which a molecule may match a rule as often as the one of some forms of another molecule
// that matches it most often.
func (s *Set) Beyond(forms ...*molecule.Molecule) (*Set, error) {
	w := &Set{rules: s.rules, screen: s.screen, off: s.off, beyond: map[int]allowed{}}
	for _, m := range forms {
		for _, i := range s.compiled().In(m) {
			p, err := molecule.CompilePatternMergeHs(s.rules[i].SMARTS)
			if err != nil {
				return nil, err
			}
			w.beyond[i] = allowed{p, max(w.beyond[i].times, len(p.Matches(m, true)))}
		}
	}
	return w, nil
}

// Rules returns the rules of the set.
func (s *Set) Rules() (rules []Rule) {
	for i, r := range s.rules {
		if s.off == nil || !s.off[i] {
			rules = append(rules, r)
		}
	}
	return rules
}

// Any reports whether m matches a rule.
func (s *Set) Any(m *molecule.Molecule) bool {
	if s.off == nil && len(s.beyond) == 0 {
		return s.compiled().Any(m)
	}
	return slices.ContainsFunc(s.compiled().In(m), func(i int) bool { return s.counts(i, m) })
}

// counts reports whether the match of a rule counts.
func (s *Set) counts(i int, m *molecule.Molecule) bool {
	if s.off != nil && s.off[i] {
		return false
	}
	a, ok := s.beyond[i]
	return !ok || len(a.pattern.Matches(m, true)) > a.times
}

// compiled returns the screen. It panics on an error: Compile has returned that of given rules, and ours have none.
func (s *Set) compiled() *molecule.Screen {
	screen, err := s.screen()
	if err != nil {
		panic("alerts: " + err.Error())
	}
	return screen
}

// In returns the rules that m matches.
func (s *Set) In(m *molecule.Molecule) []Rule {
	var in []Rule
	for _, i := range s.compiled().In(m) {
		if s.counts(i, m) {
			in = append(in, s.rules[i])
		}
	}
	return in
}
