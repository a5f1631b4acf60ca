package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae/sequence"
)

func TestLists(t *testing.T) {
	for _, test := range []struct {
		name, alphabet string
		xs             []string
		separator      string // "": no lists
		settings       int    // 0: items may be anywhere
	}{
		{"settings", "", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}, ",", 2},
		{"settings with blanks", "", []string{"lr=0.1, opt=adam", "lr=0.1, opt=sgd", "lr=0.3, opt=adam"}, ", ", 2},
		{"words", "", []string{"conv3 pool relu", "conv5 relu pool", "conv3 conv3 relu", "pool relu conv5"}, " ", 0},
		{"lists of several lengths", "", []string{"a;b", "b;a;c", "c;a"}, ";", 0},
		{"words of an alphabet", "conv3 conv5 pool", []string{"conv3 pool", "conv5"}, " ", 0},
		{"settings of an alphabet, with a value that did not occur", "lr=0.1 lr=0.3 opt=adam opt=sgd opt=rms", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}, ",", 2},
		{"an alphabet with a symbol of no position", "a b c d e", []string{"a,b", "c,d"}, ",", 0},
		{"an alphabet that lacks one", "conv3 conv5", []string{"conv3 pool", "conv5 conv3"}, "", 0},
		{"symbols of an alphabet, without a separator", "a b", []string{"abba", "a"}, "", 0},
		{"items that do not recur", "", []string{"a fine day", "some rain", "snow at last"}, "", 0},
		{"one string without the separator", "", []string{"a,b", "b,a", "a"}, "", 0},
		{"functions", "", []string{"f(a,b)", "f(b,a)", "f(a,a)"}, "", 0},
		{"empty items", "", []string{"a,,b", "b,,a", "a,,a"}, "", 0},
		{"two strings", "", []string{"a,b", "b,a"}, "", 0},
	} {
		given := alphabetOf(t, test.alphabet)
		l, ok := listsOf(given, test.xs)
		if ok != (test.separator != "") || ok && (l.separator != test.separator || len(l.at) != test.settings) {
			t.Errorf("%s: lists %t with %q and %d settings, want %q and %d", test.name, ok, l.separator, len(l.at), test.separator, test.settings)
		}
		if !ok {
			continue
		}
		var init []study.Observation
		for _, x := range test.xs {
			init = append(init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{Alphabet: test.alphabet}, given, Design{Init: init})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		items := map[string]bool{}
		for _, x := range test.xs {
			for _, item := range strings.Split(x, test.separator) {
				items[item] = true
			}
		}
		if given != nil {
			for _, s := range given.Symbols() {
				items[s] = true
			}
		}
		made := 0
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.xs[0], test.xs[1]}}, 100), rand.New(rand.NewPCG(1, 0)))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				if c.X == "" {
					continue
				}
				d, err := space.Read(c.X)
				if err != nil {
					t.Errorf("%s: %s makes %q: %v", test.name, op.Name, c.X, err)
				}
				for i, item := range strings.Split(c.X, test.separator) {
					if !items[item] {
						t.Errorf("%s: %s makes %q, with an item of no string", test.name, op.Name, c.X)
					}
					if !d.Infeasible && test.settings > 0 && !l.at[i].has(item) {
						t.Errorf("%s: %s makes %q, with the value of another setting", test.name, op.Name, c.X)
					}
				}
				if !d.Infeasible {
					made++
				}
			}
		}
		if made == 0 {
			t.Errorf("%s: nothing was made that may be proposed", test.name)
		}
		if given == nil {
			other := test.xs[0] + "9" // a value that did not occur is read, since it may be measured
			if _, err := space.Read(other); err != nil {
				t.Errorf("%s: %q: %v", test.name, other, err)
			}
		}
	}
}

func alphabetOf(t *testing.T, text string) *sequence.Alphabet {
	t.Helper()
	if text == "" {
		return nil
	}
	a, err := readAlphabet(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
