package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
)

// NamesMutants reports whether a column of that name holds mutants.
func NamesMutants(column string) bool { return slices.Contains(mutantNames, quantity.Fold(column)) }

// placeMutants finds the column of mutants, which may be that of the strings: by name or content if the wild type is
// known. Without one, a study knows rows by their mutants as names, and another table is refused.
func (g *grid) placeMutants(o Options, c *columns, q *Question) error {
	if c.input < 0 {
		return nil
	}
	named := func(i int) bool { return slices.Contains(mutantNames, g.heading(i).Base) }
	if cells := g.cells(c.input, sampled); named(c.input) && mostly(cells, mutation.LacksWildType) && (o.WildType != "" || o.Sequences == Detect) {
		example := usage.Shorten(cells[slices.IndexFunc(cells, mutation.LacksWildType)], 40)
		return usage.Errorf("column %s holds mutants such as %s, without what the wild type has at the position: write K2R for 2R", g.name(c.input), example)
	}
	holds := g.share(c.input, mutation.Is) > 0.5
	switch {
	case o.WildType != "" && (holds || named(c.input) && g.share(c.input, isLetters) <= 0.5):
		if c.mutant = c.input; notation.ChainsOf(o.WildType) > 1 && o.Known == nil {
			return usage.Errorf("column %s holds mutants, and the wild type has %d chains: mutants are read of one sequence; write whole sequences, or give the chain that changes", g.name(c.input), notation.ChainsOf(o.WildType))
		}
	case o.WildType != "":
		taken := c.taken()
		c.mutant = g.one(func(i int) bool {
			return i == c.id && g.share(i, mutation.IsPlain) > 0.9 || named(i) && (i == c.id || !slices.Contains(taken, i)) && g.share(i, mutation.Is) > 0.5
		})
	case o.Named && named(c.input) && (holds || c.id == c.input):
		c.id, c.input = c.input, -1
	case holds && named(c.input), o.Sequences == Detect && g.share(c.input, mutation.IsPlain) > 0.9:
		example := ""
		cells := g.cells(c.input, sampled)
		if i := slices.IndexFunc(cells, mutation.Is); i >= 0 {
			example = usage.Shorten(cells[i], 40)
		}
		const why = "column %s holds mutants such as %s, and the sequence that they change is not known"
		q.ask(RoleWildType, fmt.Sprintf(why, g.name(c.input), example), g.candidates(c.input))
	}
	return nil
}

// checkParents refuses a table whose mutants are of several chains or proteins, as there is one wild type. A column of
// names that differ in most rows is left alone: these name the mutants. A column of backgrounds counts if rows share a
// background, or a mutant occurs on several.
func (g *grid) checkParents(_ Options, c *columns, _ *Question) error {
	for i := range g.header {
		base := g.heading(i).Base
		chains, backgrounds := slices.Contains(chainNames, base), g.isBackground(i)
		if c.mutant < 0 || i == c.mutant || i == c.input || i == c.background || !chains && !((slices.Contains(parentNames, base) || backgrounds) && g.share(i, numeral.IsValue) < 0.5) {
			continue
		}
		first, same := map[string]string{}, false // names by mutant; a mutant has several
		var of tally[string]
		rows, line, other := 0, 0, ""
		for r := range g.rows(g.begin()) {
			mutant, name := field(r.Cells, c.mutant), field(r.Cells, i)
			if r.Kind != rawfile.Data || mutation.IsWildType(mutant) || mutation.StandsForWildType(mutant) || numeral.IsMissing(mutant) || numeral.IsMissing(name) {
				continue
			}
			if of.add(name); len(of.order) == 2 && line == 0 {
				line, other = r.Line, mutant
			}
			if before, known := first[mutant]; known && before != name {
				same = true
			}
			first[mutant] = name
			rows++
		}
		few := 2*len(of.order) <= rows || backgrounds && (same || len(of.order) < rows)
		if line > 0 && (chains || few) && !(backgrounds && g.areCumulative(c, i)) {
			return usage.Errorf("line %d: %s is a variant of %s %s, and others are of %s; the wild type is one: keep the rows of one of them%s",
				line, usage.Shorten(other, 40), g.name(i), usage.Shorten(of.order[1], 40), usage.Shorten(of.order[0], 40), when(backgrounds, ", write backgrounds as mutants of it, such as K2R, or rename the column if it is about something else, such as strains"))
		}
	}
	return nil
}

// isLetters reports whether a cell may be a sequence rather than mutants: it has no digit.
func isLetters(cell string) bool {
	return !strings.ContainsAny(cell, "0123456789") && !mutation.IsWildType(cell)
}

