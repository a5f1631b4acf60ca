package tokens_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/tokens"
)

// words splits at blanks, and has no word with a digit.
func words(x string) ([]string, error) {
	if strings.ContainsAny(x, "0123456789") {
		return nil, errors.New("it has a digit")
	}
	return strings.Fields(x), nil
}

func TestNew(t *testing.T) {
	balanced := func(x string) error {
		if strings.Count(x, "(") != strings.Count(x, ")") {
			return errors.New("brackets do not match")
		}
		return nil
	}
	tests := []struct {
		name     string
		examples []string
		opts     tokens.Options
		tokens   string // that children have between them, sorted
		shortest int
		longest  int
		accepted string
		refused  map[string]string // with a part of the error
	}{
		{"the characters of examples of one length", []string{"ABBA", "CABB"}, tokens.Options{}, "ABC", 4, 4, "CCCC", map[string]string{"ABBD": `"D" is not in the alphabet of 3 tokens`}},
		{"examples of different lengths", []string{"ABBA", "CABBA"}, tokens.Options{}, "ABC", 1, 8, "A", nil},
		{"a longer alphabet", []string{"ABBA", "BABA"}, tokens.Options{Alphabet: []string{"A", "B", "D"}}, "ABD", 4, 4, "DDDD", map[string]string{"ABBC": `"C"`}},
		{"words", []string{"go on", "on go"}, tokens.Options{Split: words, Join: func(w []string) string { return strings.Join(w, " ") }}, " gno", 5, 5, "on on", map[string]string{"on 1": "it has a digit", "off on": `"off"`}},
		{"a check of one's own", []string{"(a)", "a(a)"}, tokens.Options{Check: balanced}, "()a", 1, 7, "((a))", map[string]string{"((a)": "brackets"}},
		{"characters of several bytes", []string{"αβ", "βα"}, tokens.Options{}, "αβ", 4, 4, "αα", map[string]string{"γα": `"γ"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			space, err := tokens.New(test.examples, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 0))
			seen := map[rune]bool{}
			for _, op := range space.Operators {
				children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.examples[0], test.examples[1]}}, 200), rng)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range children {
					if c.X == "" {
						continue
					}
					if len(c.X) < test.shortest || len(c.X) > test.longest {
						t.Errorf("%s made %q, want %d to %d bytes", op.Name, c.X, test.shortest, test.longest)
					}
					for _, r := range c.X {
						seen[r] = true
					}
				}
			}
			for _, r := range test.tokens {
				if !seen[r] {
					t.Errorf("no child has %q", r)
				}
			}
			if len(seen) != len([]rune(test.tokens)) {
				t.Errorf("children have %d characters, want those of %q", len(seen), test.tokens)
			}
			if _, err := space.Read(test.accepted); err != nil || space.Check(test.accepted) != nil {
				t.Errorf("%q: %v, want a string of the space", test.accepted, err)
			}
			for x, want := range test.refused {
				_, read := space.Read(x)
				for _, err := range []error{read, space.Check(x)} {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%q: error %v, want %q", x, err, want)
					}
				}
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name     string
		examples []string
		opts     tokens.Options
		want     string
	}{
		{"nothing at all", nil, tokens.Options{}, "there are no tokens"},
		{"empty examples", []string{"", ""}, tokens.Options{}, "there are no tokens"},
		{"an example that cannot be split", []string{"on", "go 1"}, tokens.Options{Split: words}, `the example "go 1": it has a digit`},
		{"an empty token", nil, tokens.Options{Alphabet: []string{"A", ""}}, "empty token"},
		{"lengths in descending order", nil, tokens.Options{Alphabet: []string{"A"}, Shortest: 9, Longest: 3}, "lengths from 9 to 3"},
		{"negative ends", []string{"AB"}, tokens.Options{Before: -1}, "-1 and 0 tokens"},
	} {
		if _, err := tokens.New(test.examples, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// Without examples, children of any strings are made, as long as options allow.
func TestNewWithoutExamples(t *testing.T) {
	space, err := tokens.New(nil, tokens.Options{Alphabet: []string{"A", "B"}, Longest: 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range space.Operators {
		children, err := op.Make(t.Context(), slices.Repeat([][2]string{{"ABBA", "BAAB"}}, 50), rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, c := range children {
			if made += len(c.X); len(c.X) > 6 {
				t.Errorf("%s made %s", op.Name, c.X)
			}
		}
		if made == 0 {
			t.Errorf("%s made nothing", op.Name)
		}
	}
}
