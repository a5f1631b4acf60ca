package reaction

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// Route is how a molecule is made: a block, or the product of a reaction of routes. Routes are not modified.
type Route struct {
	Product  string    // canonical SMILES
	Reaction *Reaction // of the last step; nil: Product is a block
	Parts    []*Route  // its reactants
}

// MaxSteps is the greatest number of steps of a route.
const MaxSteps = 3

// Steps returns the number of steps.
func (r *Route) Steps() int {
	if r.Reaction == nil {
		return 0
	}
	n := 1
	for _, p := range r.Parts {
		n += p.Steps()
	}
	return n
}

// Blocks returns the SMILES of the blocks, from left to right.
func (r *Route) Blocks() []string {
	if r.Reaction == nil {
		return []string{r.Product}
	}
	var all []string
	for _, p := range r.Parts {
		all = append(all, p.Blocks()...)
	}
	return all
}

// ErrNoProduct is the error of reactants that do not react, or in more than one way.
var ErrNoProduct = errors.New("the reactants have no single product")

// Run carries out a reaction of routes. The error is ErrNoProduct, or says which reactant is no molecule.
func (r *Reaction) Run(parts ...*Route) (*Route, error) {
	reactants := make([]string, len(parts))
	for i, p := range parts {
		if reactants[i] = p.Product; p.Reaction != nil && !slices.Contains(r.set.Fits(p), Place{r, i}) { // of blocks the index knows it
			return nil, fmt.Errorf("%s of %s: %w", r.Name, p.Product, ErrNoProduct)
		}
	}
	if r.Beside != "" && slices.ContainsFunc(parts, func(p *Route) bool { return p.takes(detours[r.Name]) }) {
		return nil, fmt.Errorf("%s of %s: %w: it is a detour", r.Name, strings.Join(reactants, " and "), ErrNoProduct)
	}
	products, err := r.products(reactants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	if len(products) != 1 {
		return nil, fmt.Errorf("%s of %s: %w", r.Name, strings.Join(reactants, " and "), ErrNoProduct)
	}
	made := &Route{Product: products[0], Reaction: r, Parts: parts}
	if made.has(made.Product) {
		return nil, fmt.Errorf("%s of %s: %w: %s occurs earlier in the route", r.Name, strings.Join(reactants, " and "), ErrNoProduct, made.Product)
	}
	switch lost, err := made.wasted(); {
	case err != nil:
		return nil, fmt.Errorf("%s: trace blocks: %w", r.Name, err)
	case lost != "":
		return nil, fmt.Errorf("%s of %s: %w: nothing of %s is left", r.Name, strings.Join(reactants, " and "), ErrNoProduct, lost)
	}
	return made, nil
}

// wasted returns a block that the last step takes away entirely; "" if there is none, or if a protecting group or boron
// leaves. Errors are those of Labelled and Run.
func (r *Route) wasted() (block string, _ error) {
	const least = 2 // atoms that a step takes away, and which may be such a rest
	atoms := -Size(r.Product)
	for _, p := range r.Parts {
		atoms += Size(p.Product)
	}
	if atoms < least || !slices.ContainsFunc(r.Parts, func(p *Route) bool { return len(p.Blocks()) > 1 }) {
		return "", nil
	}
	if leaves, err := r.unprotects(); leaves || err != nil {
		return "", err
	}
	blocks := 0
	parts, err := r.tracedParts(&blocks)
	if err != nil {
		return "", err
	}
	product, err := r.Reaction.trace(parts)
	if err != nil || product == "" { // what cannot be traced is not judged
		return "", err
	}
	for i, b := range r.Blocks() {
		has := func(smiles string) bool { return strings.Contains(smiles, fmt.Sprintf("[%d", firstMass+i)) }
		if slices.ContainsFunc(parts, has) && !has(product) {
			return b, nil
		}
	}
	return "", nil
}

// unprotects reports whether a protecting group or boron leaves in the last step.
func (r *Route) unprotects() (bool, error) {
	if slices.Contains(unprotecting, r.Reaction.Name) {
		return true, nil
	}
	s := r.Reaction.set
	left := make([]int, len(s.leaving))
	count := func(smiles string, sign int) error {
		return molecule.Look(smiles, func(m *molecule.Molecule) {
			sites := s.sites(m)
			for i, p := range s.leaving {
				left[i] += sign * len(sites[p].Atoms)
			}
		})
	}
	err := count(r.Product, -1)
	for _, p := range r.Parts {
		err = cmp.Or(err, count(p.Product, 1))
	}
	return slices.ContainsFunc(left, func(n int) bool { return n > 0 }), err
}

// firstMass is the mass number that atoms of the first block of a route are traced by; that of the next is larger by 1.
const firstMass = 401

// traced returns the product with the mass number of its block at each atom; "" if the labelled reactants do not react.
// blocks counts those to the left.
func (r *Route) traced(blocks *int) (string, error) {
	if r.Reaction == nil {
		*blocks++
		return molecule.Labelled(r.Product, firstMass+*blocks-1)
	}
	parts, err := r.tracedParts(blocks)
	if err != nil {
		return "", err
	}
	return r.Reaction.trace(parts)
}

// tracedParts is traced of each of the parts.
func (r *Route) tracedParts(blocks *int) ([]string, error) {
	parts := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		var err error
		if parts[i], err = p.traced(blocks); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// trace carries out the reaction with labelled reactants; "" if one is "", or they do not react.
func (r *Reaction) trace(parts []string) (string, error) {
	if slices.Contains(parts, "") {
		return "", nil
	}
	products, err := r.products(parts)
	if err != nil || len(products) == 0 {
		return "", err
	}
	return products[0], nil // labels may tell symmetric products apart
}

// products returns the different products that the tautomers of the reactants give, each as its best tautomer: all, or
// two or more of several. The error says which reactant is no molecule.
func (r *Reaction) products(reactants []string) (all []string, _ error) {
	given := make([][]string, len(reactants))
	for i, smiles := range reactants {
		var err error
		if given[i], err = r.reacting(smiles); err != nil {
			return nil, fmt.Errorf("reactant %s: %w", smiles, err)
		}
	}
	some := make([]string, len(reactants))
	var choose func(i int) error
	choose = func(i int) error {
		if i < len(given) {
			for _, some[i] = range given[i] {
				if err := choose(i + 1); err != nil {
					return err
				}
			}
			return nil
		}
		if len(all) > 1 {
			return nil
		}
		products, err := r.run.Run(some...)
		for _, p := range products {
			if p = r.set.best(p); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
		return err
	}
	return all, choose(0)
}

// Fits returns the Places of a route's product, which the Set remembers; none if it cannot be parsed. Do not modify them.
func (s *Set) Fits(r *Route) []Place {
	places, _ := s.places.of(r.Product, func() ([]Place, error) { return s.Places(r.Product) }) // none with an error
	return places
}

// takes reports whether a route has a step by one of some reactions.
func (r *Route) takes(names []string) bool {
	if r.Reaction == nil {
		return false
	}
	return slices.Contains(names, r.Reaction.Name) || slices.ContainsFunc(r.Parts, func(p *Route) bool { return p.takes(names) })
}

// has reports whether a molecule occurs before the last step.
func (r *Route) has(smiles string) bool {
	return slices.ContainsFunc(r.Parts, func(p *Route) bool { return p.Product == smiles || p.has(smiles) })
}

// String writes the route in one line: the SMILES of its product, and then the steps in reverse Polish notation, blocks
// as SMILES and reactions by name, with blanks between them and _ for blanks in names:
//
//	CC(=O)NCC1CC1 CC(=O)O NCC1CC1 >amide_coupling
//
// A block is its SMILES alone.
func (r *Route) String() string {
	if r.Reaction == nil {
		return r.Product
	}
	var b strings.Builder
	b.WriteString(r.Product)
	r.write(&b)
	return b.String()
}

func (r *Route) write(b *strings.Builder) {
	if r.Reaction == nil {
		b.WriteString(" " + r.Product)
		return
	}
	for _, p := range r.Parts {
		p.write(b)
	}
	b.WriteString(" >" + strings.ReplaceAll(r.Reaction.Name, " ", "_"))
}

// Product returns the molecule of a text that String wrote, or of one that is a SMILES.
func Product(text string) string {
	smiles, _, _ := strings.Cut(text, " ")
	return smiles
}

// HasRoute reports whether a text that String wrote has steps.
func HasRoute(text string) bool { return strings.Contains(text, " ") }

// Route reads a text that String wrote, and carries out its steps. The error says what is wrong with the text, which
// step has no single product, or that the product is another one than the text says.
func (s *Set) Route(text string) (*Route, error) { return s.read(text, true) }

// Recall is Route without carrying out the steps: the products of steps but the last one are empty.
func (s *Set) Recall(text string) (*Route, error) { return s.read(text, false) }

func (s *Set) read(text string, run bool) (*Route, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, errors.New("an empty route")
	}
	if len(fields) == 1 {
		return &Route{Product: fields[0]}, nil
	}
	var stack []*Route
	for _, f := range fields[1:] {
		name, step := strings.CutPrefix(f, ">")
		if !step {
			stack = append(stack, &Route{Product: f})
			continue
		}
		r := s.byText(name)
		if r == nil {
			return nil, fmt.Errorf("route: unknown reaction %q", name)
		}
		n := len(stack) - r.Arity()
		if n < 0 {
			return nil, fmt.Errorf("route: %s needs %d reactants, and %d came before it", r.Name, r.Arity(), len(stack))
		}
		made := &Route{Reaction: r, Parts: append([]*Route(nil), stack[n:]...)}
		if run {
			var err error
			if made, err = r.Run(made.Parts...); err != nil {
				return nil, err
			}
		}
		stack = append(stack[:n], made)
	}
	if len(stack) != 1 {
		return nil, fmt.Errorf("a route that ends with %d molecules", len(stack))
	}
	route := stack[0]
	if run && route.Product != fields[0] {
		return nil, fmt.Errorf("the route ends with %s, and not with %s", route.Product, fields[0])
	}
	route.Product = fields[0]
	return route, nil
}

func (s *Set) byText(name string) *Reaction { return s.Named(strings.ReplaceAll(name, "_", " ")) }

// Step is a step of a route for people.
type Step struct {
	Reaction  string
	Reactants []Reactant
	Product   string // SMILES
}

// Reactant is a block, or the product of an earlier step.
type Reactant struct {
	Block
	Step int // number of the earlier step, from 1; 0: it is a block
}

// Describe returns the steps in the order in which they are carried out, and the sum of the prices of the different
// blocks, NaN unless all are known.
func (b *Blocks) Describe(r *Route) (steps []Step, price float64) {
	var walk func(r *Route) Reactant
	walk = func(r *Route) Reactant {
		if r.Reaction == nil {
			block, _ := b.Find(r.Product)
			return Reactant{Block: block}
		}
		step := Step{Reaction: r.Reaction.Name, Product: r.Product}
		for _, p := range r.Parts {
			step.Reactants = append(step.Reactants, walk(p))
		}
		steps = append(steps, step)
		return Reactant{Block: Block{SMILES: r.Product, Price: math.NaN()}, Step: len(steps)}
	}
	walk(r)
	return steps, b.price(r.Blocks())
}

// Text writes steps in one line for people, blocks with their names and prices if there are:
//
//  1. amide coupling: A1 CC(=O)O (12) + NCC1CC1 → CC(=O)NCC1CC1
func Text(steps []Step) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d. %s: ", i+1, s.Reaction)
		for k, r := range s.Reactants {
			if k > 0 {
				b.WriteString(" + ")
			}
			b.WriteString(r.String())
		}
		b.WriteString(" → " + s.Product)
	}
	return b.String()
}

// String writes a reactant for people.
func (r Reactant) String() string {
	if r.Step > 0 {
		return fmt.Sprintf("product of %d", r.Step)
	}
	text := r.SMILES
	if r.Name != "" {
		text = r.Name + " " + text
	}
	if !math.IsNaN(r.Price) {
		text += " (" + strconv.FormatFloat(r.Price, 'g', -1, 64) + ")"
	}
	return text
}
