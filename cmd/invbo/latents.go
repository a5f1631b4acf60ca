package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// latentsHelp describes the files that encode, invert and sample write and decode reads.
const latentsHelp = `Latents are CSV: a header, a column x with the string (for molecules, smiles and
selfies) and columns z1, z2, … with its latent. Without FILE, or with -,
standard input is read.`

// latentWriter writes CSV: for each latent, what is said of it and z1 … zd.
type latentWriter struct{ csv *csv.Writer }

// newLatentWriter starts with a header: names of fields, and dim latent columns.
func newLatentWriter(w io.Writer, names []string, dim int) latentWriter {
	header := slices.Clone(names)
	for k := range dim {
		header = append(header, latentColumn(k))
	}
	c := csv.NewWriter(w)
	c.Write(header) // its error stays until Error
	return latentWriter{c}
}

// write adds a record for each latent of z.
func (l latentWriter) write(fields [][]string, z [][]float64) error {
	for i, record := range fields {
		for _, v := range z[i] {
			record = append(record, float(v))
		}
		l.csv.Write(record)
	}
	l.csv.Flush()
	return l.csv.Error()
}

// records returns the fields of each string of x.
func (n notation) records(x []string) [][]string {
	all := make([][]string, len(x))
	for i := range x {
		all[i] = n.fields(n.show(x[i]), x[i])
	}
	return all
}

// readLatents reads the columns z1 … zd of a file, and ignores all others.
func readLatents(name string, stdin io.Reader, dim int) ([][]float64, error) {
	in, source := stdin, "standard input"
	if name != "" && name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, &usageError{err}
		}
		defer f.Close()
		in, source = f, name
	}
	z, err := parseLatents(in, dim)
	if err != nil {
		return nil, usagef("%s: %w", source, err)
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
