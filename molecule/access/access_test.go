package access_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
)

func parse(t testing.TB, smiles string) *molecule.Molecule {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	t.Cleanup(m.Close)
	return m
}

// RDKit's Contrib (2022.09.3) gives these.
func TestScore(t *testing.T) {
	for _, test := range []struct {
		name, smiles string
		want         float64
	}{
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", 1.580039750008826},
		{"methane", "C", 7.3284153846153846},
		{"a macrocycle", "C1CCCCCCCCCCC1", 1.0},
		{"a spiro compound", "C1CCC2(CC1)CCNCC2", 2.8894670435802254},
		{"a cage", "C1C2CC3CC1CC(C2)C3", 3.058563940841239},
		{"glucose", "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O", 3.5954452778199304},
		{"cubane", "C12C3C4C1C5C2C3C45", 3.1693957705375695},
		{"a salt", "[Na+].[O-]C(=O)c1ccccc1", 2.527664041231727},
		{"penicillin G", "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O", 3.200273387340024},
		{"many rings", "CC(=O)OC1C(=O)C2(C)C(O)CC3OCC3(OC(C)=O)C2C(OC(=O)c2ccccc2)C2(O)CC(OC(=O)C(O)C(NC(=O)c3ccccc3)c3ccccc3)C(C)=C1C2(C)C", 5.915623958602232},
	} {
		m := parse(t, test.smiles)
		if got := access.Score(m); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %.15g, want %.15g", test.name, got, test.want)
		}
		for _, bounds := range [][2]float64{{1, 3}, {math.Inf(-1), 1}, {1, 10}, {3, 6}, {5.9, math.Inf(1)}} {
			if got, want := access.Within(m, bounds[0], bounds[1]), bounds[0] <= test.want && test.want <= bounds[1]; got != want {
				t.Errorf("%s: within %v: %t, want %t", test.name, bounds, got, want)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	rows := shared.Rows(t, "golden/sa_nibr.csv.gz")
	for _, row := range rows[1:] {
		want, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		m, err := molecule.Parse(row[0])
		if err != nil {
			t.Fatal(err)
		}
		got := access.Score(m)
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.15g, want %.15g", row[0], got, want)
		}
		for _, r := range [][2]float64{{1, 3}, {2.5, 4.5}, {4, 10}, {want - 1e-6, want + 1e-6}, {want + 1e-6, 10}, {1, want - 1e-6}} {
			if in := access.Within(m, r[0], r[1]); in != (r[0] <= got && got <= r[1]) {
				t.Errorf("%s has %g, and is in %v: %t", row[0], got, r, in)
			}
		}
		m.Close()
	}
}

func BenchmarkScore(b *testing.B) {
	m := parse(b, "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1")
	b.Run("Score", func(b *testing.B) {
		for b.Loop() {
			access.Score(m)
		}
	})
	b.Run("Within", func(b *testing.B) {
		for b.Loop() {
			access.Within(m, 1, 4)
		}
	})
}
