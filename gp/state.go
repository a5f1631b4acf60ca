package gp

import (
	"fmt"
	"slices"
)

// SVGPState is all that an SVGP knows, to be stored: a restored one goes on to the same end.
type SVGPState struct {
	Dim      int // d
	Inducing int // m
	NumData  int // what the KL of Loss is divided by
	Seen     int // data at the last Fit that looked for a kernel anew
	Options  Options
	Params   []float64
}

// State returns a copy of what g knows.
func (g *SVGP) State() SVGPState {
	return SVGPState{g.dim, len(g.params.Mean), g.numData, g.seen, g.opts, append([]float64(nil), g.params.flat...)}
}

// RestoreSVGP returns the SVGP that s is the state of. The error wraps ErrData.
func RestoreSVGP(s SVGPState) (*SVGP, error) {
	if least := slices.Min(append([]int{s.Dim, s.Inducing, s.NumData, s.Options.Inducing}, s.Options.Features...)); least < 1 {
		return nil, fmt.Errorf("gp: %w: a stored SVGP has %d dimensions, %d inducing points of %d, layers %v and %d data, want 1 of each at least",
			ErrData, s.Dim, s.Inducing, s.Options.Inducing, s.Options.Features, s.NumData)
	}
	if s.Options.Skip && !s.Options.skips(s.Dim) {
		return nil, fmt.Errorf("gp: %w: a stored SVGP adds layers %v to %d dimensions", ErrData, s.Options.Features, s.Dim)
	}
	if want, _ := numParams(s.Inducing, s.Dim, s.Options.Features); float64(len(s.Params)) != want {
		return nil, fmt.Errorf("gp: %w: a stored SVGP of %d dimensions, layers %v and %d inducing points has %d parameters, want %g",
			ErrData, s.Dim, s.Options.Features, s.Inducing, len(s.Params), want)
	}
	g := &SVGP{params: newParams(s.Inducing, s.Dim, s.Options.Features), dim: s.Dim, numData: s.NumData, seen: s.Seen, opts: s.Options}
	copy(g.params.flat, s.Params)
	return g, nil
}

// ExactState is all that an Exact knows, to be stored: a restored one goes on to the same end.
type ExactState struct {
	Dim     int // d
	Options ExactOptions
	Theta   []float64 // the kernel, as Fit searches for it
	X       []float64 // (n, d): the data of the last Fit
	Y       []float64 // (n)
	Offset  float64   // the constant mean

	Variance []float64 `json:",omitempty"` // (n): known variances of Y; none: 0
}

// State returns a copy of what e knows.
func (e *Exact) State() ExactState {
	return ExactState{e.dim, e.opts, append([]float64(nil), e.theta...), append([]float64(nil), e.x...), append([]float64(nil), e.y...), e.offset, append([]float64(nil), e.extra...)}
}

// RestoreExact returns the Exact that s is the state of. The error wraps ErrData.
func RestoreExact(s ExactState) (*Exact, error) {
	opts, err := s.Options.resolve()
	if err != nil {
		return nil, fmt.Errorf("gp: %w: a stored exact GP has %w", ErrData, err)
	}
	coordinates := float64(len(s.Y)) * float64(s.Dim) // which does not overflow
	if s.Dim < 1 || len(s.Theta) != opts.lengthscales(s.Dim)+2 || float64(len(s.X)) != coordinates {
		return nil, fmt.Errorf("gp: %w: a stored exact GP of %d dimensions has %d parameters, want %d, and %d coordinates of %d data",
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
