package observed_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/observed"
)

// Between windows of a target lie others, unless all were measured. Variants, unrelated sequences and repeats are no windows.
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
	var adapted []string
	for _, x := range walk {
		adapted = append(adapted, "CCATGG"+x+"TT")
	}
	circle := tiles(gene+gene[:20], 20, 5)
	shuffled := slices.Clone(walk)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, test := range []struct {
		name string
		xs   []string
		want int
		are  bool
	}{
		{"a walk", walk, 4 * (len(walk) - 1), true},
		{"in any order", shuffled, 4 * (len(walk) - 1), true},
		{"beside controls", slices.Concat(walk, unrelated[:4]), 4 * (len(walk) - 1), true},
		{"with an adapter and an overhang", adapted, 4 * (len(walk) - 1), true},
		{"of a circle", circle, 4 * (len(circle) - 1), true},
		{"overlapping peptides", tiles(protein, 15, 4), 3 * 20, true},
		{"all windows", tiles(gene, 20, 1), 0, true},
		{"a few", walk[:5], 0, false},
		{"variants", variants, 0, false},
		{"unrelated sequences", unrelated, 0, false},
		{"repeats", repeats, 0, false},
	} {
		between, are := observed.Windows(test.xs)
		if len(between) != test.want || are != test.are {
			t.Errorf("%s: %d windows between, are windows: %t; want %d, %t", test.name, len(between), are, test.want, test.are)
		}
		for _, x := range between {
			if y, adapted := strings.CutPrefix(x, "CCATGG"); adapted {
				x = strings.TrimSuffix(y, "TT")
			}
			if !strings.Contains(gene+gene[:20], x) && !strings.Contains(protein, x) || slices.Contains(test.xs, x) {
				t.Errorf("%s: %s", test.name, x)
			}
		}
	}
}
