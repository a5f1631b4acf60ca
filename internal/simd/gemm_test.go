package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// product is a matrix product with its operands, with NaNs around them and between rows.
type product struct {
	tA, tB, add   bool
	m, n, k       int
	lda, ldb, ldc int
	a, b, c       fence[float32]
}

func (p product) String() string {
	return fmt.Sprintf("m=%d n=%d k=%d tA=%t tB=%t add=%t ld=%d,%d,%d", p.m, p.n, p.k, p.tA, p.tB, p.add, p.lda, p.ldb, p.ldc)
}

// newProduct fills the operands with elements from next.
func newProduct(m, n, k int, tA, tB, add bool, gap int, next func() float32) product {
	matrix := func(rows, cols int, transposed bool) (fence[float32], int) {
		if transposed {
			rows, cols = cols, rows
		}
		ld := cols + gap
		x := make([]float32, max(0, (rows-1)*ld+cols))
		for i := range x {
			x[i] = nan32
			if i%ld < cols {
				x[i] = next()
			}
		}
		return fenced(x), ld
	}
	p := product{tA: tA, tB: tB, add: add, m: m, n: n, k: k}
	p.a, p.lda = matrix(m, k, tA)
	p.b, p.ldb = matrix(k, n, tB)
	p.c, p.ldc = matrix(m, n, false)
	return p
}

// chains returns the expected elements of C: the sequential sums in the doc of Gemm, rounded once or twice per step.
func (p product) chains(fused bool) []float32 {
	c := slices.Clone(p.c.x)
	for i := range p.m {
		for j := range p.n {
			s := float32(0)
			if p.add {
				s = c[i*p.ldc+j]
			}
			for q := range p.k {
				ai, bi := i*p.lda+q, q*p.ldb+j
				if p.tA {
					ai = q*p.lda + i
				}
				if p.tB {
					bi = j*p.ldb + q
				}
				if fused {
					s = fma(p.a.x[ai], p.b.x[bi], s)
				} else {
					s = float32(p.a.x[ai]*p.b.x[bi]) + s
				}
			}
			c[i*p.ldc+j] = s
		}
	}
	return c
}

// check compares Gemm, GemmPacked and GemmSerial bit for bit with the chains, and checks for accesses out of bounds.
func (p product) check(t *testing.T) {
	t.Helper()
	fused, twice := p.chains(true), p.chains(false)
	before := slices.Clone(p.c.x)
	eachISA(t, func(name string) {
		compare := func(how string) {
			t.Helper()
			exact := slices.EqualFunc(p.c.x, fused, same)
			if name == "go" { // the compiler may or may not fuse
				exact = exact || slices.EqualFunc(p.c.x, twice, same)
			}
			if !exact {
				t.Errorf("%s, %s, %v: not the chain of multiply-adds", name, how, p)
			}
			p.c.check(t, fmt.Sprintf("%s, %s, %v", name, how, p))
			copy(p.c.x, before)
		}
		Gemm(p.tA, p.tB, p.m, p.n, p.k, p.a.x, p.lda, p.b.x, p.ldb, p.c.x, p.ldc, p.add)
		compare("Gemm")
		var packed Packed
		packed.Pack(!p.tB, p.n, p.k, p.b.x, p.ldb) // memory for Pack to reuse
		packed.Pack(p.tB, p.k, p.n, p.b.x, p.ldb)
		GemmPacked(p.tA, p.m, p.a.x, p.lda, &packed, p.c.x, p.ldc, p.add)
		compare("GemmPacked")
		if !p.tB {
			GemmSerial(p.tA, p.m, p.n, p.k, p.a.x, p.lda, p.b.x, p.ldb, p.c.x, p.ldc, p.add)
			compare("GemmSerial")
		}
	})
}

func TestGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	normal := func() float32 { return float32(rng.NormFloat64()) }
	flags := func() (tA, tB, add bool) { return rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0 }
	for m := range 26 { // every number of rows per tile, and sums of them
		for _, n := range []int{0, 1, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 48, 49, 100} {
			tA, tB, add := flags()
			newProduct(m, n, rng.IntN(20), tA, tB, add, rng.IntN(3), normal).check(t)
		}
	}
	large := 60
	if testing.Short() {
		large = 15
	}
	for range large {
		tA, tB, add := flags()
		newProduct(rng.IntN(70), rng.IntN(150), rng.IntN(2*kBlock+50), tA, tB, add, rng.IntN(3), normal).check(t)
	}
}

// TestGemmLarge tests the code paths for large operands: A transposed, B packed in several tasks.
func TestGemmLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	normal := func() float32 { return float32(rng.NormFloat64()) }
	const k = 457 // no multiple of a vector
	adds := []bool{true, false}
	if testing.Short() {
		adds = adds[:1]
	}
	for _, add := range adds {
		newProduct(turnSize/k+1, few+1, k, true, false, add, 1, normal).check(t)
		newProduct(few+1, packSize/k+1, k, false, add, add, 1, normal).check(t)
		newProduct(fewStrided+1, few+1, 2*serialRows+1, true, false, add, 1, normal).check(t)
		newProduct(fewStrided+1, few+1, 0, true, false, add, 1, normal).check(t)
	}
}

// The lower triangle of Square64 is that of Gemm64, bit for bit, and nothing outside of C is written.
func TestSquare64(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 3, 8, 9, 47, 48, 49, 70, 130} {
		for _, k := range []int{1, 8, 100, 300} {
			lda, ldc := k+rng.IntN(3), n+rng.IntN(3)
			a, start := normals[float64](rng, n*lda+1), normals[float64](rng, n*ldc+1)
			eachISA(t, func(name string) {
				want := slices.Clone(start)
				Gemm64(false, true, n, n, k, -2, a, lda, a, lda, want, ldc, true)
				got := fenced(start)
				Square64(n, k, -2, a, lda, got.x, ldc)
				for i := range n {
					for j := range i + 1 {
						if got.x[i*ldc+j] != want[i*ldc+j] {
							t.Fatalf("%s, n=%d k=%d: [%d, %d] = %g, want %g", name, n, k, i, j, got.x[i*ldc+j], want[i*ldc+j])
						}
					}
					for j := n; j < ldc; j++ {
						if got.x[i*ldc+j] != start[i*ldc+j] {
							t.Fatalf("%s, n=%d k=%d: row %d was written beyond its end", name, n, k, i)
						}
					}
				}
				got.check(t, name)
			})
		}
	}
}

// TestGemmSpecialValues checks that zeros are not skipped: 0·Inf is NaN.
func TestGemmSpecialValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := []float32{0, 1, float32(math.Copysign(0, -1)), inf32, -inf32, nan32, 0x1p-149, math.MaxFloat32}
	for range 40 {
		newProduct(rng.IntN(20), rng.IntN(40), rng.IntN(4), rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0, 1,
			func() float32 { return values[rng.IntN(len(values))] }).check(t)
	}
}

// TestGemmPartition checks that results depend neither on the number of processors nor on a division of the rows.
func TestGemmPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const m, n, k = 301, 130, 300
	a, b, want, got := normals[float32](rng, m*k), normals[float32](rng, k*n), make([]float32, m*n), make([]float32, m*n)
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	eachISA(t, func(name string) {
		runtime.GOMAXPROCS(1)
		Gemm(false, false, m, n, k, a, k, b, n, want, n, false)
		for _, procs := range []int{2, 3, 8} {
			runtime.GOMAXPROCS(procs)
			Gemm(false, false, m, n, k, a, k, b, n, got, n, false)
			if !slices.Equal(got, want) {
				t.Errorf("%s: GOMAXPROCS=%d changes the product", name, procs)
			}
		}
		var packed Packed
		packed.Pack(false, k, n, b, n)
		for lo := 0; lo < m; {
			hi := min(m, lo+1+rng.IntN(40))
			GemmPacked(false, hi-lo, a[lo*k:], k, &packed, got[lo*n:], n, false)
			lo = hi
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: a division of the rows changes the product", name)
		}
	})
}

