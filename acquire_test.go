package invbo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/vae/grammar"
)

func TestCandidatesStayInTheirBoxAndMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 60).Draw(t, "d")
		n := rapid.IntRange(1, 50).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		center := make([]float64, d)
		for j := range center {
			center[j] = rng.NormFloat64()
		}
		b := around(center, rapid.Float64Range(0x1p-7, 1.6).Draw(t, "length"), nil, nil)
		points := candidates(n, b, center, rng)
		if len(points) != n {
			t.Fatalf("%d candidates, want %d", len(points), n)
		}
		for i, z := range points {
			moved := 0
			for j, v := range z {
				if v < b.lower[j] || v > b.upper[j] {
					t.Fatalf("candidate %d: %g is outside [%g, %g] in dimension %d", i, v, b.lower[j], b.upper[j], j)
				}
				if v != center[j] {
					moved++
				}
			}
			if moved == 0 {
				t.Fatalf("candidate %d is the center", i)
			}
		}
	})
}

func TestCandidatesMoveInAboutTwentyDimensions(t *testing.T) {
	const n, d = 2000, 256
	center := make([]float64, d)
	points := candidates(n, around(center, 0.8, nil, nil), center, rand.New(rand.NewPCG(1, 2)))
	var moved float64
	for _, z := range points {
		for _, v := range z {
			if v != 0 {
				moved++
			}
		}
	}
	// The mean of n binomials of 256 trials at 20/256: 20 ± 4 standard errors.
	if mean, bound := moved/n, 4*math.Sqrt(20*(1-20.0/d)/n); math.Abs(mean-20) > bound {
		t.Errorf("%g dimensions move on average, want 20 ± %g", mean, bound)
	}
}

func TestAround(t *testing.T) {
	unit := &box{[]float64{0, 0}, []float64{1, 1}}
	tests := []struct {
		name         string
		center       []float64
		length       float64
		bounds       *box
		scales       []float64
		lower, upper []float64
	}{
		{"unbounded reaches 4 deviations a length", []float64{1, -1}, 0.5, nil, nil, []float64{-1, -3}, []float64{3, 1}},
		{"bounded is clipped", []float64{0.5, 0.9}, 0.4, unit, nil, []float64{0.3, 0.7}, []float64{0.7, 1}},
		{"sides follow lengthscales", []float64{0.5, 0.5}, 0.2, unit, []float64{2, 0.5}, []float64{0.3, 0.45}, []float64{0.7, 0.55}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := around(tt.center, tt.length, tt.bounds, tt.scales)
			if !near(b.lower, tt.lower, 1e-12) || !near(b.upper, tt.upper, 1e-12) {
				t.Errorf("around = %v, want %v to %v", b, tt.lower, tt.upper)
			}
		})
	}
}

func TestEvenVolumeKeepsTheVolume(t *testing.T) {
	product := 1.0
	even := evenVolume([]float64{0.1, 3, 20})
	for _, s := range even {
		product *= s
	}
	if math.Abs(product-1) > 1e-12 || !slices.IsSorted(even) {
		t.Errorf("evenVolume = %v with product %g, want the same order and product 1", even, product)
	}
}

func TestThompsonLeavesOutWhatIsRefused(t *testing.T) {
	rankings := [][]int{{4, 2}, {4, 2, 1}, {2, 4}}
	got := thompson(rankings, func(i int) bool { return i != 4 })
	if want := []int{2, 1}; !slices.Equal(got, want) {
		t.Errorf("thompson = %v, want %v: 4 is refused, and the last draw has nothing left", got, want)
	}
}

