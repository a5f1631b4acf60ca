package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// checkKVCache adds tokens, the rows of keys (tokens, q), one at a time and compares Attend with float64. With a the
// largest Σ|qk|/√c of a head, a score has an error of d = (c + 2)·eps·a (Higham 2002, §3.1), a difference of scores one of
// 2·(d + a·eps). A probability, exp of a difference over a sum of n, has that relative error plus (n + 110)·eps, or the
// absolute error exp(−87); and a sum of n products with it n·eps more.
func checkKVCache(t *testing.T, heads int, q, keys, values []float32) {
	t.Helper()
	width := len(q)
	c, tokens := width/heads, len(keys)/width
	fq := fenced(q)
	eachISA(t, func(name string) {
		cache := NewKVCache(width, tokens)
		for n := 1; n <= tokens; n++ {
			cache.Append(keys[(n-1)*width:n*width], values[(n-1)*width:n*width])
			fkeys, fvalues, y := fenced(cache.keys), fenced(cache.values), fenced(make([]float32, width))
			fenced := *cache
			fenced.keys, fenced.values = fkeys.x, fvalues.x
			fenced.Attend(y.x, fq.x, heads)
			y.check(t, name)
			for h := range heads {
				from := h * c
				scores, most, a := make([]float64, n), math.Inf(-1), 0.0
				for i := range scores {
					abs := 0.0
					for j := from; j < from+c; j++ {
						product := float64(q[j]) * float64(keys[i*width+j]) / math.Sqrt(float64(c))
						scores[i] += product
						abs += math.Abs(product)
					}
					most, a = max(most, scores[i]), max(a, abs)
				}
				relative := 2*eps*a*float64(c+3) + eps*float64(2*n+110)
				if !(relative < 0.1) {
					continue // no bound on the probabilities, or NaN or infinity
				}
				sum := 0.0
				for _, s := range scores {
					sum += math.Exp(s - most)
				}
				for j := from; j < from+c; j++ {
					want, bound, largest := 0.0, 0x1p-149*float64(n), 0.0
					for i, s := range scores {
						p, v := math.Exp(s-most)/sum, float64(values[i*width+j])
						want += p * v
						bound += 1.1 * relative * p * math.Abs(v) // includes second-order terms
						largest = max(largest, math.Abs(v))
					}
					bound += float64(n) * math.Exp(-86.9) * largest
					if !(largest < math.MaxFloat32/2) {
						continue
					}
					if got := float64(y.x[j]); !(math.Abs(got-want) <= bound) {
						t.Errorf("%s, %d tokens, %d heads of %d: column %d = %g, want %g ± %g", name, n, heads, c, j, got, want, bound)
					}
				}
			}
		}
	})
}

func TestKVCache(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		heads, c, tokens := 1+rng.IntN(4), 1+rng.IntN(40), 1+rng.IntN(40)
		x := func(rows int) []float32 { return normals[float32](rng, rows*heads*c) }
		checkKVCache(t, heads, x(1), x(tokens), x(tokens))
	}
	const heads, c, tokens = 8, 16, 100 // as in the decoder
	x := func(rows int) []float32 { return normals[float32](rng, rows*heads*c) }
	checkKVCache(t, heads, x(1), x(tokens), x(tokens))
}

func FuzzKVCache(f *testing.F) {
	f.Add(uint8(2), uint8(3), []byte("\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\xc0 any bit patterns are numbers"))
	f.Fuzz(func(t *testing.T, heads, c uint8, b []byte) {
		h, columns := int(heads%4)+1, int(c%20)+1
		x, width := floats(b), h*columns
		tokens := min((len(x)/width-1)/2, 70)
		if tokens < 1 {
			t.Skip("no token")
		}
		checkKVCache(t, h, x[:width], x[width:][:tokens*width], x[(1+tokens)*width:][:tokens*width])
	})
}

// A cache that was reset or has grown gives the same bits as a new one; with a single token the result is its value.
func TestKVCacheReset(t *testing.T) {
	const heads, width, tokens = 3, 33, 70
	rng := rand.New(rand.NewPCG(3, 4))
	q, keys, values := normals[float32](rng, width), normals[float32](rng, tokens*width), normals[float32](rng, tokens*width)
	eachISA(t, func(name string) {
		fill := func(c *KVCache, n int) []float32 {
			for i := range n {
				c.Append(keys[i*width:][:width], values[i*width:][:width])
			}
			y := make([]float32, width)
			c.Attend(y, q, heads)
			return y
		}
		used := NewKVCache(width, tokens)
		used.Append(fillWith(width, nan32), fillWith(width, inf32))
		for n := 1; n <= tokens; n += 23 {
			used.Reset()
			got, want := fill(used, n), fill(NewKVCache(width, tokens), n)
			for j := range want {
				if got[j] != want[j] {
					t.Fatalf("%s, %d tokens: column %d = %g, and %g in a new cache", name, n, j, got[j], want[j])
				}
				if n == 1 && want[j] != values[j] {
					t.Errorf("%s, one token: column %d = %g, want its value %g", name, j, want[j], values[j])
				}
			}
		}
	})
}

func fillWith(n int, x float32) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = x
	}
	return s
}

// Scores far apart give probabilities of 0 and 1; NaN propagates within its head.
func TestKVCacheExtremes(t *testing.T) {
	eachISA(t, func(name string) {
		c := NewKVCache(2, 3)
		c.Append([]float32{-1e3, 1}, []float32{5, 6})
		c.Append([]float32{1e3, 1}, []float32{7, 6})
		y := make([]float32, 2)
		c.Attend(y, []float32{1e3, 1}, 2)
		if y[0] != 7 || y[1] != 6 {
			t.Errorf("%s: %g, want 7, 6", name, y)
		}
		c.Append([]float32{nan32, 1}, []float32{7, 6})
		c.Attend(y, []float32{1e3, 1}, 2)
		if y[0] == y[0] || math.Abs(float64(y[1])-6) > 6*4*eps {
			t.Errorf("%s: %g, want NaN, 6", name, y)
		}
	})
}

func TestKVCachePanics(t *testing.T) {
	x, short := make([]float32, 4), make([]float32, 3)
	full := NewKVCache(4, 1)
	full.Append(x, x)
	for name, call := range map[string]func(){
		"no column":      func() { NewKVCache(0, 1) },
		"no token ever":  func() { NewKVCache(1, 0) },
		"key is short":   func() { NewKVCache(4, 1).Append(short, x) },
		"value is short": func() { NewKVCache(4, 1).Append(x, short) },
		"full":           func() { full.Append(x, x) },
		"no token":       func() { NewKVCache(4, 1).Attend(x, x, 1) },
		"y is short":     func() { full.Attend(short, x, 1) },
		"q is short":     func() { full.Attend(x, short, 1) },
		"no head":        func() { full.Attend(x, x, 0) },
		"uneven heads":   func() { full.Attend(x, x, 3) },
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

// BenchmarkKVCache uses the sizes of the published decoder, for tokens and for the vectors of the latent.
func BenchmarkKVCache(b *testing.B) {
	const heads, width = 8, 128
	x, y := make([]float32, width), make([]float32, width)
	for _, n := range []int{2, 24, 100} {
		eachISA(b, func(name string) {
			c := NewKVCache(width, n)
			for range n {
				c.Append(x, x)
			}
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					c.Attend(y, x, heads)
				}
			})
		})
	}
}
