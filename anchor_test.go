package invbo_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo"
)

func TestAnchors(t *testing.T) {
	none := math.Inf(-1)
	tests := []struct {
		name         string
		anchor       invbo.Anchor
		y, potential []float64
		want         int
	}{
		{"incumbent takes the best score", invbo.Incumbent, []float64{3, 2, 1}, []float64{0, 9, 5}, 0},
		{"acquisition takes the greatest potential", invbo.Acquisition, []float64{3, 2, 1}, []float64{0, 9, 5}, 1},
		// Potentials 0 to 10 are scaled to the scores' range of 2: sums are 3+0, 2.5+2 and 1+1.
		{"potential-aware adds both", invbo.PotentialAware, []float64{3, 2.5, 1}, []float64{0, 10, 5}, 1},
		// Sums are 3+0.9, 2+2 and 1+0.
		{"scaled to the range of the scores", invbo.PotentialAware, []float64{3, 2, 1}, []float64{94.5, 100, 90}, 1},
		// Sums are 3+1, 1.9+2 and 1+0.
		{"and no further", invbo.PotentialAware, []float64{3, 1.9, 1}, []float64{95, 100, 90}, 0},
		{"equal potentials leave it to the score", invbo.PotentialAware, []float64{1, 4, 2}, []float64{7, 7, 7}, 1},
		{"a region without a string promises nothing", invbo.PotentialAware, []float64{3, 2.5, 1}, []float64{none, 10, 5}, 1},
		{"no more than the least of the others", invbo.PotentialAware, []float64{3, 2.5, 1}, []float64{none, 5, 10}, 0},
		{"and if none has one, the score decides", invbo.PotentialAware, []float64{1, 3}, []float64{none, none}, 1},
		{"equal scores leave it to nothing but order", invbo.PotentialAware, []float64{2, 2}, []float64{1, 5}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.anchor.Choose(invbo.Field{
				Z: make([][]float64, len(tt.y)), Y: tt.y,
				Potential: func() ([]float64, error) { return tt.potential, nil },
			})
			if err != nil || got != tt.want {
				t.Errorf("anchor %d, %v, want %d", got, err, tt.want)
			}
		})
	}
}

// Random anchors are all points, one as often as another.
func TestRandomAnchor(t *testing.T) {
	f := invbo.Field{Z: make([][]float64, 4), Rand: rand.New(rand.NewPCG(1, 2))}
	count := make([]float64, 4)
	for range 4000 {
		i, err := invbo.RandomAnchor.Choose(f)
		if err != nil {
			t.Fatal(err)
		}
		count[i]++
	}
	for i, n := range count {
		if math.Abs(n-1000) > 5*math.Sqrt(4000*0.25*0.75) {
			t.Errorf("anchor %d is chosen %g times of 4000, want about 1000", i, n)
		}
	}
}

func TestAnErrorOfThePotential(t *testing.T) {
	broken := errors.New("broken")
	for _, a := range []invbo.Anchor{invbo.Acquisition, invbo.PotentialAware} {
		f := invbo.Field{Z: make([][]float64, 2), Y: []float64{1, 2}, Potential: func() ([]float64, error) { return nil, broken }}
		if _, err := a.Choose(f); !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want broken", a.Name, err)
		}
	}
}
