// Package reaction holds reactions, building blocks, and routes: trees of at most a few steps that make a molecule from
// blocks.
//
// A Set is the reactions that may be used, the built-in ones of catalogue.go or a user's. An Index says which blocks of
// a list each reactant of each reaction may be. A Route says how a molecule is made; it is written as text (route.go),
// from which it can be read and carried out again. Operators that change routes are in package space/routes.
//
// It needs RDKit: see package molecule.
package reaction

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/invbo/invbo/molecule"
)

// Reaction is a reaction with its name.
type Reaction struct {
	Name   string // without blanks other than single spaces, and without ";", ":", "→" and "_"; the SMARTS if the user gave no name
	SMARTS string

	// Beside lists groups, separated by commas, that would compete: no reactant may have one besides the group that
	// reacts. Names are those of groups and families that WriteBuiltIn lists; a/b is group a, only where group b
	// reacts. "" allows any other group.
	Beside string

	run    *molecule.Reaction
	set    *Set
	slots  []int   // of its reactants, in the Set
	rivals []rival // that Beside names, and the hot groups
}

// Arity returns how many reactants it has.
func (r *Reaction) Arity() int { return len(r.slots) }

// mapped matches the number of an atom of reaction SMARTS.
var mapped = regexp.MustCompile(`:[0-9]+\]`)

// New returns a reaction of a user's. The name may be empty: then it is called after its SMARTS. The error says what is
// wrong.
func New(name, smarts string) (*Reaction, error) {
	run, err := molecule.CompileReaction(smarts)
	if err != nil {
		return nil, err
	}
	from, to, _ := strings.Cut(run.SMARTS(), ">>")
	for _, m := range mapped.FindAllString(to, -1) {
		if !slices.Contains(mapped.FindAllString(from, -1), m) {
			return nil, fmt.Errorf("reaction SMARTS: the product has the atom %s, which no reactant has; give it the number that it has there", strings.Trim(m, ":]"))
		}
	}
	if !slices.ContainsFunc(mapped.FindAllString(from, -1), func(m string) bool { return strings.Contains(to, m) }) {
		return nil, errors.New("reaction SMARTS: the product has no atom of a reactant; number the atoms that it keeps, as in [C:1](=[O:2])[OH].[NH2:3]>>[C:1](=[O:2])[N:3]")
	}
	if len(run.Reactants()) > 3 {
		return nil, fmt.Errorf("reaction of %d reactants; the limit is 3", len(run.Reactants()))
	}
	if name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";:→_", r) }), " "); name == "" {
		name = smarts
	}
	return &Reaction{Name: name, SMARTS: smarts, run: run}, nil
}

// NewSelective returns a reaction that is carried out where it is selective. No reactant has a group of Beside, or one
// that reacts with almost anything, such as an acyl chloride, unless it is the one that reacts; none has the group of
// another reactant, or reacts with itself.
func NewSelective(name, smarts, beside string) (*Reaction, error) {
	r, err := New(name, smarts)
	if err != nil {
		return nil, err
	}
	if _, err := expand(beside); err != nil {
		return nil, err
	}
	r.Beside, r.run.Strict = beside, true
	return r, nil
}

// Set is reactions with what their reactants are. It is immutable and safe for concurrent use.
type Set struct {
	Reactions []*Reaction

	patterns []*molecule.Pattern // of reactants, each once
	smarts   []string            // of patterns
	screen   *molecule.Screen    // for patterns; nil if RDKit alone can search for them
	slots    []slot
	quarrels [][2][]int // of patterns; nil: no reaction is selective
	leaving  []int      // patterns of groups that are meant to leave, though they may be all that is left of a block

	tautomers memo[[]tautomer] // the best first
	places    memo[[]Place]
}

// slot is the place of a reactant in a reaction.
type slot struct {
	reaction, position int
	pattern            int
}

// BuiltIn returns the reactions of the catalogue. All of them are selective. The error is molecule.ErrNoRDKit.
func BuiltIn() (*Set, error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	var all []*Reaction
	for _, e := range catalogue() {
		r, err := NewSelective(e.name, e.expanded(), e.beside)
		if err != nil {
			panic(fmt.Sprintf("reaction %s: %v", e.name, err)) // the tests run each
		}
		all = append(all, r)
	}
	return NewSet(all)
}

