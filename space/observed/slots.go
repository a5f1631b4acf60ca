// Package observed tells what a few hundred strings show of those that they were chosen from, where it is not by
// chance: which tokens may stand at a position, what all begin and end with, the blocks that they were recombined of,
// and whether brackets are balanced. A search proposes no other strings without being asked to.
//
// Results depend on the strings and their order alone.
package observed

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/protein"
)

// mostSlots is how many strings what may stand at positions is taken from at most.
const mostSlots = 2_000

// Slots returns which tokens may stand at each position of strings with as many tokens, of an alphabet of so many; nil:
// any may at that position. It is nil if the strings tell nothing of any, or if as many are known as could be made of
// these tokens.
//
// At a position where the same few tokens recur, and not by chance, those that were chosen for it have been seen: no
// other stands there. If positions are typed, as those of lists are, a token that is at some positions only, and not by
// chance, is nowhere else.
func Slots(rows [][]string, alphabet int, typed bool, known int) []map[string]bool {
	const fewest = 8 // strings
	if len(rows) < fewest {
		return nil
	}
	seen := make([]map[string]int, len(rows[0]))
	for i := range seen {
		seen[i] = map[string]int{}
		for _, row := range rows {
			seen[i][row[i]]++
		}
	}
	all := make([]map[string]bool, len(seen))
	some := false
	for i := range seen {
		if all[i] = chosen(seen[i], alphabet); all[i] == nil && typed {
			all[i] = atHome(seen, i)
		}
		some = some || all[i] != nil
	}
	if !some || combinations(all, known+1) <= known {
		return nil
	}
	return all
}

// Chance is the greatest chance of what is not taken for chance, of a single position or pair of items: there are many,
// and what none of a few hundred strings has at one of them is never tried.
const Chance = chance.Max / 10

// chosen returns the tokens of a position if they are too few to be any of an alphabet: beside the most common one,
// which may be the wild type's, there are so many others that more of them would be different. Nil: they may be any.
func chosen(seen map[string]int, alphabet int) map[string]bool {
	most, total := 0, 0
	for _, n := range seen {
		most = max(most, n)
		total += n
	}
	if others := len(seen) - 1; others > 0 && fewOf(others, alphabet-1, total-most) >= Chance {
		return nil
	}
	tokens := map[string]bool{}
	for t := range seen {
		tokens[t] = true
	}
	return tokens
}

// fewOf bounds the chance that draws, of n things alike, have at most k different ones.
func fewOf(k, n, draws int) float64 {
	if k >= n {
		return 1
	}
	return math.Exp(logChoose(n, k) + float64(draws)*math.Log(float64(k)/float64(n)))
}

// natural are the shares of residues in proteins, in the order of protein.Residues (UniProtKB/Swiss-Prot).
var natural = [...]float64{
	0.083, 0.014, 0.055, 0.067, 0.039, 0.071, 0.023, 0.059, 0.058, 0.097, 0.024, 0.041, 0.047, 0.039, 0.055, 0.066, 0.053, 0.069, 0.011, 0.029,
}

// rareOf is fewOf for residues of proteins, where those that were not drawn may be the rare ones.
func rareOf(drawn []string, draws int) float64 {
	left := 1.0
	for i, share := range natural {
		if !slices.Contains(drawn, protein.Residues[i:i+1]) {
			left -= share
		}
	}
	n := len(natural)
	return math.Exp(logChoose(n, min(len(drawn), n)) + float64(draws)*math.Log(left))
}

// logChoose returns the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	of := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	return of(n) - of(k) - of(n-k)
}

// atHome returns the tokens that may stand at a position: all but those that are at other positions alone, and at so
// few of them hardly by chance. If all that are at others alone are hardly by chance, they are none.
func atHome(seen []map[string]int, at int) map[string]bool {
	count, where := map[string]int{}, map[string]int{} // of each token: how often, and at how many positions
	for _, s := range seen {
		for t, k := range s {
			count[t] += k
			where[t]++
		}
	}
	elsewhere := 0 // how often tokens are there that are not here
	for t, k := range count {
		if seen[at][t] == 0 {
			elsewhere += k
		}
	}
	own := math.Pow(1-1/float64(len(seen)), float64(elsewhere)) < Chance
	tokens := map[string]bool{}
	for t, k := range count {
		if seen[at][t] > 0 || !own && fewOf(where[t], len(seen), k) >= Chance {
			tokens[t] = true
		}
	}
	return tokens
}

// combinations returns how many strings have a token of each of some positions, up to most.
func combinations(of []map[string]bool, most int) int {
	n := 1
	for _, tokens := range of {
		if n *= len(tokens); tokens == nil || n > most {
			return most
		}
	}
	return n
}

// Letters is Slots for strings of one length whose tokens are their letters, which it returns in order; "" stands for any.
func Letters(xs []string, alphabet int, typed bool, known int) (letters []string) {
	xs = stats.Evenly(xs, mostSlots)
	rows := make([][]string, len(xs))
	for i, x := range xs {
		for k := range len(x) {
			rows[i] = append(rows[i], x[k:k+1])
		}
	}
	for _, tokens := range Slots(rows, alphabet, typed, known) {
		letters = append(letters, text(tokens))
	}
	return letters
}

// text returns tokens of one letter, in order.
func text(tokens map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(tokens)), "") }

// Alphabet returns the tokens of sequences, in order, if they are too few to be any of an alphabet of so many; nil:
// they may be. Of 20 tokens the alphabet is that of proteins.
func Alphabet(sequences [][]string, alphabet int) (tokens []string) {
	all := slices.Concat(sequences...)
	tokens = slices.Compact(slices.Sorted(slices.Values(all)))
	p := fewOf(len(tokens), alphabet, len(all))
	if alphabet == len(natural) {
		p = rareOf(tokens, len(all))
	}
	if p < Chance {
		return tokens
	}
	return nil
}
