package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
)

// isUnits reports whether a column holds units: by its name and content, or by its content alone if that is certain.
func (g *grid) isUnits(i int) bool {
	isUnit := func(cell string) bool { _, ok := quantity.ParseUnit(cell); return ok }
	switch h := g.heading(i); {
	case slices.Contains(unitNames, h.Base): // whatever the others are: rows in these are set aside
		return g.share(i, isUnit) > 0
	case h.HasAny(unitNames):
		return g.share(i, isUnit) > 0.5
	}
	certain := func(cell string) bool {
		u, ok := quantity.ParseUnit(cell)
		return ok && len(cell) > 1 && (u.PerVolume() || strings.Contains(cell, "/"))
	}
	first := g.cells(i, 1)
	return len(first) > 0 && certain(first[0]) && g.share(i, certain) == 1
}

// chooseUnits sets the units of the outcomes, and what they are converted to: the unit of the study, of the Options or
// of the first column.
func (g *grid) chooseUnits(o Options, c *columns) error {
	given, errGiven := readUnit(o.Unit, quantity.ParseGiven)
	target, err := readUnit(o.Like.Unit, quantity.ParseStated)
	if err := cmp.Or(errGiven, err, checkScale(o.Scale)); err != nil {
		return err
	}
	study := o.Like.Score != ""
	if !study {
		target = given
	} else if h := quantity.ParseHeading(o.Like.Score); !target.IsSet() && h.Unit.Equal(quantity.Ratio) && !h.Relative && o.Like.Scale == "" { // of earlier versions
		target = h.Unit
	}
	for i := range c.scores {
		out := &c.scores[i]
		name := g.name(out.column)
		if out.scale, err = g.scaleOf(out.column, o); err != nil {
			return err
		}
		if study && out.scale == "" && o.Like.Scale == "" {
			if err := g.sameScale(out.column, o.Like); err != nil {
				return err
			}
		}
		if out.scale == "" && (o.Scale != "" || o.Like.Scale != "") { // the column holds what is made of others
			out.molarLog = c.export == nil && quantity.IsMolarLog(name, "")
			continue
		}
		wanted := target
		switch {
		case wanted.IsSet():
		case i > 0: // replicates have one unit
			wanted = c.scores[0].want
		case len(o.Score) > 0 && !study: // "IC50 (uM)" of a column in nM
			wanted = quantity.ParseHeading(o.Score[0]).Unit
		}
		g.stateUnits(out, c)
		given, wanted := out.read(given), out.read(wanted)
		if named := g.heading(out.column).Unit; out.byRow && named.IsSet() && !wanted.IsSet() && !study && named.String() != out.stated.String() {
			wanted = named
			c.notes = append(c.notes, fmt.Sprintf("the name of column %s says %s, and most of its rows say %s: their numbers are converted to %s", name, named, out.stated, named))
		}
		switch {
		case study && !target.IsSet() && given.IsSet() && out.stated.ConvertsTo(given): // the study's, which states none
			wanted = given
		case out.byRow || !given.IsSet():
		case !out.stated.IsSet():
			out.stated = given
		case study && !out.stated.Equal(given):
			return &ColumnError{Role: RoleUnit, Name: given.String(), Problem: fmt.Sprintf("column %s is in %s", name, out.stated)}
		}
		wanted = o.asFraction("", *out, wanted)
		if !wanted.IsSet() && study && !given.IsSet() && o.isUndecided("", *out) {
			return &ColumnError{Role: RoleUnit, Name: quantity.Percent.String(), Problem: fmt.Sprintf("the numbers of column %s are in %%, and the study states no unit of %s, whose values may be ratios: give fraction as unit if they are, or %% if they are in per cent", name, o.Like.Score)}
		}
		switch {
		case !wanted.IsSet() && study && out.stated.IsSet() && o.Scale == "":
			c.notes = append(c.notes, fmt.Sprintf("the study states no unit; the numbers of column %s, in %s, are taken as they are", name, out.stated))
		case wanted.IsSet() && !out.stated.IsSet() && !out.byRow:
			c.notes = append(c.notes, fmt.Sprintf("column %s states no unit; its numbers are taken to be in %s", name, wanted))
		}
		if err := g.convert(out, wanted); err != nil {
			return err
		}
		if out.scale.IsNegative() && !out.want.ConvertsTo(quantity.Molar) {
			problem := "the unit of column " + name + " is not known"
			if out.want.IsSet() {
				problem = fmt.Sprintf("column %s is in %s, which is no molar concentration", name, out.want)
			}
			return &ColumnError{Role: RoleScale, Name: string(out.scale), Problem: problem, NoUnit: !out.want.IsSet()}
		}
	}
	for i := range c.others {
		out := &c.others[i]
		if out.column < 0 {
			continue
		}
		wanted := quantity.ParseHeading(o.Others[i]).Unit
		if !wanted.IsSet() {
			likewise := o.Like.OtherUnits[o.Others[i]]
			if out.scale != "" {
				likewise = o.Like.OtherFrom[o.Others[i]].Unit
			}
			wanted, err = readUnit(likewise, quantity.ParseStated)
		}
		g.stateUnits(out, c)
		if out.byRow && !wanted.IsSet() && out.stated.IsSet() {
			c.notes = append(c.notes, fmt.Sprintf("numbers of %s, and limits on it, are in %s, as most of its cells are; for another unit, name it %q", o.Others[i], out.stated, o.Others[i]+" (UNIT)"))
		}
		wanted = o.asFraction(o.Others[i], *out, wanted)
		if err := cmp.Or(err, g.convert(out, wanted)); err != nil {
			return err
		}
		if out.scale != "" && !out.want.ConvertsTo(quantity.Molar) {
			return &ColumnError{Role: RoleOther, Name: o.Others[i], Problem: fmt.Sprintf("there is no such column, and column %s, which it could be made of, states no molar concentration as its unit", g.name(out.column))}
		}
	}
	return nil
}

