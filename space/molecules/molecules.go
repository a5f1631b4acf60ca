// Package molecules is the space of molecules, for package evolve: edits of molecular graphs, what molecules are
// compared by, which may be proposed, and a library to cross known ones with. Strings of the space are canonical SMILES
// (molecule.Canonical).
//
// It needs RDKit: see package molecule.
package molecules

import (
	"cmp"
	"regexp"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
)

// Options say what a search may propose, and what it may use. The zero Options allow all molecules, and use no library.
type Options struct {
	Limits Limits // children beyond them are not made, and molecules of the pool are passed over
	Pool   *Pool  // molecules that are screened, and crossed with the known ones; nil: none

	Knows      []string   // names of outcomes that are properties; nil: none is
	Properties []Property // of Knows
}

// New returns the space of a search that begins with the molecules init (SMILES), which tell how large children are:
// from 6 heavy atoms, or those of the smallest, to a bound near 39. If a quarter of them exceed that, the bound is near
// the size of the largest ones of the bulk: 2.5 % are larger. Strings of init that are no molecules do not count.
//
// Molecules are compared by atom environments, atom pairs, composition and properties such as logP; a molecule that
// cannot be scored may owe it to any atom environment. The error is molecule.ErrNoRDKit.
func New(init []string, opts Options) (evolve.Space, error) {
	size := sizes(init, opts.Limits.Weight.Max)
	size.Wanted, size.Fits = opts.Limits.Met, opts.Limits.fit
	deliver := child
	if opts.Knows != nil { // known properties are those of the SMILES as it is read: the last digit of a sum over atoms depends on their order
		deliver = func(smiles string, _ *molecule.Molecule) evolve.Child { return evolve.Child{X: smiles} }
	}
	breeder, err := genetic.NewBreeder(size, deliver)
	if err != nil {
		return evolve.Space{}, err
	}
	space := evolve.Space{
		Operators: []evolve.Operator{{Name: "crossover", Make: breeder.Cross}, {Name: "mutation", Make: breeder.Mutate}, {Name: "rearrangement", Make: breeder.Rearrange}},
		Kernels:   comparisons(),
		Further:   further(),
		Knows:     opts.Knows,
		Novelty:   &gp.Term{Kernel: gp.Tanimoto, Groups: []int{0, 1, 2, 3}}, // atom environments
		Read: func(smiles string) (evolve.Description, error) {
			m, err := molecule.Parse(smiles)
			if err != nil {
				return evolve.Description{}, err
			}
			defer m.Close()
			groups, _ := features(m)
			d := evolve.Description{Groups: groups, Risks: m.Environments(), Infeasible: !opts.Limits.Met(m)}
			for _, property := range opts.Properties {
				d.Known = append(d.Known, property(m))
			}
			return d, nil
		},
		Check: func(smiles string) error {
			m, err := molecule.Parse(smiles)
			if err == nil {
				m.Close()
			}
			return err
		},
	}
	if opts.Pool != nil {
		space.Pool, space.Blind = opts.Pool.Sample, opts.Pool.joined
	}
	return space, nil
}

// child returns a molecule that is within the limits. It describes the molecule unless that was made lately and its
// description is remembered, most often, or another description may be read from its SMILES, which orders the atoms
// otherwise.
func child(smiles string, m *molecule.Molecule) evolve.Child {
	c := evolve.Child{X: smiles}
	if m == nil {
		return c
	}
	if groups, sure := features(m); sure {
		c.Description = &evolve.Description{Groups: groups, Risks: m.Environments()}
	}
	return c
}

// Atoms of a SMILES, and those of them that are hydrogen.
var (
	atom     = regexp.MustCompile(`\[[^]]*]|Br|Cl|[A-Za-z*]`)
	hydrogen = regexp.MustCompile(`\[\d*H(?:[^a-z\]][^]]*)?]`)
)

// written returns the number of atoms of a SMILES that are not hydrogen, without parsing it, which takes a hundred
// times as long.
func written(smiles string) int {
	return len(atom.FindAllStringIndex(smiles, -1)) - len(hydrogen.FindAllStringIndex(smiles, -1))
}

// sizes returns the sizes of children. They are mol_opt's, unless an initial molecule is smaller, or the bulk of them
// is larger: a quarter than mol_opt's mean. Then the bound is around the largest ones of the bulk. No child has more
// atoms than a weight, if it is positive, allows.
func sizes(init []string, weight float64) genetic.Options {
	d := genetic.Defaults()
	smallest, above := d.Fewest, 0
	var atoms, weights []float64
	for _, smiles := range init {
		n := written(smiles)
		if n > 0 {
			smallest = min(smallest, n)
			atoms, weights = append(atoms, float64(n)), append(weights, 1)
		}
		if float64(n) > d.Size {
			above++
		}
	}
	opts := genetic.Options{Fewest: smallest}
	if above > 0 && 4*above >= len(init) {
		_, opts.Size = bulk(atoms, weights, beyond)
		opts.SizeDeviation = opts.Size * d.SizeDeviation / d.Size
	}
	const lightest = 12 // g/mol of an atom that is not hydrogen, but for boron
	if most := weight/lightest + 1; weight > 0 && most < cmp.Or(opts.Size, d.Size) {
		opts.Size = max(most, float64(smallest)+1)
		opts.SizeDeviation = opts.Size * d.SizeDeviation / d.Size
	}
	return opts
}
