package bioseq_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/table/bioseq"
)

// One strand stands for both, and is one of them.
func TestStrand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]bioseq.Kind{bioseq.DNA, bioseq.RNA}).Draw(t, "kind")
		sequence := rapid.StringOfN(rapid.RuneFrom([]rune(kind.Letters())), 1, 12, -1)
		x, wildType := sequence.Draw(t, "x"), sequence.Draw(t, "wild type")
		other := kind.ReverseComplement(x)
		if kind.ReverseComplement(other) != x {
			t.Errorf("the complement of %s is %s, whose complement is %s", x, other, kind.ReverseComplement(other))
		}
		a, b := kind.Strand(x, wildType), kind.Strand(other, wildType)
		if a != b || a != x && a != other {
			t.Errorf("%s stands for %s, and %s for %s", a, x, b, other)
		}
	})
	if got := bioseq.DNA.Strand("TTACGT", "TTACGA"); got != "TTACGT" {
		t.Errorf("%s, want the strand that is like the wild type", got)
	}
}
