package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// gruRow is one row of each operand of the GRU steps, between NaNs.
type gruRow map[string]fence[float32]

func newGRURow(rng *rand.Rand, n int) gruRow {
	row := gruRow{}
	for _, name := range []string{"u", "r", "c", "rh", "bu", "br", "bc", "h", "y", "dy", "dh", "drh"} {
		row[name] = fenced(normals[float32](rng, n))
	}
	for _, name := range []string{"u", "r"} {
		for i := range row[name].x {
			row[name].x[i] *= 3 // some gates are fully closed, some fully open
		}
	}
	return row
}

func (row gruRow) of(name string) []float32 { return row[name].x }

// copied returns the values of the row in float64.
func (row gruRow) copied() map[string][]float64 {
	wide := map[string][]float64{}
	for name, f := range row {
		for _, v := range f.x {
			wide[name] = append(wide[name], float64(v))
		}
	}
	return wide
}

// check compares with float64 results, with a tolerance of scale times some roundings.
func (row gruRow) check(t *testing.T, isa, name string, want []float64, scale func(i int) float64) {
	t.Helper()
	for i, got := range row.of(name) {
		if bound := 8 * 0x1p-23 * scale(i); !(math.Abs(float64(got)-want[i]) <= bound) {
			t.Errorf("%s, %s, n=%d: element %d = %g, want %g ± %g", isa, name, len(want), i, got, want[i], bound)
		}
	}
}

// TestGRU compares a step, forward and backward, with its equations in float64.
func TestGRU(t *testing.T) {
	hs := func(x float64) float64 { return min(max(0.2*x+0.5, 0), 1) }
	slope := func(y float32) float64 {
		if 0 < y && y < 1 {
			return 0.2
		}
		return 0
	}
	for n := range 70 {
		eachISA(t, func(isa string) {
			row := newGRURow(rand.New(rand.NewPCG(5, uint64(n))), n)
			old := row.copied()
			u, r, c, h, dh := row.of("u"), row.of("r"), row.of("c"), row.of("h"), row.of("dh")
			each := func(f func(i int) float64) []float64 {
				want := make([]float64, n)
				for i := range want {
					want[i] = f(i)
				}
				return want
			}
			sums := func(s, b string) func(i int) float64 {
				return func(i int) float64 { return 1 + math.Abs(old[s][i]) + math.Abs(old[b][i]) }
			}

			GRUGates(u, r, row.of("rh"), row.of("bu"), row.of("br"), h)
			row.check(t, isa, "u", each(func(i int) float64 { return hs(old["u"][i] + old["bu"][i]) }), sums("u", "bu"))
			row.check(t, isa, "r", each(func(i int) float64 { return hs(old["r"][i] + old["br"][i]) }), sums("r", "br"))
			row.check(t, isa, "rh", each(func(i int) float64 { return float64(r[i]) * old["h"][i] }), func(i int) float64 { return math.Abs(old["h"][i]) })

			GRUState(row.of("y"), c, u, row.of("bc"), h)
			row.check(t, isa, "c", each(func(i int) float64 { return math.Tanh(old["c"][i] + old["bc"][i]) }), sums("c", "bc"))
			row.check(t, isa, "y", each(func(i int) float64 {
				return float64(u[i])*old["h"][i] + (1-float64(u[i]))*float64(c[i])
			}), func(i int) float64 { return 1 + math.Abs(old["h"][i]) })

			gates := row.copied()
			slopes := each(func(i int) float64 { return slope(u[i]) })
			big := func(d string) func(i int) float64 {
				return func(i int) float64 {
					return math.Abs(old["dh"][i]) + math.Abs(old[d][i])*(1+math.Abs(old["h"][i]))
				}
			}
			GRUStateGrad(dh, u, c, h, row.of("dy"))
			row.check(t, isa, "dh", each(func(i int) float64 { return old["dh"][i] + old["dy"][i]*gates["u"][i] }), big("dy"))
			row.check(t, isa, "u", each(func(i int) float64 { return old["dy"][i] * (old["h"][i] - gates["c"][i]) * slopes[i] }), big("dy"))
			row.check(t, isa, "c", each(func(i int) float64 {
				return old["dy"][i] * (1 - gates["u"][i]) * (1 - gates["c"][i]*gates["c"][i])
			}), big("dy"))

			between := row.copied()
			slopes = each(func(i int) float64 { return slope(r[i]) })
			GRUResetGrad(dh, r, h, row.of("drh"))
			row.check(t, isa, "dh", each(func(i int) float64 { return between["dh"][i] + old["drh"][i]*gates["r"][i] }), func(i int) float64 {
				return math.Abs(between["dh"][i]) + math.Abs(old["drh"][i])
			})
			row.check(t, isa, "r", each(func(i int) float64 { return old["drh"][i] * old["h"][i] * slopes[i] }), big("drh"))
			for name, f := range row {
				f.check(t, name)
			}
		})
	}
}
