package task

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// Listing is the strings of a file.
type Listing struct {
	Source string // the file's name
	Rows   []Row
	Note   string // what was skipped, for people; may be empty
	Made   bool   // the file has all of ScoreColumn.Parts
	form   form   // that they are written in
}

// Row is one string of a file as it is written there, with its score if it has one.
type Row struct {
	Line   int
	Text   string
	Score  float64
	Scored bool
	Others []float64 // of ScoreColumn.Others, in their order; NaN where there is none
}

// Parse returns the model's string of a row, whether or not a model can encode it.
func (l Listing) Parse(r Row) (string, error) { return l.form.parse(r.Text) }

// Read returns the model's string of a row, which m can encode unless m is nil. The error names file and line.
func (l Listing) Read(r Row, m vae.Model) (string, error) {
	x, err := l.Parse(r)
	if err == nil && m != nil {
		if err = m.Check(x); err != nil && x != r.Text {
			why := ""
			if l.form.why != nil {
				why = l.form.why(r.Text)
			}
			err = fmt.Errorf("%q: %w%s", usage.Shorten(r.Text, 60), err, why)
		}
	}
	if err != nil {
		return "", usage.Errorf("%s, line %d: %w", l.Source, r.Line, err)
	}
	return x, nil
}

// ReadAll returns the model's strings of all rows; see Read.
func (l Listing) ReadAll(m vae.Model) ([]string, error) {
	x := make([]string, len(l.Rows))
	for i, r := range l.Rows {
		var err error
		if x[i], err = l.Read(r, m); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// ScoreColumn says which column of a CSV file holds scores. The zero value reads none.
type ScoreColumn struct {
	Name   string   // the column's name, or NoScores; empty: the first of Known that the file has
	Known  []string // by preference
	Others []string // columns with further outcomes, which the file may lack
	Parts  []string // those of Others that a score is made of: a file with all of them needs no column of scores
}

// NoScores is a ScoreColumn's Name for a file whose scores are not to be read.
const NoScores = "none"

// ReadFile reads the strings of a file: one per line, or a table with a header if the name ends in .csv or .tsv. Gzip is recognized.
func ReadFile(f File, n Notation, scores ScoreColumn) (Listing, error) {
	r, err := f.Open()
	if err != nil {
		return Listing{}, usage.Wrap(err)
	}
	defer r.Close()
	l, err := readStrings(r, f.IsTable(), n, scores)
	if err != nil {
		return Listing{}, usage.Errorf("%s: %w", f.Source(), err)
	}
	if l.Source = f.Source(); l.Note != "" {
		l.Note = l.Source + ": " + l.Note
	}
	return l, nil
}

// readStrings reads plain lines or a table, gzipped or not. It skips blank lines, rows whose score is not finite (their
// evaluation has failed before), and a last line that a crash has cut off.
func readStrings(r io.Reader, isTable bool, n Notation, scores ScoreColumn) (Listing, error) {
	text, err := plain(r)
	if err != nil {
		return Listing{}, err
	}
	var l Listing
	if isTable {
		l, err = readTable(text, n, scores)
	} else {
		l, err = readLines(text, n)
	}
	if err != nil {
		return Listing{}, err
	}
	if len(l.Rows) == 0 {
		return Listing{}, errors.New("it contains no strings")
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

func readLines(r io.Reader, n Notation) (Listing, error) {
	l := Listing{form: n.plain}
	text, err := io.ReadAll(r)
	if err != nil {
		return l, err
	}
	if sequences, lines, ok := table.FASTA(string(text)); ok && !n.named {
		for i, x := range sequences {
			l.Rows = append(l.Rows, Row{Line: lines[i], Text: x})
		}
		l.Note = fmt.Sprintf("read as FASTA, with %d sequences", len(l.Rows))
		return l, nil
	}
	err = eachLine(bytes.NewReader(text), n, func(text string, line int) { l.Rows = append(l.Rows, Row{Line: line, Text: text}) })
	return l, err
}

// eachLine calls f with the string of each line that has one.
func eachLine(r io.Reader, n Notation, f func(text string, line int)) error {
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
			f(text, at)
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d is longer than a million bytes: give a text file with one string per line", at+1)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", at+1, err)
	}
	return nil
}

// delimiter returns what is between the cells of a table: of comma, semicolon and tab the one that the first line has most of.
func delimiter(r *bufio.Reader) rune {
	header, _ := r.Peek(r.Size())
	header, _, _ = bytes.Cut(header, []byte("\n"))
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int {
		return bytes.Count(header, []byte(string(a))) - bytes.Count(header, []byte(string(b)))
	})
}

func readTable(r *bufio.Reader, n Notation, scores ScoreColumn) (Listing, error) {
	between := delimiter(r)
	text, err := io.ReadAll(r)
	if err != nil {
		return Listing{}, err
	}
	c := csv.NewReader(bytes.NewReader(text))
	c.Comma = between
	header, err := c.Read()
	if err == io.EOF {
		return Listing{}, errors.New("the file is empty")
	}
	if err != nil {
		return Listing{}, err
	}
	var l Listing
	textAt, all := -1, []string{}
	for _, l.form = range n.forms {
		if textAt = find(header, l.form.columns); textAt >= 0 {
			break
		}
		all = append(all, l.form.columns...)
	}
	if textAt < 0 {
		return Listing{}, fmt.Errorf("no column is named %s; it has %s: rename the one with the strings",
			strings.Join(all, " or "), list(header))
	}
	scoreAt, err := scores.find(header)
	if err != nil {
		return Listing{}, err
	}
	othersAt := make([]int, len(scores.Others)) // -1 if there is no such column
	for i, name := range scores.Others {
		othersAt[i] = slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name })
	}
	lacks := func(part string) bool { return othersAt[slices.Index(scores.Others, part)] < 0 }
	l.Made = len(scores.Parts) > 0 && !slices.ContainsFunc(scores.Parts, lacks)
	var records [][]string
	marks := map[int]string{} // what a column has before decimals
	doubts := map[int]error{} // on the first number of a column whose comma may separate thousands
	certain := map[int]bool{} // columns with a number whose comma can only be before decimals
	for {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil && !bytes.HasSuffix(text, []byte("\n")) && c.InputOffset() == int64(len(text)) {
			l.Note = "the last line is incomplete, perhaps after a crash, and was skipped"
			break
		}
		if err != nil {
			return Listing{}, err // names the line
		}
		records = append(records, record)
		row := Row{Text: strings.TrimSpace(record[textAt])}
		row.Line, _ = c.FieldPos(textAt)
		if row.Text == "" {
			continue
		}
		score := func(at int) (v float64, known bool, err error) {
			if at < 0 || strings.TrimSpace(record[at]) == "" {
				return 0, false, nil
			}
			v, mark, err := parseNumber(record[at], between)
			if err != nil {
				return v, false, fmt.Errorf("line %d: %s %q is not a number; leave it empty to have it evaluated", row.Line, header[at], record[at])
			}
			if marks[at] = cmp.Or(marks[at], mark); mark != "" && mark != marks[at] {
				return v, false, fmt.Errorf("line %d: %s %q, and numbers above have a %q before decimals; write all with the same", row.Line, header[at], record[at], marks[at])
			}
			switch text := strings.TrimSpace(record[at]); {
			case mark == "," && !thousands.MatchString(text):
				certain[at] = true
			case mark == "," && doubts[at] == nil:
				doubts[at] = fmt.Errorf("line %d: %s %q may be %s or %s; write it in one of these ways", row.Line, header[at], record[at],
					strings.Replace(text, ",", ".", 1), strings.Replace(text, ",", "", 1))
			}
			return (oracle.Result{Score: v}).Usable().Score, true, nil
		}
		if row.Score, row.Scored, err = score(scoreAt); err != nil {
			return Listing{}, err
		}
		for _, at := range othersAt {
			v, known, err := score(at)
			if err != nil {
				return Listing{}, err
			}
			if !known {
				v = math.NaN()
			}
			row.Others = append(row.Others, v)
		}
		if row.Scored && math.IsNaN(row.Score) {
			continue
		}
		l.Rows = append(l.Rows, row)
	}
	for _, at := range append([]int{scoreAt}, othersAt...) {
		if doubts[at] != nil && !certain[at] {
			return Listing{}, doubts[at]
		}
	}
	if scoreAt < 0 && !l.Made && scores.Name == "" && len(scores.Known) > 0 {
		for _, form := range n.forms { // the same strings in another form are no scores
			all = append(all, form.columns...)
		}
		all = append(all, scores.Others...)
		if found := numeric(header, records, between, all); len(found) > 0 {
			return Listing{}, fmt.Errorf("column %s looks like a score, and none is named %s: give --score %s to read it, or --score %s",
				found[0], strings.Join(scores.Known, " or "), cmp.Or(found[0], "NAME"), NoScores)
		}
	}
	return l, nil
}

