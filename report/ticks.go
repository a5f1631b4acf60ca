package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks places four to ten labelled ticks at multiples of 1, 2 or 5 times a power of ten, or one at each end if float64
// is too coarse for these.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) []plot.Tick {
	power := math.Floor(math.Log10((high - low) / 4))
	step := math.Pow(10, power)
	for _, factor := range []float64{5, 2} {
		if factor*step <= (high-low)/4 {
			step *= factor
			break
		}
	}
	if far := max(-low, high); math.Nextafter(far, math.Inf(1))-far > step { // multiples of step would coincide
		return []plot.Tick{{Value: low, Label: number(low)}, {Value: high, Label: number(high)}}
	}
	var all []plot.Tick
	for i := math.Ceil(low/step) + 0; i*step <= high; i++ { // + 0 turns -0 into 0
		all = append(all, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step, 'f', int(max(0, -power)), 64)})
	}
	return all
}
