package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// steps are the element-wise functions without division or transcendental functions, as functions of the old value of
// out and two operands. There is one want for each rounding that the doc permits.
var steps = []struct {
	name string
	run  func(out, x, y []float32)
	want []func(out, x, y float32) float32
}{
	{"Add", Add, wants(func(_, x, y float32) float32 { return x + y })},
	{"MulAdd", MulAdd, wants(
		func(out, x, y float32) float32 { return fma(x, y, out) },
		func(out, x, y float32) float32 { return out + float32(x*y) },
	)},
	{"Axpy", func(out, x, y []float32) { Axpy(0.3, x, out) }, wants(
		func(out, x, _ float32) float32 { return fma(0.3, x, out) },
		func(out, x, _ float32) float32 { return out + float32(0.3*x) },
	)},
	{"Scale", func(out, x, y []float32) { Scale(0.3, out) }, wants(func(out, _, _ float32) float32 { return 0.3 * out })},
	{"hard sigmoid of GRUGates", func(out, x, y []float32) { hardSigmoid(out, x) }, wants(
		func(_, x, _ float32) float32 { return min(max(fma(0.2, x, 0.5), 0), 1) },
		func(_, x, _ float32) float32 { return min(max(float32(0.2*x)+0.5, 0), 1) },
	)},
	{"ReLUGrad", func(out, x, y []float32) { ReLUGrad(out, y) }, wants(func(out, x, y float32) float32 { return where(y > 0, out) })},
}

func wants(fs ...func(out, x, y float32) float32) []func(out, x, y float32) float32 { return fs }

func where(holds bool, x float32) float32 {
	if holds {
		return x
	}
	return 0
}

// checkSteps runs every step on the operands, all between NaNs.
func checkSteps(t *testing.T, out, x, y []float32) {
	t.Helper()
	a, b, c := fenced(out), fenced(x), fenced(y)
	for _, step := range steps {
		eachISA(t, func(name string) {
			copy(a.x, out)
			step.run(a.x, b.x, c.x)
			for i, got := range a.x {
				if !slices.ContainsFunc(step.want, func(want func(out, x, y float32) float32) bool {
					w := want(out[i], x[i], y[i])
					return same(got, w) || got == w // up to the sign of zero
				}) {
					t.Errorf("%s, %s, n=%d: element %d of (%g, %g, %g) = %g, want %g", name, step.name, len(out), i,
						out[i], x[i], y[i], got, step.want[0](out[i], x[i], y[i]))
				}
			}
			a.check(t, step.name)
		})
	}
}

func TestElementwise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 150 {
		checkSteps(t, normals[float32](rng, n), normals[float32](rng, n), normals[float32](rng, n))
	}
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 2.5, -2.5, inf32, -inf32, nan32, 0x1p-149, math.MaxFloat32}
	var out, x, y []float32
	for _, a := range special {
		for _, b := range special {
			out, x, y = append(out, 1), append(x, a), append(y, b)
		}
	}
	checkSteps(t, out, x, y)
}

func FuzzElementwise(f *testing.F) {
	f.Add([]byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x7f, 1, 0, 0, 0x80, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0xff, 0xff, 0x7f, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		v := floats(b)
		if n := len(v) / 3; n < 200 {
			checkSteps(t, v[:n], v[n:2*n], v[2*n:3*n])
		}
	})
}

// TestElementwiseInPlace checks that dst may be an operand.
func TestElementwiseInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tests := []struct {
		name string
		run  func(dst, x []float32)
	}{
		{"Add", func(dst, x []float32) { Add(dst, x, x) }},
		{"Softmax", func(dst, x []float32) { Softmax(dst, x) }},
	}
	for _, test := range tests {
		eachISA(t, func(name string) {
			for n := range 70 {
				x := normals[float32](rng, n)
				want := make([]float32, n)
				test.run(want, x)
				test.run(x, x)
				if !slices.EqualFunc(x, want, same) {
					t.Errorf("%s, %s, n=%d: the result in place differs", name, test.name, n)
				}
			}
		})
	}
}

