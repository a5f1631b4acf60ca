package rawfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// Workbook is an open .xlsx workbook.
type Workbook struct {
	Sheets  []Preview // in the order of the workbook; at least one
	file    *excelize.File
	content []byte
}

// Preview is the beginning of a sheet.
type Preview struct {
	Name   string
	Hidden bool
	Rows   [][]string // those of its first 20 with several cells
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Rows   []Row   // row 1 is the first
	Merged []Range // where Excel shows several cells as one, as far as they are known
	Struck []int   // for each cell that is struck through, and so empty in Rows, its row
}

// Range is a range of cells. Columns and rows are counted from 0.
type Range struct{ Left, Top, Right, Bottom int }

// OpenWorkbook opens the workbook that a file is. It is to be closed.
func (f *File) OpenWorkbook() (_ *Workbook, err error) {
	defer recovered(&err)
	content, err := f.source.read(f.source.most + 1)
	if err != nil {
		return nil, err
	}
	limits := excelize.Options{UnzipSizeLimit: maxBytes, UnzipXMLSizeLimit: maxBytes, RawCellValue: true}
	book, err := excelize.OpenReader(bytes.NewReader(content), limits)
	if err != nil {
		if errors.Is(err, excelize.ErrWorkbookFileFormat) || bytes.Contains(content[:min(len(content), 100)], []byte("opendocument")) {
			return nil, errors.New("it is a zip file and no Excel workbook: give .xlsx, CSV, or a file packed by gzip")
		}
		return nil, fmt.Errorf("the workbook cannot be read: %w", err)
	}
	w := &Workbook{file: book, content: content}
	for _, name := range book.GetSheetList() {
		w.Sheets = append(w.Sheets, w.preview(name))
	}
	if len(w.Sheets) == 0 {
		w.Close()
		return nil, errors.New("the workbook has no sheet")
	}
	return w, nil
}

// recovered makes an error of a panic: a broken workbook must not end the program, whatever excelize makes of it.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the workbook is broken (%v): save it anew, or as CSV", p)
	}
}

// Close closes the workbook.
func (w *Workbook) Close() { _ = w.file.Close() }

// preview returns the beginning of a sheet, as far as it can be read.
func (w *Workbook) preview(name string) Preview {
	const first = 20
	p := Preview{Name: name}
	if rows, err := w.file.Rows(name); err == nil {
		for n := 0; n < first && rows.Next(); n++ {
			cells, err := rows.Columns()
			if err != nil {
				break
			}
			for i := range cells {
				cells[i] = whitespace.Trim(cells[i])
			}
			if cells = TrimEmpty(cells); len(cells) > 1 {
				p.Rows = append(p.Rows, cells)
			}
		}
		_ = rows.Close()
	}
	visible, err := w.file.GetSheetVisible(name)
	p.Hidden = err == nil && !visible
	return p
}

// Sheet reads a sheet by its name. Numbers have all the digits that the file stores, and what a format adds to them.
func (w *Workbook) Sheet(name string) (s Sheet, err error) {
	defer recovered(&err)
	if s.Rows, err = w.rows(name); err != nil {
		return s, fmt.Errorf("sheet %q: %w", name, err)
	}
	isStruck := func(s *excelize.Style) bool { return s.Font != nil && s.Font.Strike }
	s.annotate(w.content, name, w.styled(isStruck), w.styled(isDate))
	return s, nil
}

// isDate reports whether the format of a style shows numbers as days, months or years: Excel makes a date of what looks
// like one, and d.m shows 7.2.
func isDate(s *excelize.Style) bool {
	if s.CustomNumFmt == nil {
		return slices.Contains([]int{14, 15, 16, 17, 22}, s.NumFmt) || 27 <= s.NumFmt && s.NumFmt <= 36 || 50 <= s.NumFmt && s.NumFmt <= 58
	}
	code := strings.ToLower(noDate.ReplaceAllString(*s.CustomNumFmt, ""))
	return !strings.Contains(code, "general") && (strings.ContainsAny(code, "dy") || strings.Contains(code, "m") && !strings.ContainsAny(code, "hs"))
}

