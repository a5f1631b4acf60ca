package gp

import "fmt"

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
	g := &SVGP{params: newParams(s.Inducing, s.Dim, s.Options.Features), dim: s.Dim, numData: s.NumData, seen: s.Seen, opts: s.Options}
	if copied := copy(g.params.flat, s.Params); copied != len(g.params.flat) || copied != len(s.Params) {
		return nil, fmt.Errorf("gp: %w: a stored SVGP of %d dimensions and %d inducing points has %d parameters, want %d",
			ErrData, s.Dim, s.Inducing, len(s.Params), len(g.params.flat))
	}
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
}

// State returns a copy of what e knows.
func (e *Exact) State() ExactState {
	return ExactState{e.dim, e.opts, append([]float64(nil), e.theta...), append([]float64(nil), e.x...), append([]float64(nil), e.y...), e.offset}
}

// RestoreExact returns the Exact that s is the state of. The error wraps ErrData.
func RestoreExact(s ExactState) (*Exact, error) {
	e := NewExact(s.Dim, s.Options)
	if len(s.Theta) != len(e.theta) || len(s.X) != len(s.Y)*s.Dim {
		return nil, fmt.Errorf("gp: %w: a stored exact GP of %d dimensions has %d parameters, want %d, and %d coordinates of %d data",
			ErrData, s.Dim, len(s.Theta), len(e.theta), len(s.X), len(s.Y))
	}
	copy(e.theta, s.Theta)
	e.x, e.y, e.offset = append([]float64(nil), s.X...), append([]float64(nil), s.Y...), s.Offset
	return e, nil
}
