package protein

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/evolve"
)

// operators returns the operators: substitution at one to three positions, recombination at equal positions, and with a
// reference mutations of two parents together and the loss of some.
func (s *space) operators() []evolve.Operator {
	ops := []evolve.Operator{s.operator("substitute", s.substitute), s.operator("recombine", s.recombine)}
	if s.opts.Reference != "" {
		ops = append(ops, s.operator("combine", s.combine), s.operator("revert", s.revert))
	}
	return ops
}

func (s *space) operator(name string, change func(p []byte, q string, rng *rand.Rand)) evolve.Operator {
	return evolve.Operator{Name: name, Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		made := make([]evolve.Child, len(pairs))
		for i, pair := range pairs {
			p := []byte(pair[0])
			change(p, pair[1], rng)
			s.repair(p, rng)
			made[i].X = string(p)
		}
		return made, context.Cause(ctx)
	}}
}

// substitute writes other letters at one to three positions.
func (s *space) substitute(p []byte, _ string, rng *rand.Rand) {
	for n := 1; ; n++ {
		k := rng.IntN(len(s.free))
		p[s.free[k]] = s.allowed[k][rng.IntN(len(s.allowed[k]))]
		if n == 3 || rng.IntN(2) == 0 {
			return
		}
	}
}

// recombine takes each position from either parent. Without a reference repair cannot restore positions that stay:
// these come from p.
func (s *space) recombine(p []byte, q string, rng *rand.Rand) {
	for i := range p {
		if rng.IntN(2) == 0 && (s.opts.Reference != "" || slices.Contains(s.free, i)) {
			p[i] = q[i]
		}
	}
}

// combine adds the mutations of q to those of p.
func (s *space) combine(p []byte, q string, rng *rand.Rand) {
	for i := range p {
		if q[i] != s.opts.Reference[i] && (p[i] == s.opts.Reference[i] || rng.IntN(2) == 0) {
			p[i] = q[i]
		}
	}
}

// revert takes one mutation back.
func (s *space) revert(p []byte, _ string, rng *rand.Rand) {
	if m := s.mutated(p); len(m) > 0 {
		i := m[rng.IntN(len(m))]
		p[i] = s.opts.Reference[i]
	}
}

// mutated returns the positions where p differs from the reference.
func (s *space) mutated(p []byte) (at []int) {
	for i := range p {
		if p[i] != s.opts.Reference[i] {
			at = append(at, i)
		}
	}
	return at
}

// repair changes p until it may be proposed: parents may be what children must not be.
func (s *space) repair(p []byte, rng *rand.Rand) {
	if ref := s.opts.Reference; ref != "" {
		for _, i := range s.mutated(p) {
			if !slices.Contains(s.free, i) {
				p[i] = ref[i]
			}
		}
	}
	for k, i := range s.free {
		if bytes.IndexByte(s.allowed[k], p[i]) < 0 {
			p[i] = s.allowed[k][rng.IntN(len(s.allowed[k]))]
		}
	}
	if s.opts.Reference == "" {
		return
	}
	m := s.mutated(p)
	rng.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
	surplus := len(m) - s.most
	for _, i := range m {
		if k, _ := slices.BinarySearch(s.free, i); surplus > 0 && bytes.IndexByte(s.allowed[k], s.opts.Reference[i]) >= 0 {
			p[i] = s.opts.Reference[i]
			surplus--
		}
	}
}
