package command

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/internal/wire"
)

// format is how strings are written to a program, and how its answer is read. said is the last line of its standard error.
type format struct {
	write func(x []string) string
	read  func(out string, x []string, said string) ([]oracle.Result, error)
}

func (o Oracle) format() (format, error) {
	switch o.Protocol {
	case "", Lines:
		return format{func(x []string) string { return strings.Join(x, "\n") + "\n" }, readLines}, nil
	case CSV:
		t := table{cmp.Or(o.Column, "x"), cmp.Or(o.Property, "score")}
		return format{t.write, t.read}, nil
	case JSON:
		return format{func(x []string) string { return strings.Join(x, "\n") }, func(out string, x []string, said string) (results []oracle.Result, err error) {
			var answer struct {
				Payload map[string]json.RawMessage `json:"payload"`
			}
			if err = wire.Decode([]byte(out), &answer); err == nil && answer.Payload == nil {
				err = errors.New(`it has no "payload"`)
			}
			if err == nil {
				results, err = wire.Results(answer.Payload, cmp.Or(o.Property, "predictions"), len(x), said)
			}
			if err != nil {
				return nil, fmt.Errorf("wrote %q: %w", shorten(out), err)
			}
			return results, nil
		}}, nil
	}
	return format{}, fmt.Errorf("command: there is no protocol %q", o.Protocol)
}

// shorten returns as much of an answer as an error shows.
func shorten(answer string) string { return usage.Shorten(strings.TrimSpace(answer), 200) }

func readLines(out string, x []string, said string) ([]oracle.Result, error) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		lines = nil
	}
	if len(lines) != len(x) {
		return nil, fmt.Errorf("wrote %d lines for %d strings; it has to write one for each, in order", len(lines), len(x))
	}
	results := make([]oracle.Result, len(x))
	for i, line := range lines {
		var err error
		if results[i], err = parseLine(line, said); err != nil {
			return nil, fmt.Errorf("answered %q for %q: %w", shorten(line), x[i], err)
		}
	}
	return results, nil
}

// parseLine reads a score and perhaps a reason.
func parseLine(line, said string) (oracle.Result, error) {
	text, reason := line, ""
	if i := strings.IndexAny(line, ",\t"); i >= 0 {
		text, reason = line[:i], strings.TrimSpace(line[i+1:])
	}
	score, err := parseScore(text)
	if err != nil {
		return oracle.Result{}, errors.New("want a number, or NaN, a comma and a reason")
	}
	if _, err := strconv.ParseFloat(reason, 64); err == nil && !math.IsNaN(score) { // 3,14 is no 3
		return oracle.Result{}, errors.New("want one number, with a decimal point")
	}
	return wire.Result(score, reason, said), nil
}

// bound matches what a column of numbers may hold that is none.
var bound = regexp.MustCompile(`^[<>]=?\s*-?[.\d]`)

// parseScore reads a number; NaN if there is none.
func parseScore(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // v is infinite
	}
	return v, err
}

// table is CSV with these columns.
type table struct{ x, score string }

func (t table) write(x []string) string {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write([]string{t.x}) // a Buffer takes all
	for _, x := range x {
		w.Write([]string{x})
	}
	w.Flush()
	return text.String()
}

func (t table) read(out string, x []string, said string) ([]oracle.Result, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(out, "\ufeff")))
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("wrote no CSV: %w", err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("wrote nothing; it has to write CSV with a column %s", t.score)
	}
	header, rows := rows[0], rows[1:]
	if len(rows) != len(x) {
		return nil, fmt.Errorf("wrote %d rows for %d strings; it has to write one for each, in order", len(rows), len(x))
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
		if header[i] != "" && slices.Contains(header[:i], header[i]) {
			return nil, fmt.Errorf("wrote two columns %s; it has to write one", shorten(header[i]))
		}
	}
	xAt, scoreAt, reasonAt := slices.Index(header, t.x), slices.Index(header, t.score), slices.Index(header, "reason")
	if scoreAt < 0 {
		return nil, fmt.Errorf("wrote no column %s; it wrote %s", t.score, shorten(strings.Join(header, ", ")))
	}
	results := make([]oracle.Result, len(x))
	for i, row := range rows {
		if xAt >= 0 && row[xAt] != x[i] {
			return nil, fmt.Errorf("wrote %s %q in row %d, where it read %q; it has to keep the rows and their order", t.x, shorten(row[xAt]), i+1, x[i])
		}
		score, err := parseScore(row[scoreAt])
		if err != nil {
			return nil, fmt.Errorf("wrote the %s %q for %q: want a number, or nothing", t.score, shorten(row[scoreAt]), x[i])
		}
		reason := ""
		if reasonAt >= 0 {
			reason = row[reasonAt]
		}
		results[i] = wire.Result(score, reason, said)
		for at, name := range header {
			if at == xAt || at == scoreAt || at == reasonAt {
				continue
			}
			cell := strings.TrimSpace(row[at])
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				wire.SetOther(&results[i], name, v)
			} else if bound.MatchString(cell) {
				return nil, fmt.Errorf("wrote the %s %q for %q: want a number, or nothing where there is none", name, shorten(cell), x[i])
			}
		}
	}
	return results, nil
}