func TestAnchorRules(t *testing.T) {
	tests := []struct {
		name         string
		rule         AnchorRule
		y, potential []float64
		want         int
	}{
		{"incumbent takes the best score", Incumbent, []float64{3, 2, 1}, []float64{0, 9, 5}, 0},
		{"acquisition takes the greatest potential", Acquisition, []float64{3, 2, 1}, []float64{0, 9, 5}, 1},
		// Potentials 0 to 10 are scaled to the scores' range of 2: sums are 3+0, 2.5+2 and 1+1.
		{"potential-aware adds both", PotentialAware, []float64{3, 2.5, 1}, []float64{0, 10, 5}, 1},
		{"equal potentials leave it to the score", PotentialAware, []float64{1, 4, 2}, []float64{7, 7, 7}, 1},
		{"a region without a string promises nothing", PotentialAware, []float64{3, 2.5, 1}, []float64{math.Inf(-1), 10, 5}, 1},
		{"no more than the least of the others", PotentialAware, []float64{3, 2.5, 1}, []float64{math.Inf(-1), 5, 10}, 0},
		{"and if none has one, the score decides", PotentialAware, []float64{1, 3}, []float64{math.Inf(-1), math.Inf(-1)}, 1},
		{"equal scores leave it to nothing but order", PotentialAware, []float64{2, 2}, []float64{1, 5}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.rule(Field{
				Z: make([][]float64, len(tt.y)), Y: tt.y,
				Potential: func() ([]float64, error) { return tt.potential, nil },
			})
			if err != nil || got != tt.want {
				t.Errorf("anchor %d, %v, want %d", got, err, tt.want)
			}
		})
	}
}

func TestRegion(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name    string
		batches [][]float64
		want    float64 // Length after them
	}{
		{"ten good batches double", [][]float64{{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}}, 1.6},
		{"four bad ones halve", [][]float64{{-1}, {0}, {-1, -2}, {-1}}, 0.4},
		{"a NaN is left out", [][]float64{{nan, -1}, {-1}, {-1}, {-1}}, 0.4},
		{"no score at all changes nothing", [][]float64{{}, {nan}, {}, {}}, 0.8},
		{"a good one between them begins anew", [][]float64{{-1}, {-1}, {-1}, {1}, {-1}}, 0.8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRegion(0, RegionOptions{})
			for _, y := range tt.batches {
				r = r.Update(y)
			}
			if r.Length != tt.want {
				t.Errorf("Length = %g, want %g", r.Length, tt.want)
			}
		})
	}
	r := NewRegion(0, RegionOptions{Min: 0.7, Shrink: 1}).Update([]float64{-1})
	if !r.Collapsed() {
		t.Errorf("a region of length %g below 0.7 has not collapsed", r.Length)
	}
	if r = r.Restart(3); r.Length != 0.8 || r.Restarts != 1 || r.Collapsed() || r.Best != 3 {
		t.Errorf("restarted region = %+v, want the first length, and 3 to beat", r)
	}
}

// Candidates of a region of side 0.5 move, and by no more than 0.5·4σ.
func TestRegionCandidates(t *testing.T) {
	center := []float64{1, -2, 30}
	moved := false
	for _, z := range (Region{Length: 0.5}).Candidates(50, center, rand.New(rand.NewPCG(1, 2))) {
		for j := range z {
			if by := math.Abs(z[j] - center[j]); by > 2 {
				t.Errorf("candidate %v is %g from the centre in dimension %d, want at most 2", z, by, j)
			} else if by > 1 {
				moved = true
			}
		}
	}
	if !moved {
		t.Error("no candidate is further than 1 from the centre")
	}
}

func TestSpearman(t *testing.T) {
	tests := []struct {
		name string
		a, b []float64
		want float64
	}{
		{"any increasing map", []float64{1, 2, 3, 4}, []float64{1, 10, 100, 1e6}, 1},
		{"reversed", []float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{"ties share a rank", []float64{1, 1, 2, 2}, []float64{1, 1, 2, 2}, 1},
		{"two pairs say nothing", []float64{1, 2}, []float64{1, 2}, math.NaN()},
		{"one side equal says nothing", []float64{1, 1, 1}, []float64{1, 2, 3}, math.NaN()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Spearman(tt.a, tt.b)
			if math.IsNaN(tt.want) != math.IsNaN(got) || math.Abs(got-tt.want) > 1e-12 {
				t.Errorf("Spearman = %g, want %g", got, tt.want)
			}
		})
	}
}

// Constants of a region that are not given are the method's.
func TestRegionOptionsAreTheMethods(t *testing.T) {
	model, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	m, err := MethodNamed("cobo")
	if err != nil {
		t.Fatal(err)
	}
	p := Problem{Model: model, Init: []Observation{{X: "x"}, {X: "1"}}}
	o, err := New(p, Options{Method: m, Region: RegionOptions{Length: 0.4}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (RegionOptions{Length: 0.4, Shrink: 32}); o.opts.Region != want {
		t.Errorf("region %+v, want %+v", o.opts.Region, want)
	}
}
