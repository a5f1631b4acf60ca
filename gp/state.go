package gp

import (
	"fmt"
	"slices"
)

// SVGPState is the complete state of an SVGP, for storage as JSON. A restored SVGP continues bit for bit as the
// original.
type SVGPState struct {
	Dim      int // d
	Inducing int // m
	NumData  int // divisor of the KL in Loss
	Seen     int // number of data at the last Fit that searched for a kernel from scratch
	Options  Options
	Params   []float64
}

// State returns a copy of the state of g.
func (g *SVGP) State() SVGPState {
	return SVGPState{g.dim, len(g.params.Mean), g.numData, g.seen, g.opts, append([]float64(nil), g.params.flat...)}
}

// RestoreSVGP returns an SVGP with state s. The error wraps ErrData.
func RestoreSVGP(s SVGPState) (*SVGP, error) {
	if least := slices.Min(append([]int{s.Dim, s.Inducing, s.NumData, s.Options.Inducing}, s.Options.Features...)); least < 1 {
		return nil, fmt.Errorf("gp: %w: stored SVGP with %d dimensions, %d inducing points of at most %d, layers %v and %d data: want at least 1 of each",
			ErrData, s.Dim, s.Inducing, s.Options.Inducing, s.Options.Features, s.NumData)
	}
	if s.Options.Skip && !s.Options.skips(s.Dim) {
		return nil, fmt.Errorf("gp: %w: stored SVGP with Skip: the last of layers %v must have width %d", ErrData, s.Options.Features, s.Dim)
	}
	if want, _ := numParams(s.Inducing, s.Dim, s.Options.Features); float64(len(s.Params)) != want {
		return nil, fmt.Errorf("gp: %w: stored SVGP with %d dimensions, layers %v and %d inducing points: %d parameters, want %g",
			ErrData, s.Dim, s.Options.Features, s.Inducing, len(s.Params), want)
	}
	g := &SVGP{params: newParams(s.Inducing, s.Dim, s.Options.Features), dim: s.Dim, numData: s.NumData, seen: s.Seen, opts: s.Options}
	copy(g.params.flat, s.Params)
	return g, nil
}

// ExactState is the complete state of an Exact, for storage as JSON. A restored Exact continues bit for bit as the
// original.
type ExactState struct {
	Dim     int // d
	Options ExactOptions
	Theta   []float64 // unconstrained hyperparameters: lengthscales, outputscale, noise
	X       []float64 // (n, d): the data of the last Fit
	Y       []float64 // (n)
	Offset  float64   // the constant mean

	Variance []float64 `json:",omitempty"` // (n): known variances of Y; none: 0
}

// State returns a copy of the state of e.
func (e *Exact) State() ExactState {
	return ExactState{e.dim, e.opts, append([]float64(nil), e.theta...), append([]float64(nil), e.x...), append([]float64(nil), e.y...), e.offset, append([]float64(nil), e.extra...)}
}

// RestoreExact returns an Exact with state s. The error wraps ErrData.
func RestoreExact(s ExactState) (*Exact, error) {
	opts, err := s.Options.resolve()
	if err != nil {
		return nil, fmt.Errorf("gp: %w: stored exact GP with %w", ErrData, err)
	}
	coordinates := float64(len(s.Y)) * float64(s.Dim) // a product in float64, which does not overflow
	if s.Dim < 1 || len(s.Theta) != opts.lengthscales(s.Dim)+2 || float64(len(s.X)) != coordinates {
		return nil, fmt.Errorf("gp: %w: stored exact GP with %d dimensions: %d parameters, want %d, and %d coordinates for %d data",
			ErrData, s.Dim, len(s.Theta), opts.lengthscales(s.Dim)+2, len(s.X), len(s.Y))
	}
	if len(s.Variance) > 0 {
		if err := checkVariance(s.Variance, len(s.Y)); err != nil {
			return nil, err
		}
	}
	return &Exact{
		dim: s.Dim, opts: opts, theta: append([]float64(nil), s.Theta...),
		x: append([]float64(nil), s.X...), y: append([]float64(nil), s.Y...), extra: append([]float64(nil), s.Variance...), offset: s.Offset,
	}, nil
}