// NewSet returns the set of reactions, which no other set has. The error says which of them cannot be used, or that
// there is none.
func NewSet(reactions []*Reaction) (*Set, error) {
	if len(reactions) == 0 {
		return nil, errors.New("there is no reaction")
	}
	s := &Set{Reactions: reactions}
	names := map[string]bool{}
	for i, r := range reactions {
		if names[r.Name] {
			return nil, fmt.Errorf("two reactions are called %q", r.Name)
		}
		names[r.Name] = true
		r.set, r.slots, r.rivals = s, nil, nil
		for position, smarts := range r.run.Reactants() {
			p, err := s.pattern(smarts)
			if err != nil {
				return nil, fmt.Errorf("reaction %s: reactant %d: %w", r.Name, position+1, err)
			}
			r.slots = append(r.slots, len(s.slots))
			s.slots = append(s.slots, slot{i, position, p})
		}
	}
	for _, r := range reactions {
		if r.Beside == "" {
			continue
		}
		var err error
		if r.rivals, err = s.rivals(r.Beside); err != nil {
			return nil, fmt.Errorf("reaction %s: %w", r.Name, err)
		}
	}
	if slices.ContainsFunc(reactions, func(r *Reaction) bool { return r.Beside != "" }) {
		s.setQuarrels()
	}
	s.leaving = s.groups("unfinished")
	s.screen, _ = molecule.NewScreen(s.patterns, nil) // nil with an error
	return s, nil
}

// number is that of an atom in a reaction SMARTS, at the end of its brackets.
var number = regexp.MustCompile(`:\d+]`)

// pattern returns the number of the pattern of a reactant, which it adds if no other reactant has it.
func (s *Set) pattern(reactant string) (int, error) {
	smarts := number.ReplaceAllString(reactant, "]")
	if i := slices.Index(s.smarts, smarts); i >= 0 {
		return i, nil
	}
	p, err := molecule.CompilePattern(smarts)
	if err != nil {
		return 0, err
	}
	s.patterns, s.smarts = append(s.patterns, p), append(s.smarts, smarts)
	return len(s.patterns) - 1, nil
}

// Named returns the reaction of that name; nil if there is none.
func (s *Set) Named(name string) *Reaction {
	if i := slices.IndexFunc(s.Reactions, func(r *Reaction) bool { return r.Name == name }); i >= 0 {
		return s.Reactions[i]
	}
	return nil
}

// Place is a reactant of a reaction.
type Place struct {
	*Reaction
	Position int
}

// Places returns which reactants a molecule (SMILES) may be: it has the reacting group once (symmetric copies count
// once) and, if the reaction is selective, no competing group; a symmetric copy may be one. Which tautomer is given
// does not matter. The error is that of molecule.Parse.
func (s *Set) Places(smiles string) ([]Place, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	var all []Place
	for _, i := range s.match(m) {
		all = append(all, Place{s.Reactions[s.slots[i].reaction], s.slots[i].position})
	}
	return all, nil
}

// sites returns where a molecule has each pattern.
func (s *Set) sites(m *molecule.Molecule) []molecule.Sites {
	if s.screen == nil {
		return m.Sites(s.patterns)
	}
	in := s.screen.In(m)
	some := make([]*molecule.Pattern, len(in))
	for k, i := range in {
		some[k] = s.patterns[i]
	}
	all := make([]molecule.Sites, len(s.patterns))
	for k, of := range m.Sites(some) {
		all[in[k]] = of
	}
	return all
}

// match returns the slots that a molecule fits, whichever of its tautomers is given. If several tautomers fit and react
// at different atoms, there are several products, and the molecule does not fit.
func (s *Set) match(m *molecule.Molecule) (slots []int32) {
	places := make([][]string, len(s.slots)) // where each tautomer that fits reacts
	forms(m, func(all []form) {
		for _, f := range all {
			sites := s.sites(f.Molecule)
			unstable := s.unstable(sites)
			for _, r := range s.Reactions {
				if r.Beside != "" && unstable || r.run.Strict && f.minor(all[0]) {
					continue
				}
				for position, i := range r.slots {
					if r.takes(position, sites) {
						places[i] = append(places[i], s.place(f, sites[s.slots[i].pattern].First()))
					}
				}
			}
		}
	})
	for i, all := range places {
		if len(slices.Compact(all)) == 1 {
			slots = append(slots, int32(i))
		}
	}
	return slots
}

// takes reports whether a molecule may be a reactant, by where it has the patterns.
func (r *Reaction) takes(position int, sites []molecule.Sites) bool {
	of := func(k int) molecule.Sites { return sites[r.set.slots[r.slots[k]].pattern] }
	reacting := of(position)
	if reacting.Different != 1 {
		return false
	}
	for k := range r.slots {
		if r.run.Strict && k != position && of(k).Different > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(r.rivals, func(x rival) bool { return x.disturbs(sites, reacting.First()) })
}
