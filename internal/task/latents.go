package task

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

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
		l.csv.Write(record)
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
	z, err := parseLatents(r, dim)
	if err != nil {
		return nil, usage.Errorf("%s: %w", f.Source(), err)
	}
	return z, nil
}

func parseLatents(in io.Reader, dim int) ([][]float64, error) {
	text, err := plain(in)
	if err != nil {
		return nil, err
	}
	c := csv.NewReader(text)
	header, err := c.Read()
	if err == io.EOF {
		return nil, errors.New("it is empty; latents are CSV with columns z1, z2, …")
	}
	if err != nil {
		return nil, err
	}
	at := make([]int, dim)
	for k := range at {
		if at[k] = slices.Index(header, latentColumn(k)); at[k] < 0 {
			return nil, fmt.Errorf("no column is named %s; the model has %d latent dimensions, z1 to %s", latentColumn(k), dim, latentColumn(dim-1))
		}
	}
	var latents [][]float64
	for {
		record, err := c.Read()
		if err == io.EOF {
			return latents, nil
		}
		if err != nil {
			return nil, err // names the line
		}
		z := make([]float64, dim)
		for k, i := range at {
			if z[k], err = strconv.ParseFloat(record[i], 64); err != nil {
				line, _ := c.FieldPos(i)
				return nil, fmt.Errorf("line %d: %s %q is not a number", line, header[i], record[i])
			}
		}
		latents = append(latents, z)
	}
}

func latentColumn(k int) string { return "z" + strconv.Itoa(k+1) }

// Float writes v with as many digits as reading it back exactly takes; NaN as NaN.
func Float(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