// TestGemm64 compares products in float64 with a chain of math.FMA.
func TestGemm64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		m, n, k := rng.IntN(40), rng.IntN(60), rng.IntN(70)
		tA, tB, add := rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		alpha := []float64{1, -1, 0.3}[rng.IntN(3)]
		a, b, c := fenced(normals[float64](rng, m*k)), fenced(normals[float64](rng, k*n)), fenced(normals[float64](rng, m*n))
		lda, ldb := k, n
		if tA {
			lda = m
		}
		if tB {
			ldb = k
		}
		fused, twice := slices.Clone(c.x), slices.Clone(c.x)
		for i := range m {
			for j := range n {
				var s, s2 float64
				if add {
					s = c.x[i*n+j]
					s2 = s
				}
				for p := range k {
					ai, bi := i*lda+p, p*ldb+j
					if tA {
						ai = p*lda + i
					}
					if tB {
						bi = j*ldb + p
					}
					scaled := alpha * b.x[bi]
					s = math.FMA(a.x[ai], scaled, s)
					s2 = float64(a.x[ai]*scaled) + s2
				}
				fused[i*n+j], twice[i*n+j] = s, s2
			}
		}
		before := slices.Clone(c.x)
		eachISA(t, func(name string) {
			copy(c.x, before)
			Gemm64(tA, tB, m, n, k, alpha, a.x, lda, b.x, ldb, c.x, n, add)
			if !slices.Equal(c.x, fused) && !(name == "go" && slices.Equal(c.x, twice)) {
				t.Errorf("%s, m=%d n=%d k=%d tA=%t tB=%t alpha=%g: not the chain of multiply-adds", name, m, n, k, tA, tB, alpha)
			}
			c.check(t, name)
		})
	}
}

func TestGemmPanics(t *testing.T) {
	x := make([]float32, 100)
	var packed Packed
	packed.Pack(false, 4, 4, x, 4)
	tests := []struct {
		name string
		call func()
	}{
		{"negative size", func() { Gemm(false, false, -1, 2, 2, x, 2, x, 2, x, 2, false) }},
		{"rows overlap", func() { Gemm(false, false, 2, 2, 2, x, 1, x, 2, x, 2, false) }},
		{"A is short", func() { Gemm(false, false, 2, 2, 2, x[:3], 2, x, 2, x, 2, false) }},
		{"B is short", func() { Gemm(false, true, 2, 3, 2, x, 2, x[:5], 2, x, 3, false) }},
		{"C is short", func() { Gemm(false, false, 2, 2, 2, x, 2, x, 2, x[:3], 2, false) }},
		{"A is short for packed B", func() { GemmPacked(false, 2, x[:7], 4, &packed, x, 4, false) }},
		{"A is short for GemmSerial", func() { GemmSerial(false, 2, 2, 4, x[:7], 4, x, 2, x, 2, false) }},
		{"B is short for GemmSerial", func() { GemmSerial(false, 2, 2, 2, x, 2, x[:3], 2, x, 2, false) }},
		{"C is short for packed B", func() { GemmPacked(false, 2, x, 4, &packed, x[:7], 4, false) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			test.call()
		})
	}
}

func FuzzGemm(f *testing.F) {
	f.Add(uint8(13), uint8(33), uint8(5), uint8(3), []byte{0, 0, 0x80, 0x7f, 1, 0, 0, 0, 0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x3f})
	f.Fuzz(func(t *testing.T, m, n, k, flags uint8, b []byte) {
		values, i := floats(b), 0
		if len(values) == 0 {
			return
		}
		newProduct(int(m%30), int(n%70), int(k%20), flags&1 != 0, flags&2 != 0, flags&4 != 0, int(flags>>3)%4, func() float32 {
			i++
			return values[i%len(values)]
		}).check(t)
	})
}

