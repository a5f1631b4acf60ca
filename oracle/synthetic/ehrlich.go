package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/oracle"
)

// Ehrlich is a test function of strings with a known optimum (Stanton et al. 2024, "Closed-Form Test Functions for
// Biophysical Sequence Design Benchmarking"). A string is feasible if no symbol is followed by one that is banned after
// it, and scores by how much of each motif it holds, with the motif's spacing, wherever that is best. Higher is better;
// the maximum is 1.
type Ehrlich struct {
	Alphabet     string            // symbols, a byte each
	Length       int               // of all strings
	Motifs       []string          // no longer than Length together with their gaps
	Spacings     [][]int           // between neighbouring elements of each motif, one less than it has elements
	Quantization int               // levels of a motif's quality; 0: one for each element
	Epistasis    float64           // how much less a half-made motif is worth than its share; 0: nothing
	Banned       map[string]string // symbols that must not follow a symbol
}

// NewEhrlich returns an instance with motifs of the given length over the first states letters of A to Z, a to z, as the
// reference implementation draws it, but with other random numbers: instances of the same seed differ from those of the
// literature. Each symbol bans about a sixth of the others.
func NewEhrlich(states, length, motifs, motifLength int, seed uint64) (*Ehrlich, error) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case states < 4 || states > len(letters):
		return nil, fmt.Errorf("ehrlich: %d states; give 4 to %d", states, len(letters))
	case motifs < 1 || motifLength < 2 || motifLength > states:
		return nil, fmt.Errorf("ehrlich: %d motifs of length %d; give at least 1, of length 2 to the number of states, %d", motifs, motifLength, states)
	case motifs > 1 && motifLength == states: // each motif begins with another symbol than the one before ends with
		return nil, fmt.Errorf("ehrlich: %d motifs of length %d, which is the number of states; give shorter motifs, or more states", motifs, motifLength)
	case motifs*motifLength > length:
		return nil, fmt.Errorf("ehrlich: %d motifs of length %d do not fit into %d symbols; give a greater length", motifs, motifLength, length)
	}
	e := &Ehrlich{Alphabet: letters[:states], Length: length, Banned: map[string]string{}}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range states {
		for _, j := range rng.Perm(states)[:states/6] {
			if i != j {
				e.Banned[letters[i:i+1]] += letters[j : j+1]
			}
		}
	}
	room := length / motifs // for each motif with its gaps
	before := ""            // the last symbol of the motif before: the optimum has them side by side
	for range motifs {
		motif := e.walk(motifLength, before, rng)
		spacing := slices.Repeat([]int{1}, motifLength-1)
		for range rng.IntN(room - motifLength + 1) {
			spacing[rng.IntN(len(spacing))]++
		}
		e.Motifs, e.Spacings = append(e.Motifs, motif), append(e.Spacings, spacing)
		before = motif[len(motif)-1:]
	}
	return e, nil
}

// walk returns n different symbols. Each symbol may follow the one before it, and the first may follow before.
func (e *Ehrlich) walk(n int, before string, rng *rand.Rand) string {
	for { // each symbol leaves five sixths of the others: few attempts suffice
		text := before
		for _, i := range rng.Perm(len(e.Alphabet)) {
			next := e.Alphabet[i : i+1]
			if len(text) < n+len(before) && (text == "" || next != before && !e.bans(text[len(text)-1:], next)) {
				text += next
			}
		}
		if len(text) == n+len(before) {
			return text[len(before):]
		}
	}
}

// Check returns an error if the fields do not belong together.
func (e *Ehrlich) Check() error {
	if e.Length < 1 || len(e.Motifs) == 0 || len(e.Spacings) != len(e.Motifs) || e.Quantization < 0 {
		return fmt.Errorf("ehrlich: length %d, %d motifs with %d spacings and quantization %d: give a length, and spacings for each motif", e.Length, len(e.Motifs), len(e.Spacings), e.Quantization)
	}
	spans := 0
	for i, m := range e.Motifs {
		if s := slices.Min(append([]int{1}, e.Spacings[i]...)); s < 1 {
			return fmt.Errorf("ehrlich: motif %d: spacing %d; give at least 1", i+1, s)
		}
		span := e.span(i)
		if len(m) < 1 || len(e.Spacings[i]) != len(m)-1 || span > e.Length || strings.Trim(m, e.Alphabet) != "" {
			return fmt.Errorf("ehrlich: motif %d, %q, with %d spacings does not fit into %d symbols of %s", i+1, m, len(e.Spacings[i]), e.Length, e.Alphabet)
		}
		if e.Quantization > 0 && len(m)%e.Quantization != 0 {
			return fmt.Errorf("ehrlich: motif %d, %q: its length is no multiple of the quantization, %d, and so no string scores 1", i+1, m, e.Quantization)
		}
		spans += span
	}
	if spans > e.Length {
		return fmt.Errorf("ehrlich: the motifs with their spacings take %d symbols one after the other, and strings have %d; give shorter ones", spans, e.Length)
	}
	return nil
}

// span returns the length of motif i with its gaps.
func (e *Ehrlich) span(i int) int {
	span := 1
	for _, s := range e.Spacings[i] {
		span += s
	}
	return span
}

func (e *Ehrlich) bans(a, b string) bool { return strings.Contains(e.Banned[a], b) }

// Sample returns a random feasible string.
func (e *Ehrlich) Sample(rng *rand.Rand) string {
	var text []byte
	for len(text) < e.Length {
		next := e.Alphabet[rng.IntN(len(e.Alphabet))]
		if len(text) == 0 || !e.bans(string(text[len(text)-1]), string(next)) {
			text = append(text, next)
		}
	}
	return string(text)
}

// Score scores strings of Length symbols of the alphabet. Other strings, and infeasible ones, have no score.
func (e *Ehrlich) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Func(e.score).Score(ctx, x)
}

func (e *Ehrlich) score(x string) oracle.Result {
	if len(x) != e.Length {
		return oracle.Result{Score: math.NaN(), Reason: fmt.Sprintf("%d symbols, expected %d", len(x), e.Length)}
	}
	for i := range len(x) {
		if !strings.Contains(e.Alphabet, x[i:i+1]) {
			return oracle.Result{Score: math.NaN(), Reason: fmt.Sprintf("symbol %d, %q, is not in the alphabet %s", i+1, x[i:i+1], e.Alphabet)}
		}
		if i > 0 && e.bans(x[i-1:i], x[i:i+1]) {
			return oracle.Result{Score: math.NaN(), Reason: fmt.Sprintf("infeasible: %s must not follow %s (symbol %d)", x[i:i+1], x[i-1:i], i+1)}
		}
	}
	score := 1.0
	for i := range e.Motifs {
		score *= e.quality(x, i)
	}
	return oracle.Result{Score: score}
}

// quality returns what motif i contributes: with h the most of its k elements that x matches at once, a = ⌈k/q⌉ and
// v = ⌊h/a⌋/(k/a),
//
//	v·(1 + ε·v·(v − 1))
func (e *Ehrlich) quality(x string, i int) float64 {
	motif, h := e.Motifs[i], 0
	for start := range len(x) - e.span(i) + 1 {
		matched, at := 0, start
		for k := range len(motif) {
			if x[at] == motif[k] {
				matched++
			}
			if k < len(motif)-1 {
				at += e.Spacings[i][k]
			}
		}
		h = max(h, matched)
	}
	k := len(motif)
	q := cmp.Or(e.Quantization, k)
	a := (k + q - 1) / q
	v := float64(h/a) / (float64(k) / float64(a))
	return v * (1 + e.Epistasis*v*(v-1))
}
