package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// NoRelation is an Options.Relation for a table whose numbers are all exact.
const NoRelation = "none"

// Words in the names of columns that say how those of numbers are to be read.
var (
	relationNames = []string{"relation", "relationship", "relational", "qualifier", "operator", "censoring", "censor", "censored", "modifier", "prefix", "sign",
		"inequality", "rel", "op", "mod"}
	censorNames = []string{"censoring", "censor", "censored"}
	unitNames   = []string{"unit", "units", "uom"}
	typeNames   = []string{"standardtype", "type", "activitytype", "bioactivitytype", "endpoint", "endpointtype", "measurementtype", "resulttype", "publishedtype",
		"valuetype", "readout", "assayreadout", "parameter", "metric", "measure", "quantity", "property"}
	quantityWords = []string{"inhibition", "activity", "potency", "affinity", "yield", "selectivity", "ratio", "efficacy", "activation", "solubility", "stability",
		"clearance", "permeability", "tm", "emax", "hill"}
)

// Words that a name of a companion shares with many columns.
var commonWords = []string{"result", "results", "assay", "data", "the", "of"}

// adjective is a column that says something of the numbers of another one: their relations or units.
type adjective struct {
	column int
	words  []string // of its name that say so; others name the column of the numbers
}

// companion returns the one of some adjectives that a column of numbers has; -1 if it has none. Of several the nearest is taken. Owner is
// the column of numbers that its name names, if that is another one whose logarithm this column holds; -1 otherwise.
func (g *grid) companion(score int, taken []int, adjectives []adjective) (column, owner int) {
	column, owner = -1, -1
	best := 0 // 3: of this column by its name, 2: of any, 1: of the number whose logarithm this column holds
	distance := func(i int) int {
		if i > score { // what is before a number is nearer
			return 2*(i-score) + 1
		}
		return 2 * (score - i)
	}
	for _, a := range adjectives {
		i := a.column
		if slices.Contains(taken, i) || i == score {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(g.heading(i).words), func(w string) bool { return slices.Contains(a.words, w) || slices.Contains(commonWords, w) })
		kind, named := 2, -1
		switch other := g.numbersNamed(of, i); {
		case len(of) > 0 && subset(of, g.heading(score).words):
			kind = 3
		case other >= 0 && g.heading(score).scale == "p" && g.heading(other).scale == "":
			kind, named = 1, other
		case other >= 0:
			continue
		}
		if kind > best || kind == best && distance(i) < distance(column) {
			best, column, owner = kind, i, named
		}
	}
	return column, owner
}

// relationColumns returns the columns of relations.
func (g *grid) relationColumns() []adjective {
	if g.relations == nil {
		g.relations = []adjective{}
		for i := range g.width {
			if g.isRelation(i, g.heading(i)) {
				g.relations = append(g.relations, adjective{i, relationNames})
			}
		}
	}
	return g.relations
}

// unitColumns returns the columns of units.
func (g *grid) unitColumns() []adjective {
	if g.units == nil {
		g.units = []adjective{}
		for i := range g.width {
			if g.isUnits(i, g.heading(i)) {
				g.units = append(g.units, adjective{i, unitNames})
			}
		}
	}
	return g.units
}

// numbersNamed returns the column of numbers that has all words in its name; -1 if there are no words, or no such column.
func (g *grid) numbersNamed(words []string, but int) int {
	for i := range g.width {
		if len(words) > 0 && i != but && subset(words, g.heading(i).words) && g.share(i, isValue) > 0.5 {
			return i
		}
	}
	return -1
}

// isRelation reports whether a column holds relations: by its content alone, or by its name and content.
func (g *grid) isRelation(i int, h heading) bool {
	cells := g.cells(i)
	if len(cells) == 0 || !h.any(relationNames) && !isSign(cells[0]) {
		return false
	}
	known := func(cell string) bool { _, ok := readRelation(cell); return ok }
	numbers := g.share(i, isValue) == 1 // 1, 0 and -1 are censoring from the right, none and from the left
	return g.share(i, known) >= 0.9 && (g.share(i, isSign) == 1 || h.any(relationNames) && !numbers || h.any(censorNames) && slices.Contains(cells, "-1"))
}

