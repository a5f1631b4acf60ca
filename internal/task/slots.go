package task

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/space/protein"
)

// mostSlots is how many strings what may stand at positions, and blocks, are taken from at most.
const mostSlots = 2_000

// slots returns what may stand at each position of strings with as many tokens, of an alphabet of so many; nil: any.
//
// At a position where the same few tokens recur, and not by chance, those that were chosen for it have been seen: no other stands there. If positions are
// typed, as those of lists are, a token that is at some positions only, and not by chance, is nowhere else.
func slots(rows [][]string, alphabet int, typed bool) []map[string]bool {
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
	if !some {
		return nil
	}
	return all
}

// byChance is the greatest chance of what is not taken for chance.
const byChance = 1e-4

// chosen returns the tokens of a position if they are too few to be any of an alphabet: beside the most common one, which may be the wild type's, there are
// so many others that more of them would be different. Nil: they may be any.
func chosen(seen map[string]int, alphabet int) map[string]bool {
	most, total := 0, 0
	for _, n := range seen {
		most = max(most, n)
		total += n
	}
	if others := len(seen) - 1; others > 0 && fewOf(others, alphabet-1, total-most) >= byChance {
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

// atHome returns the tokens that may stand at a position: all but those that are at other positions alone, and at so few of them hardly by chance. If all
// that are at others alone are hardly by chance, they are none.
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
	own := math.Pow(1-1/float64(len(seen)), float64(elsewhere)) < byChance
	tokens := map[string]bool{}
	for t, k := range count {
		if seen[at][t] > 0 || !own && fewOf(where[t], len(seen), k) >= byChance {
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

// only returns the letters, of so many, that strings xs leave for each position, "" for any; nil: for all any, as where all strings of these are known already.
func only(xs []string, alphabet int, typed bool, known int) (letters []string) {
	xs = stats.Evenly(xs, mostSlots)
	rows := make([][]string, len(xs))
	for i, x := range xs {
		for k := range len(x) {
			rows[i] = append(rows[i], x[k:k+1])
		}
	}
	all := slots(rows, alphabet, typed)
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
		out.Notes.Add("proposals have only the letters that recur at these positions: %s; %s lets others in", strings.Join(all, ", "), option.Name("residues"))
	}
}

// hits returns the letters at each position of examples if these are a few mutations of a reference that are to be combined, as those that were chosen from a
// scan: few at a position, and most of them better than the reference if that has a value. Nil: they are not, or half of what is made of them is known.
func hits(d Design, examples []string, reference string, minimize bool) (letters []string) {
	const (
		fewest, most = 3, 40 // sequences but the reference
		single       = 0.5   // of them have one mutation
		letterEach   = 2.5   // at a position, on average
		better       = 2. / 3
		fewUnknown   = 15  // sequences, where the reference has no value
		scanned      = 0.5 // of the mutations are to one letter at most: else it is a scan, as with alanine
	)
	if reference == "" {
		return nil
	}
	value := map[string]float64{}
	for _, o := range d.Init {
		value[o.X] = o.Value(minimize)
		if score, ok := d.Scores[o.X]; ok {
			value[o.X] = score
		}
	}
	of, singles, good, n := make([]map[string]bool, len(reference)), 0, 0, 0
	for i := range of {
		of[i] = map[string]bool{reference[i : i+1]: true}
	}
	own, measured := value[reference]
	measured = measured && !math.IsNaN(own)
	for _, x := range examples {
		mutations := 0
		for i := range len(x) {
			if x[i] != reference[i] {
				mutations++
				of[i][x[i:i+1]] = true
			}
		}
		if mutations > 0 {
			n++
		}
		if mutations == 1 {
			if singles++; value[x] > own {
				good++
			}
		}
	}
	positions, different := 0, 0
	to := map[string]int{} // mutations, by their letter
	for i, at := range of {
		if len(at) > 1 {
			positions, different = positions+1, different+len(at)-1
		}
		for letter := range at {
			if letter != reference[i:i+1] {
				to[letter]++
			}
		}
	}
	usual := 0
	for _, k := range to {
		usual = max(usual, k)
	}
	switch {
	case n < fewest || n > most || float64(singles) < single*float64(n) || float64(different) > letterEach*float64(positions):
		return nil
	case measured && float64(good) < better*float64(singles), !measured && n > fewUnknown:
		return nil
	case different > fewest && float64(usual) > scanned*float64(different):
		return nil
	case combinations(of, 2*d.total(examples)+1) <= 2*d.total(examples):
		return nil
	}
	for _, at := range of {
		letters = append(letters, text(at))
	}
	return letters
}
