package study_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/study"
)

// Replicates that contradict each other are found, and do not set the noise of the others; those of a noisy assay do.
// The same holds of scores and further outcomes.
func TestContradictory(t *testing.T) {
	type replicates [][]float64
	for _, test := range []struct {
		name   string
		scores replicates
		wild   []int   // trials
		noise  float64 // 0: not known
	}{
		{"none", replicates{{5}, {6}, {7}, {8}}, nil, 0},
		{"a slip of the pen", replicates{{5, -1000}, {6}, {7}, {8}, {4.5}}, []int{1}, 0},
		{"an absurd value", replicates{{5, -1e99}, {6, 6.2}, {7}, {8}, {4.5}}, []int{1}, 0.1 * math.Sqrt2},
		{"two of them", replicates{{5, 1e55}, {6, 6.2}, {7}, {-1e99, 1e99}, {4.5}, {5.5}}, []int{1, 4}, 0.1 * math.Sqrt2},
		{"one noisier than the scores among replicates that agree", replicates{{5, 5.1}, {6, 6.1}, {7, 7.1}, {8, 8.1}, {4, 9}, {5.5, 5.6}}, []int{5}, 0.05 * math.Sqrt2},
		{"a noisy assay", replicates{{5, 9}, {6, 3}, {7, 7.5}, {8, 5}, {4, 6}, {5.5, 6}}, nil, math.Sqrt((8 + 4.5 + 0.125 + 4.5 + 2 + 0.125) / 6)},
		{"too few strings to tell", replicates{{5, -1000}, {6}, {7}}, nil, 1005 / math.Sqrt2},
		{"equal scores but for one", replicates{{5}, {5}, {5}, {5, 5}, {5, 6}}, nil, 0.5},
	} {
		for _, outcome := range []string{"", "hERG"} {
			var trials []study.Trial
			for i, scores := range test.scores {
				trial := study.Trial{Proposal: study.Proposal{ID: i + 1}, State: study.Scored}
				for _, v := range scores {
					m := study.Measurement{Score: v}
					if outcome != "" {
						m = study.Measurement{Score: 1, Others: map[string]float64{outcome: v}}
					}
					trial.Measurements = append(trial.Measurements, m)
				}
				trials = append(trials, trial)
			}
			wild := study.Contradictory(trials, outcome)
			for _, id := range test.wild {
				if !wild[id] {
					t.Errorf("%s: trial %d is not found", test.name, id)
				}
			}
			if len(wild) != len(test.wild) {
				t.Errorf("%s: %v, want %v", test.name, wild, test.wild)
			}
			if noise := study.Noise(trials, outcome); math.Abs(noise-test.noise) > 1e-9*test.noise {
				t.Errorf("%s: noise %g, want %g", test.name, noise, test.noise)
			}
		}
	}
}
