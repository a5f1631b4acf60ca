package report

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// Alignment shows, per batch, the share of the surrogate's points whose latent decodes to their string, and the
// distance of the strings from their decoded latents (the paper's dissimilarity). Runs with the same name belong
// to one method.
type Alignment struct {
	Title string
	Runs  []Batches
}

// Batches is a run in an Alignment.
type Batches struct {
	Name          string
	Aligned       []float64 // share of points, from 0 to 1, after each batch
	Dissimilarity []float64 // mean edit distance, from 0 to 1
}

// WriteSVG draws both side by side.
func (a Alignment) WriteSVG(w io.Writer) error {
	aligned, distance, err := a.curves()
	if err != nil {
		return err
	}
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
	aligned, distance, err := a.curves()
	if err != nil {
		return err
	}
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

func (a Alignment) curves() (aligned, distance Curves, _ error) {
	if len(a.Runs) == 0 {
		return aligned, distance, errors.New("alignment: no runs to show")
	}
	longest := 0
	for _, run := range a.Runs {
		i := slices.IndexFunc(aligned.Methods, func(m Method) bool { return m.Name == run.Name })
		if i < 0 {
			i = len(aligned.Methods)
			aligned.Methods = append(aligned.Methods, Method{Name: run.Name})
			distance.Methods = append(distance.Methods, Method{Name: run.Name})
		}
		aligned.Methods[i].Runs = append(aligned.Methods[i].Runs, run.Aligned)
		distance.Methods[i].Runs = append(distance.Methods[i].Runs, run.Dissimilarity)
		longest = max(longest, len(run.Aligned))
	}
	for i := range longest {
		aligned.At = append(aligned.At, float64(i+1))
	}
	distance.At = aligned.At
	batch := Axis{"batch", "batch"}
	aligned.X, aligned.Y = batch, Axis{"share of aligned points", "aligned"}
	distance.X, distance.Y = batch, Axis{"distance of strings from decoded latents", "dissimilarity"}
	return aligned, distance, nil
}
