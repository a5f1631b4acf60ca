package table

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/usage"
)

// isBatch reports whether a column says with which others something was measured, and not what: its plate, batch, run
// or date.
func (g *grid) isBatch(i int) bool {
	return slices.Contains(slices.Concat(plateNames, runNames, dayNames, []string{"batch"}), g.heading(i).Base) && g.several(i)
}

// noteBatches notes if scores of one string differ far more between batches than within them; of returns the batch of a
// record. It uses the analysis of variance of strings in several batches, where some have several scores.
func (t *Table) noteBatches(column string, of func(Record) string) {
	const fewest, far = 2, 10.0 // degrees of freedom, and times as much variance
	scores := map[string]map[string][]float64{}
	for _, r := range t.Records {
		if batch := of(r); r.State == Measured && r.Bound == 0 && batch != "" {
			if scores[r.Input] == nil {
				scores[r.Input] = map[string][]float64{}
			}
			scores[r.Input][batch] = append(scores[r.Input][batch], r.Score)
		}
	}
	var between, within variance
	for _, input := range slices.Sorted(maps.Keys(scores)) { // in an order, as sums are rounded
		var means []float64
		for _, batch := range slices.Sorted(maps.Keys(scores[input])) {
			means = append(means, within.add(scores[input][batch]))
		}
		between.add(means)
	}
	if between.free < fewest || within.free < fewest || within.squares == 0 || between.of() < far*within.of() {
		return
	}
	t.Notes = append(t.Notes, fmt.Sprintf("column %s: means of one string differ by %.3g between its values, and scores by %.3g within one (standard deviations); normalise the scores of each, as by a string that all have, since they are compared as they are",
		usage.Shorten(column, longName), math.Sqrt(between.of()), math.Sqrt(within.of())))
}

// variance is one of several samples of different means.
type variance struct {
	squares float64 // of deviations from the means
	free    int     // degrees of freedom
}

// add adds a sample, and returns its mean.
func (v *variance) add(ys []float64) (mean float64) {
	for _, y := range ys {
		mean += y / float64(len(ys))
	}
	for _, y := range ys {
		v.squares += (y - mean) * (y - mean)
	}
	v.free += len(ys) - 1
	return mean
}

func (v *variance) of() float64 { return v.squares / float64(v.free) }
