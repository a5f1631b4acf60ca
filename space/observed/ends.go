package observed

import (
	"math"
	"slices"
	"strings"
)

// Ends returns how many tokens all sequences begin and end with, if there are enough different ones, and either is
// beyond chance: by the frequencies of the tokens in all of them.
func Ends(sequences [][]string, fewest int) (before, after int) {
	seen, n := map[string]bool{}, map[string]int{}
	var all [][]string
	total := 0
	for _, x := range sequences {
		if key := strings.Join(x, " "); !seen[key] {
			seen[key] = true
			all = append(all, x)
			total += len(x)
			for _, t := range x {
				n[t]++
			}
		}
	}
	if len(all) < fewest {
		return 0, 0
	}
	shortest := len(slices.MinFunc(all, func(a, b []string) int { return len(a) - len(b) }))
	common := func(most int, at func(x []string, i int) string) (k int) {
		p := 1.0 // chance that the others begin, or end, as the first does
		for k < most && !slices.ContainsFunc(all, func(x []string) bool { return at(x, k) != at(all[0], k) }) {
			p *= math.Pow(float64(n[at(all[0], k)])/float64(total), float64(len(all)-1))
			k++
		}
		if p > Chance {
			return 0
		}
		return k
	}
	before = common(shortest, func(x []string, i int) string { return x[i] })
	after = common(shortest-before, func(x []string, i int) string { return x[len(x)-1-i] })
	return before, after
}
