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

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// listing is the strings of a file.
type listing struct {
	source string // the file's name
	rows   []row
	form   form // that they are written in
}

// row is a string of a file as it stands there, with its score if it has one.
type row struct {
	line   int
	text   string
	score  float64
	scored bool
}

// read returns the string of a row, which m can write unless it is nil. The error names file and line.
func (l listing) read(r row, m vae.Model) (string, error) {
	x, err := l.form.parse(r.text)
	if err == nil && m != nil {
		if err = m.Check(x); err != nil && x != r.text {
			why := ""
			if l.form.why != nil {
				why = l.form.why(r.text)
			}
			err = fmt.Errorf("%q: %w%s", shorten(r.text, 60), err, why)
		}
	}
	if err != nil {
		return "", usagef("%s, line %d: %w", l.source, r.line, err)
	}
	return x, nil
}

// readFile reads the strings of a file, or of stdin if name is "-" or empty: a string a line, or CSV with
// a header if the name ends in .csv; gzip is recognized. Scores are in the first of these columns that the
// file has; without any, scores are not read.
func readFile(name string, stdin io.Reader, n notation, scores ...string) (listing, error) {
	if name == "" || name == "-" {
		l, err := readStrings(stdin, false, n, scores)
		if err != nil {
			return listing{}, usagef("standard input: %w", err)
		}
		l.source = "standard input"
		return l, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return listing{}, &usageError{err}
	}
	defer f.Close()
	l, err := readStrings(f, isCSV(name), n, scores)
	if err != nil {
		return listing{}, usagef("%s: %w", name, err)
	}
	l.source = name
	return l, nil
}

func isCSV(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".csv")
}

// readStrings reads plain lines or CSV, gzipped or not. It skips blank lines, and rows of CSV whose score
// is not finite: those have failed before.
func readStrings(r io.Reader, isCSV bool, n notation, scores []string) (listing, error) {
	text, err := plain(r)
	if err != nil {
		return listing{}, err
	}
	var l listing
	if isCSV {
		l, err = readCSV(text, n, scores)
	} else {
		l, err = readLines(text, n)
	}
	if err != nil {
		return listing{}, err
	}
	if len(l.rows) == 0 {
		return listing{}, errors.New("there is no string in it")
	}
	return l, nil
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

func readLines(r io.Reader, n notation) (listing, error) {
	l := listing{form: n.plain}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	at := 0
	for lines.Scan() {
		at++
		text := strings.TrimSpace(lines.Text())
		if n.named {
			text, _, _ = strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		}
		if text != "" {
			l.rows = append(l.rows, row{line: at, text: text})
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return listing{}, fmt.Errorf("line %d is longer than a million bytes: give a text file with one string a line", at+1)
	}
	if err != nil {
		return listing{}, fmt.Errorf("line %d: %w", at+1, err)
	}
	return l, nil
}

func readCSV(r io.Reader, n notation, scores []string) (listing, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	header, err := c.Read()
	if err == io.EOF {
		return listing{}, errors.New("the file is empty")
	}
	if err != nil {
		return listing{}, err
	}
	header = slices.Clone(header)
	var l listing
	textAt, all := -1, []string{}
	for _, l.form = range n.forms {
		if textAt = find(header, l.form.columns); textAt >= 0 {
			break
		}
		all = append(all, l.form.columns...)
	}
	if textAt < 0 {
		return listing{}, fmt.Errorf("no column is named %s; it has %s: rename the one with the strings",
			strings.Join(all, " or "), strings.Join(header, ", "))
	}
	scoreAt := find(header, scores)
	for {
		record, err := c.Read()
		if err == io.EOF {
			return l, nil
		}
		if err != nil {
			return listing{}, err // names the line
		}
		r := row{text: strings.TrimSpace(record[textAt])}
		r.line, _ = c.FieldPos(textAt)
		if r.text == "" {
			continue
		}
		if scoreAt >= 0 && strings.TrimSpace(record[scoreAt]) != "" {
			r.scored = true
			r.score, err = strconv.ParseFloat(strings.TrimSpace(record[scoreAt]), 64)
			if err != nil {
				return listing{}, fmt.Errorf("line %d: %s %q is not a number; leave it empty to have it evaluated", r.line, header[scoreAt], record[scoreAt])
			}
			if math.IsNaN((oracle.Result{Score: r.score}).Usable().Score) {
				continue
			}
		}
		l.rows = append(l.rows, r)
	}
}

// find returns where the first of names stands in header, or is written in letters of another case; -1 if none does.
func find(header, names []string) int {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, name := range names {
			if i := slices.IndexFunc(header, func(h string) bool { return same(strings.TrimSpace(h), name) }); i >= 0 {
				return i
			}
		}
	}
	return -1
}
