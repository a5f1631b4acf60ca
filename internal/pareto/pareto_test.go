package pareto_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/pareto"
)

var nan, inf = math.NaN(), math.Inf(1)

func TestDominates(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want bool
	}{
		{[]float64{1, 2}, []float64{1, 1}, true},
		{[]float64{1, 2}, []float64{1, 2}, false},
		{[]float64{1, 2}, []float64{2, 1}, false},
		{[]float64{1}, []float64{0}, true},
		{[]float64{inf, 0}, []float64{5, -inf}, true},
		{[]float64{nan, 2}, []float64{1, 1}, false},
		{[]float64{2, 2}, []float64{nan, 1}, false},
	} {
		if got := pareto.Dominates(tt.a, tt.b); got != tt.want {
			t.Errorf("Dominates(%v, %v) = %t, want %t", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestFront(t *testing.T) {
	for _, tt := range []struct {
		name   string
		points [][]float64
		want   []int
	}{
		{"no points", nil, nil},
		{"one objective: all that share the greatest value", [][]float64{{1}, {3}, {2}, {3}}, []int{1, 3}},
		{"a dominated point, and one that ties in an objective", [][]float64{{0, 5}, {2, 2}, {1, 1}, {2, 1}, {5, 0}}, []int{0, 1, 4}},
		{"equal points", [][]float64{{1, 2}, {2, 1}, {1, 2}}, []int{0, 1, 2}},
		{"a NaN is not on it, and dominates nothing", [][]float64{{nan, 9}, {1, 1}, {9, nan}}, []int{1}},
		{"negative zero equals zero", [][]float64{{0, 1}, {math.Copysign(0, -1), 1}}, []int{0, 1}},
		{"infinities", [][]float64{{inf, 0}, {1, 0}, {-inf, 1}, {-inf, 0}}, []int{0, 2}},
	} {
		if got := pareto.Front(tt.points); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestHypervolume(t *testing.T) {
	for _, tt := range []struct {
		name      string
		points    [][]float64
		reference []float64
		want      float64
	}{
		{"no points", nil, []float64{0, 0}, 0},
		{"one objective", [][]float64{{3}, {5}, {4}}, []float64{2}, 3},
		{"one point in four", [][]float64{{2, 3, 4, 5}}, []float64{1, 1, 1, 1}, 24},
		{"a staircase", [][]float64{{1, 3}, {2, 2}, {3, 1}}, []float64{0, 0}, 6},
		{"not above the reference in one objective", [][]float64{{9, 1}, {2, 2}}, []float64{1, 1}, 1},
		{"reference above all points", [][]float64{{1, 2}, {2, 1}}, []float64{3, 3}, 0},
		{"a NaN", [][]float64{{nan, 9}, {2, 2}}, []float64{0, 0}, 4},
		{"a NaN in the reference", [][]float64{{2, 2}}, []float64{nan, 0}, 0},
		{"an infinite point", [][]float64{{inf, 1}, {2, 2}}, []float64{0, 0}, inf},
		{"an infinite point without volume", [][]float64{{inf, 0}, {2, 2}}, []float64{0, 0}, 4},
		{"a point of -Inf", [][]float64{{-inf, 5}, {2, 2}}, []float64{0, 0}, 4},
		{"an infinite reference", [][]float64{{2, 2}}, []float64{0, -inf}, inf},
		{"a point at an infinite reference", [][]float64{{2, -inf}}, []float64{0, -inf}, 0},
		{"a reference of +Inf", [][]float64{{2, inf}}, []float64{0, inf}, 0},
	} {
		if got := pareto.Hypervolume(tt.points, tt.reference); got != tt.want {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"Dominates":                    func() { pareto.Dominates([]float64{1}, []float64{1, 2}) },
		"Front":                        func() { pareto.Front([][]float64{{1}, {1, 2}}) },
		"Hypervolume":                  func() { pareto.Hypervolume([][]float64{{1, 2}}, []float64{0}) },
		"Hypervolume, no objective":    func() { pareto.Hypervolume(nil, nil) },
		"Hypervolume, five objectives": func() { pareto.Hypervolume(nil, make([]float64, 5)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// cells counts the unit cells between the reference and top, integers, that a point covers.
func cells(points [][]float64, reference []float64, top float64) float64 {
	n := 0.0
	corner := make([]float64, len(reference)) // the upper one
	var count func(j int)
	count = func(j int) {
		if j < len(corner) {
			for corner[j] = reference[j] + 1; corner[j] <= top; corner[j]++ {
				count(j + 1)
			}
			return
		}
		for _, p := range points {
			if slices.Equal(p, corner) || pareto.Dominates(p, corner) {
				n++
				return
			}
		}
	}
	count(0)
	return n
}

// Integer points, many of them tied or equal, against the count of the cells that they cover.
func TestVolumesAgainstCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := 1; d <= 4; d++ {
		top := []int{0, 9, 9, 6, 4}[d]
		for range 300 {
			reference := make([]float64, d)
			for j := range reference {
				reference[j] = float64(rng.IntN(3) - 1)
			}
			point := func() []float64 {
				p := make([]float64, d)
				for j := range p {
					p[j] = float64(rng.IntN(top + 1))
				}
				return p
			}
			points := make([][]float64, rng.IntN(12))
			for i := range points {
				points[i] = point()
			}
			volume := cells(points, reference, float64(top))
			if got := pareto.Hypervolume(points, reference); got != volume {
				t.Fatalf("Hypervolume(%v, %v) = %g, want %g", points, reference, got, volume)
			}
		}
	}
}

// inclusionExclusion returns the volume by inclusion–exclusion: Σ over subsets S of (−1)^(|S|+1) times the volume below
// all of S.
func inclusionExclusion(points [][]float64, reference []float64) (sum float64) {
	for subset := 1; subset < 1<<len(points); subset++ {
		sign := -1.0
		v := 1.0
		for j, r := range reference {
			least := inf
			for i, p := range points {
				if subset>>i&1 == 1 {
					least = min(least, p[j])
				}
			}
			v *= max(0, least-r)
		}
		for i := range points {
			if subset>>i&1 == 1 {
				sign = -sign
			}
		}
		sum += sign * v
	}
	return sum
}

// draw draws a reference and points in 1 to 4 objectives. Some coordinates tie.
func draw(t *rapid.T, most int) (reference []float64, points [][]float64) {
	d := rapid.IntRange(1, 4).Draw(t, "objectives")
	coordinate := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.SampledFrom([]float64{-1, 0, 1}))
	vector := rapid.SliceOfN(coordinate, d, d)
	return vector.Draw(t, "reference"), rapid.SliceOfN(vector, 1, most).Draw(t, "points")
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-11*(1+math.Abs(b)) }

func TestHypervolumeIsInclusionExclusion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reference, points := draw(t, 8)
		if got, want := pareto.Hypervolume(points, reference), inclusionExclusion(points, reference); !near(got, want) {
			t.Fatalf("%g, want %g", got, want)
		}
	})
}

// The front is what its definition says, and its points have the volume of all. The order of points changes no bit of a
// result.
func TestFrontAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reference, points := draw(t, 30)
		var want []int
		var front [][]float64
		for i, p := range points {
			if !slices.ContainsFunc(points, func(q []float64) bool { return pareto.Dominates(q, p) }) {
				want, front = append(want, i), append(front, p)
			}
		}
		if got := pareto.Front(points); !slices.Equal(got, want) {
			t.Fatalf("Front %v, want %v", got, want)
		}
		volume := pareto.Hypervolume(points, reference)
		if got := pareto.Hypervolume(front, reference); got != volume {
			t.Fatalf("the front has volume %g, all points %g", got, volume)
		}
		shuffled := rapid.Permutation(points).Draw(t, "shuffled")
		if got := pareto.Hypervolume(shuffled, reference); got != volume {
			t.Fatalf("volume %g in one order, %g in another", volume, got)
		}
	})
}

// Whatever the numbers are, volumes are not negative and not NaN.
func FuzzVolumes(f *testing.F) {
	f.Add(1.0, 2.0, nan, 0.0, inf, 3.0, 0.0, -inf)
	f.Add(1e308, -1e308, 5e-324, inf, 1.0, 1e308, -1e308, 0.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i float64) {
		points := [][]float64{{a, b, c}, {c, d, a}, {b, e, g}, {h, a, d}, {g, h, e}}
		for _, reference := range [][]float64{{i, h, g}, {-inf, i, 0}, {0, 0, 0}} {
			if v := pareto.Hypervolume(points, reference); !(v >= 0) {
				t.Errorf("the volume of %v above %v is %g", points, reference, v)
			}
		}
	})
}

// sphere returns points of the positive part of the unit sphere: all are on the front.
func sphere(rng *rand.Rand, n, d int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, d)
		norm := 0.0
		for j := range points[i] {
			x := math.Abs(rng.NormFloat64())
			points[i][j], norm = x, math.Hypot(norm, x)
		}
		for j := range points[i] {
			points[i][j] /= norm
		}
	}
	return points
}

func BenchmarkHypervolume(b *testing.B) {
	for _, bb := range []struct {
		name string
		n, d int
	}{{"2-D, 50 points", 50, 2}, {"3-D, 50 points", 50, 3}, {"4-D, 50 points", 50, 4}, {"4-D, 300 points", 300, 4}} {
		b.Run(bb.name, func(b *testing.B) {
			points := sphere(rand.New(rand.NewPCG(1, 2)), bb.n, bb.d)
			for b.Loop() {
				pareto.Hypervolume(points, make([]float64, bb.d))
			}
		})
	}
}
