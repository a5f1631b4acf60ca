package report

import (
	"io"
	"strconv"

	"gonum.org/v1/plot"
)

// Alignment shows, per batch, the share of the surrogate's points whose latent decodes to their string, and the
// distance of the strings from their decoded latents (the paper's dissimilarity).
type Alignment struct {
	Title         string
	Aligned       []Method // share of points, from 0 to 1, after each batch
	Dissimilarity []Method // mean edit distance, from 0 to 1, of the same methods and runs
}

// WriteSVG draws both side by side.
func (a Alignment) WriteSVG(w io.Writer) error {
	aligned, distance := a.curves()
	left, legend, err := aligned.plot()
	if err != nil {
		return err
	}
	right, _, err := distance.plot()
	if err != nil {
		return err
	}
	left.Y.Min, left.Y.Max = -0.02, 1.02 // curves at 0 and 1 are fully visible
	right.Y.Max = max(right.Y.Max, 0.1)  // all distances may be 0
	right.Y.Min = -0.02 * right.Y.Max
	return page{a.Title, []*plot.Plot{left, right}, legend}.writeSVG(w)
}

// WriteCSV writes the points of the curves.
func (a Alignment) WriteCSV(w io.Writer) error {
	aligned, distance := a.curves()
	rows := [][]string{{"method", "batch", "aligned", "aligned_standard_error", "dissimilarity", "dissimilarity_standard_error", "runs"}}
	for i, m := range aligned.Methods {
		left, err := aligned.steps(m)
		if err != nil {
			return err
		}
		right, err := distance.steps(distance.Methods[i])
		if err != nil {
			return err
		}
		for j := range min(len(left), len(right)) {
			l, r := left[j], right[j]
			rows = append(rows, []string{m.Name, number(l.x), number(l.mean), number(l.se), number(r.mean), number(r.se), strconv.Itoa(l.n)})
		}
	}
	return writeCSV(w, rows)
}

func (a Alignment) curves() (aligned, distance Curves) {
	longest := 0
	for _, m := range a.Aligned {
		for _, run := range m.Runs {
			longest = max(longest, len(run))
		}
	}
	at := make([]float64, longest)
	for i := range at {
		at[i] = float64(i + 1)
	}
	batch := Axis{"batch", "batch"}
	aligned = Curves{X: batch, Y: Axis{"share of aligned points", "aligned"}, At: at, Methods: a.Aligned}
	distance = Curves{X: batch, Y: Axis{"distance of strings from decoded latents", "dissimilarity"}, At: at, Methods: a.Dissimilarity}
	return aligned, distance
}