func TestLengthsDiffer(t *testing.T) {
	x, y := make([]float32, 3), make([]float32, 4)
	tests := []struct {
		name string
		call func()
	}{
		{"Add", func() { Add(x, x, y) }}, {"MulAdd", func() { MulAdd(y, x, x) }},
		{"Axpy", func() { Axpy(1, x, y) }}, {"Dot", func() { Dot(x, y) }},
		{"ReLUGrad", func() { ReLUGrad(x, y) }},
		{"GRUGates", func() { GRUGates(x, x, x, x, x, y) }}, {"GRUState", func() { GRUState(x, x, x, x, y) }},
		{"GRUStateGrad", func() { GRUStateGrad(x, x, x, x, y) }}, {"GRUResetGrad", func() { GRUResetGrad(x, x, x, y) }},
		{"Softmax", func() { Softmax(x, y) }}, {"Dropout", func() { Dropout(x, y, Drop{1, 1, 1}) }}, {"AddLayerNorm", func() { AddLayerNorm(x, x, x[:1], x, x, x, y, 1) }},
		{"LayerNormGrad", func() { LayerNormGrad(x, x, x[:1], x, y) }}, {"Adam", func() { Adam(x, x, x, y, 1, 0, 0, 0, 0) }},
		{"AddMinima of a part of a block", func() { AddMinima(make([]uint32, 63), make([]uint8, 64), nil, nil) }},
		{"AddMinima beyond the table", func() { AddMinima(make([]uint32, 64), make([]uint8, 64), []int{1}, []uint8{1}) }},
		{"AddCounts", func() { AddCounts(make([]uint32, 2), make([]uint32, 2), make([]uint32, 1)) }},
		{"AddProducts", func() { AddProducts(make([]float64, 2), 1, make([]uint32, 2), make([]float64, 1)) }},
		{"Exp64", func() { Exp64(make([]float64, 1), make([]float64, 2)) }},
		{"SinCos64", func() { SinCos64(make([]float64, 2), make([]float64, 1), make([]float64, 2)) }},
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

// BenchmarkKernels uses the shortest and longest rows of the models.
func BenchmarkKernels(b *testing.B) {
	kernels := []struct {
		name string
		run  func(x, y, z []float32)
	}{
		{"Add", Add}, {"MulAdd", MulAdd},
		{"Axpy", func(x, y, _ []float32) { Axpy(0, x, y) }},
		{"Scale", func(x, _, _ []float32) { Scale(1, x) }},
		{"Dot", func(x, y, _ []float32) { Dot(x, y) }},
		{"SumSquares", func(x, _, _ []float32) { SumSquares(x) }},
		{"Max", func(x, _, _ []float32) { Max(x) }},
		{"ReLUGrad", func(x, y, _ []float32) { ReLUGrad(x, y) }},
		{"GRUGates", func(x, y, z []float32) { GRUGates(x, y, z, x, y, z) }},
		{"GRUState", func(x, y, z []float32) { GRUState(x, y, z, z, z) }},
		{"GRUStateGrad", func(x, y, z []float32) { GRUStateGrad(x, y, z, x, z) }},
		{"GRUResetGrad", func(x, y, z []float32) { GRUResetGrad(x, y, z, z) }},
		{"Softmax", func(x, y, _ []float32) { Softmax(x, y) }},
		{"Dropout", func(x, y, _ []float32) { Dropout(x, y, Drop{1 << 29, 1, 1}) }},
		{"AddLayerNorm", func(x, y, z []float32) { AddLayerNorm(x, y, z[:1], x, x, z, z, 1e-5) }},
		{"LayerNormGrad", func(x, y, z []float32) { LayerNormGrad(x, y, z[:1], y, z) }},
		{"Adam", func(x, y, z []float32) {
			Adam(x, y, z, z, 1000, 1e-3, 0.9, 0.999, 1e-8)
		}},
	}
	for _, kernel := range kernels {
		for _, n := range []int{100, 4096} {
			x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
			eachISA(b, func(name string) {
				b.Run(fmt.Sprintf("%s/%d/%s", kernel.name, n, name), func(b *testing.B) {
					b.SetBytes(int64(4 * n))
					for b.Loop() {
						kernel.run(x, y, z)
					}
				})
			})
		}
	}
}
