package task

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
)

// moleculeSpace returns the space of canonical SMILES that are usual (nil: all) and as demanded: edits of molecular graphs, and a
// library to cross them with. They have about the sizes of the initial molecules. Molecules are compared by atom environments, atom
// pairs, composition and properties; the data weigh these.
func moleculeSpace(init []study.Observation, library *catalogue, usual *corpus.Corpus, demanded demands) (evolve.Space, error) {
	known := &descriptions{usual: usual, demanded: demanded}
	opts := sizes(init)
	opts.Wanted, opts.Born = known.feasible, known.add
	breeder, err := genetic.NewBreeder(opts)
	if err != nil {
		return evolve.Space{}, err
	}
	return evolve.Space{
		Operators: []evolve.Operator{{Name: "crossover", Make: breeder.Cross}, {Name: "mutation", Make: breeder.Mutate}},
		Kernels:   comparisons(),
		Novelty:   &gp.Term{Kernel: gp.Tanimoto, Groups: []int{0, 1, 2, 3}}, // atom environments
		Read:      known.of,
		Check: func(smiles string) error {
			m, err := molecule.Parse(smiles)
			if err == nil {
				m.Close()
			}
			return err
		},
		Pool: library.sample,
	}, nil
}

// sizes returns the sizes of children. They are mol_opt's, unless an initial molecule is smaller, or many or very large ones exceed
// them: a quarter mol_opt's mean, or one what its bound ever is. Then the bound is around the largest one.
func sizes(init []study.Observation) genetic.Options {
	const ever = 5 // deviations
	d := genetic.Defaults()
	atoms := make([]int, len(init)) // 0: no molecule
	parallel.For(len(init), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if m, err := molecule.Parse(init[i].X); err == nil {
				atoms[i] = heavyAtoms(m)
				m.Close()
			}
		}
	})
	smallest, largest, above := d.Fewest, 0, 0
	for _, n := range atoms {
		if n > 0 {
			smallest, largest = min(smallest, n), max(largest, n)
		}
		if float64(n) > d.Size {
			above++
		}
	}
	opts := genetic.Options{Fewest: smallest}
	if above > 0 && 4*above >= len(init) || float64(largest) > d.Size+ever*d.SizeDeviation {
		opts.Size = float64(largest)
		opts.SizeDeviation = opts.Size * d.SizeDeviation / d.Size
	}
	return opts
}

// descriptions hold those of molecules that were just made, which need not be parsed again. They are safe for concurrent use.
type descriptions struct {
	usual    *corpus.Corpus // of which feasible ones are; nil: any may be
	demanded demands

	mu   sync.Mutex
	made map[string]evolve.Description
}

func (d *descriptions) of(smiles string) (evolve.Description, error) {
	d.mu.Lock()
	found, ok := d.made[smiles]
	delete(d.made, smiles)
	d.mu.Unlock()
	if ok {
		return found, nil
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		return evolve.Description{}, err
	}
	defer m.Close()
	groups, _ := features(m)
	return evolve.Description{Groups: groups, Risks: m.Environments(), Infeasible: !d.feasible(m)}, nil
}

// feasible reports whether a molecule may be proposed.
func (d *descriptions) feasible(m *molecule.Molecule) bool {
	return (d.usual == nil || d.usual.Usual(m)) && d.demanded.met(m)
}

