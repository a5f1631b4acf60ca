package gp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/gp"
)

func letters(x string) []string { return strings.Split(x, "") }

// counted returns the counts of a string, ascending.
func counted(t *testing.T, f func(x string) gp.Counts, x string) []uint32 {
	t.Helper()
	c := f(x)
	if len(c.IDs) != len(c.N) || !slices.IsSorted(c.IDs) || len(slices.Compact(slices.Clone(c.IDs))) != len(c.IDs) {
		t.Errorf("%q: counts %+v do not ascend", x, c)
	}
	return slices.Sorted(slices.Values(c.N))
}

func TestTokensCounted(t *testing.T) {
	for _, test := range []struct {
		name string
		f    func(x string) gp.Counts
		x    string
		want []uint32
	}{
		// ^ a b a $: four tokens, ^a ab ba a$, ^ab aba ba$, ^aba aba$; a comes twice
		{"runs", gp.TokenRuns(letters), "aba", []uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{"runs of nothing: both ends and their pair", gp.TokenRuns(letters), "", []uint32{1, 1, 1}},
		{"neighbours", gp.TokenGaps(letters, 1), "aabaa", []uint32{1, 1, 2}},                      // ab ba aa
		{"pairs at distances 1 and 2", gp.TokenGaps(letters, 2), "aaba", []uint32{1, 1, 1, 1, 1}}, // aa ab ba; a.b a.a
		{"gaps beyond the end", gp.TokenGaps(letters, 20), "ab", []uint32{1}},
		{"gaps of one token", gp.TokenGaps(letters, 20), "a", nil},
		{"positions", gp.TokenPositions(letters), "aab", []uint32{1, 1, 1}},
		{"positions of nothing", gp.TokenPositions(letters), "", nil},
	} {
		if got := counted(t, test.f, test.x); !slices.Equal(got, test.want) {
			t.Errorf("%s of %q: %d, want %d", test.name, test.x, got, test.want)
		}
	}
}

// The number of counts that two strings share says what is counted.
func TestTokensShared(t *testing.T) {
	words := func(x string) []string { return strings.Fields(x) }
	for _, test := range []struct {
		name string
		f    func(x string) gp.Counts
		a, b string
		want int
	}{
		{"a run is the same anywhere", gp.TokenRuns(letters), "xab", "abyy", 5},  // a b ab, and both ends
		{"and knows the ends", gp.TokenRuns(letters), "ab", "ab", 10},            // all: 4 + 3 + 2 + 1
		{"tokens are not their letters", gp.TokenRuns(words), "ab c", "a bc", 2}, // both ends
		{"a pair has an order", gp.TokenGaps(letters, 3), "ab", "ba", 0},
		{"and a distance", gp.TokenGaps(letters, 3), "axb", "ab", 0},
		{"and no place", gp.TokenGaps(letters, 3), "axb", "yyaxb", 3}, // ax xb a.b
		{"a position has a token", gp.TokenPositions(letters), "abc", "acc", 2},
		{"and a place", gp.TokenPositions(letters), "abc", "xabc", 0},
		{"gaps of tokens of several letters", gp.TokenGaps(words, 1), "ab c d", "a bc d", 0},
		{"positions of tokens of several letters", gp.TokenPositions(words), "ab c d", "a bc d", 1}, // d
		{"gaps of equal strings", gp.TokenGaps(letters, 2), "abcd", "abcd", 5},
	} {
		if got := shared(test.f(test.a), test.f(test.b)); got != test.want {
			t.Errorf("%s: %q and %q share %d, want %d", test.name, test.a, test.b, got, test.want)
		}
	}
}

func shared(a, b gp.Counts) int {
	n := 0
	for _, id := range a.IDs {
		if slices.Contains(b.IDs, id) {
			n++
		}
	}
	return n
}