// isCensored reports whether a column says that numbers are bounds, but not on which side the true values are.
func (g *grid) isCensored(i int) bool {
	flag := func(cell string) bool {
		return slices.Contains([]string{"0", "1", "true", "false", "yes", "no", "y", "n", "t", "f"}, strings.ToLower(cell))
	}
	set := func(cell string) bool {
		return slices.Contains([]string{"1", "true", "yes", "y", "t"}, strings.ToLower(cell))
	}
	return g.heading(i).any(censorNames) && g.share(i, flag) == 1 && g.share(i, set) > 0
}

// chooseRelations sets the columns of relations.
func (g *grid) chooseRelations(o Options, c *columns) (*Ask, error) {
	if o.Relation == NoRelation {
		return nil, nil
	}
	given, err := g.named(RoleRelation, o.Relation)
	if err != nil {
		return nil, err
	}
	if given >= 0 {
		for i := range c.scores {
			c.scores[i].relations = given
		}
		return nil, nil
	}
	taken := c.taken()
	for _, outcomes := range [][]outcome{c.scores, c.others} {
		for i := range outcomes {
			out := &outcomes[i]
			if out.column < 0 {
				continue
			}
			var owner int
			out.relations, owner = g.companion(out.column, taken, g.relationColumns())
			out.flipped = owner >= 0 || out.relations >= 0 && g.heading(out.column).scale == "p" && g.linear(out.column) && !g.namesOutcome(out)
		}
	}
	for i := range g.width {
		if len(c.scores) > 0 && !slices.Contains(taken, i) && g.isCensored(i) {
			return &Ask{For: RoleRelation, Candidates: g.candidates(i),
				Why: fmt.Sprintf("column %s says which scores are bounds, but not whether the true values are above or below; > and < would", g.name(i))}, nil
		}
	}
	return nil, nil
}

// linear reports whether the table has numbers of which a column holds the negative logarithms.
func (g *grid) linear(column int) bool {
	for i := range g.width {
		h := g.heading(i)
		quantity, _ := endpoint(h.base)
		if i != column && h.scale == "" && (quantity != "" || h.base == "standardvalue" || h.base == "publishedvalue") && g.share(i, isValue) > 0.5 {
			return true
		}
	}
	return false
}

// namesOutcome reports whether the name of the column of relations has a word of the column that it is of.
func (g *grid) namesOutcome(o *outcome) bool {
	return g.heading(o.relations).any(g.heading(o.column).words)
}

// chooseType sets the column of kinds of measurement, and the kind that is wanted: that of the Options, or that of most rows.
func (g *grid) chooseType(o Options, c *columns) (*Ask, error) {
	taken := c.taken()
	for i := range g.width {
		h := g.heading(i)
		if slices.Contains(taken, i) || !slices.Contains(typeNames, h.base) || h.base != "standardtype" && g.share(i, isQuantity) <= 0.5 || g.share(i, isValue) > 0.5 {
			continue
		}
		c.kind = i
		break
	}
	wanted := o.Type
	if wanted == "" && c.kind >= 0 {
		wanted = o.Like.Type
	}
	if c.kind < 0 && wanted != "" {
		return nil, &ColumnError{Role: RoleType, Name: wanted, Problem: "no column says what kinds of measurement there are"}
	}
	if c.kind < 0 || len(o.Score) == 1 && o.Score[0] == NoScores {
		return nil, nil
	}
	kinds := g.count(c.kind)
	for _, k := range kinds {
		if wanted != "" && fold(k.text) == fold(wanted) {
			c.wanted = k.text
			return nil, nil
		}
	}
	switch {
	case wanted != "":
		return nil, &ColumnError{Role: RoleType, Name: wanted, Problem: "no row is of this kind; there are " + listed(kinds)}
	case len(kinds) > 1 && 2*kinds[1].rows > kinds[0].rows:
		a := &Ask{For: RoleType, Why: fmt.Sprintf("column %s has several kinds of measurement: %s", g.name(c.kind), listed(kinds))}
		for _, k := range kinds {
			a.Candidates = append(a.Candidates, Candidate{Names: []string{k.text}, Values: k.rows, Least: math.NaN(), Most: math.NaN()})
		}
		return a, nil
	case len(kinds) > 0:
		c.wanted = kinds[0].text
	}
	return nil, nil
}

// isQuantity reports whether a cell names a kind of measurement: IC50, pKi, % inhibition.
func isQuantity(cell string) bool {
	return slices.ContainsFunc(parseHeading(cell).words, func(w string) bool {
		quantity, _ := endpoint(w)
		return quantity != "" || slices.Contains(quantityWords, w)
	})
}

