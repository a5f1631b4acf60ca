package table

import (
	"slices"
	"strings"
)

// preamble finds the rows between the header and the data that say what columns hold: those of PubChem, or one with units. They are no
// rows of data, and their units are those of the columns.
func (g *grid) preamble() {
	n := 0
	for n < len(g.sample) && n < 10 && g.format.Header && !g.blocks && g.format.Kind != "FASTA" {
		cells := g.sample[n]
		switch {
		case g.isPubChem(cells):
			g.layout = "PubChem"
			if cells[0] == "RESULT_UNIT" {
				g.stated = g.unitsOf(cells[1:], 1)
			}
		case g.isUnitsRow(cells, g.sample[n+1:]):
			g.stated = g.unitsOf(cells, 0)
		case !isTypesRow(cells):
			g.passOver(n)
			return
		}
		n++
	}
	g.passOver(n)
}

// isPubChem reports whether a row of PubChem's says what its columns hold, by its first cell: RESULT_TYPE, RESULT_UNIT and so on.
func (g *grid) isPubChem(cells []string) bool {
	return strings.HasPrefix(cells[0], "RESULT_") && slices.ContainsFunc(g.header, func(name string) bool { return strings.HasPrefix(name, "PUBCHEM_") })
}

// isUnitsRow reports whether a row has units, and below them are numbers. It has none itself.
func (g *grid) isUnitsRow(cells []string, below [][]string) bool {
	units := 0
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if isScore(cell) {
			return false
		}
		numbers, all := 0, 0
		for _, row := range below[:min(len(below), 100)] {
			if i < len(row) && row[i] != "" && !isMissing(row[i]) {
				all++
				if isValue(row[i]) {
					numbers++
				}
			}
		}
		_, ok := unitCell(cell)
		switch {
		case all == 0 || 2*numbers <= all:
			if i < g.width && g.rank(inputNames, i) >= 0 && len(cell) > 12 { // it has a string
				return false
			}
		case ok:
			units++
		}
	}
	return units > 0
}

// isTypesRow reports whether a row has nothing but the types of columns.
func isTypesRow(cells []string) bool {
	n := 0
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		if n++; !slices.Contains([]string{"string", "str", "text", "float", "double", "number", "numeric", "int", "integer", "real"}, strings.ToLower(cell)) {
			return false
		}
	}
	return n > 1
}

// unitCell reads a unit in a cell of its own: nM, (nM), [nM].
func unitCell(cell string) (unit, bool) { return parseUnit(strings.Trim(cell, "()[]{} "), false) }

// unitsOf returns the units in a row, whose cells begin at a column.
func (g *grid) unitsOf(cells []string, from int) []unit {
	units := make([]unit, len(g.header))
	for i, cell := range cells {
		if at := i + from; at < len(units) {
			units[at], _ = unitCell(cell)
		}
	}
	return units
}

// passOver makes comments of the first n rows of data.
func (g *grid) passOver(n int) {
	if n == 0 {
		return
	}
	g.sample, g.headings = g.sample[n:], nil // names have units now
	for r := range g.begin() {
		if r.kind != data || r.problem != "" || r.line <= g.headerLine {
			continue
		}
		if n--; n < 0 {
			return
		}
		g.start = r.line + r.lines
	}
}