// features returns what the surrogate compares molecules by: structure, and quantities that a score may have an optimum of, which is
// hardly to be learnt from structure. It is unsure where the order of atoms decides: of a property halfway between two steps, since logP
// and TPSA are sums, and of the number of rings of a cage, where it is not that of bonds that close rings.
func features(m *molecule.Molecule) (groups []gp.Counts, sure bool) {
	const (
		longestPath = 10   // between the atoms of a pair, in bonds
		most        = 100  // steps of a property
		rounding    = 1e-9 // of a property, in steps
	)
	g := m.Graph()
	for _, c := range append(g.Shells(3), g.Roles(2), g.Pairs(longestPath), g.Composition()) {
		groups = append(groups, gp.Counts{IDs: c.IDs, N: c.N})
	}
	sure = len(g.Rings) == len(g.Bonds)-len(g.Atoms)+1 // of a molecule in one piece
	for _, property := range []struct{ value, step float64 }{
		{m.LogP() + 5, 0.25}, {m.TPSA(), 5}, {float64(g.Flexible()), 0.5}, {float64(m.Rings()), 0.25}, {float64(m.AromaticRings()), 0.25},
	} {
		steps := property.value / property.step
		sure = sure && math.Abs(steps-math.Floor(steps)-0.5) > rounding
		steps = min(max(0, math.Round(steps)), most)
		groups = append(groups, gp.Counts{IDs: []uint64{0}, N: []uint32{1 + uint32(steps)}})
	}
	return groups, sure
}

// comparisons returns the kernels on the groups of features. The data weigh them.
func comparisons() []gp.Term {
	var terms []gp.Term
	for _, groups := range [][]int{{0, 1, 2, 3}, {0, 1, 2}, {0, 1}, {4}, {5}} { // environments up to a radius, roles, pairs
		terms = append(terms, gp.Term{Kernel: gp.Overlap, Groups: groups})
	}
	for g := 6; g <= 11; g++ { // composition and properties
		terms = append(terms, gp.Term{Kernel: gp.Laplace, Groups: []int{g}})
	}
	return terms
}

// mostMade bounds the molecules that are made and never asked about, as are those that were known.
const mostMade = 2_000

// add describes a feasible molecule, unless its description depends on the order of atoms, which in m is another than in the SMILES.
func (d *descriptions) add(smiles string, m *molecule.Molecule) {
	groups, sure := features(m)
	if !sure {
		return
	}
	made := evolve.Description{Groups: groups, Risks: m.Environments()}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.made == nil || len(d.made) >= mostMade {
		d.made = map[string]evolve.Description{}
	}
	d.made[smiles] = made
}

// TokenSpace returns the space of strings over an alphabet. If all examples have one length, so have all strings.
func TokenSpace(alphabet []string, split func(x string) []string, examples []string) evolve.Space {
	fixed, longest := true, 0
	for _, x := range examples {
		n := len(split(x))
		fixed = fixed && (longest == 0 || n == longest)
		longest = max(longest, n)
	}
	tokens := evolve.Tokens{Alphabet: alphabet, Split: split, Fixed: fixed, Longest: longest + longest/2 + 1}
	groups := []surrogate.Features{surrogate.Gaps(split, longestGap)}
	space := evolve.Space{Operators: tokens.Operators(), Kernels: []gp.Term{{Kernel: gp.Overlap, Groups: []int{0}}}}
	neighbours := surrogate.Gaps(split, 1)
	if fixed {
		groups, space.Kernels = append(groups, surrogate.Positions(split)), append(space.Kernels, gp.Term{Kernel: gp.Overlap, Groups: []int{1}})
	} else {
		groups, space.Kernels = append(groups, surrogate.TokenRuns(split)), append(space.Kernels, gp.Term{Kernel: gp.Tanimoto, Groups: []int{1}})
	}
	space.Check = func(x string) error {
		for _, t := range split(x) {
			if !slices.Contains(alphabet, t) {
				return fmt.Errorf("%q is not in the alphabet of %d tokens", t, len(alphabet))
			}
		}
		return nil
	}
	space.Read = func(x string) (evolve.Description, error) {
		var d evolve.Description
		if err := space.Check(x); err != nil {
			return d, err
		}
		for _, g := range groups {
			c, err := g(x)
			if err != nil {
				return d, err
			}
			d.Groups = append(d.Groups, c)
		}
		risks, err := neighbours(x)
		d.Risks = risks.IDs
		return d, err
	}
	return space
}

// longestGap is the greatest distance of pairs of tokens that the surrogate of strings looks at.
const longestGap = 20