// counted is a text of a column, and in how many rows it is.
type counted struct {
	text string
	rows int
}

// count returns the different texts of a column, the most frequent first.
func (g *grid) count(column int) []counted {
	var all []counted
	at := map[string]int{}
	for r := range g.again() {
		if r.kind != data || r.line == g.headerLine || column >= len(r.cells) || r.cells[column] == "" {
			continue
		}
		text := usage.Shorten(r.cells[column], 60)
		i, ok := at[text]
		if !ok {
			i = len(all)
			at[text] = i
			all = append(all, counted{text: text})
		}
		all[i].rows++
	}
	slices.SortStableFunc(all, func(a, b counted) int { return b.rows - a.rows })
	return all
}

// listed names the most frequent texts with their rows.
func listed(all []counted) string {
	const most = 10
	var parts []string
	for _, c := range all[:min(len(all), most)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", c.text, c.rows))
	}
	if len(all) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// isUnits reports whether a column holds units: by its name and content, or by its content alone if that is certain.
func (g *grid) isUnits(i int, h heading) bool {
	known := func(cell string) bool { _, ok := parseUnit(cell, false); return ok }
	if h.any(unitNames) {
		return g.share(i, known) > 0.5
	}
	certain := func(cell string) bool {
		u, ok := parseUnit(cell, false)
		return ok && len(cell) > 1 && (u.dimension[metre] == -3 || strings.Contains(cell, "/"))
	}
	cells := g.cells(i)
	return len(cells) > 0 && certain(cells[0]) && g.share(i, certain) == 1
}

// chooseUnits sets the units of the outcomes, and what their numbers are converted to: the unit of the study, that of the Options, or
// that of the first column.
func (g *grid) chooseUnits(o Options, c *columns) error {
	given, err := readUnit(o.Unit)
	if err != nil {
		return err
	}
	target, err := readUnit(o.Like.Unit)
	if err != nil {
		return err
	}
	if err := o.Scale.check(); err != nil {
		return err
	}
	study := o.Like.Score != ""
	if !study {
		target = given
	}
	taken := c.taken()
	for i := range c.scores {
		out := &c.scores[i]
		name := g.name(out.column)
		if out.scale, err = g.scaleOf(out.column, o); err != nil {
			return err
		}
		if out.scale == "" && (o.Scale != "" || o.Like.Scale != "") { // the column holds what is made of others
			continue
		}
		wanted := target
		switch {
		case wanted.isSet():
		case i > 0: // replicates have one unit
			wanted = c.scores[0].want
		case len(o.Score) > 0: // "IC50 (uM)" of a column in nM
			wanted = parseHeading(o.Score[0]).unit
		}
		g.stateUnits(out, *c, taken)
		switch {
		case out.byRow || !given.isSet():
		case !out.stated.isSet():
			out.stated = given
		case study && !out.stated.is(given):
			return &ColumnError{Role: RoleUnit, Name: given.name, Problem: fmt.Sprintf("column %s is in %s", name, out.stated.name)}
		}
		switch {
		case !wanted.isSet():
			out.want = out.stated
			if study && out.stated.isSet() && o.Scale == "" {
				c.notes = append(c.notes, fmt.Sprintf("the study states no unit; the numbers of column %s, in %s, are taken as they are", name, out.stated.name))
			}
		case !out.stated.isSet() && !out.byRow:
			out.want = wanted
			c.notes = append(c.notes, fmt.Sprintf("column %s states no unit; its numbers are taken to be in %s", name, wanted.name))
		case !out.stated.converts(wanted):
			return &UnitError{Column: name, Unit: out.stated.name, Want: wanted.name}
		default:
			out.want = wanted
		}
		if out.byRow { // a row that states no unit has that of the column's name
			out.stated = g.heading(out.column).unit
		}
		if out.scale.negative() && !out.want.converts(molar()) {
			problem := "the unit of column " + name + " is not known"
			if out.want.isSet() {
				problem = fmt.Sprintf("column %s is in %s, which is no molar concentration", name, out.want.name)
			}
			return &ColumnError{Role: RoleScale, Name: string(out.scale), Problem: problem, NoUnit: !out.want.isSet()}
		}
	}
	for i := range c.others {
		out := &c.others[i]
		if out.column < 0 {
			continue
		}
		wanted := parseHeading(o.Others[i]).unit
		if unit, ok := o.Like.OtherUnits[o.Others[i]]; ok && !wanted.isSet() {
			if wanted, err = readUnit(unit); err != nil {
				return err
			}
		}
		g.stateUnits(out, *c, taken)
		if out.want = out.stated; wanted.isSet() {
			if out.stated.isSet() && !out.stated.converts(wanted) {
				return &UnitError{Column: g.name(out.column), Unit: out.stated.name, Want: wanted.name}
			}
			out.want = wanted
		}
		if out.byRow {
			out.stated = g.heading(out.column).unit
		}
	}
	return nil
}

// readUnit reads a unit that Options or a study state. One of a logarithm is that of its name: log nM.
func readUnit(text string) (unit, error) {
	if text == "" {
		return unit{}, nil
	}
	for _, scale := range []string{"p", "log"} {
		if rest, ok := strings.CutPrefix(text, scale+" "); ok {
			if u, ok := parseUnit(rest, false); ok {
				u.log, u.name = true, text
				return u, nil
			}
		}
	}
	u, ok := parseUnit(text, false)
	if !ok {
		return u, &ColumnError{Role: RoleUnit, Name: text, Problem: "it is not known; units are written as nM, µg/mL, kcal/mol or %"}
	}
	return u, nil
}

// stateUnits finds out in which units an outcome's numbers are: stated is that of the column or, if rows state their own, that of most
// rows.
func (g *grid) stateUnits(out *outcome, c columns, taken []int) {
	h := g.heading(out.column)
	out.stated = h.unit
	if h.scale == "" {
		out.units, _ = g.companion(out.column, taken, g.unitColumns())
	}
	units, numbers := g.unitsIn(out.column, out.units, func(r row) bool { return c.wanted == "" || c.kindOf(r) == c.wanted })
	rows := 0
	for _, u := range units {
		rows += u.rows
	}
	if rows > 0 && out.units >= 0 || 2*rows > numbers {
		out.byRow = true
		out.stated, _ = parseUnit(units[0].text, false)
	}
}

// unitsIn returns the units that rows state for the numbers of a column, in the cells of these or in a column of units, the most
// frequent first, and how many numbers there are. Rows that are not counted are passed over.
func (g *grid) unitsIn(column, units int, counts func(row) bool) (stated []counted, numbers int) {
	for r := range g.again() {
		if r.kind != data || r.line == g.headerLine || column >= len(r.cells) || !isValue(r.cells[column]) || !counts(r) {
			continue
		}
		numbers++
		number, _ := cutRelation(r.cells[column])
		_, u := cutUnit(number)
		stated = countUnit(stated, r, u, units)
	}
	slices.SortStableFunc(stated, func(a, b counted) int { return b.rows - a.rows })
	return stated, numbers
}

// countUnit counts the unit of a number: that of its cell, or that in the column of units of its row.
func countUnit(stated []counted, r row, u unit, units int) []counted {
	if !u.isSet() && units >= 0 && units < len(r.cells) {
		u, _ = parseUnit(r.cells[units], false)
	}
	if !u.isSet() {
		return stated
	}
	i := slices.IndexFunc(stated, func(c counted) bool { return c.text == u.name })
	if i < 0 {
		i = len(stated)
		stated = append(stated, counted{text: u.name})
	}
	stated[i].rows++
	return stated
}

// kindOf returns the kind of measurement of a row.
func (c columns) kindOf(r row) string {
	if c.kind < len(r.cells) {
		return r.cells[c.kind]
	}
	return ""
}

// scaleOf returns the scale that the numbers of a column are to be brought to; none if they are on it.
func (g *grid) scaleOf(column int, o Options) (Scale, error) {
	h, scale := g.heading(column), o.Scale
	if scale == "" {
		scale = o.Like.Scale
	}
	if scale == "" || o.Like.Score != "" && h.base == fold(o.Like.Score) || h.base == fold(scale.Name("")) {
		return "", nil
	}
	if h.scale != "" {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s holds logarithms", g.name(column))}
	}
	if quantity, _ := endpoint(h.base); quantity != "" && scale.negative() && quantity != scale.quantity() {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s is another quantity", g.name(column))}
	}
	return scale, nil
}
