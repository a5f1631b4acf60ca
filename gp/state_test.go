package gp_test

import (
	"encoding"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/invbo/invbo/gp"
)

// A GP that was marshalled goes on bit for bit as the one that was not.
func TestMarshalledGPsGoOn(t *testing.T) {
	type model interface {
		encoding.BinaryMarshaler
		Posterior() (*gp.Posterior, error)
	}
	svgp := func(opts gp.Options) func(x [][]float64, y []float64) model {
		return func(x [][]float64, y []float64) model {
			m, err := gp.New(x, opts, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	tests := map[string]struct {
		make  func(x [][]float64, y []float64) model
		again func(data []byte) (model, error)
		fit   func(m model, x [][]float64, y []float64) error
	}{
		"SVGP": {
			svgp(gp.Options{Inducing: 20, Features: []int{2, 2}, Skip: true}),
			func(data []byte) (model, error) { m := new(gp.SVGP); return m, m.UnmarshalBinary(data) },
			func(m model, x [][]float64, y []float64) error {
				_, err := m.(*gp.SVGP).Fit(t.Context(), x, y, gp.FitOptions{})
				return err
			},
		},
		"Exact": {
			func([][]float64, []float64) model { return gp.NewExact(2, gp.ExactOptions{}) },
			func(data []byte) (model, error) { m := new(gp.Exact); return m, m.UnmarshalBinary(data) },
			func(m model, x [][]float64, y []float64) error {
				_, err := m.(*gp.Exact).Fit(t.Context(), x, y, gp.FitOptions{Variance: make([]float64, len(y))})
				return err
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			x, y := wave(50, 2, 0.1, rand.New(rand.NewPCG(2, 2)))
			predict := func(m model) (mu, sigma2 []float64) {
				p, err := m.Posterior()
				if err != nil {
					t.Fatal(err)
				}
				if mu, sigma2, err = p.Predict(x); err != nil {
					t.Fatal(err)
				}
				return mu, sigma2
			}
			m := test.make(x[:40], y[:40])
			if err := test.fit(m, x[:40], y[:40]); err != nil {
				t.Fatal(err)
			}
			data, err := m.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			restored, err := test.again(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{40, 50} {
				mu, sigma2 := predict(m)
				if gotMu, gotSigma2 := predict(restored); !reflect.DeepEqual(gotMu, mu) || !reflect.DeepEqual(gotSigma2, sigma2) {
					t.Errorf("after a fit to %d points the restored one predicts otherwise", n)
				}
				if err := errors.Join(test.fit(m, x, y), test.fit(restored, x, y)); err != nil {
					t.Fatal(err)
				}
			}
			for _, bad := range [][]byte{nil, data[:len(data)/2], []byte("no state")} {
				if _, err := test.again(bad); !errors.Is(err, gp.ErrData) {
					t.Errorf("%d bytes: %v, want ErrData", len(bad), err)
				}
			}
		})
	}
}

// Of a state that does not hold together nothing is taken.
func TestUnmarshalOfAnotherState(t *testing.T) {
	svgp, err := gp.New([][]float64{{0}, {1}}, gp.Options{}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := svgp.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	exact := gp.NewExact(3, gp.ExactOptions{})
	if err := exact.UnmarshalBinary(data); !errors.Is(err, gp.ErrData) || len(exact.Lengthscales()) != 3 {
		t.Errorf("an Exact from an SVGP: %v, and %d lengthscales, want ErrData and 3 as before", err, len(exact.Lengthscales()))
	}
}
