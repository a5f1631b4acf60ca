package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// attention is a float64 reference of Attention and AttentionGrad, with contiguous operands.
type attention struct {
	n, m, c int
	causal  bool
	q, k, v []float32

	p    [][]float64 // (n, m)
	kept [][]float64 // (n, m): dropout factors of p
}

func newAttention(rng *rand.Rand, n, m, c int, causal bool, drop Drop) *attention {
	a := &attention{n: n, m: m, c: c, causal: causal, q: normals[float32](rng, n*c), k: normals[float32](rng, m*c), v: normals[float32](rng, m*c)}
	for i := range n {
		row, sum := make([]float64, m), 0.0
		for j := range m {
			if causal && j > i {
				continue
			}
			s := 0.0
			for x := range c {
				s += float64(a.q[i*c+x]) * float64(a.k[j*c+x])
			}
			row[j] = math.Exp(s / math.Sqrt(float64(c)))
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
		a.p = append(a.p, row)
		kept := make([]float64, m)
		for j := range kept {
			switch {
			case drop == (Drop{}):
				kept[j] = 1
			case hash(uint32(j*n+i), uint32(drop.Key), uint32(drop.Key>>32)) >= drop.Limit:
				kept[j] = float64(drop.Scale)
			}
		}
		a.kept = append(a.kept, kept)
	}
	return a
}

// y returns the result.
func (a *attention) y() []float64 {
	y := make([]float64, a.n*a.c)
	for i, row := range a.p {
		for j, p := range row {
			for x := range a.c {
				y[i*a.c+x] += a.kept[i][j] * p * float64(a.v[j*a.c+x])
			}
		}
	}
	return y
}

// gradients returns dq, dk and dv by the formulas in the doc of AttentionGrad.
func (a *attention) gradients(dy []float32) (dq, dk, dv []float64) {
	dq, dk, dv = make([]float64, a.n*a.c), make([]float64, a.m*a.c), make([]float64, a.m*a.c)
	for i, row := range a.p {
		dp, mean := make([]float64, a.m), 0.0
		for j, p := range row {
			for x := range a.c {
				dp[j] += a.kept[i][j] * float64(dy[i*a.c+x]) * float64(a.v[j*a.c+x])
				dv[j*a.c+x] += a.kept[i][j] * p * float64(dy[i*a.c+x])
			}
			mean += p * dp[j]
		}
		for j, p := range row {
			ds := p * (dp[j] - mean) / math.Sqrt(float64(a.c))
			for x := range a.c {
				dq[i*a.c+x] += ds * float64(a.k[j*a.c+x])
				dk[j*a.c+x] += ds * float64(a.q[i*a.c+x])
			}
		}
	}
	return dq, dk, dv
}

// apart lays out rows of c elements c+gap apart, with NaNs between.
func apart(x []float32, c, gap int) (fence[float32], Rows) {
	ld := c + gap
	all := make([]float32, max(0, len(x)/c*ld-gap))
	for i := range all {
		all[i] = nan32
		if i%ld < c {
			all[i] = x[i/ld*c+i%ld]
		}
	}
	f := fenced(all)
	return f, Rows{f.x, ld}
}

func TestAttention(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		n, c, causal := 1+rng.IntN(40), 1+rng.IntN(40), rng.IntN(2) == 0
		m := n
		if !causal {
			m = 1 + rng.IntN(40)
		}
		var drop Drop
		if rng.IntN(2) == 0 {
			drop = Drop{Limit: rng.Uint32(), Scale: 1.5, Key: rng.Uint64()}
		}
		a, gap := newAttention(rng, n, m, c, causal, drop), rng.IntN(3)
		name := fmt.Sprintf("n=%d m=%d c=%d causal %t, %+v", n, m, c, causal, drop)
		_, q := apart(a.q, c, gap)
		_, k := apart(a.k, c, gap)
		_, v := apart(a.v, c, gap)
		dyTight := normals[float32](rng, n*c)
		_, dy := apart(dyTight, c, gap)
		wantY := a.y()
		wantQ, wantK, wantV := a.gradients(dyTight)
		eachISA(t, func(isa string) {
			near := func(what string, f fence[float32], r Rows, start, want []float64) {
				t.Helper()
				// Scores, probabilities and results are sums of up to 40 products of numbers up to 4, with errors of about
				// 40·4²·eps; errors of scores multiply the later ones.
				const bound = 1e-4
				for i, w := range want {
					if got := float64(r.X[i/c*r.LD+i%c]) - start[i]; !(math.Abs(got-w) <= bound*(1+math.Abs(w))) {
						t.Fatalf("%s, %s: %s[%d, %d] = %g, want %g", isa, name, what, i/c, i%c, got, w)
					}
				}
				for i := range r.X {
					if i%r.LD >= c && r.X[i] == r.X[i] {
						t.Fatalf("%s, %s: %s: wrote between the rows", isa, name, what)
					}
				}
				f.check(t, isa+", "+name+": "+what)
			}
			stats := fenced(make([]float32, 2*n))
			fy, y := apart(make([]float32, n*c), c, gap)
			Attention(y, stats.x, q, k, v, n, m, c, causal, drop)
			stats.check(t, isa)
			near("Y", fy, y, make([]float64, n*c), wantY)

			operand := func(size int) (fence[float32], Rows, []float64) {
				start := normals[float32](rng, size)
				f, r := apart(start, c, gap)
				wide := make([]float64, size)
				for i, s := range start {
					wide[i] = float64(s)
				}
				return f, r, wide
			}
			fq, dq, startQ := operand(n * c)
			fk, dk, startK := operand(m * c)
			fv, dv, startV := operand(m * c)
			AttentionGrad(dq, dk, dv, dy, stats.x, q, k, v, n, m, c, causal, drop)
			near("dQ", fq, dq, startQ, wantQ)
			near("dK", fk, dk, startK, wantK)
			near("dV", fv, dv, startV, wantV)
		})
	}
}

