package gp

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
)

// svgpState is all of an SVGP.
type svgpState struct {
	Dim, Inducing, NumData, Seen int
	Options                      Options
	Params                       []float64
}

// MarshalBinary returns the state of g: an SVGP that unmarshals it continues bit for bit as g.
func (g *SVGP) MarshalBinary() ([]byte, error) {
	return encode(svgpState{g.dim, len(g.params.Mean), g.numData, g.seen, g.opts, g.params.flat})
}

// UnmarshalBinary makes g the SVGP that was marshalled. The error wraps ErrData.
func (g *SVGP) UnmarshalBinary(b []byte) error {
	var s svgpState
	if err := decode(b, &s); err != nil {
		return err
	}
	sizes := append([]int{s.Dim, s.Inducing, s.NumData}, s.Options.Features...)
	if slices.Min(sizes) < 1 || float64(len(s.Params)) != paramCount(s.Inducing, s.Dim, s.Options.Features) {
		return fmt.Errorf("gp: %w: a stored SVGP of %d dimensions, layers %v and %d inducing points has %d parameters", ErrData, s.Dim, s.Options.Features, s.Inducing, len(s.Params))
	}
	*g = SVGP{params: newParams(s.Inducing, s.Dim, s.Options.Features), dim: s.Dim, numData: s.NumData, seen: s.Seen, opts: s.Options}
	copy(g.params.flat, s.Params)
	return nil
}

// exactState is all of an Exact but its posterior.
type exactState struct {
	Dim                int
	Options            ExactOptions
	Theta, X, Y, Extra []float64
	Offset             float64
}

// MarshalBinary returns the state of e: an Exact that unmarshals it continues bit for bit as e.
func (e *Exact) MarshalBinary() ([]byte, error) {
	return encode(exactState{e.dim, e.opts, e.theta, e.x, e.y, e.variance, e.offset})
}

// UnmarshalBinary makes e the Exact that was marshalled. The error wraps ErrData or ErrNotPositiveDefinite.
func (e *Exact) UnmarshalBinary(b []byte) error {
	var s exactState
	if err := decode(b, &s); err != nil {
		return err
	}
	n := len(s.Y)
	if s.Dim < 1 || len(s.Theta) != s.Dim+2 || float64(len(s.X)) != float64(n)*float64(s.Dim) || len(s.Extra) > 0 && len(s.Extra) != n {
		return fmt.Errorf("gp: %w: a stored exact GP of %d dimensions has %d parameters, and %d coordinates and %d variances of %d data", ErrData, s.Dim, len(s.Theta), len(s.X), len(s.Extra), n)
	}
	next := Exact{dim: s.Dim, opts: s.Options, theta: s.Theta, data: data{s.X, s.Y, s.Extra}, offset: s.Offset}
	if n > 0 {
		var err error
		if next.posterior, err = next.condition(); err != nil {
			return err
		}
	}
	*e = next
	return nil
}

func encode(state any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(state)
	return b.Bytes(), err
}

func decode(b []byte, state any) error {
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(state); err != nil {
		return fmt.Errorf("gp: %w: a stored state: %w", ErrData, err)
	}
	return nil
}
