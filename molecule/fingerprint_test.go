package molecule_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"pgregory.net/rapid"
)

// fingerprints draws small ones, so that two of them share features.
func fingerprints() *rapid.Generator[molecule.Counts] {
	return rapid.Custom(func(t *rapid.T) molecule.Counts {
		n := rapid.MapOfN(rapid.Uint64Range(0, 20), rapid.Uint32Range(1, 9), 1, 10).Draw(t, "counts")
		var c molecule.Counts
		for id := range uint64(21) {
			if n[id] > 0 {
				c.IDs, c.N = append(c.IDs, id), append(c.N, n[id])
			}
		}
		return c
	})
}

// dense returns the counts of the ids 0 … 20.
func dense(c molecule.Counts) (n [21]int) {
	for i, id := range c.IDs {
		n[id] = int(c.N[i])
	}
	return n
}

func TestTanimoto(t *testing.T) {
	c := func(n ...uint32) molecule.Counts { // of the features 0, 1, …
		var c molecule.Counts
		for id, n := range n {
			if n > 0 {
				c.IDs, c.N = append(c.IDs, uint64(id)), append(c.N, n)
			}
		}
		return c
	}
	tests := []struct {
		name string
		a, b molecule.Counts
		want float64
	}{
		{"equal", c(1, 2, 3), c(1, 2, 3), 1},
		{"nothing in common", c(1, 0, 2), c(0, 3), 0},
		{"binary", c(1, 1, 1, 0), c(0, 1, 1, 1), 0.5},
		{"counted", c(2, 1), c(1, 1, 1), 0.5}, // 2/(3 + 3 − 2)
		{"empty", c(), c(1), 0},
		{"both empty", c(), c(), 0},
	}
	for _, test := range tests {
		if got := molecule.Tanimoto(test.a, test.b); got != test.want {
			t.Errorf("%s: Tanimoto = %g, want %g", test.name, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := fingerprints().Draw(t, "a"), fingerprints().Draw(t, "b")
		lower, upper := 0, 0
		da, db := dense(a), dense(b)
		for i := range da {
			lower += min(da[i], db[i])
			upper += max(da[i], db[i])
		}
		if got, want := molecule.Tanimoto(a, b), float64(lower)/float64(upper); got != want {
			t.Errorf("Tanimoto = %g, want Σmin/Σmax = %g", got, want)
		}
	})
}

// The nearest of an index is the nearest of all.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(fingerprints(), 0, 20).Draw(t, "all")
		c, want := fingerprints().Draw(t, "c"), 0.0
		for _, other := range all {
			want = max(want, molecule.Tanimoto(other, c))
		}
		if got := molecule.NewIndex(all).Nearest(c); got != want {
			t.Errorf("nearest %g, want %g", got, want)
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	needRDKit(b)
	var all []molecule.Counts
	for _, smiles := range library.SMILES() {
		if err := molecule.Look(smiles, func(m *molecule.Molecule) { all = append(all, m.ECFP(2)) }); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("index", func(b *testing.B) {
		x, i := molecule.NewIndex(all), 0
		for b.Loop() {
			x.Nearest(all[i%len(all)])
			i += 7
		}
	})
	b.Run("scan", func(b *testing.B) {
		i, most := 0, 0.0
		for b.Loop() {
			for _, other := range all {
				most = max(most, molecule.Tanimoto(other, all[i%len(all)]))
			}
			i += 7
		}
	})
}

func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fingerprints().Draw(t, "c")
		bins := rapid.IntRange(1, 21).Draw(t, "bins")
		folded := c.Fold(bins)
		var want [21]int
		for id, n := range dense(c) {
			want[id%bins] += n
		}
		if dense(folded) != want || !slices.IsSorted(folded.IDs) || slices.Contains(folded.N, 0) {
			t.Errorf("Fold(%d) = %v, want counts %v of ascending bins", bins, folded, want)
		}
	})
}

func TestFingerprints(t *testing.T) {
	needRDKit(t)
	ethanol := parse(t, "CCO")
	// The invariants of CH3, OH and CH2 in RDKit's Morgan fingerprints.
	ids, n := []uint64{864662311, 2245384272, 2246728737}, []uint32{1, 1, 1}
	if got := ethanol.ECFP(0); !slices.Equal(got.IDs, ids) || !slices.Equal(got.N, n) {
		t.Errorf("ECFP(0) of ethanol = %v, want %v, each once", got, ids)
	}
	// The roles are bits: donor 1, acceptor 2; a carbon has none.
	if got := ethanol.FCFP(0); !slices.Equal(got.IDs, []uint64{0, 3}) || !slices.Equal(got.N, []uint32{2, 1}) {
		t.Errorf("FCFP(0) of ethanol = %v, want 0 twice, 3 once", got)
	}
	if got := ethanol.AtomPairs(); got.Total() != 3 {
		t.Errorf("%d atom pairs in ethanol, want 3", got.Total())
	}
	// Of 12 carbons 66 pairs less the one that is 11 bonds apart.
	if got := parse(t, "CCCCCCCCCCCC").AtomPairs(); got.Total() != 65 {
		t.Errorf("%d atom pairs in dodecane, want 65", got.Total())
	}
	left, right := parse(t, "C[C@H](N)C(=O)O"), parse(t, "C[C@@H](N)C(=O)O")
	if got := molecule.Tanimoto(left.ECFP(3), right.ECFP(3)); got != 1 {
		t.Errorf("similarity of the two alanines = %g, want 1: chirality is ignored", got)
	}
	// GetHashedMorganFingerprint(aspirin, 3, 2048) of RDKit 2022.09.3.
	bins := []uint64{389, 456, 541, 589, 650, 695, 740, 807, 909, 1017, 1027, 1035, 1047, 1057, 1088, 1106, 1199, 1380, 1410, 1447, 1467, 1468, 1616,
		1729, 1750, 1775, 1865, 1873, 1917, 1970, 1991}
	n = []uint32{1, 1, 1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 4, 2, 1, 1}
	if got := parse(t, "CC(=O)Oc1ccccc1C(=O)O").ECFP(3).Fold(2048); !slices.Equal(got.IDs, bins) || !slices.Equal(got.N, n) {
		t.Errorf("folded ECFP6 of aspirin = %v, want %v, %v", got, bins, n)
	}
	// Hexane has a CH2 between two CH2, which butane has not; all else is alike.
	butane, hexane := parse(t, "CCCC").Environments(), parse(t, "CCCCCC").Environments()
	for _, id := range butane {
		if !slices.Contains(hexane, id) {
			t.Errorf("environment %d of butane is not in hexane", id)
		}
	}
	if len(hexane) != len(butane)+1 {
		t.Errorf("%d environments in hexane, %d in butane, want one more", len(hexane), len(butane))
	}
}
