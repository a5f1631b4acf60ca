package invbo_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae"
)

// space is a latent space of a dimension, in which nothing is encoded or decoded.
type space struct {
	vae.Model
	dim int
}

func (s space) Dim() int { return s.dim }

// cube is a space within bounds.
type cube struct {
	space
	lower, upper float64
}

func (c cube) Bounds() (lower, upper []float64) {
	return slices.Repeat([]float64{c.lower}, c.dim), slices.Repeat([]float64{c.upper}, c.dim)
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func region(t rapid.TB, n int, from invbo.Source, rng *rand.Rand) [][]float64 {
	t.Helper()
	at, err := invbo.InRegion(context.Background(), n, from, rng)
	if err != nil {
		t.Fatal(err)
	}
	if len(at) != n {
		t.Fatalf("%d latents, want %d", len(at), n)
	}
	return at
}

func TestRegionStaysInItsBoxAndMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 60).Draw(t, "d")
		n := rapid.IntRange(1, 50).Draw(t, "n")
		length := rapid.Float64Range(0x1p-7, 1.6).Draw(t, "length")
		bounded := rapid.Bool().Draw(t, "bounded")
		rng := seeded(rapid.Uint64().Draw(t, "seed"))
		from := invbo.Source{Model: space{dim: d}, Length: length}
		reach := 4 * length // deviations of the prior
		low, high := math.Inf(-1), math.Inf(1)
		if bounded {
			low, high = -3, 5
			from.Model, reach = cube{space{dim: d}, low, high}, length/2*8
		}
		for range d {
			from.Center = append(from.Center, max(low, min(high, 2*rng.NormFloat64())))
		}
		before := slices.Clone(from.Center)
		for i, z := range region(t, n, from, rng) {
			moved := 0
			for j, v := range z {
				if math.Abs(v-before[j]) > reach*(1+1e-12) || v < low || v > high {
					t.Fatalf("candidate %d: %g in dimension %d, want at most %g from %g and within [%g, %g]", i, v, j, reach, before[j], low, high)
				}
				if v != before[j] {
					moved++
				}
			}
			if moved == 0 {
				t.Fatalf("candidate %d is the center", i)
			}
		}
		if !slices.Equal(from.Center, before) {
			t.Fatal("the center has moved")
		}
	})
}

// In few dimensions every candidate moves in all of them, and each dimension is a stratified sample of the box.
func TestRegionIsALatinHypercube(t *testing.T) {
	const n, d = 64, 20
	from := invbo.Source{Model: space{dim: d}, Center: slices.Repeat([]float64{1}, d), Length: 0.5}
	points := region(t, n, from, seeded(1))
	var offsets []float64
	for j := range d {
		strata := make([]int, n)
		for _, z := range points {
			at := (z[j] - (1 - 2)) / 4 * n // of the box from 1 − 4·0.5 to 1 + 4·0.5
			strata[int(at)]++
			offsets = append(offsets, at-math.Floor(at))
		}
		if slices.Max(strata) != 1 {
			t.Errorf("dimension %d: %v candidates in each stratum, want one", j, strata)
		}
	}
	slices.Sort(offsets)
	if low, mid, high := offsets[0], offsets[len(offsets)/2], offsets[len(offsets)-1]; low > 0.02 || math.Abs(mid-0.5) > 0.1 || high < 0.98 {
		t.Errorf("candidates lie from %g to %g of their strata, median %g; want anywhere in them", low, high, mid)
	}
}