// Scores far apart give probabilities of 0 and 1, and NaN propagates.
func TestAttentionExtremes(t *testing.T) {
	eachISA(t, func(name string) {
		q, k, v := Rows{[]float32{1e3, 1}, 1}, Rows{[]float32{-1e3, 1e3}, 1}, Rows{[]float32{5, 7}, 1}
		y, stats := Rows{make([]float32, 2), 1}, make([]float32, 4)
		Attention(y, stats, q, k, v, 2, 2, 1, false, Drop{})
		if y.X[0] != 7 || y.X[1] != 7 {
			t.Errorf("%s: Y = %g, want 7, 7", name, y.X)
		}
		k.X[0] = nan32
		Attention(y, stats, q, k, v, 2, 2, 1, false, Drop{})
		if y.X[0] == y.X[0] || y.X[1] == y.X[1] {
			t.Errorf("%s: Y = %g, want NaN", name, y.X)
		}
	})
}

// Rows of Y are bit for bit the same with any other queries.
func TestAttentionRowsAreIndependent(t *testing.T) {
	const n, c = 50, 16
	a := newAttention(rand.New(rand.NewPCG(3, 4)), n, n, c, true, Drop{})
	q, k, v := Rows{a.q, c}, Rows{a.k, c}, Rows{a.v, c}
	eachISA(t, func(name string) {
		y, part, stats := make([]float32, n*c), make([]float32, n*c), make([]float32, 2*n)
		Attention(Rows{y, c}, stats, q, k, v, n, n, c, true, Drop{})
		for m := 1; m < n; m++ { // without the last rows
			Attention(Rows{part, c}, stats[:2*m], q, k, v, m, m, c, true, Drop{})
			for i, got := range part[:m*c] {
				if got != y[i] {
					t.Fatalf("%s: of %d rows, element %d of row %d = %g, want %g", name, m, i%c, i/c, got, y[i])
				}
			}
		}
	})
}

func TestAttentionPanics(t *testing.T) {
	x := Rows{make([]float32, 6), 2}
	short := Rows{make([]float32, 5), 2}
	stats := make([]float32, 6)
	for name, call := range map[string]func(){
		"Y is short":     func() { Attention(short, stats, x, x, x, 3, 3, 2, false, Drop{}) },
		"Q is short":     func() { Attention(x, stats, short, x, x, 3, 3, 2, false, Drop{}) },
		"K is short":     func() { Attention(x, stats, x, short, x, 3, 3, 2, false, Drop{}) },
		"V is short":     func() { Attention(x, stats, x, x, short, 3, 3, 2, false, Drop{}) },
		"stats is short": func() { Attention(x, stats[:5], x, x, x, 3, 3, 2, false, Drop{}) },
		"no key":         func() { Attention(x, stats, x, x, x, 3, 0, 2, false, Drop{}) },
		"no causal key":  func() { Attention(x, stats, x, x, x, 3, 2, 2, true, Drop{}) },
		"dQ is short":    func() { AttentionGrad(short, x, x, x, stats, x, x, x, 3, 3, 2, false, Drop{}) },
		"dK is short":    func() { AttentionGrad(x, short, x, x, stats, x, x, x, 3, 3, 2, false, Drop{}) },
		"dV is short":    func() { AttentionGrad(x, x, short, x, stats, x, x, x, 3, 3, 2, false, Drop{}) },
		"dY is short":    func() { AttentionGrad(x, x, x, short, stats, x, x, x, 3, 3, 2, false, Drop{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			call()
		})
	}
}

// BenchmarkAttention runs one head of the decoder and of the encoder.
func BenchmarkAttention(b *testing.B) {
	for _, s := range []struct {
		n, m, c int
		causal  bool
	}{{48, 48, 16, true}, {48, 48, 32, false}} {
		const ld = 384
		rng := rand.New(rand.NewPCG(1, 2))
		x, y := normals[float32](rng, 100*ld), normals[float32](rng, 100*ld)
		rows := func(col int) Rows { return Rows{x[col:], ld} }
		out := func(col int) Rows { return Rows{y[col:], ld} }
		stats := make([]float32, 2*s.n)
		eachISA(b, func(name string) {
			b.Run(fmt.Sprintf("%dx%dx%d/%s", s.n, s.m, s.c, name), func(b *testing.B) {
				for b.Loop() {
					Attention(out(0), stats, rows(0), rows(128), rows(256), s.n, s.m, s.c, s.causal, Drop{})
				}
			})
			b.Run(fmt.Sprintf("%dx%dx%d/grad/%s", s.n, s.m, s.c, name), func(b *testing.B) {
				for b.Loop() {
					AttentionGrad(out(0), out(128), out(256), rows(300), stats, rows(0), rows(128), rows(256), s.n, s.m, s.c, s.causal, Drop{})
				}
			})
		})
	}
}
