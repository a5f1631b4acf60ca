package tokens_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/space/tokens"
)

// drift returns that of strings over abcdef that are like the known ones.
func drift(t interface{ Fatal(...any) }, known []evolve.Known, n int, rng *rand.Rand) []string {
	var examples []string
	for _, k := range known {
		if len(k.X) == len(known[0].X) {
			examples = append(examples, k.X)
		}
	}
	space, err := tokens.New(examples, tokens.Options{Alphabet: letters("abcdef"), Shortest: len(examples[0]), Longest: len(examples[0])})
	if err != nil {
		t.Fatal(err)
	}
	return space.Drift(known, n, rng)
}

// Children have the length of a best string, and neighbours that occur in it or in another known string, whatever is known.
func TestDrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "length")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdef")), n, n, -1)
		var known []evolve.Known
		best := math.Inf(-1)
		for _, x := range rapid.SliceOfN(text, 1, 12).Draw(t, "known") {
			v := rapid.SampledFrom([]float64{math.Inf(-1), 0, 1, 2}).Draw(t, "value")
			known = append(known, evolve.Known{X: x, Value: v})
			best = max(best, v)
		}
		other := strings.Repeat("a", n+1) // may be told, and has no part
		known = append(known, evolve.Known{X: other, Value: -1})
		best = max(best, -1)
		seed := rapid.Uint64().Draw(t, "seed")
		made := drift(t, known, 5, rand.New(rand.NewPCG(seed, 0)))
		if len(made) != 5 {
			t.Fatalf("%d children, want 5", len(made))
		}
		pairs := ""
		for _, k := range known {
			pairs += k.X + "|"
		}
		for _, x := range made {
			ok := slices.ContainsFunc(known, func(k evolve.Known) bool { return k.Value == best && len(k.X) == len(x) })
			for i := 1; i < len(x); i++ {
				ok = ok && strings.Contains(pairs, x[i-1:i+1])
			}
			if !ok {
				t.Errorf("%q, of %v", x, known)
			}
		}
		if again := drift(t, known, 5, rand.New(rand.NewPCG(seed, 0))); !slices.Equal(again, made) {
			t.Errorf("%q, from the same rng %q before", again, made)
		}
	})
}

// Where half of the positions of a string matter, a search that only drifts soon changes most of the others at once,
// and none of these: also where each that matters has a twin, so that the first to be changed did no harm.
func TestDriftKeepsWhatMatters(t *testing.T) {
	start := strings.Repeat("abcdef", 5)
	for name, matters := range map[string]func(x string, i int) bool{
		"every other one": func(x string, i int) bool { return i%2 == 0 && x[i] == start[i] },
		"one of two":      func(x string, i int) bool { return i < 15 && (x[i] == start[i] || x[29-i] == start[29-i]) },
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		value := func(x string) (v float64) {
			for i := range x {
				if matters(x, i) {
					v++
				}
			}
			return v
		}
		known := []evolve.Known{{X: start, Value: value(start)}}
		for _, a := range "abcdef" { // all neighbours occur
			for _, b := range "abcdef" {
				x := strings.Repeat(string(a)+string(b), len(start)/2)
				known = append(known, evolve.Known{X: x, Value: value(x)})
			}
		}
		for range 150 {
			x := drift(t, known, 1, rng)[0]
			known = append(known, evolve.Known{X: x, Value: value(x)})
		}
		kept, changed := 0, 0
		for _, k := range known[len(known)-50:] {
			if k.Value != value(start) {
				continue
			}
			kept++
			for i := range start {
				if k.X[i] != start[i] {
					changed++
				}
			}
		}
		if kept < 40 || changed < 12*kept {
			t.Errorf("%s: of the last 50 strings %d keep what matters, and differ from the start at %d places together; want 40 and 12 each", name, kept, changed)
		}
	}
}

// Where no string keeps the constraints, there is no best one.
func TestDriftWithoutBest(t *testing.T) {
	known := []evolve.Known{{X: "abc", Value: math.Inf(-1)}, {X: "bcd", Value: math.Inf(-1)}}
	if made := drift(t, known, 3, rand.New(rand.NewPCG(1, 1))); made != nil {
		t.Errorf("%q, want none", made)
	}
}
