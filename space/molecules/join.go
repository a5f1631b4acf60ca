package molecules

import (
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// joined returns n random molecules of two pieces each. The pieces are those that molecules of the pool fall into when
// a bond of a ring to the rest is cut, each with the same chance however many molecules have it: so the molecules are
// unlike each other and those of the pool.
func (p *Pool) joined(n int, rng *rand.Rand) []string {
	pieces := p.pieces(n, rng)
	if len(pieces) < 2 {
		return nil
	}
	pairs := make([][2]int, n)
	for i := range pairs {
		pairs[i] = [2]int{rng.IntN(len(pieces)), rng.IntN(len(pieces))}
	}
	all := make([]string, n)
	parallel.For(n, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			all[i], _ = molecule.Join(pieces[pairs[i][0]], pieces[pairs[i][1]]) // "" with an error
		}
	})
	return slices.DeleteFunc(all, func(smiles string) bool { return smiles == "" })
}

// pieces returns the different pieces of n molecules of the pool, as SMILES with the atom [*:1], in the order in which
// they were found.
func (p *Pool) pieces(n int, rng *rand.Rand) []string {
	drawn := p.Sample(n, rng)
	seed := rng.Uint64()
	found := make([][]string, len(drawn))
	parallel.For(len(drawn), 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m, err := molecule.Parse(drawn[i])
			if err != nil {
				continue
			}
			if bonds := besideRings(m.Graph()); len(bonds) > 0 {
				b := bonds[rand.New(rand.NewPCG(seed, uint64(i))).IntN(len(bonds))]
				found[i], _ = m.Cut(molecule.Cut{Begin: b.Begin, End: b.End, Label: 1}) // nil with an error
			}
			m.Close()
		}
	})
	var pieces []string
	seen := map[string]bool{}
	for _, pair := range found {
		for _, piece := range pair {
			if !seen[piece] {
				seen[piece] = true
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}

// besideRings returns the single bonds that are in no ring, but have an atom that is.
func besideRings(g molecule.Graph) []molecule.Bond {
	in := make([]bool, len(g.Atoms))
	for _, ring := range g.Rings {
		for _, atom := range ring {
			in[atom] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(g.Bonds), func(b molecule.Bond) bool {
		return b.InRing || b.Order != 1 || b.Dative || !in[b.Begin] && !in[b.End]
	})
}