// mutant reads the mutants of a row: as its Input, if that is where they are or there is no sequence, or to be compared
// with it.
func (r Record) mutant(cell string, isInput bool, o Options) Record {
	all, err := mutation.Parse(cell)
	if err != nil && (isInput || r.Input == "") && mutation.StandsForWildType(cell) {
		all, err, r.unmutated = nil, nil, cell
	}
	switch {
	case err != nil && !isInput && (r.Input != "" || o.Named && r.ID != ""): // the sequence says what it is, or the name
		return r
	case err != nil && o.Named && (isTrial(cell) || o.Known != nil && o.Known.named(cell)):
		r.ID, r.Input = cell, ""
		return r
	case err != nil:
		return r.invalid(BadMutant, "%v", err)
	}
	r.mutants = cell
	r.expected, r.contradicts, err = mutation.Apply(o.WildType, o.first(), all)
	if err != nil {
		return r.invalid(BadMutant, "%v", err)
	}
	if isInput || r.Input == "" {
		r.Input = r.expected
	}
	return r
}

// noteUnmutated notes what is taken for the wild type.
func (t *Table) noteUnmutated(column string) {
	var words []string
	for _, r := range t.Records {
		if r.unmutated != "" && !slices.Contains(words, r.unmutated) {
			words = append(words, r.unmutated)
		}
	}
	if len(words) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("column %s: %s taken for the wild type", column, usage.Shorten(enumerated(words), 100)+when(len(words) == 1, " is")+when(len(words) > 1, " are")))
	}
}

// joinMutants has mutants that a table spreads over columns read as one, in the last of these: K2R of a position, what
// the wild type has there and what becomes of it, or K2R:T3S of the first mutation and the second. A row with neither
// is the wild type, unless it may have a name alone.
func (g *grid) joinMutants(o Options) {
	if sequences := g.where(func(i int) bool { return 0 <= g.rank(inputNames[:2], i) && g.filled(i) }); len(sequences) > 0 {
		return
	}
	column := func(names string, is func(cell string) bool) int {
		known := list(names)
		return g.one(func(i int) bool { return slices.Contains(known, g.heading(i).Base) && g.share(i, is) > 0.9 })
	}
	from, at, to := column("mutant from", isResidue), column("mutant position", isWhole), column("mutant to", isResidue)
	numbered := g.where(func(i int) bool {
		cells := g.cells(i, sampled)
		return numberedMutant.MatchString(g.heading(i).Base) &&
			(cells == nil || slices.ContainsFunc(cells, func(cell string) bool { return mutation.Is(cell) || numeral.IsMissing(cell) }))
	})
	mutantOrNone := func(cell string) bool {
		return mutation.Is(cell) || numeral.IsMissing(cell) || mutation.StandsForWildType(cell)
	}
	if !slices.ContainsFunc(numbered, func(i int) bool { return g.share(i, mutantOrNone) > 0.9 && g.share(i, mutation.Is) > 0 }) {
		numbered = nil
	}
	var join func(cells []string)
	switch {
	case from >= 0 && at >= 0 && to >= 0:
		g.joined = []int{from, at, to}
		join = func(cells []string) {
			before, position, after := field(cells, from), whole(field(cells, at)), field(cells, to)
			if isResidue(before) && position != "" && after != "" && !mutation.IsWildType(after) {
				cells[to] = before + position + after
			}
		}
	case len(numbered) > 1:
		g.joined = numbered
		join = func(cells []string) {
			var all []string
			for _, i := range numbered {
				if cell := field(cells, i); !numeral.IsMissing(cell) && !mutation.IsWildType(cell) && !mutation.StandsForWildType(cell) {
					all = append(all, cell)
				}
			}
			last := numbered[len(numbered)-1]
			switch {
			case len(all) > 0:
				cells[last] = strings.Join(all, ":")
			case o.Named:
				cells[last] = field(cells, numbered[0])
			default:
				cells[last] = mutation.WildType
			}
		}
	default:
		return
	}
	joined := func(cells []string) []string { // a workbook's are read again, and end where a row does
		cells = append(slices.Clone(cells), make([]string, max(0, slices.Max(g.joined)+1-len(cells)))...)
		join(cells)
		return cells
	}
	g.rewrite(func(r rawfile.Row) rawfile.Row {
		r.Cells = joined(r.Cells)
		return r
	})
	for _, i := range g.joined {
		g.headings[i] = quantity.ParseHeading("part of a mutant")
	}
	g.headings[g.joined[len(g.joined)-1]] = quantity.ParseHeading(mutantNames[0])
}

var numberedMutant = regexp.MustCompile(`^(?:mut|mutant|mutation|variant|substitution|sub|aamutation|aasubstitution)[1-9][0-9]?$`)

// isResidue reports whether a cell says what is at a position, or that nothing is.
func isResidue(cell string) bool {
	return notation.AminoAcid(cell) != 0 || mutation.IsWildType(cell) || slices.Contains([]string{"stop", "ter", "del", "nonsense"}, strings.ToLower(cell))
}

// whole returns the digits of a whole number, which a workbook may hold as 2.0; empty if it is none.
func whole(cell string) string {
	cell = strings.TrimSuffix(cell, ".0")
	if numeral.IsDigits(strings.TrimPrefix(cell, "-")) {
		return cell
	}
	return ""
}

func isWhole(cell string) bool { return whole(cell) != "" }

// isTrial reports whether a cell is what a study calls a trial without a name: its number, or that after some P.
func isTrial(cell string) bool { return numeral.IsDigits(strings.TrimLeft(cell, "P")) }

