package task

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
)

// mostSlots is how many strings what may stand at positions, and blocks, are taken from at most.
const mostSlots = 2_000

// slots returns what may stand at each position of strings with as many tokens; nil: any.
//
// At a position where each token of the data recurs, all that were chosen for it have been seen: no other stands there. If positions are typed, as those of
// lists are, a token that is at some positions only, and not by chance, is nowhere else.
func slots(rows [][]string, typed bool) []map[string]bool {
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
		if all[i] = chosen(seen[i], len(rows)); all[i] == nil && typed {
			all[i] = atHome(seen, i)
		}
		some = some || all[i] != nil
	}
	if !some {
		return nil
	}
	return all
}

// chosen returns the tokens of a position if each recurs in n strings; nil: one does not.
func chosen(seen map[string]int, n int) map[string]bool {
	const (
		fewest = 3
		share  = 0.1
	)
	tokens := map[string]bool{}
	for t, k := range seen {
		if k < fewest || float64(k) < share*float64(n) {
			return nil
		}
		tokens[t] = true
	}
	return tokens
}

// atHome returns the tokens that may stand at a position: all but those that are at other positions alone, and would be at so few only with a chance of one
// in a thousand if they could stand anywhere.
func atHome(seen []map[string]int, at int) map[string]bool {
	const chance = 1e-3
	count, where := map[string]int{}, map[string]int{} // of each token: how often, and at how many positions
	for _, s := range seen {
		for t, k := range s {
			count[t] += k
			where[t]++
		}
	}
	tokens, n := map[string]bool{}, float64(len(seen))
	for t, k := range count {
		w := float64(where[t])
		ways, _ := math.Lgamma(n + 1)
		for _, v := range []float64{w, n - w} {
			less, _ := math.Lgamma(v + 1)
			ways -= less
		}
		if seen[at][t] > 0 || ways+float64(k)*math.Log(w/n) >= math.Log(chance) {
			tokens[t] = true
		}
	}
	return tokens
}

// combinations returns how many strings have a token of each of some positions, up to most.
func combinations(of []map[string]bool, most int) int {
	n := 1
	if of == nil {
		return most
	}
	for _, tokens := range of {
		if n *= len(tokens); tokens == nil || n > most {
			return most
		}
	}
	return n
}

// only returns the letters that strings xs leave for each position, "" for any; nil: for all any, as where all strings of these are known already.
func only(xs []string, typed bool, known int) (letters []string) {
	xs = stats.Evenly(xs, mostSlots)
	rows := make([][]string, len(xs))
	for i, x := range xs {
		for k := range len(x) {
			rows[i] = append(rows[i], x[k:k+1])
		}
	}
	all := slots(rows, typed)
	if all == nil || combinations(all, known+1) <= known {
		return nil
	}
	for _, tokens := range all {
		letters = append(letters, text(tokens))
	}
	return letters
}

// text returns tokens of one letter, in order.
func text(tokens map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(tokens)), "") }

// noteOnly notes at which positions proposals have only letters of the data, though not all of an alphabet.
func (out *Space) noteOnly(only []string, alphabet string, o SequenceOptions) {
	const most = 6 // positions that are named
	var all []string
	for i, letters := range only {
		varies := strings.ContainsFunc(letters, func(r rune) bool { return byte(r) != letters[0] })
		if position := i + o.Offset + 1; varies && len(letters) < len(alphabet) && !o.Residues.name(position) {
			all = append(all, fmt.Sprintf("%d (%s)", position, letters))
		}
	}
	if n := len(all); n > most {
		all = append(all[:most-1], fmt.Sprintf("%d more", n-most+1))
	}
	if len(all) > 0 {
		out.Notes.Add("positions where each letter of the data recurs have only these: %s; %s lets others in", strings.Join(all, ", "), option.Name("residues"))
	}
}