func TestRegionMovesInAboutTwentyDimensions(t *testing.T) {
	const n, d = 2000, 256
	var moved float64
	for _, z := range region(t, n, invbo.Source{Model: space{dim: d}, Center: make([]float64, d), Length: 0.8}, seeded(1)) {
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

// The extremes of many candidates are the box.
func TestTheBoxOfARegion(t *testing.T) {
	unit := cube{space{dim: 2}, 0, 1}
	wide := cube{space{dim: 2}, -3, 5}
	tests := []struct {
		name         string
		model        vae.Model
		center       []float64
		length       float64
		scales       []float64
		lower, upper []float64
	}{
		{"unbounded: 4 deviations a length", space{dim: 2}, []float64{1, -1}, 0.5, nil, []float64{-1, -3}, []float64{3, 1}},
		{"unbounded: lengthscales do not matter", space{dim: 2}, []float64{1, -1}, 0.5, []float64{1, 9}, []float64{-1, -3}, []float64{3, 1}},
		{"bounded: clipped", unit, []float64{0.5, 0.9}, 0.4, nil, []float64{0.3, 0.7}, []float64{0.7, 1}},
		{"bounded: clipped below", unit, []float64{0.5, 0.1}, 0.4, nil, []float64{0.3, 0}, []float64{0.7, 0.3}},
		{"bounded: a share of the side", wide, []float64{0, 1}, 0.5, nil, []float64{-2, -1}, []float64{2, 3}},
		{"sides follow lengthscales", unit, []float64{0.5, 0.5}, 0.2, []float64{2, 0.5}, []float64{0.3, 0.45}, []float64{0.7, 0.55}},
		{"at the same volume", unit, []float64{0.5, 0.5}, 0.2, []float64{20, 5}, []float64{0.3, 0.45}, []float64{0.7, 0.55}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const n = 2000 // strata: the extremes are less than one off
			points := region(t, n, invbo.Source{Model: tt.model, Center: tt.center, Length: tt.length, Lengthscales: tt.scales}, seeded(3))
			for j := range 2 {
				low, high := points[0][j], points[0][j]
				for _, z := range points {
					low, high = min(low, z[j]), max(high, z[j])
				}
				stratum := (tt.upper[j] - tt.lower[j]) / n
				if math.Abs(low-tt.lower[j]) > stratum || math.Abs(high-tt.upper[j]) > stratum {
					t.Errorf("dimension %d from %g to %g, want %g to %g", j, low, high, tt.lower[j], tt.upper[j])
				}
			}
		})
	}
}

func TestPriorIsTheModels(t *testing.T) {
	for _, m := range []vae.Model{space{dim: 3}, cube{space{dim: 3}, -3, 5}} {
		got, err := invbo.FromPrior(t.Context(), 7, invbo.Source{Model: m}, seeded(4))
		if err != nil {
			t.Fatal(err)
		}
		if want := vae.Prior(m, 7, seeded(4)); !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
			t.Errorf("candidates %v, want the prior's draws %v", got, want)
		}
	}
}

// Half of NearBest's candidates lie around the best fifth of the data, all of them, and half anywhere.
func TestNearBest(t *testing.T) {
	const d = 40 // a move leaves some 20 coordinates as they are
	for _, test := range []struct{ n, data, good int }{{100, 20, 4}, {101, 24, 4}, {60, 3, 1}} {
		from := invbo.Source{Model: space{dim: d}, Length: 0.1, Lengthscales: slices.Repeat([]float64{-1}, d)}
		for i := range test.data {
			from.Data.Z = append(from.Data.Z, slices.Repeat([]float64{100 * float64(i+1)}, d))
			from.Data.Y = append(from.Data.Y, float64((i*7)%test.data)) // a permutation, as 7 and data have no common factor
		}
		got, err := invbo.NearBest(t.Context(), test.n, from, seeded(5))
		if err != nil {
			t.Fatal(err)
		}
		around := map[int]int{} // by the rank of the score
		anywhere := 0
		for _, z := range got {
			i := slices.IndexFunc(from.Data.Z, func(data []float64) bool { return math.Abs(z[0]-data[0]) < 1 && slices.Contains(z, data[0]) })
			if i < 0 {
				anywhere++
				continue
			}
			around[test.data-1-int(from.Data.Y[i])]++
		}
		near := 0
		for rank, n := range around {
			if near += n; rank >= test.good {
				t.Errorf("%+v: %d candidates around number %d of the data", test, n, rank+1)
			}
		}
		if len(around) != test.good || near != test.n/2 || anywhere != test.n-test.n/2 {
			t.Errorf("%+v: candidates around %v, %d anywhere; want half around the best %d", test, around, anywhere, test.good)
		}
	}
}
