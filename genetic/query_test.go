package genetic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

// samples are molecules of the library, one in so many, and some that it has none like.
func samples(t testing.TB, oneIn int) []string {
	all := []string{
		"[2H]C([2H])O", "[H][H]", "C", "[Na+].[Cl-]", "C1CC1=C", "C1=CC1", "C1=C=CCCC1", "C12C3C4C1C5C2C3C45", "N#CC#N", "CC#C[N+](=O)[O-]",
		"C1CCC2(CC1)CCCCC2", "[NH3]->[Cu]<-[NH3]", "*c1ccccc1", "C~C", "C[C@H](N)C(=O)NCCC/C=C/F", "[H+]", "C1CC2CC1C=C2", "c1ccc2ccccc2c1",
		"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CC(C)(C)C(C(C)(C)C)(C(C)(C)C)C(C)(C)C",
	}
	molecules := library.SMILES()
	for i := 0; i < len(molecules); i += oneIn {
		all = append(all, molecules[i])
	}
	return all
}

// Queries have the matches of RDKit, in its order.
func TestQueries(t *testing.T) {
	needRDKit(t)
	smarts := []string{chainBond, ringBonds, ringAtom, allene, strained}
	for _, m := range mutations() {
		smarts = append(smarts, m.smarts)
	}
	slices.Sort(smarts)
	smarts = slices.Compact(smarts)
	patterns := make([]*molecule.Pattern, len(smarts))
	for i, s := range smarts {
		var err error
		if patterns[i], err = molecule.CompilePattern(s); err != nil {
			t.Fatal(err)
		}
	}
	found := make([]int, len(smarts))
	for _, smiles := range samples(t, 40) {
		m := parse(t, smiles)
		kekule, err := m.Kekule()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*molecule.Molecule{m, kekule} {
			around := surroundingsOf(m.Graph())
			for i, s := range smarts {
				got := newQuery(s).in(around)
				found[i] += len(got)
				if want := patterns[i].Matches(m, false); !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%s in %s: %v\nwant %v", s, smiles, got, want)
				}
				if got, want := unique(got), patterns[i].Matches(m, true); !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%s in %s: unique %v\nwant %v", s, smiles, got, want)
				}
			}
			m.Close()
		}
	}
	if i := slices.Index(found, 0); i >= 0 {
		t.Errorf("no match of %s", smarts[i])
	}
}

// A parent is read, and has a mutant.
func BenchmarkMutant(b *testing.B) {
	needRDKit(b)
	breeder, all := mustBreeder(b, Options{}), samples(b, 20)
	rng := rand.New(rand.NewPCG(1, 0))
	for b.Loop() {
		p := breeder.read(all[rng.IntN(len(all))])
		if p == nil {
			continue
		}
		if m := breeder.mutant(p, rng, nil); m != nil {
			m.close()
		}
	}
}

func TestQueriesOfOtherSMARTS(t *testing.T) {
	for _, smarts := range []string{"C", "*:*", "[C]", "[X4]", "*C", "[$(*)]"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("newQuery(%s) does not panic", smarts)
				}
			}()
			newQuery(smarts)
		}()
	}
}
