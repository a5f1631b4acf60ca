package observed_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/observed"
)

// Between windows of a target lie others. Variants, unrelated sequences and repeats are no windows.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(letters string, n int) string {
		var text strings.Builder
		for range n {
			text.WriteByte(letters[rng.IntN(len(letters))])
		}
		return text.String()
	}
	tiles := func(target string, length, step int) (all []string) {
		for at := 0; at+length <= len(target); at += step {
			all = append(all, target[at:at+length])
		}
		return all
	}
	gene, protein := random("ACGT", 200), random("ACDEFGHIKLMNPQRSTVWY", 95)
	walk := tiles(gene, 20, 5)
	var variants, unrelated, repeats []string
	for i := range 12 {
		x := []byte(protein)
		x[i] = 'A'
		variants, unrelated = append(variants, string(x)), append(unrelated, random("ACGT", 20))
		repeats = append(repeats, strings.Repeat("GGGGS", i+3)[:15+i])
	}
	shuffled := slices.Clone(walk)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, test := range []struct {
		name string
		xs   []string
		want int
	}{
		{"a walk", walk, 4 * (len(walk) - 1)},
		{"in any order", shuffled, 4 * (len(walk) - 1)},
		{"overlapping peptides", tiles(protein, 15, 4), 3 * 20},
		{"all windows", tiles(gene, 20, 1), 0},
		{"a few", walk[:5], 0},
		{"variants", variants, 0},
		{"unrelated sequences", unrelated, 0},
		{"repeats", repeats, 0},
	} {
		between := observed.Windows(test.xs)
		if len(between) != test.want {
			t.Errorf("%s: %d windows between, want %d", test.name, len(between), test.want)
		}
		for _, x := range between {
			if !strings.Contains(gene, x) && !strings.Contains(protein, x) || slices.Contains(test.xs, x) {
				t.Errorf("%s: %s", test.name, x)
			}
		}
	}
}
