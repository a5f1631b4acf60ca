package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
)

// isFormula reports whether a cell has a formula instead of its value: one of a workbook, or of CSV that a spreadsheet
// wrote while it showed formulas.
func isFormula(cell string) bool {
	text, ok := strings.CutPrefix(cell, "=")
	return ok && text != "" && !strings.ContainsAny(text[:1], `=<>"`) && strings.ContainsAny(text, "0123456789(") && !numeral.IsValue(cell)
}

// hasFormulasAlone reports whether a row is empty but for formulas without values.
func (g *grid) hasFormulasAlone() bool {
	for r := range g.rows(g.begin()) {
		if r.Kind == rawfile.Empty && r.Formulas != nil {
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
		return !slices.Contains(but, i) && slices.ContainsFunc(g.sample, func(r rawfile.Row) bool { return field(r.Formulas, i) })
	})
	switch len(all) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("column %s holds formulas without their values: %s", g.list(all), computeFormulas)
	}
	return fmt.Sprintf("columns %s hold formulas without their values: %s", g.list(all), computeFormulas)
}
