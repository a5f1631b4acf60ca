package genetic_test

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
)

// Children that were made before are the same again, and neither judged nor built once more, with configurations or
// without.
func TestChildrenAreRemembered(t *testing.T) {
	needRDKit(t)
	var judged, built atomic.Int64
	fresh := func() *genetic.Breeder[string] {
		b, err := genetic.NewBreeder(genetic.Options{Wanted: func(m *molecule.Molecule) bool {
			judged.Add(1)
			return m.Weight() > 100
		}}, func(smiles string, m *molecule.Molecule) string {
			if m != nil {
				built.Add(1)
			}
			return smiles
		})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	pairs := pairsOf(append([]string{"C[C@H](O)CCN", "C/C=C/CCO", "O=C1CCNCc2cccc(c2)OCCCCCN1"}, start...), 200)
	for name, operator := range operators {
		t.Run(name, func(t *testing.T) {
			b := fresh()
			make := func(b *genetic.Breeder[string]) []string {
				judged.Store(0)
				built.Store(0)
				children, err := operator(b, t.Context(), pairs, rand.New(rand.NewPCG(1, 2)))
				if err != nil {
					t.Fatal(err)
				}
				return children
			}
			first := make(b)
			if judged.Load() == 0 || built.Load() == 0 {
				t.Fatal("no child was made")
			}
			again := make(b)
			if judged.Load() > 0 || built.Load() > 0 {
				t.Errorf("%d children were judged again, and %d built", judged.Load(), built.Load())
			}
			if !slices.Equal(first, again) || !slices.Equal(first, make(fresh())) {
				t.Error("children are others than before")
			}
		})
	}
}
