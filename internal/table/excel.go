package table

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// openExcel returns a sheet of an .xlsx workbook as rows. Numbers have all the digits that the file stores, with what a format adds to them.
func openExcel(s *source, o Options) (g *grid, err error) {
	// A broken workbook must not end the program, whatever excelize makes of it.
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("the workbook is broken (%v): save it anew, or as CSV", p)
		}
	}()
	content, err := s.read(s.most + 1)
	if err != nil {
		return nil, err
	}
	limits := excelize.Options{UnzipSizeLimit: maxBytes, UnzipXMLSizeLimit: maxBytes, RawCellValue: true}
	f, err := excelize.OpenReader(bytes.NewReader(content), limits)
	if err != nil {
		if errors.Is(err, excelize.ErrWorkbookFileFormat) || bytes.Contains(content[:min(len(content), 100)], []byte("opendocument")) {
			return nil, errors.New("it is a zip file and no Excel workbook: give .xlsx, CSV, or a file packed by gzip")
		}
		return nil, fmt.Errorf("the workbook cannot be read: %w", err)
	}
	defer f.Close()
	sheets := f.GetSheetList()
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	all := lookAt(f, sheets)
	name := withData(all, o)
	if o.Sheet != "" {
		i := slices.IndexFunc(sheets, func(s string) bool { return quantity.Fold(s) == quantity.Fold(o.Sheet) })
		if i < 0 {
			return nil, option.Errorf("%s: there is no such sheet%s", option.Setting{Name: "sheet", Value: o.Sheet}, usage.Suggest(o.Sheet, sheets))
		}
		name = sheets[i]
	}
	rows, err := readSheet(f, name)
	if err != nil {
		return nil, fmt.Errorf("sheet %q: %w", name, err)
	}
	ranges, struck := annotate(content, name, rows, strikes(f))
	g = &grid{struck: struck, merged: ranges, format: Format{Kind: excelKind, Sheet: name}, read: func(body) iter.Seq[row] { return slices.Values(rows) }}
	g.findHeader(o)
	g.leaveBeside(rows)
	if fillMerged(rows[min(max(g.headerLine, g.start-1), len(rows)):], ranges) {
		g.sample = nil
		g.look()
	}
	g.sheets = slices.DeleteFunc(all, func(s worksheet) bool { return s.name == name })
	return g, nil
}

// strikes returns a function that reports whether cells of a style of a workbook are struck through.
func strikes(f *excelize.File) func(style string) bool {
	known := map[string]bool{}
	return func(style string) bool {
		struck, ok := known[style]
		if !ok {
			i, err := strconv.Atoi(style)
			s, errStyle := f.GetStyle(i)
			struck = err == nil && errStyle == nil && s.Font != nil && s.Font.Strike
			known[style] = struck
		}
		return struck
	}
}

// worksheet is the beginning of one of a workbook.
type worksheet struct {
	name   string
	hidden bool
	rows   [][]string // with several cells
}

// lookAt returns the beginnings of sheets, those that are hidden last.
func lookAt(f *excelize.File, names []string) []worksheet {
	const first = 20
	var visible, hidden []worksheet
	for _, name := range names {
		s := worksheet{name: name}
		if rows, err := f.Rows(name); err == nil {
			for n := 0; n < first && rows.Next(); n++ {
				cells, err := rows.Columns()
				if err != nil {
					break
				}
				if cells = trimEmpty(mapped(cells, whitespace.Trim)); len(cells) > 1 {
					s.rows = append(s.rows, cells)
				}
			}
			_ = rows.Close()
		}
		if seen, err := f.GetSheetVisible(name); err == nil && !seen {
			s.hidden = true
			hidden = append(hidden, s)
			continue
		}
		visible = append(visible, s)
	}
	return slices.Concat(visible, hidden)
}

// withData returns the name of the first of the sheets one of whose first rows names columns as tables of strings have them, or else of the first:
// others are about the data, such as a cover.
func withData(sheets []worksheet, o Options) string {
	for _, s := range sheets {
		if slices.ContainsFunc(s.rows, func(cells []string) bool { return names(cells, o) }) {
			return s.name
		}
	}
	return sheets[0].name
}

func readSheet(f *excelize.File, sheet string) ([]row, error) {
	const most = 1 << 26 // cells
	cursor, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	formatted, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer formatted.Close()
	var rows []row
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
		r := row{line: len(rows) + 1, lines: 1}
		for i := range cells {
			if i < len(shown) && shown[i] != cells[i] {
				cells[i] = asShown(cells[i], shown[i])
			}
			cells[i] = whitespace.Trim(cells[i])
		}
		r.cells = slices.Clone(trimEmpty(cells))
		if all += len(r.cells); len(r.cells) > maxColumns || all > most {
			return nil, fmt.Errorf("row %d: it has too many cells: save the part with the measurements as CSV", r.line)
		}
		switch {
		case len(r.cells) == 0:
			r.kind = empty
		case strings.HasPrefix(r.cells[0], "#") && len(r.cells) == 1:
			r.kind = comment
		}
		rows = append(rows, r)
	}
	return rows, cursor.Error()
}

// shownNumber is a number as a format of Excel shows it, between what the format adds.
var shownNumber = regexp.MustCompile(`^(\D*?)(-?[\d.,]*\d[.,]?(?:E[+-]?\d+)?)(\D*)$`)

// asShown returns a cell as people see it, and a number with the digits that the file stores: a format may make >10, 45 % or 12 nM of it, and a
// date is none.
func asShown(stored, shown string) string {
	n, err := strconv.ParseFloat(stored, 64)
	if err != nil || shown == "" {
		return stored
	}
	parts := shownNumber.FindStringSubmatch(whitespace.Trim(shown))
	if parts == nil {
		return shown // a date, or TRUE
	}
	if digits := parts[2]; len(digits) > 1 && digits[0] == '0' && isDigits(digits) {
		return shown // 00042, a number of a compound
	}
	before, after := parts[1], parts[3]
	if strings.Contains(after, "%") {
		n *= 100
		stored = strconv.FormatFloat(n, 'g', 15, 64)
	}
	_, r := cutRelation(before + "1")
	related, rounded := r != (relation{}), rounds(n, strings.ReplaceAll(parts[2], ",", ""))
	switch {
	case !rounded && related:
		return stored // a format such as >10 for all that are above 10: whether this one is, excelize does not tell
	case !rounded:
		return shown // a date
	case !related:
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
