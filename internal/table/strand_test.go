package table

import (
	"testing"

	"pgregory.net/rapid"
)

// One strand stands for both, and is one of them.
func TestStrand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]Sequences{DNA, RNA}).Draw(t, "kind")
		sequence := rapid.StringOfN(rapid.RuneFrom([]rune(residues[kind])), 1, 12, -1)
		x, wildType := sequence.Draw(t, "x"), sequence.Draw(t, "wild type")
		other := Complementary(x, kind)
		if Complementary(other, kind) != x {
			t.Errorf("the complement of %s is %s, whose complement is %s", x, other, Complementary(other, kind))
		}
		a, b := Strand(x, wildType, kind), Strand(other, wildType, kind)
		if a != b || a != x && a != other {
			t.Errorf("%s stands for %s, and %s for %s", a, x, b, other)
		}
	})
	if got := Strand("TTACGT", "TTACGA", DNA); got != "TTACGT" {
		t.Errorf("%s, want the strand that is like the wild type", got)
	}
}

func TestReadSequence(t *testing.T) {
	protein := Options{Sequences: Protein, WildType: "MKTAYI"}
	dna := Options{Sequences: DNA, BothStrands: true}
	for _, test := range []struct {
		o          Options
		text, want string
	}{
		{protein, "mrtayi", "MRTAYI"}, {protein, "K2R:T3S", "MRSAYI"}, {protein, "WT", "MKTAYI"}, {protein, "MKXAYI", ""}, {protein, "K9R", ""}, {protein, "R2K", ""},
		{Options{Sequences: Protein, WildType: "MKTAYI", Offset: -1}, "K1R", "MRTAYI"}, {dna, "TTACGT", "ACGTAA"}, {dna, "ACGU", ""},
	} {
		if got, err := ReadSequence(test.text, test.o); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: %q, error %v; want %q", test.text, got, err, test.want)
		}
	}
}
