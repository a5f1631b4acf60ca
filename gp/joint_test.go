package gp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A first call of At is mu + Le, with the normals of one draw after another: what searches have always seen.
func TestFirstJointDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := sample(30, 2, rng)
	e := NewExact(2, ExactOptions{})
	if _, err := e.Fit(t.Context(), x[:20], y[:20], FitOptions{}); err != nil {
		t.Fatal(err)
	}
	p, err := e.Posterior()
	if err != nil {
		t.Fatal(err)
	}
	const k, n, noise = 3, 10, 0.1
	got, err := p.Joint(k, noise, rand.New(rand.NewPCG(1, 2))).At(x[20:])
	if err != nil {
		t.Fatal(err)
	}
	mu, cov, err := p.joint(x[20:])
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		cov[i*n+i] += noise
	}
	if _, err := cholesky(cov, n); err != nil {
		t.Fatal(err)
	}
	rng = rand.New(rand.NewPCG(1, 2))
	for i := range k {
		want := normals(n, rng)
		blas64.Trmv(blas.NoTrans, lower(cov, n), vector(want))
		blas64.Axpy(1, vector(mu), vector(want))
		if !slices.Equal(got[i], want) {
			t.Errorf("draw %d is %g, want %g", i, got[i], want)
		}
	}
}
