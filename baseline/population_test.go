package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/study"
)

func TestPopulation(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name   string
		xs     []string
		values []float64 // NaN: it failed
		want   []member  // of a population of three
	}{
		{"the best first", []string{"C", "N", "O"}, []float64{1, 3, 2}, []member{{"N", 3}, {"O", 2}, {"C", 1}}},
		{"the best survive", []string{"C", "N", "O", "F"}, []float64{1, 3, 2, 4}, []member{{"F", 4}, {"N", 3}, {"O", 2}}},
		{"of equals, the older", []string{"C", "N", "O", "F"}, []float64{1, 1, 1, 1}, []member{{"C", 1}, {"N", 1}, {"O", 1}}},
		{"not without a score", []string{"C", "O"}, []float64{nan, 2}, []member{{"O", 2}}},
		{"another score", []string{"C", "N", "C"}, []float64{1, 2, 3}, []member{{"C", 3}, {"N", 2}}},
		{"no score any more", []string{"C", "N", "C"}, []float64{1, 2, nan}, []member{{"N", 2}}},
	}
	for _, test := range tests {
		var trials []study.Trial
		for i, x := range test.xs {
			trials = append(trials, study.Trial{Proposal: study.Proposal{X: x, Input: x}, State: study.Scored, Value: test.values[i]})
			if math.IsNaN(test.values[i]) {
				trials[i].State = study.Failed
			}
		}
		atOnce, oneByOne := population{size: 3}, population{size: 3}
		atOnce.observe(trials)
		for i := range trials {
			oneByOne.observe(trials[i : i+1])
		}
		if !slices.Equal(atOnce.members, test.want) || !slices.Equal(oneByOne.members, test.want) {
			t.Errorf("%s: %v at once, %v one by one, want %v", test.name, atOnce.members, oneByOne.members, test.want)
		}
	}
}

// Members are drawn in proportion to their scores, above the least one if that is negative.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct{ a, b, share float64 }{{3, 1, 0.75}, {1, -1, 1}, {0, 0, 0.5}} {
		p := population{members: []member{{"a", test.a}, {"b", test.b}}}
		const draws = 10_000
		n := 0.0
		for range draws {
			if p.draw(rng) == "a" {
				n++
			}
		}
		if math.Abs(n/draws-test.share) > 0.03 {
			t.Errorf("of %g and %g the first is drawn in %.3f of the cases, want %g", test.a, test.b, n/draws, test.share)
		}
	}
}