// convert sets the unit that an outcome's numbers are converted to: one that is wanted, or else their own.
func (g *grid) convert(out *outcome, wanted quantity.Unit) error {
	if out.want = wanted; !wanted.IsSet() {
		out.want = out.stated
	}
	if out.stated.IsSet() && !out.stated.ConvertsTo(out.want) {
		return &UnitError{Column: g.name(out.column), Unit: out.stated.String(), Want: wanted.String()}
	}
	if out.byRow { // a row that states no unit has that of the column's name
		out.stated = g.heading(out.column).Unit
	}
	return nil
}

// readUnit reads a unit that Options give or a study states; "" is none.
func readUnit(text string, parse func(string) (quantity.Unit, bool)) (quantity.Unit, error) {
	u, ok := parse(text)
	if !ok && text != "" {
		return u, &ColumnError{Role: RoleUnit, Name: text, Problem: "it is not known; units are written as nM, µg/mL, kcal/mol or %"}
	}
	return u, nil
}

// stateUnits finds out in which units an outcome's numbers are: stated is that of the column's name or, if that has
// none and rows state their own, of most rows. Beside a column of units, the name's is only that of rows without one.
func (g *grid) stateUnits(out *outcome, c *columns) {
	h := g.heading(out.column)
	out.log, out.lengths = h.Log != "", h.IsOfLength()
	out.stated = h.Unit
	out.positive = c.export == nil && h.Log == "" && (!h.Unit.IsSet() || h.Unit.PerVolume()) && (h.HasEndpoint() || c.wanted != "" && quantity.ParseHeading(c.wanted).HasEndpoint() && quantity.ParseHeading(c.wanted).Log == "")
	if h.Log != "" { // of a logarithm cells state none, or they hold what it is made of
		out.negative = h.Log == "p"
		if out.molarLog = c.export == nil && out.scale == "" && quantity.IsMolarLog(g.name(out.column), ""); out.molarLog {
			g.contradictUnits(out, c)
		}
		return
	}
	out.units, _ = g.companion(out.column, c.taken(), g.units, unitNames)
	if out.units >= 0 && h.Unit.IsSet() && g.valueOf(without(g.heading(out.units).Words, unitNames), out.column) {
		out.units = -1 // Standard Units are those of Standard Value, and not of PubChem Standard Value, which states its own
	}
	var units tally[string]
	numbers, rows := 0, 0
	for cells := range g.data() {
		n, ok := numeral.Parse(field(cells, out.column))
		if !ok || c.wanted != "" && c.spelled(field(cells, c.kind)) != c.wanted || !c.isAmong(cells) {
			continue
		}
		numbers++
		out.percents = out.percents || n.Unit.Equal(quantity.Percent)
		if u := unitOfRow(cells, n.Unit, out.units); u.IsSet() {
			units.add(u.String())
			rows++
		}
	}
	if rows > 0 && out.units >= 0 || 2*rows > numbers {
		if out.byRow = true; !h.Unit.IsSet() || out.units >= 0 {
			stated, _ := quantity.ParseUnit(units.usual()[0])
			out.stated = out.read(stated)
		}
	}
}