// noDate matches what a format says literally, its colours, conditions and durations, and the text after _ and * that
// is no part of a number.
var noDate = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]|[_*].`)

// styled returns a function that reports whether something holds for a style of cells.
func (w *Workbook) styled(is func(s *excelize.Style) bool) func(style string) bool {
	known := map[string]bool{}
	return func(style string) bool {
		holds, ok := known[style]
		if !ok {
			i, err := strconv.Atoi(style)
			s, errStyle := w.file.GetStyle(i)
			holds = err == nil && errStyle == nil && is(s)
			known[style] = holds
		}
		return holds
	}
}

// rows returns the rows of a sheet, without what annotate adds.
func (w *Workbook) rows(sheet string) ([]Row, error) {
	const most = 1 << 26 // cells
	cursor, err := w.file.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	formatted, err := w.file.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer formatted.Close()
	var rows []Row
	all := 0
	for cursor.Next() && formatted.Next() {
		cells, err := cursor.Columns()
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		shown, err := formatted.Columns(excelize.Options{})
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		r := Row{Line: len(rows) + 1, Lines: 1}
		for i := range cells {
			if i < len(shown) && shown[i] != cells[i] {
				cells[i] = asShown(cells[i], shown[i])
			}
			cells[i] = whitespace.Trim(cells[i])
		}
		r.Cells = slices.Clone(TrimEmpty(cells))
		if all += len(r.Cells); len(r.Cells) > MaxColumns || all > most {
			return nil, fmt.Errorf("row %d: it has too many cells: save the part with the measurements as CSV", r.Line)
		}
		switch {
		case len(r.Cells) == 0:
			r.Kind = Empty
		case strings.HasPrefix(r.Cells[0], "#") && len(r.Cells) == 1:
			r.Kind = Comment
		}
		rows = append(rows, r)
	}
	return rows, cursor.Error()
}

// shownNumber is a number as a format of Excel shows it, between what the format adds.
var shownNumber = regexp.MustCompile(`^(\D*?)(-?[\d.,]*\d[.,]?(?:E[+-]?\d+)?)(\D*)$`)

// asShown returns a cell as people see it, and a number with the digits that the file stores: a format may make >10, 45
// % or 12 nM of it, and a date is none.
func asShown(stored, shown string) string {
	n, err := strconv.ParseFloat(stored, 64)
	if err != nil || shown == "" {
		return stored
	}
	parts := shownNumber.FindStringSubmatch(whitespace.Trim(shown))
	if parts == nil {
		return shown // a date, or TRUE
	}
	if digits := parts[2]; len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789") == "" {
		return shown // 00042, a number of a compound
	}
	before, after := parts[1], parts[3]
	if strings.Contains(after, "%") {
		n *= 100
		stored = strconv.FormatFloat(n, 'g', 15, 64)
	}
	isRelated, isRounded := numeral.IsRelated(before+"1"), rounds(n, strings.ReplaceAll(parts[2], ",", ""))
	switch {
	case !isRounded && isRelated:
		return stored // a format such as >10 for all that are above 10: whether this one is, excelize does not tell
	case !isRounded:
		return shown // a date
	case !isRelated:
		before = ""
	}
	if !strings.ContainsFunc(after, func(c rune) bool { return unicode.IsLetter(c) || c == '%' }) {
		after = ""
	}
	return before + stored + after
}

// rounds reports whether a text is a number rounded to its digits, without its sign or with it.
func rounds(n float64, text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	digits, exponent, _ := strings.Cut(strings.TrimPrefix(text, "-"), "E")
	_, decimals, _ := strings.Cut(digits, ".")
	power, _ := strconv.Atoi(exponent)
	last := math.Pow10(power - len(decimals))
	return math.Abs(math.Abs(n)-math.Abs(v)) <= 0.501*last+1e-15*math.Abs(n)
}
