// Package reaction holds reactions, building blocks, and routes: trees of at most a few steps that make a molecule from blocks.
//
// A Set is the reactions that may be used, the built-in ones of catalogue.go or a user's. An Index says which blocks of a list each reactant
// of each reaction may be. A Route says how a molecule is made; it is written as text (route.go), from which it can be read and carried out
// again. Operators that change routes are in package space/routes.
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

	run   *molecule.Reaction
	set   *Set
	slots []int // of its reactants, in the Set
	avoid []int // patterns in the Set that no reactant may have: they would react in place of the nucleophile
}

// Arity returns how many reactants it has.
func (r *Reaction) Arity() int { return len(r.slots) }

// mapped matches the number of an atom of reaction SMARTS.
var mapped = regexp.MustCompile(`:[0-9]+\]`)

// New returns a reaction of a user's. The name may be empty: then it is called after its SMARTS. The error says what is wrong.
func New(name, smarts string) (*Reaction, error) {
	run, err := molecule.CompileReaction(smarts)
	if err != nil {
		return nil, err
	}
	from, to, _ := strings.Cut(smarts, ">")
	for _, m := range mapped.FindAllString(to, -1) {
		if !slices.Contains(mapped.FindAllString(from, -1), m) {
			return nil, fmt.Errorf("reaction SMARTS: the product has the atom %s, which no reactant has; give it the number that it has there", strings.Trim(m, ":]"))
		}
	}
	if len(run.Reactants()) > 3 {
		return nil, fmt.Errorf("reaction of %d reactants; the limit is 3", len(run.Reactants()))
	}
	if name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";:→_", r) }), " "); name == "" {
		name = smarts
	}
	return &Reaction{Name: name, SMARTS: smarts, run: run}, nil
}

// Set is reactions with what their reactants are. It is immutable and safe for concurrent use.
type Set struct {
	Reactions []*Reaction

	patterns []*molecule.Pattern // of reactants, each once
	smarts   []string            // of patterns
	screen   *molecule.Screen    // for patterns; nil if RDKit alone can search for them
	slots    []slot
	hot      []int // patterns of groups that survive no reaction but their own
}

// slot is the place of a reactant in a reaction.
type slot struct {
	reaction, position int
	pattern            int
}

// BuiltIn returns the reactions of the catalogue. Their reactants are chosen strictly. A molecule is not used
//   - if it also has the group of another reactant,
//   - if it has an aliphatic amine where a weaker nucleophile is to react,
//   - if it has a group such as an acyl chloride, and the reaction leaves that group as it is.
//
// The error is molecule.ErrNoRDKit.
func BuiltIn() (*Set, error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	var all []*Reaction
	var weak []*Reaction
	for _, e := range catalogue() {
		r, err := New(e.name, e.expanded())
		if err != nil {
			panic(fmt.Sprintf("reaction %s: %v", e.name, err)) // the tests run each
		}
		r.run.Strict = true
		if all = append(all, r); e.weak() {
			weak = append(weak, r)
		}
	}
	s, err := NewSet(all)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"acyl chloride", "sulfonyl chloride", "isocyanate", "isothiocyanate", "chloroformate", "carbamoyl"} {
		s.hot = append(s.hot, s.role(name))
	}
	amine := s.role("alkyl amine")
	for _, r := range weak {
		r.avoid = []int{amine}
	}
	return s, nil
}

// role returns the pattern of a role that some reaction has.
func (s *Set) role(name string) int {
	one, err := molecule.CompileReaction(roles[name] + ">>[*:1]")
	if err != nil {
		panic(fmt.Sprintf("role %s: %v", name, err))
	}
	i := slices.Index(s.smarts, number.ReplaceAllString(one.Reactants()[0], "]"))
	if i < 0 {
		panic(fmt.Sprintf("role %s: no reaction has it", name))
	}
	return i
}

// NewSet returns the set of reactions, which no other set has. The error says which of them cannot be used, or that there is none.
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
		r.set, r.slots = s, nil
		for position, smarts := range r.run.Reactants() {
			p, err := s.pattern(smarts)
			if err != nil {
				return nil, fmt.Errorf("reaction %s: reactant %d: %w", r.Name, position+1, err)
			}
			r.slots = append(r.slots, len(s.slots))
			s.slots = append(s.slots, slot{i, position, p})
		}
	}
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

// Places returns which reactants a molecule (SMILES) may be: it has the group once, but for symmetry, and no group of the other reactants if
// the reaction is strict. The error is that of molecule.Parse.
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

// sites returns at how many places a molecule has each pattern.
func (s *Set) sites(m *molecule.Molecule) []int {
	if s.screen == nil {
		return m.Sites(s.patterns)
	}
	in := s.screen.In(m)
	some := make([]*molecule.Pattern, len(in))
	for k, i := range in {
		some[k] = s.patterns[i]
	}
	all := make([]int, len(s.patterns))
	for k, n := range m.Sites(some) {
		all[in[k]] = n
	}
	return all
}

// match returns the slots that a molecule fits.
func (s *Set) match(m *molecule.Molecule) (slots []int32) {
	sites := s.sites(m)
	hot, of := 0, -1
	for _, p := range s.hot {
		if hot += sites[p]; sites[p] > 0 {
			of = p
		}
	}
	if hot > 1 {
		return nil
	}
	for _, r := range s.Reactions {
		for position, i := range r.slots {
			if (hot == 0 || s.slots[i].pattern == of) && r.takes(position, func(p int) int { return sites[p] }) {
				slots = append(slots, int32(i))
			}
		}
	}
	return slots
}

// takes reports whether a molecule may be a reactant, by the number of places at which it has a pattern.
func (r *Reaction) takes(position int, sites func(pattern int) int) bool {
	pattern := func(k int) int { return r.set.slots[r.slots[k]].pattern }
	if sites(pattern(position)) != 1 {
		return false
	}
	for k := range r.slots {
		if r.run.Strict && k != position && sites(pattern(k)) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(r.avoid, func(p int) bool { return p != pattern(position) && sites(p) > 0 })
}

// admits reports whether a product of an earlier step may be a reactant.
func (r *Reaction) admits(position int, smiles string) bool {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return false
	}
	defer m.Close()
	return r.takes(position, func(p int) int { return m.Sites(r.set.patterns[p : p+1])[0] })
}