// first returns the position of the first letter of the wild type.
func (o Options) first() int { return o.Offset + 1 }

// compare refuses a row whose sequence is not what its mutants make of the wild type. Mutants do not tell D residues in
// lower case from others.
func (r *Record) compare(o Options) {
	if r.expected == "" || r.Input == "" || strings.EqualFold(r.Input, r.expected) {
		return
	}
	r.contradicts = true
	if len(r.Input) != len(r.expected) {
		*r = r.invalid(BadMutant, "the sequence has %d letters, and %s of the wild type has %d", len(r.Input), r.mutants, len(r.expected))
		return
	}
	at := 0
	for r.Input[at] == r.expected[at] {
		at++
	}
	*r = r.invalid(BadMutant, "position %d of the sequence is %c, and %c by %s", at+o.first(), r.Input[at], r.expected[at], r.mutants)
}

// WildTypeError says that most mutants of a table contradict the wild type.
type WildTypeError struct {
	Line     int    // of the first that does
	Reason   string // why it does
	Rows, Of int    // rows that contradict the wild type, and all that have mutants
	OfDNA    bool   // the wild type is DNA, and the mutants are of a protein

	First []int // positions that the wild type's first letter may have so that Fit rows fit, nine in ten or more; may be empty
	Fit   int
}

func (e *WildTypeError) Error() string {
	if e.OfDNA {
		return fmt.Sprintf("line %d: the wild type is DNA, and the mutants are of a protein (%s)", e.Line, e.Reason)
	}
	text := fmt.Sprintf("line %d: %s; %d of %d rows contradict the wild type", e.Line, e.Reason, e.Rows, e.Of)
	if len(e.First) > 0 {
		text += fmt.Sprintf("; if its first letter has position %s, %d fit", strings.Join(firstOf(stats.Map(e.First, strconv.Itoa), 5), " or "), e.Fit)
	}
	return text
}

// checkWildType compares sequences with their mutants. It returns a *WildTypeError if most of these contradict the wild
// type.
func (t *Table) checkWildType(o Options) error {
	e := &WildTypeError{}
	var of []string
	for i := range t.Records {
		r := &t.Records[i]
		if r.compare(o); r.mutants == "" || mutation.IsWildType(r.mutants) || r.unmutated != "" {
			continue
		}
		if _, name, err := mutation.ParseVariant(r.mutants); err == nil && name != "" && !slices.Contains(of, name) {
			if of = append(of, name); len(of) > 1 {
				return usage.Errorf("line %d: %s is a variant of %s, and others are of %s; the wild type is one: keep the rows of one of them", r.Line, usage.Shorten(r.mutants, 40), name, of[0])
			}
		}
		if e.Of++; r.contradicts {
			if e.Rows++; e.Rows == 1 {
				e.Line, e.Reason = r.Line, r.Reason.Text
			}
		}
	}
	if e.Rows > 0 && o.first() < 0 && mutation.SkipsZero(o.WildType, o.first(), t.mutants()) {
		return usage.Errorf("positions go from -1 to 1, without a position 0, which is not read: add 1 to the negative ones, and give the position of the first letter, %d then", o.first()+1)
	}
	if 2*e.Rows <= e.Of {
		return nil
	}
	mutants := t.mutants()
	if e.OfDNA = mutation.OfProteins(o.WildType, mutants); e.OfDNA {
		return e
	}
	e.First, e.Fit = mutation.Numbering(o.WildType, mutants)
	if slices.Contains(e.First, o.first()) || 10*e.Fit < 9*e.Of { // the sequences contradict their mutants, or it is another wild type
		e.First, e.Fit = nil, 0
	}
	return e
}

// mutants returns the substitutions of the rows that have some.
func (t *Table) mutants() (all [][]mutation.Substitution) {
	for _, r := range t.Records {
		if of, err := mutation.Parse(r.mutants); err == nil && len(of) > 0 {
			all = append(all, of)
		}
	}
	return all
}

// refuseBlanks refuses rows with a hyphen instead of a mutant that are blanks by their scores: below all others, and
// next to nothing beside those of rows that are called the wild type.
func (t *Table) refuseBlanks() {
	const nothing = 0.1
	var named, others []float64
	var blank []int
	for i, r := range t.Records {
		switch {
		case r.State != Measured || r.Bound != 0:
		case r.unmutated != "" && strings.Trim(r.unmutated, "-–—") == "":
			blank = append(blank, i)
		default:
			if others = append(others, r.Score); mutation.IsWildType(r.mutants) {
				named = append(named, r.Score)
			}
		}
	}
	if len(named) == 0 || t.Columns.Scale != "" || quantity.ParseHeading(t.Columns.Score).IsLog() {
		return
	}
	for _, i := range blank {
		if r := &t.Records[i]; r.Score <= slices.Min(others) && math.Abs(r.Score) < nothing*stats.Median(named) {
			*r = r.invalid(BadMutant, "%q is taken for a blank, as the score is next to nothing beside those of rows called WT: write WT if it is the wild type", r.unmutated)
			r.unmutated = ""
		}
	}
}
