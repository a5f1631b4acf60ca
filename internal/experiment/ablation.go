package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Ablation is a part of evolve that a method can leave out, to measure what it brings: evolve-library is evolve without
// the library.
type Ablation struct {
	Name, About string
	molecules   bool // evolve has it for molecules only
	leave       func(*evolve.Space, *evolve.Options)
}

// Parts that options of the same run may be about. Those that are parts of the space are left out by RunSpec.filled.
const (
	filter    = "filter"
	alerts    = "alerts"
	access    = "access"
	bulk      = "bulk"
	library   = "library"
	transform = "transform"
	front     = "front"
	exact     = "exact"
)

// hardest is the greatest synthetic accessibility score that there is.
const hardest = 10

// Ablations returns the parts that evolve can do without.
func Ablations() []Ablation {
	return []Ablation{
		{"loop", "the generations: as many children are made in one", false, func(_ *evolve.Space, o *evolve.Options) { // as many children, all of known strings and the library's
			d := evolve.Defaults()
			o.Children, o.Generations = d.Children*d.Generations, 1
		}},
		{library, "the library that molecules are crossed with", true, func(_ *evolve.Space, o *evolve.Options) { o.Pool = -1 }},
		{"rearrangement", "the operator that keeps the formula of a molecule", true, func(s *evolve.Space, _ *evolve.Options) {
			s.Operators = slices.DeleteFunc(slices.Clone(s.Operators), func(op evolve.Operator) bool { return op.Name == "rearrangement" })
		}},
		{"novelty", "the batches that seek molecules unlike the known ones", true, func(s *evolve.Space, _ *evolve.Options) { s.Novelty = nil }},
		{"restarts", "the restarts after many calls without a new best", false, func(_ *evolve.Space, o *evolve.Options) { o.Patience = -1 }},
		{"conditioning", "the conditioning of a batch on what it holds already", false, func(_ *evolve.Space, o *evolve.Options) { o.Greedy = true }},
		{transform, "the choice of the transform by the data: scores are standardized", false, func(_ *evolve.Space, o *evolve.Options) {
			if o.Transform == nil {
				o.Transform = new(gp.Standardise)
			}
		}},
		{"quantities", "quantities, such as logP, in the comparison of molecules", true, func(s *evolve.Space, _ *evolve.Options) {
			s.Kernels, s.Further = slices.DeleteFunc(slices.Clone(s.Kernels), func(t gp.Term) bool { return t.Kernel == gp.Laplace }), nil
		}},
		{front, "the front of several objectives: their mean is the score", false, func(*evolve.Space, *evolve.Options) {}},
		{exact, "the exact values of objectives that the program computes: they have surrogates", true, func(s *evolve.Space, _ *evolve.Options) { s.Knows = nil }},
		{filter, "the filter of plausible molecules", true, func(*evolve.Space, *evolve.Options) {}},
		{alerts, "the alerts that no molecule may match", true, func(*evolve.Space, *evolve.Options) {}},
		{access, "the limit on synthetic accessibility", true, func(*evolve.Space, *evolve.Options) {}},
		{bulk, "all limits from the data", true, func(*evolve.Space, *evolve.Options) {}},
	}
}

// ablated returns evolve without the parts that follow it in the name, each after a minus sign.
func ablated(m Method, parts string) (Method, error) {
	for name := range strings.SplitSeq(parts, "-") {
		part, err := usage.Find("part of evolve", name, Ablations(), func(a Ablation) string { return a.Name })
		if err != nil {
			return m, err
		}
		m.Name += "-" + name
		m.without = append(m.without, part)
	}
	return m, nil
}

// lacks reports whether the method leaves out the part of evolve.
func (m Method) lacks(part string) bool {
	return slices.ContainsFunc(m.without, func(a Ablation) bool { return a.Name == part })
}

// copies is the similarity above which two molecules are hardly worth two syntheses of a batch, as of homologues of a
// long chain.
const copies = 0.85

func newEvolve(e *Plan) (study.Searcher, error) {
	space := e.space.Space
	o := evolve.Options{Seed: e.Spec.Seed, Similarity: e.Spec.Similarity, Sober: e.Spec.Measured} // people make and measure what is proposed
	if e.Spec.Measured && e.Molecules() && e.pool == nil {
		o.Copies = copies
	}
	if e.Spec.Transform != "" {
		o.Transform = &e.Options.Profile.Transform
	}
	for _, part := range e.Method.without {
		part.leave(&space, &o)
	}
	s, err := evolve.New(space, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Method.Name, err)
	}
	if e.Method.lacks(front) {
		return &baseline.Mean{Searcher: s, Standardise: !e.Spec.Components}, nil // components are from 0 to 1
	}
	return s, nil
}
