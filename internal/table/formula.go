package table

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// formula is what the XML of a workbook's cell says of one.
type formula struct {
	kind        string // of the cell's value
	text, value strings.Builder
	into        *strings.Builder // what is read; nil: something else
	has, valued bool             // the cell has a formula, and an element for its value
	shared      string           // number of a formula that other cells have, too; empty if none has
}

// begin begins an element of the cell.
func (f *formula) begin(e xml.StartElement) {
	switch {
	case f == nil:
	case e.Name.Local == "f":
		f.has, f.into, f.shared = true, &f.text, attribute(e, "si")
	default:
		f.valued, f.into = true, &f.value
	}
}

// add adds text of an element.
func (f *formula) add(text []byte) {
	if f != nil && f.into != nil {
		f.into.Write(text)
	}
}

// end ends an element, and reports whether it is that of a cell with a formula whose value is not known: programs that compute none leave it out, or write 0 into
// a workbook that is to be computed when it is opened (stale). Excel itself writes an empty text for one. Formulas that other cells have are kept by number.
func (f *formula) end(name string, shared map[string]string, stale bool) bool {
	if f == nil {
		return false
	}
	f.into = nil
	if name != "c" || !f.has {
		return false
	}
	if f.shared != "" && f.text.Len() > 0 {
		shared[f.shared] = f.text.String()
	} else if f.text.Len() == 0 {
		f.text.WriteString(shared[f.shared])
	}
	value := strings.TrimSpace(f.value.String())
	return value == "" && !(f.valued && f.kind == "str") || value == "0" && stale
}

// setFormula writes a formula into a cell of a row that has others; rows of formulas alone, as a template has them, stay empty.
func (r *row) setFormula(column int, text string) {
	if r.kind != data && r.kind != empty || column < 0 || column >= maxColumns {
		return
	}
	r.formulas = append(r.formulas, make([]bool, max(0, column+1-len(r.formulas)))...)
	if r.formulas[column] = true; r.kind == empty {
		return
	}
	for len(r.cells) <= column {
		r.cells = append(r.cells, "")
	}
	r.cells[column] = "=" + cmp.Or(text, "()")
}

// isFormula reports whether a cell has a formula instead of its value: one of a workbook, or of CSV that a spreadsheet wrote while it showed formulas.
func isFormula(cell string) bool {
	text, ok := strings.CutPrefix(cell, "=")
	return ok && text != "" && !strings.ContainsAny(text[:1], `=<>"`) && strings.ContainsAny(text, "0123456789(") && !isValue(cell)
}

// hasFormulasAlone reports whether a row is empty but for formulas without values.
func (g *grid) hasFormulasAlone() bool {
	for r := range g.rows(g.begin()) {
		if r.kind == empty && r.formulas != nil {
			return true
		}
	}
	return false
}

const computeFormulas = "open the workbook in Excel and save it, or write the values"

// formulaReason is why a cell with a formula cannot be read.
func formulaReason(cell string) Reason {
	return Reason{FormulaCell, fmt.Sprintf("%q is a formula without its value: %s", usage.Shorten(cell, 40), computeFormulas)}
}

// formulas says which columns, but some, hold formulas without their values; "" if none does.
func (g *grid) formulas(but []int) string {
	all := g.where(func(i int) bool {
		return !slices.Contains(but, i) && slices.ContainsFunc(g.sample, func(r row) bool { return field(r.formulas, i) })
	})
	switch len(all) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("column %s holds formulas without their values: %s", g.list(all), computeFormulas)
	}
	return fmt.Sprintf("columns %s hold formulas without their values: %s", g.list(all), computeFormulas)
}
