package tokens

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
)

// Edits are the operators of strings over an alphabet. New has them; they serve a space with features of its own, too.
type Edits struct {
	Alphabet []string                     // tokens that strings may consist of; at least one
	Split    func(x string) []string      // into tokens
	Join     func(tokens []string) string // nil: without a separator
	Fixed    bool                         // all strings have one length, which children keep
	Shortest int                          // tokens of a child at least
	Longest  int                          // and at most; 0: no bound
	Before   int                          // tokens at the beginning that a child has of its first parent
	After    int                          // and at the end

	// Single says that a child has one parent, of which one to three tokens are replaced.
	Single bool

	// Homologous strings are variants of each other: a child has what one of them has in a part of their alignment, or
	// other tokens where they differ. It has no insertion or deletion that no string has.
	Homologous bool
}

// Operators returns the operators: replacement of one to three tokens, insertion, deletion and shifts, crossover at one
// and at two points, and transplants of a part of one string to another place in the other or in itself; of Homologous
// strings crossover in their alignment, and replacement where they differ.
func (e Edits) Operators() []evolve.Operator {
	if e.Single {
		return []evolve.Operator{e.operator("replace", e.replace)}
	}
	if e.Homologous {
		return []evolve.Operator{e.operator("aligned crossover", homologous), e.operator("substitute", e.substitute)}
	}
	ops := []evolve.Operator{
		e.operator("replace", e.replace),
		e.operator("shift", e.shift),
		e.operator("one-point crossover", e.onePoint),
		e.operator("two-point crossover", e.twoPoint),
		e.operator("transplant", e.transplant),
	}
	if !e.Fixed {
		ops = append(ops, e.operator("insert", e.insert), e.operator("delete", e.remove))
	}
	return ops
}

func (e Edits) operator(name string, child func(p, q []string, rng *rand.Rand) []string) evolve.Operator {
	return evolve.Operator{Name: name, Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		made := make([]evolve.Child, len(pairs))
		for i, pair := range pairs {
			whole := e.Split(pair[0])
			before, p, after := e.take(whole)
			_, q, _ := e.take(e.Split(pair[1]))
			c := child(slices.Clone(p), slices.Clone(q), rng)
			kept := len(before) + len(after)
			for range attempts { // of variants, few children may have an allowed length
				if !e.Homologous || c != nil && e.allows(len(c)+kept) {
					break
				}
				c = child(slices.Clone(p), slices.Clone(q), rng)
			}
			if c == nil {
				continue
			}
			if !e.Fixed && !e.Homologous && !e.allows(len(whole)) { // an example that must not be proposed may have children
				c = e.bring(c, kept, rng)
			}
			c = slices.Concat(before, c, after)
			if len(c) > 0 && e.allows(len(c)) {
				made[i].X = e.join(c)
			}
		}
		return made, context.Cause(ctx)
	}}
}

// attempts bounds how often a child of variants is made until it has an allowed length.
const attempts = 10

// allows reports whether a child may have n tokens.
func (e Edits) allows(n int) bool { return n >= e.Shortest && (e.Longest == 0 || n <= e.Longest) }

// take parts tokens into those that children keep and those between.
func (e Edits) take(tokens []string) (before, between, after []string) {
	n := min(e.Before, len(tokens))
	m := min(e.After, len(tokens)-n)
	return tokens[:n], tokens[n : len(tokens)-m], tokens[len(tokens)-m:]
}

// bring inserts or deletes random tokens until the length is allowed, with so many that are kept.
func (e Edits) bring(c []string, kept int, rng *rand.Rand) []string {
	for len(c)+kept < e.Shortest {
		c = slices.Insert(c, rng.IntN(len(c)+1), e.any(rng))
	}
	for e.Longest > 0 && len(c)+kept > e.Longest && len(c) > 0 {
		at := rng.IntN(len(c))
		c = slices.Delete(c, at, at+1)
	}
	return c
}

func (e Edits) join(tokens []string) string {
	if e.Join != nil {
		return e.Join(tokens)
	}
	return strings.Join(tokens, "")
}

func (e Edits) any(rng *rand.Rand) string { return e.Alphabet[rng.IntN(len(e.Alphabet))] }

func (e Edits) replace(p, _ []string, rng *rand.Rand) []string {
	if len(p) == 0 {
		return nil
	}
	for range 1 + rng.IntN(3) {
		p[rng.IntN(len(p))] = e.any(rng)
	}
	return p
}

func (e Edits) insert(p, _ []string, rng *rand.Rand) []string {
	for range 1 + rng.IntN(3) {
		p = slices.Insert(p, rng.IntN(len(p)+1), e.any(rng))
	}
	return p
}

func (e Edits) remove(p, _ []string, rng *rand.Rand) []string {
	n := 1 + rng.IntN(3)
	if len(p) <= n {
		return nil
	}
	at := rng.IntN(len(p) - n + 1)
	return slices.Delete(p, at, at+n)
}

// shift deletes a token at one place and inserts one at another: what is between moves by one.
func (e Edits) shift(p, _ []string, rng *rand.Rand) []string {
	if len(p) < 2 {
		return nil
	}
	from := rng.IntN(len(p))
	p = slices.Delete(p, from, from+1)
	return slices.Insert(p, rng.IntN(len(p)+1), e.any(rng))
}

func (e Edits) onePoint(p, q []string, rng *rand.Rand) []string {
	if e.Fixed {
		at := rng.IntN(min(len(p), len(q)) + 1)
		return append(p[:at:at], q[at:]...)
	}
	return append(slices.Clip(p[:rng.IntN(len(p)+1)]), q[rng.IntN(len(q)+1):]...)
}

// twoPoint puts a part of q in the place of one of p: the same place where lengths are fixed.
func (e Edits) twoPoint(p, q []string, rng *rand.Rand) []string {
	a, b := part(len(q), rng)
	c, d := a, b
	if !e.Fixed {
		c, d = part(len(p), rng)
	}
	if d > len(p) {
		return nil
	}
	return slices.Concat(p[:c], q[a:b], p[d:])
}

// transplant writes a part of q, or of p itself, over p at any place.
func (e Edits) transplant(p, q []string, rng *rand.Rand) []string {
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