// contradictUnits finds the column of units of concentration beside negative logarithms, which have none, in a table
// without the concentrations: one of ChEMBL has them in Standard Value. If some number is hardly such a logarithm, all
// beside a unit may be concentrations; otherwise a note says how they are taken.
func (g *grid) contradictUnits(out *outcome, c *columns) {
	const least, most = 1, 12 // of most assays
	isMolar := func(cell string) bool { u, ok := quantity.ParseUnit(cell); return ok && u.ConvertsTo(quantity.Molar) }
	units, _ := g.companion(out.column, c.taken(), g.units, unitNames)
	if units < 0 || g.linear(out.column) || g.share(units, isMolar) == 0 {
		return
	}
	style, beside := g.style(out.column), false
	for r := range g.dataRows() {
		m := readCell(field(r.Cells, out.column), styleAt(style, r, out.column))
		if m.state != Measured || m.unit.IsSet() || !isMolar(field(r.Cells, units)) {
			continue
		}
		if beside = true; m.number < least || m.number >= most {
			out.molar = units
			return
		}
	}
	if !beside {
		return
	}
	c.notes = append(c.notes, fmt.Sprintf("the numbers of column %s are taken as they are, and column %s is not used: a negative logarithm has no unit; if they are concentrations, write the unit with each number", g.name(out.column), g.name(units)))
}

// unitOfRow returns the unit of a number: that of its cell, or that in the column of units of its row.
func unitOfRow(cells []string, u quantity.Unit, units int) quantity.Unit {
	if !u.IsSet() {
		u, _ = quantity.ParseUnit(field(cells, units))
	}
	return u
}

// sameScale returns an error if a column holds logarithms and the scores of a study, which are what its tables state,
// are none, or the reverse.
func (g *grid) sameScale(column int, like Columns) error {
	name, h, scores := g.name(column), g.heading(column), quantity.ParseHeading(like.Score)
	linear := func(h quantity.Heading) bool { return h.HasEndpoint() || h.Unit.IsSet() }
	switch {
	case h.Log == scores.Log && h.LogBase() == scores.LogBase():
	case h.Log == "" && h.IsLog() && !scores.IsLog():
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds logarithms, and %s, the score of the study, is none; convert them first", like.Score)}
	case h.Log != "" && scores.Log != "":
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("its logarithms are not those of %s, the scores of the study", like.Score)}
	case h.Log != "" && (linear(scores) || like.Unit != "" || slices.Equal(h.WithoutLog(), scores.Words)):
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds logarithms, and %s, the score of the study, is none; convert them first", like.Score)}
	case scores.Log != "" && linear(h):
		e := &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds no logarithms, and %s, the score of the study, is one; convert its numbers first", like.Score)}
		if endpoint, scale := quantity.Endpoint(scores.Base); scale == "p" && endpoint == h.Base {
			e.Role, e.Name, e.Source, e.Problem = RoleScale, like.Score, name, fmt.Sprintf("column %s holds no logarithms", name)
		}
		return e
	}
	return nil
}

// scaleOf returns the scale that the numbers of a column are to be brought to; none if they are on it.
func (g *grid) scaleOf(column int, o Options) (quantity.Scale, error) {
	h, scale := g.heading(column), cmp.Or(o.Scale, o.Like.Scale)
	if scale == "" || o.Like.Score != "" && h.Base == quantity.Fold(o.Like.Score) || h.Base == quantity.Fold(scale.Name("")) {
		return "", nil
	}
	if h.Log != "" {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s holds logarithms", g.name(column))}
	}
	var quantities []string
	for _, word := range append([]string{h.Base}, h.Words...) {
		if endpoint, _ := quantity.Endpoint(word); endpoint != "" {
			quantities = append(quantities, endpoint)
		}
	}
	if len(quantities) > 0 && scale.IsNegative() && !slices.Contains(quantities, scale.Endpoint()) {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s is another quantity, whose scale is %s", g.name(column), quantity.ScaleOf(quantities[0]))}
	}
	return scale, nil
}

// asFraction returns the unit that the numbers of an outcome are converted to, a fraction if the study's are such and
// those of the table are in %.
func (o Options) asFraction(outcome string, out outcome, wanted quantity.Unit) quantity.Unit {
	if !wanted.IsSet() && o.Known != nil && slices.Contains(o.Known.Fractions, outcome) && (out.percents || out.stated.Equal(quantity.Percent)) {
		return quantity.Fraction
	}
	return wanted
}

// isUndecided reports whether the numbers of an outcome are in %, and the study's may be ratios or in per cent.
func (o Options) isUndecided(outcome string, out outcome) bool {
	return o.Known != nil && slices.Contains(o.Known.Ratios, outcome) && (out.percents || out.stated.Equal(quantity.Percent))
}
