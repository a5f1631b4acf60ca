package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo"
)

// columns names the columns of a CSV file, by preference; the first that the file has is taken.
type columns struct {
	strings []string
	scores  []string // nil: scores are not read
}

// row is a string from a file.
type row struct {
	line int
	invbo.Observation
}

// readFile reads the strings of a file, or of stdin if name is "-" or empty: a string a line, or CSV with
// a header if the name ends in .csv; gzip is recognized.
func readFile(name string, stdin io.Reader, cols columns) ([]row, error) {
	if name == "" || name == "-" {
		rows, err := readStrings(stdin, false, cols)
		if err != nil {
			return nil, usagef("standard input: %w", err)
		}
		return rows, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &usageError{err}
	}
	defer f.Close()
	rows, err := readStrings(f, isCSV(name), cols)
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	return rows, nil
}

func isCSV(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".csv")
}

// readStrings reads plain lines or CSV, gzipped or not. It skips blank lines, and rows of CSV whose score
// is not finite: those have failed before.
func readStrings(r io.Reader, isCSV bool, cols columns) ([]row, error) {
	text, err := plain(r)
	if err != nil {
		return nil, err
	}
	var rows []row
	if isCSV {
		rows, err = readCSV(text, cols)
	} else {
		rows, err = readLines(text)
	}
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("there is no string in it")
	}
	return rows, nil
}

// plain undoes gzip and drops a byte-order mark.
func plain(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		b = bufio.NewReader(z)
	}
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		b.Discard(len(mark))
	}
	return b, nil
}

func readLines(r io.Reader) ([]row, error) {
	var rows []row
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		if x := strings.TrimSpace(lines.Text()); x != "" {
			rows = append(rows, row{n, invbo.Observation{X: x}})
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than a million bytes: give a text file with one string a line", n+1)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	return rows, nil
}

func readCSV(r io.Reader, cols columns) ([]row, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	header, err := c.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, err
	}
	header = slices.Clone(header)
	stringAt := find(header, cols.strings)
	if stringAt < 0 {
		return nil, fmt.Errorf("no column is named %s; it has %s: rename the one with the strings",
			strings.Join(cols.strings, " or "), strings.Join(header, ", "))
	}
	scoreAt := find(header, cols.scores)
	var rows []row
	for {
		record, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err // names the line
		}
		line, _ := c.FieldPos(stringAt)
		n := row{line, invbo.Observation{X: strings.TrimSpace(record[stringAt])}}
		if n.X == "" {
			continue
		}
		if scoreAt >= 0 && strings.TrimSpace(record[scoreAt]) != "" {
			n.Scored = true
			n.Y, err = strconv.ParseFloat(strings.TrimSpace(record[scoreAt]), 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s %q is not a number; leave it empty to have it evaluated", line, header[scoreAt], record[scoreAt])
			}
			if math.IsNaN(n.Y) || math.IsInf(n.Y, 0) {
				continue
			}
		}
		rows = append(rows, n)
	}
}

// find returns where the first of names stands in header; -1 if none does.
func find(header, names []string) int {
	for _, name := range names {
		if i := slices.Index(header, name); i >= 0 {
			return i
		}
	}
	return -1
}
