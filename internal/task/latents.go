package task

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
)

// LatentWriter writes CSV: for each latent some fields, and z1 … zd.
type LatentWriter struct{ csv *csv.Writer }

// NewLatentWriter writes the header: the names of the fields, and dim latent columns.
func NewLatentWriter(w io.Writer, names []string, dim int) LatentWriter {
	header := slices.Clone(names)
	for k := range dim {
		header = append(header, latentColumn(k))
	}
	c := csv.NewWriter(w)
	c.Write(header) // csv.Writer keeps its error until Error
	return LatentWriter{c}
}

// Write adds a record for each latent of z (n, d).
func (l LatentWriter) Write(fields [][]string, z [][]float64) error {
	for i, record := range fields {
		for _, v := range z[i] {
			record = append(record, Float(v))
		}
		l.csv.Write(sheet.Guarded(record))
	}
	l.csv.Flush()
	return l.csv.Error()
}

// Records returns the fields of each string of x.
func (n Notation) Records(x []string) [][]string {
	all := make([][]string, len(x))
	for i := range x {
		all[i] = n.Fields(n.Show(x[i]), x[i])
	}
	return all
}

// ReadLatents reads the columns z1 … zd of a file, and ignores all others.
func ReadLatents(f File, dim int) ([][]float64, error) {
	r, err := f.Open()
	if err != nil {
		return nil, usage.Wrap(err)
	}
	defer r.Close()
	columns := make([]string, dim)
	for k := range columns {
		columns[k] = latentColumn(k)
	}
	z, err := table.Numbers(r, columns)
	if err != nil {
		return nil, usage.Errorf("%s: %w; latents are a table with the columns z1 to %s", f.Source(), err, columns[dim-1])
	}
	return z, nil
}

func latentColumn(k int) string { return "z" + strconv.Itoa(k+1) }

// Float writes v with as many digits as reading it back exactly takes; NaN as NaN.
func Float(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
