package invbo

import "github.com/invbo/invbo/vae"

// Levenshtein returns the least number of insertions, deletions and substitutions that turn a into b,
// divided by the longer length: 0 for equal sequences, 1 for sequences that share nothing. It is the
// paper's distance between strings, over tokens or runes.
func Levenshtein[T comparable](a, b []T) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 0
	}
	row := make([]int, len(b)+1) // distances from a prefix of a to every prefix of b
	for j := range row {
		row[j] = j
	}
	for i, t := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, u := range b {
			cost := diagonal
			if t != u {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}

// TokenDistance returns the Levenshtein distance of strings of m over its tokens, or over characters if it names
// none: the paper's dissimilarity.
func TokenDistance(m vae.Model) func(a, b string) float64 {
	split := tokens(m)
	return func(a, b string) float64 { return Levenshtein(split(a), split(b)) }
}
