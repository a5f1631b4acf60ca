package corpus_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"pgregory.net/rapid"
)

// Ids are read back in ascending order, each once.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Uint64()).Draw(t, "ids")
		again := corpus.Read(corpus.Format(ids))
		if want := slices.Compact(slices.Sorted(slices.Values(ids))); !slices.Equal(again, want) {
			t.Errorf("%d came back as %d", want, again)
		}
	})
}

// Known drugs are plausible and usual in the default corpus; molecules that nobody would make are not.
func TestDefault(t *testing.T) {
	known := corpus.Default()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		name, smiles     string
		plausible, usual bool
	}{
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", true, true},
		{"caffeine", "Cn1c(=O)c2c(ncn2C)n(C)c1=O", true, true},
		{"sildenafil", "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1", true, true},
		{"tadalafil", "CN1CC(=O)N2C(Cc3c(C2c2ccc4OCOc4c2)[nH]c2ccccc32)C1=O", true, true},
		{"five oxygens in a row", "COOOOOC", false, false},
		{"a nitrogen between two bromines", "CCN(Br)Br", false, false},
		{"a hemiacetal of formaldehyde, as in two molecules of the corpus", "OCOc1ccccc1", true, false},
		{"a cyclopropenone, as in one", "O=c1c(-c2ccccc2)c1-c1ccccc1", true, false},
		{"an imide across a benzene ring", "CN1C(=O)c2cccc(c2)C1=O", true, false},
		{"1,8-naphthalimide", "CN1C(=O)c2cccc3cccc(C1=O)c23", true, true},
		{"a ring of 14 carbons", "C1CCCCCCCCCCCCC1", true, false},
	}
	for _, test := range tests {
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := known.Plausible(m); got != test.plausible {
			t.Errorf("%s: plausible %v, want %v", test.name, got, test.plausible)
		}
		if got := known.Usual(m); got != test.usual {
			t.Errorf("%s: usual %v, want %v", test.name, got, test.usual)
		}
	}
}

// Of what a molecule has that is With the corpus, however rare, others may consist.
func TestWith(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	known := corpus.Default()
	tests := []struct {
		name, with, smiles string
		usual              bool
	}{
		{"an aminoboronic acid like another", "CC(C)CC(NC(=O)c1ccccc1)B(O)O", "CC(C)CC(NC(=O)c1ccccc1F)B(O)O", true},
		{"a ring of 14 carbons", "C1CCCCCCCCCCCCC1", "OC1CCCCCCCCCCCCC1", true},
		{"another ring", "C1CCCCCCCCCCCCC1", "C1CCCCCCCCCCCCCC1", false},
	}
	for _, test := range tests {
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if known.Usual(m) {
			t.Errorf("%s is usual without the other one", test.name)
		}
		with, err := molecule.Parse(test.with)
		if err != nil {
			t.Fatal(err)
		}
		defer with.Close()
		if got := known.With(corpus.Kinds(with)).Usual(m); got != test.usual {
			t.Errorf("%s: usual %v, want %v", test.name, got, test.usual)
		}
	}
}
