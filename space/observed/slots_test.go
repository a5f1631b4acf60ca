package observed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/observed"
)

// Tokens that recur at a position are those that it has; where positions are typed, tokens of others have no place there.
func TestSlots(t *testing.T) {
	tokens := func(of map[string]bool) int {
		if of == nil {
			return -1
		}
		return len(of)
	}
	var rows [][]string
	for i := range 40 {
		x := []string{"AB"[i%2:][:1], "CDE"[i%3:][:1], "F"}
		rows = append(rows, append(x, strings.Split("GHIJKLMNOPQRSTUVWXYZ", "")[i%20]))
	}
	for _, test := range []struct {
		name  string
		rows  [][]string
		typed bool
		want  []int // tokens of each position; -1: any
	}{
		{"a library", rows, false, []int{2, 3, 1, -1}},
		{"typed positions", rows, true, []int{2, 3, 1, 20}},
		{"few", rows[:7], true, nil},
	} {
		var got []int
		for _, of := range observed.Slots(test.rows, 26, test.typed, len(test.rows)) {
			got = append(got, tokens(of))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %d tokens, want %d", test.name, got, test.want)
		}
	}
}

// Where all strings of the residues that a library has are known, others may be proposed.
func TestLibraryAtItsEnd(t *testing.T) {
	var xs []string
	for _, a := range "VA" {
		for _, b := range "IL" {
			for _, c := range "DE" {
				xs = append(xs, string([]rune{a, b, c}))
			}
		}
	}
	xs = slices.Repeat(xs, 2)
	if got := observed.Letters(xs, 20, false, 4); !slices.Equal(got, []string{"AV", "IL", "DE"}) {
		t.Errorf("positions have %q", got)
	}
	if got := observed.Letters(xs, 20, false, 8); got != nil {
		t.Errorf("positions have %q, though all strings of these are known", got)
	}
}

// Residues of linkers are few of those of proteins, and as few of short sequences may be chance.
func TestAlphabet(t *testing.T) {
	split := func(xs ...string) (all [][]string) {
		for _, x := range xs {
			all = append(all, strings.Split(x, ""))
		}
		return all
	}
	for _, test := range []struct {
		name     string
		xs       []string
		alphabet int
		want     string
	}{
		{"linkers", []string{"GGGGSGGGGS", "GGSEAAAK", "EAAAKEAAAKGGS", "GGGGSEAAAK"}, 20, "AEGKS"},
		{"short", []string{"GGS", "EAK"}, 20, ""},
		{"DNA without a letter", []string{strings.Repeat("ACCA", 20)}, 4, "AC"},
		{"DNA", []string{strings.Repeat("ACGT", 20)}, 4, ""},
	} {
		if got := strings.Join(observed.Alphabet(split(test.xs...), test.alphabet), ""); got != test.want {
			t.Errorf("%s have the letters %q, want %q", test.name, got, test.want)
		}
	}
}