// thousands are numbers whose comma may be between thousands.
var thousands = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)

// parseNumber reads a cell of a table whose cells are separated by between. Unless that is a comma, decimals may follow one. The mark
// is a point or a comma before decimals; empty if there are none.
func parseNumber(cell string, between rune) (v float64, mark string, err error) {
	text := strings.TrimSpace(cell)
	if i := strings.IndexAny(text, ".,"); i >= 0 {
		mark = text[i : i+1]
	}
	if between != ',' && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	v, err = strconv.ParseFloat(text, 64)
	return v, mark, err
}

// find returns the index of the column with the scores; -1 if there is none.
func (s ScoreColumn) find(header []string) (int, error) {
	switch s.Name {
	case "":
		return find(header, s.Known), nil
	case NoScores:
		return -1, nil
	}
	at := find(header, []string{s.Name})
	if at < 0 {
		return -1, fmt.Errorf("--score %s: there is no such column; it has %s", s.Name, list(header))
	}
	return at, nil
}

// list names the columns of a header. It is cut, because a file that is no table may be one line of many megabytes.
func list(header []string) string { return usage.Shorten(strings.Join(header, ", "), 200) }

// numeric returns the names of columns, other than those to skip, that hold a number in most rows. A column that counts the
// rows, or that has no name, is no score.
func numeric(header []string, records [][]string, between rune, skip []string) []string {
	var found []string
	for i, name := range header {
		if strings.TrimSpace(name) == "" || find(header[i:i+1], skip) == 0 {
			continue
		}
		numbers, counts := 0, true
		for row, record := range records {
			v, _, err := parseNumber(record[i], between)
			if err == nil {
				numbers++
			}
			first, _, _ := parseNumber(records[0][i], between)
			counts = counts && err == nil && v == first+float64(row) && v == math.Trunc(v)
		}
		if 2*numbers > len(records) && !(counts && len(records) > 0) {
			found = append(found, name)
		}
	}
	return found
}

// find returns the index of the first of names in header, in letters of any case; -1 if there is none.
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

// Skipped says how many rows were left out, and why the first few.
func Skipped(invalid []error) string {
	if len(invalid) == 0 {
		return ""
	}
	const examples = 3
	note := fmt.Sprintf("%d rows that cannot be used were left out", len(invalid))
	for _, err := range invalid[:min(examples, len(invalid))] {
		note += "\n  " + err.Error()
	}
	if len(invalid) > examples {
		note += "\n  …"
	}
	return note
}
