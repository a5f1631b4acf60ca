package tokens_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/space/tokens"
)

func letters(x string) []string { return strings.Split(x, "") }

// children are strings over the alphabet that respect the bounds of length, whatever the parents.
func TestEdits(t *testing.T) {
	alphabet := letters("abcde")
	rapid.Check(t, func(t *rapid.T) {
		fixed := rapid.Bool().Draw(t, "fixed")
		longest := rapid.IntRange(0, 8).Draw(t, "longest")
		n := rapid.IntRange(0, 8).Draw(t, "length")
		parent := func(name string) string {
			length := n
			if !fixed {
				length = rapid.IntRange(0, 12).Draw(t, name+"'s length")
			}
			return rapid.StringOfN(rapid.RuneFrom([]rune("abcde")), length, length, -1).Draw(t, name)
		}
		pair := [2]string{parent("p"), parent("q")}
		seed := rapid.Uint64().Draw(t, "seed")
		edits := tokens.Edits{Alphabet: alphabet, Split: letters, Fixed: fixed, Longest: longest}
		for _, op := range edits.Operators() {
			made, err := op.Make(t.Context(), [][2]string{pair, pair, pair}, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				t.Fatal(err)
			}
			if len(made) != 3 {
				t.Fatalf("%s: %d children of 3 pairs", op.Name, len(made))
			}
			for _, c := range made {
				x := c.X
				switch {
				case x == "":
				case strings.Trim(x, "abcde") != "":
					t.Errorf("%s: %q is not over the alphabet", op.Name, x)
				case fixed && len(x) != n:
					t.Errorf("%s: %q, want a length of %d", op.Name, x, n)
				case longest > 0 && len(x) > longest:
					t.Errorf("%s: %q, want a length of %d at most", op.Name, x, longest)
				}
			}
			again, err := op.Make(t.Context(), [][2]string{pair, pair, pair}, rand.New(rand.NewPCG(seed, 0)))
			if err != nil || !slices.Equal(again, made) {
				t.Errorf("%s: %v, %v, from the same rng %v before", op.Name, again, err, made)
			}
		}
	})
}

// What an operator can make, of parents without a token in common, and nothing else.
func TestEditsMake(t *testing.T) {
	parts := func(p, q string, lengths func(c, d int) bool) []string {
		var all []string
		for c := range len(p) + 1 {
			for d := range len(q) + 1 {
				if x := p[:c] + q[d:]; x != "" && lengths(c, d) {
					all = append(all, x)
				}
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	tests := []struct {
		operator string
		fixed    bool
		p, q     string
		want     []string
	}{
		{"replace", false, "a", "", []string{"x"}},
		{"insert", false, "", "", []string{"x", "xx", "xxx"}},
		{"delete", false, "abc", "", []string{"ab", "ac", "bc", "a", "c"}}, // of two, neighbours
		{"delete", false, "a", "", nil},
		{"shift", false, "ab", "", []string{"xb", "bx", "ax", "xa"}},
		{"shift", false, "a", "", nil},
		{"one-point crossover", false, "abc", "de", parts("abc", "de", func(int, int) bool { return true })},
		{"one-point crossover", true, "abc", "def", parts("abc", "def", func(c, d int) bool { return c == d })},
		{"one-point crossover", false, "", "", nil},
		{"two-point crossover", true, "abc", "def", []string{"abc", "dbc", "aec", "abf", "dec", "aef", "def"}},
		{"transplant", true, "ab", "cd", []string{"ab", "aa", "bb", "cb", "ac", "db", "ad", "cd"}},
		{"transplant", true, "", "", nil},
	}
	for _, test := range tests {
		ops := tokens.Edits{Alphabet: []string{"x"}, Split: letters, Fixed: test.fixed}.Operators()
		op := ops[slices.IndexFunc(ops, func(o evolve.Operator) bool { return o.Name == test.operator })]
		made, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.p, test.q}}, 3000), rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		var xs []string
		for _, c := range made {
			if c.X != "" {
				xs = append(xs, c.X)
			}
		}
		slices.Sort(xs)
		xs = slices.Compact(xs)
		slices.Sort(test.want)
		if !slices.Equal(xs, test.want) {
			t.Errorf("%s of %q and %q, fixed %t: %q, want %q", test.operator, test.p, test.q, test.fixed, xs, test.want)
		}
	}
}

func TestEditsEnd(t *testing.T) {
	why := errors.New("enough")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, op := range (tokens.Edits{Alphabet: []string{"x"}, Split: letters}).Operators() {
		if _, err := op.Make(ended, [][2]string{{"a", "b"}}, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, why) {
			t.Errorf("%s: error %v, want the cause", op.Name, err)
		}
	}
}

func TestEditsJoin(t *testing.T) {
	edits := tokens.Edits{
		Alphabet: []string{"x"}, Split: func(x string) []string { return strings.Split(x, "-") },
		Join: func(tokens []string) string { return strings.Join(tokens, "-") }, Fixed: true,
	}
	for _, op := range edits.Operators() {
		made, err := op.Make(t.Context(), [][2]string{{"ab-cd", "ef-gh"}}, rand.New(rand.NewPCG(1, 1)))
		if err != nil || strings.Count(made[0].X, "-") != 1 {
			t.Errorf("%s: %v, %v, want two tokens with a separator", op.Name, made, err)
		}
	}
}

// Children keep the ends that they are told to, and lengths count these.
func TestEditsKeepEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := rapid.StringOfN(rapid.RuneFrom([]rune("abcde")), 0, 8, -1)
		pair := [2]string{"xyz" + inner.Draw(t, "p") + "uv", "xyz" + inner.Draw(t, "q") + "uv"}
		edits := tokens.Edits{Alphabet: letters("abcde"), Split: letters, Shortest: 7, Longest: 11, Before: 3, After: 2}
		seed := rapid.Uint64().Draw(t, "seed")
		for _, op := range edits.Operators() {
			made, err := op.Make(t.Context(), [][2]string{pair, pair}, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range made {
				if x := c.X; x != "" && !(strings.HasPrefix(x, "xyz") && strings.HasSuffix(x, "uv") && strings.Trim(x[3:len(x)-2], "abcde") == "" && len(x) >= 7 && len(x) <= 11) {
					t.Errorf("%s: %q of %q", op.Name, x, pair)
				}
			}
		}
	})
}
