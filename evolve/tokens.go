package evolve

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
)

// Tokens are the operators of strings over an alphabet.
type Tokens struct {
	Alphabet []string                     // tokens that strings may consist of; at least one
	Split    func(x string) []string      // into tokens
	Join     func(tokens []string) string // nil: without a separator
	Fixed    bool                         // all strings have one length, which children keep
	Longest  int                          // tokens of a child at most; 0: no bound
}

// Operators returns the operators: replacement of one to three tokens, insertion, deletion and shifts, crossover at one and at
// two points, and transplants of a part of one string to another place in the other or in itself.
func (t Tokens) Operators() []Operator {
	ops := []Operator{
		t.operator("replace", t.replace),
		t.operator("shift", t.shift),
		t.operator("one-point crossover", t.onePoint),
		t.operator("two-point crossover", t.twoPoint),
		t.operator("transplant", t.transplant),
	}
	if !t.Fixed {
		ops = append(ops, t.operator("insert", t.insert), t.operator("delete", t.remove))
	}
	return ops
}

func (t Tokens) operator(name string, child func(p, q []string, rng *rand.Rand) []string) Operator {
	return Operator{Name: name, Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]string, error) {
		made := make([]string, len(pairs))
		for i, pair := range pairs {
			c := child(slices.Clone(t.Split(pair[0])), slices.Clone(t.Split(pair[1])), rng)
			if len(c) > 0 && (t.Longest == 0 || len(c) <= t.Longest) {
				made[i] = t.join(c)
			}
		}
		return made, context.Cause(ctx)
	}}
}

func (t Tokens) join(tokens []string) string {
	if t.Join != nil {
		return t.Join(tokens)
	}
	return strings.Join(tokens, "")
}

func (t Tokens) any(rng *rand.Rand) string { return t.Alphabet[rng.IntN(len(t.Alphabet))] }

func (t Tokens) replace(p, _ []string, rng *rand.Rand) []string {
	if len(p) == 0 {
		return nil
	}
	for range 1 + rng.IntN(3) {
		p[rng.IntN(len(p))] = t.any(rng)
	}
	return p
}

func (t Tokens) insert(p, _ []string, rng *rand.Rand) []string {
	for range 1 + rng.IntN(3) {
		p = slices.Insert(p, rng.IntN(len(p)+1), t.any(rng))
	}
	return p
}

func (t Tokens) remove(p, _ []string, rng *rand.Rand) []string {
	n := 1 + rng.IntN(3)
	if len(p) <= n {
		return nil
	}
	at := rng.IntN(len(p) - n + 1)
	return slices.Delete(p, at, at+n)
}

// shift deletes a token at one place and inserts one at another: what is between moves by one.
func (t Tokens) shift(p, _ []string, rng *rand.Rand) []string {
	if len(p) < 2 {
		return nil
	}
	from := rng.IntN(len(p))
	p = slices.Delete(p, from, from+1)
	return slices.Insert(p, rng.IntN(len(p)+1), t.any(rng))
}

func (t Tokens) onePoint(p, q []string, rng *rand.Rand) []string {
	if t.Fixed {
		at := rng.IntN(min(len(p), len(q)) + 1)
		return append(p[:at:at], q[at:]...)
	}
	return append(slices.Clip(p[:rng.IntN(len(p)+1)]), q[rng.IntN(len(q)+1):]...)
}

// twoPoint puts a part of q in the place of one of p: the same place where lengths are fixed.
func (t Tokens) twoPoint(p, q []string, rng *rand.Rand) []string {
	a, b := part(len(q), rng)
	c, d := a, b
	if !t.Fixed {
		c, d = part(len(p), rng)
	}
	if d > len(p) {
		return nil
	}
	return slices.Concat(p[:c], q[a:b], p[d:])
}

// transplant writes a part of q, or of p itself, over p at any place.
func (t Tokens) transplant(p, q []string, rng *rand.Rand) []string {
	if rng.IntN(2) == 0 {
		q = slices.Clone(p)
	}
	a, b := part(len(q), rng)
	if b-a > len(p) {
		return nil
	}
	copy(p[rng.IntN(len(p)-(b-a)+1):], q[a:b])
	return p
}

// part returns the ends of a random part of n tokens.
func part(n int, rng *rand.Rand) (from, to int) {
	from, to = rng.IntN(n+1), rng.IntN(n+1)
	return min(from, to), max(from, to)
}
