package rawfile

import (
	"cmp"
	"encoding/xml"
	"strings"
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

// end ends an element, and reports whether it is that of a cell with a formula whose value is not known: programs that
// compute none leave it out, or write 0 into a workbook that is to be computed when it is opened (stale). Excel itself
// writes an empty text for one. Formulas that other cells have are kept by number.
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

// setFormula writes a formula into a cell of a row that has others; rows of formulas alone, as a template has them,
// stay empty.
func (r *Row) setFormula(column int, text string) {
	if r.Kind != Data && r.Kind != Empty || column < 0 || column >= MaxColumns {
		return
	}
	r.Formulas = append(r.Formulas, make([]bool, max(0, column+1-len(r.Formulas)))...)
	if r.Formulas[column] = true; r.Kind == Empty {
		return
	}
	for len(r.Cells) <= column {
		r.Cells = append(r.Cells, "")
	}
	r.Cells[column] = "=" + cmp.Or(text, "()")
}
