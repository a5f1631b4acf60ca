package mutation_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/notation"
)

// A sequence that is written as a mutant is read as that sequence, and undone it is the wild type, wherever positions begin.
func TestMutantsAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wild := rapid.StringOfN(rapid.RuneFrom([]rune(notation.AminoAcids)), 1, 12, -1).Draw(t, "wild type")
		sequence := rapid.StringOfN(rapid.RuneFrom([]rune(notation.AminoAcids)), len(wild), len(wild), -1).Draw(t, "sequence")
		first := rapid.IntRange(-20, 500).Draw(t, "first")
		written := mutation.Format(wild, first, sequence)
		all, err := mutation.Parse(written)
		if err != nil || !mutation.Is(written) || !mutation.IsPlain(written) {
			t.Fatalf("%s is no mutant: %v", written, err)
		}
		if got, _, err := mutation.Apply(wild, first, all); got != sequence {
			t.Errorf("%s of %s from %d: %s, error %v; want %s", written, wild, first, got, err, sequence)
		}
		if got := mutation.Undo(sequence, first, all); got != wild {
			t.Errorf("%s without %s: %s, want %s", sequence, written, got, wild)
		}
		if mutation.IsWildType(written) != (sequence == wild) {
			t.Errorf("%s of %s is the wild type: %t", written, wild, mutation.IsWildType(written))
		}
	})
	if got := mutation.Format("MKT", 1, "MK") + mutation.Format("", 1, ""); got != "" {
		t.Errorf("sequences of another length, or without a wild type, are written %s", got)
	}
}

func TestParseVariant(t *testing.T) {
	for text, want := range map[string]string{
		"K2R": "", "KA2R": "A", "K2R_B": "B", "KA2R,TB3S": "A and B", "GFP-K2R": "GFP", "H:K2R,L:T3S": "H and L", "NP_004324.2:p.Lys2Arg": "NP_004324",
	} {
		if all, of, err := mutation.ParseVariant(text); of != want || len(all) == 0 || err != nil {
			t.Errorf("%s: %v of %q, error %v; want %q", text, all, of, err, want)
		}
	}
}

func parse(t *testing.T, texts ...string) (all [][]mutation.Substitution) {
	t.Helper()
	for _, text := range texts {
		of, err := mutation.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, of)
	}
	return all
}

func TestParent(t *testing.T) {
	sequences := []string{"MRTAYIAKQRQI", "MKSAYIAKQRQI", "MKTGYIAKQRQI", "MKTAYIAKQRQI"}
	for _, test := range []struct {
		name    string
		mutants []string
		want    string
		first   int
	}{
		{"from 1", []string{"K2R", "T3S", "A4G", "WT"}, wildType, 1},
		{"from 25", []string{"K26R", "T27S", "A28G", "WT"}, wildType, 25},
		{"one is wrong", []string{"K2R", "T3S", "A4C", "WT"}, wildType, 1},
		{"two are", []string{"K2R", "T3S", "A4C", "Y5F"}, "", 0},
		{"no substitution", []string{"WT", "WT", "WT", "WT"}, "", 0},
	} {
		var all []mutation.Variant
		for i, of := range parse(t, test.mutants...) {
			all = append(all, mutation.Variant{Sequence: sequences[i], Substitutions: of})
		}
		if got, first := mutation.Parent(all, 1); got != test.want || got != "" && first != test.first {
			t.Errorf("%s: %s from %d, want %s from %d", test.name, got, first, test.want, test.first)
		}
	}
}

func TestNumbering(t *testing.T) {
	for _, test := range []struct {
		name    string
		mutants []string
		first   []int
		fit     int
	}{
		{"from 0", []string{"K1R", "T2S", "A3G"}, []int{0}, 3},
		{"from 25, but for one", []string{"K26R:T27S", "A28G", "Y29F", "W30F"}, []int{25}, 3},
		{"several", []string{"A4G", "A4V"}, []int{-2, 1}, 2},
		{"none", []string{"W4G"}, nil, 0},
		{"no mutants", nil, nil, 0},
	} {
		if first, fit := mutation.Numbering(wildType, parse(t, test.mutants...)); !slices.Equal(first, test.first) || fit != test.fit {
			t.Errorf("%s: %d from %v, want %d from %v", test.name, fit, first, test.fit, test.first)
		}
	}
}

func TestSkipsZero(t *testing.T) {
	for _, test := range []struct {
		name    string
		mutants []string
		want    bool
	}{
		{"without 0", []string{"M-2L", "K-1R", "T1S", "A2G"}, true},
		{"with 0", []string{"M-2L", "K-1R", "T0S", "A1G"}, false},
		{"0 left out", []string{"M-2L", "K-1R", "A1G"}, false},
		{"another wild type", []string{"W-2L", "W1S", "A2G"}, false},
	} {
		if got := mutation.SkipsZero(wildType, -2, parse(t, test.mutants...)); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

func TestOfProteins(t *testing.T) {
	for _, test := range []struct {
		wild    string
		mutants []string
		want    bool
	}{
		{"ATGAAAACC", []string{"K2R", "T3S", "A1G"}, true}, {"ATGAAAACC", []string{"A1G", "T2C", "K2R"}, false}, {wildType, []string{"K2R"}, false},
	} {
		if got := mutation.OfProteins(test.wild, parse(t, test.mutants...)); got != test.want {
			t.Errorf("%s, %v: %t", test.wild, test.mutants, got)
		}
	}
}
