package genetic

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMutationOdds(t *testing.T) {
	sum := 0.0
	for _, m := range mutations() {
		sum += m.odds
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("odds sum to %g, want 1", sum)
	}
}

// TestMutations compares all results of the mutations of a pattern with those worked out by hand.
func TestMutations(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smarts, smiles string
		want                 []string
	}{
		{"insert", "*~*", "CF", []string{"CCF", "CNF", "COF", "CSF"}},
		{"insert into a double bond", "*~*", "C=O", []string{"CCO", "CNO", "COO", "CSO"}},
		{"insert with a double bond", "[!H0]~*", "CCF", []string{"C=CCF", "C=NCF", "CC=CF", "CN=CF", "CC=NF"}},
		{"insert with a triple bond, or make one", "[!R;!H0;!H1]~*", "CN", []string{"C#CN", "CC#N", "C#N"}},
		{"append", "[!H0]", "C", []string{"CC", "CN", "CO", "CF", "CS", "CCl", "CBr"}},
		{"append where hydrogen is", "[!H0]", "c1ccccc1", []string{"Cc1ccccc1", "Nc1ccccc1", "Oc1ccccc1", "Fc1ccccc1", "Sc1ccccc1", "Clc1ccccc1", "Brc1ccccc1"}},
		{"append by a double bond", "[!H0;!H1]", "CF", []string{"C=CF", "N=CF", "O=CF"}},
		{"append by a triple bond", "[H3]", "CC", []string{"C#CC", "CC#N"}},
		{"delete an end", "*~[D1]", "CCO", []string{"CC", "CO"}},
		{"delete a link", "*~[D2]~*", "C=NC", []string{"CC"}},
		{"delete a branch", "*~[D3](~[!H0])~*", "CC(O)F", []string{"COF", "OCF"}},
		{"delete a centre, chain", "*~[D4](~[!H0])(~[!H0])~*", "CC(C)(O)F", []string{"CCOF", "COCF", "OCCF"}},
		{"delete a centre, branch", "*~[D4](~[!H0;!H1])(~*)~*", "CC(F)(Cl)Br", []string{"FC(Cl)Br"}},
		{"change one of one", "[#6,#7,#8,#9,#16,#17,#35]", "C", []string{"N", "O", "F", "S", "Cl", "Br"}},
		{"to single", "*!-*", "C=CC#N", []string{"CCC#N", "C=CCN"}},
		{"to double", "[!H0]-[!H0]", "CCO", []string{"C=CO", "CC=O"}},
		{"triple to double", "*#*", "CC#N", []string{"CC=N"}},
		{"open a ring", "*@*", "C1CC1", []string{"CCC"}},
		{"close a ring of 3", "[!r;!H0]~[!r]~[!r;!H0]", "CCO", []string{"C1CO1"}},
		{"close a ring of 4", "[!r;!H0]~[!r]~[!r]~[!r;!H0]", "CCCO", []string{"C1COC1"}},
		{"close a ring of 5", "[!r;!H0]~[!r]~*~*~[!r;!H0]", "CCCCO", []string{"C1CCOC1"}},
		{"close a ring of 6", "[!r;!H0]~[!r]~*~*~[!r]~[!r;!H0]", "CCCCCO", []string{"C1CCOCC1"}},
		{"not in a ring", "[!r;!H0]~[!r]~[!r;!H0]", "C1CCCCC1", nil},
	}
	for _, test := range tests {
		made, rows := map[string]bool{}, 0
		for _, m := range mutations() {
			if m.smarts == test.smarts {
				rows++
				maps.Copy(made, results(t, m, test.smiles))
			}
		}
		if rows == 0 {
			t.Errorf("%s: no mutation at %s", test.name, test.smarts)
		}
		want := map[string]bool{}
		for _, s := range test.want {
			want[parse(t, s).SMILES()] = true
		}
		if !maps.Equal(made, want) {
			t.Errorf("%s: %s becomes %v, want %v", test.name, test.smiles, slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// results returns all results of a mutation of a molecule.
func results(t *testing.T, m mutation, smiles string) map[string]bool {
	t.Helper()
	kekule, err := parse(t, smiles).Kekule()
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for seed := range uint64(100) { // enough for all elements: 7·(6/7)¹⁰⁰ = 10⁻⁶
		matches := newQuery(m.smarts).in(surroundingsOf(kekule.Graph()))
		if len(matches) == 0 {
			break
		}
		for _, e := range m.edits(kekule.Graph(), matches, rand.New(rand.NewPCG(seed, 0))) {
			if mutant, err := kekule.Edit(e); err == nil {
				made[mutant.SMILES()] = true
			}
		}
	}
	return made
}

// TestRearrangements compares all results of the mutations that keep the formula with those worked out by hand.
func TestRearrangements(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name, smarts string
		edits        edits
		smiles       string
		want         []string
	}{
		{"a substituent moves", chainBond, moveBranch, "CCCF", []string{"CCCF", "CC(C)F"}},
		{"an amide is reversed", chainBond, turnLinker, "CC(=O)NCC", []string{"CNC(=O)CC", "CC(=O)NCC", "CC(=O)CNC"}},
		{"a nitrogen walks", "[#6,#7,#8,#16]~[#6,#7,#8,#16]", swapAtoms, "Cc1ccccn1", []string{"Cc1ccccn1", "Cc1cccnc1", "Cc1ccncc1"}},
		{"a ketone keeps its oxygen, a sulfide swaps", "[#6,#7,#8,#16]~[#6,#7,#8,#16]", swapAtoms, "CC(=O)CSC", []string{"CC(=O)CCS", "CC(=O)SCC"}},
	} {
		made := results(t, mutation{1, test.smarts, test.edits}, test.smiles)
		want := map[string]bool{}
		for _, s := range test.want {
			want[parse(t, s).SMILES()] = true
		}
		if !maps.Equal(made, want) {
			t.Errorf("%s: %s becomes %v, want %v", test.name, test.smiles, slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// Isomers have the atoms of their parent, hydrogens included, in one molecule.
func TestIsomersKeepTheFormula(t *testing.T) {
	needRDKit(t)
	b := mustBreeder(t, Options{})
	made, weights := 0, map[string]float64{}
	for _, p := range seeds {
		weights[p] = parse(t, p).Weight()
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(seeds).Draw(t, "p")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		isomer := b.isomer(b.read(p), rng, nil)
		if isomer == nil {
			return
		}
		made++
		if got := isomer.molecule.Weight(); math.Abs(got-weights[p]) > 1e-6 || strings.Count(isomer.smiles(), ".") != strings.Count(p, ".") {
			t.Errorf("%s becomes %s of %g g/mol, want %g", p, isomer.smiles(), got, weights[p])
		}
		isomer.close()
	})
	if made == 0 {
		t.Error("no isomer was made")
	}
}