// The matrices are written first: pages never written to are all one page, which stays in the cache.
func BenchmarkGemm(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := []struct{ m, k, n int }{{4096, 128, 512}, {1024, 1024, 1024}, {600, 100, 300}, {48, 100, 300}, {48, 25, 100}, {12, 100, 300}, {1, 100, 300}}
	for _, s := range shapes {
		x, y, z := normals[float32](rng, s.m*s.k), normals[float32](rng, s.k*s.n), normals[float32](rng, s.m*s.n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%dx%dx%d/%s", name, s.m, s.k, s.n, ISA()), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(2*float64(s.m*s.n*s.k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
		eachISA(b, func(string) {
			run("AB", func() { Gemm(false, false, s.m, s.n, s.k, x, s.k, y, s.n, z, s.n, false) })
			run("ABt", func() { Gemm(false, true, s.m, s.n, s.k, x, s.k, y, s.k, z, s.n, false) })
			run("AtB", func() { Gemm(true, false, s.m, s.n, s.k, x, s.m, y, s.n, z, s.n, false) })
			var packed Packed
			packed.Pack(false, s.k, s.n, y, s.n)
			run("packed", func() { GemmPacked(false, s.m, x, s.k, &packed, z, s.n, false) })
		})
	}
}

func BenchmarkGemm64(b *testing.B) {
	const n = 512
	rng := rand.New(rand.NewPCG(1, 2))
	x, y, z := normals[float64](rng, n*n), normals[float64](rng, n*n), normals[float64](rng, n*n)
	eachISA(b, func(name string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Gemm64(false, false, n, n, n, 1, x, n, y, n, z, n, false)
			}
			b.ReportMetric(2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	})
}

func TestGemmAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector pools drop memory at random")
	}
	const m, n, k = 48, 300, 100
	a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	var packed Packed
	tests := []struct {
		name string
		run  func()
	}{
		{"Gemm", func() { Gemm(false, false, m, n, k, a, k, b, n, c, n, false) }},
		{"Gemm, B transposed", func() { Gemm(false, true, m, n, k, a, k, b, k, c, n, false) }},
		{"Pack", func() { packed.Pack(true, k, n, b, k) }},
		{"GemmPacked", func() { GemmPacked(false, m, a, k, &packed, c, n, false) }},
		{"GemmSerial", func() { GemmSerial(false, m, n, k, a, k, b, n, c, n, false) }},
		{"Softmax", func() { Softmax(a, a) }},
		{"Attention", func() {
			x, y := Rows{a, k}, Rows{c, k}
			Attention(y, b[:2*m], x, x, x, m, m, 20, true, Drop{})
			AttentionGrad(y, y, y, x, b[:2*m], x, x, x, m, m, 20, true, Drop{})
		}},
	}
	eachISA(t, func(name string) {
		for _, test := range tests { // in order: Pack comes before GemmPacked
			if got := testing.AllocsPerRun(20, test.run); got >= 1 { // a collection may empty the pool once
				t.Errorf("%s, %s: %g allocations a run, want 0", name, test.name, got)
			}
		}
	})
}

// TestAffine compares Affine bit for bit with Gemm and max(x, 0).
func TestAffine(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		m, n, k := rng.IntN(30), 1+rng.IntN(70), rng.IntN(40)
		if rng.IntN(20) == 0 {
			k += kBlock
		}
		a, b, bias := fenced(normals[float32](rng, m*k)), normals[float32](rng, k*n), fenced(normals[float32](rng, n))
		bias.x[0] = nan32 // must propagate
		eachISA(t, func(name string) {
			var packed Packed
			packed.Pack(false, k, n, b, n)
			for _, bias := range [][]float32{nil, bias.x} {
				for _, relu := range []bool{false, true} {
					want := make([]float32, m*n)
					for i := range m {
						copy(want[i*n:], bias)
					}
					Gemm(false, false, m, n, k, a.x, k, b, n, want, n, true)
					if relu {
						for i, v := range want {
							want[i] = max(v, 0)
						}
					}
					got := fenced(normals[float32](rng, m*n))
					Affine(m, a.x, k, &packed, bias, relu, got.x, n)
					if !slices.EqualFunc(got.x, want, same) {
						t.Errorf("%s, m=%d n=%d k=%d bias %t relu %t: not the product of Gemm", name, m, n, k, bias != nil, relu)
					}
					got.check(t, name)
				}
			}
		})
	}
}
