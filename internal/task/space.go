package task

import (
	"fmt"
	"slices"
	"sync"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/surrogate"
)

// moleculeSpace returns the space of canonical SMILES that are usual (nil: all) and as demanded: edits of molecular graphs, a
// library to cross them with, and counts of atom environments and atom pairs, by two kernels each: the data weigh them.
func moleculeSpace(library *catalogue, usual *corpus.Corpus, demanded demands) (evolve.Space, error) {
	known := &descriptions{usual: usual, demanded: demanded}
	breeder, err := genetic.NewBreeder(genetic.Options{Born: func(smiles string, m *molecule.Molecule) { known.add(smiles, m) }})
	if err != nil {
		return evolve.Space{}, err
	}
	space := evolve.Space{
		Operators: []evolve.Operator{{Name: "crossover", Make: breeder.Cross}, {Name: "mutation", Make: breeder.Mutate}},
		Kernels:   []gp.Term{{Kernel: gp.Tanimoto, Group: 0}, {Kernel: gp.Tanimoto, Group: 1}, {Kernel: gp.Overlap, Group: 0}, {Kernel: gp.Overlap, Group: 1}},
		Read:      known.of,
		Check: func(smiles string) error {
			m, err := molecule.Parse(smiles)
			if err == nil {
				m.Close()
			}
			return err
		},
		Pool: library.sample,
	}
	return space, nil
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
	return d.describe(m), nil
}

func (d *descriptions) describe(m *molecule.Molecule) evolve.Description {
	counts := func(c molecule.Counts) gp.Counts { return gp.Counts{IDs: c.IDs, N: c.N} }
	environments, g := m.Environments(), m.Graph()
	return evolve.Description{
		Groups:     []gp.Counts{counts(g.Circular(radius)), counts(g.Pairs(longestPath))},
		Risks:      environments,
		Infeasible: d.usual != nil && !d.usual.Holds(environments, m.RingKinds()) || !d.demanded.met(m),
	}
}

// What the surrogate of molecules looks at, as ECFP6 and atom pairs do.
const (
	radius      = 3  // of atom environments, in bonds
	longestPath = 10 // between the atoms of a pair, in bonds
)

// mostMade bounds the molecules that are made and never asked about, as are those that were known.
const mostMade = 2_000

func (d *descriptions) add(smiles string, m *molecule.Molecule) {
	made := d.describe(m)
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
	space := evolve.Space{Operators: tokens.Operators(), Kernels: []gp.Term{{Kernel: gp.Overlap, Group: 0}}}
	neighbours := surrogate.Gaps(split, 1)
	if fixed {
		groups, space.Kernels = append(groups, surrogate.Positions(split)), append(space.Kernels, gp.Term{Kernel: gp.Overlap, Group: 1})
	} else {
		groups, space.Kernels = append(groups, surrogate.TokenRuns(split)), append(space.Kernels, gp.Term{Kernel: gp.Tanimoto, Group: 1})
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
