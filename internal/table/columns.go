package table

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// heading returns the name of a column, taken apart, with the unit that a row below the header states.
func (g *grid) heading(column int) quantity.Heading {
	for i := len(g.headings); i < len(g.header); i++ {
		h := quantity.ParseHeading(g.unrepeated(i))
		if withError, ok := quantity.ParseWithError(g.header[i]); ok && g.share(i, statesError) > 0.5 {
			h = withError
		}
		if i < len(g.stated) && !h.Unit.IsSet() {
			h.Unit = g.stated[i]
		}
		if h.Relative && g.share(i, isFarAboveOne) > 0 {
			h.Unit = quantity.Unit{} // 100 relative to the wild type is hardly a hundredfold
		}
		g.headings = append(g.headings, h)
	}
	return g.headings[column]
}

// isFarAboveOne reports whether a cell has a number that is hardly one relative to another string's, but in per cent of it.
func isFarAboveOne(cell string) bool {
	const most = 20
	n, ok := numeral.Parse(cell)
	v, err := n.Value(numeral.Style{})
	return ok && err == nil && !n.Unit.IsSet() && v > most
}

// numbered matches the name of a column that pandas numbers as it is the second or a later one of its name: pIC50.1.
var numbered = regexp.MustCompile(`^(.+)\.([1-9]\d?)$`)

// unrepeated returns the name of a column without the number that tells it from others of the same name.
func (g *grid) unrepeated(i int) string {
	if m := numbered.FindStringSubmatch(g.header[i]); m != nil && slices.Contains(g.header, m[1]) && (m[2] == "1" || slices.Contains(g.header, m[1]+".1")) {
		return m[1]
	}
	return g.header[i]
}

// rank returns the rank of the name of a column; -1 if it is not known.
func (g *grid) rank(ranks [][]string, column int) int { return rankOf(ranks, g.heading(column).Base) }

func rankOf(ranks [][]string, folded string) int {
	return slices.IndexFunc(ranks, func(names []string) bool { return slices.Contains(names, folded) })
}

// columns says which columns hold what; -1 for what is not there.
type columns struct {
	input, id, se, sd, n int
	scores               []outcome         // none: no column; several: replicates
	others               []outcome         // of Options.Others
	kind                 int               // of measurement: IC50, Inhibition
	stereo               int               // says which molecules are drawn as one stereoisomer, and are mixtures of several
	wanted               string            // kind; empty: any
	spellings, kinds     map[string]string // of kinds, as rows have them and folded: see spelled
	among                int               // the column of an assay that is wanted, too
	amongValue           string            // which
	repeats              []int             // what tells replicates apart: their number, well, plate, run and day
	assay                int               // in which something was measured
	mutant               int               // of mutants of Options.WildType: input, or beside it
	parents, changes     int               // of sequences, and of mutants that change these: the strings are what they make; parents is input
	parentFirst          int               // position of the first letter of these sequences
	background           int               // of mutants that those of mutant are added to
	export               *layout           // of an export; nil: it is none
	selfies              bool              // input holds SELFIES
	used                 []int             // all of the above but repeats
	joined               []int             // columns that mutants are made of
	spread               []int             // those of grid.kinds
	replicates           []string          // of Table.Replicates
	notes                []string
}

// numbers returns the columns of scores and further outcomes.
func (c columns) numbers() (all []int) {
	for _, o := range slices.Concat(c.scores, c.others) {
		all = append(all, o.column)
	}
	return all
}

// taken returns the columns that have a use.
func (c columns) taken() []int {
	return slices.Concat([]int{c.input, c.id, c.se, c.sd, c.n, c.kind, c.mutant, c.changes, c.background}, c.numbers(), c.export.columns(), c.joined, c.spread)
}

// choose finds the columns. The error is a ColumnError, or the Question of all that is not clear.
func (g *grid) choose(o Options) (columns, error) {
	c := columns{input: -1, id: -1, se: -1, sd: -1, n: -1, kind: -1, among: -1, assay: -1, mutant: -1, stereo: -1, parents: -1, changes: -1, background: -1}
	if c.export = exportLayout(g.header); c.export != nil {
		c.export.choose(g, &o)
	}
	switch {
	case g.matrixRead:
		c.notes = append(c.notes, "the table is a matrix of positions and residues: each cell is read as the score of a mutant; empty cells and stops are left out")
	case o.Normalize == nil && o.Input == "" && g.isMatrix():
		return c, errors.New("it is a matrix of positions and residues: make a table with a row for each mutant, such as K2R, and columns mutant and score")
	}
	g.relations, g.units = g.where(g.isRelation), g.where(g.isUnits)
	if g.kinds != nil {
		c.spread = []int{g.kinds.column, g.kinds.values}
		if !o.noScores() { // the scores have a column of their own now
			o.Score = nil
		}
	}
	var q Question
	for _, step := range []func(Options, *columns, *Question) error{
		g.chooseGiven, g.chooseInput, g.chooseScores, g.chooseRest, g.placeMutants, g.placeParents, g.placeBackground, g.checkParents, g.chooseRelations, g.chooseType,
	} {
		if err := step(o, &c, &q); err != nil {
			if e, ok := errors.AsType[*ColumnError](err); ok && e.Absent {
				e.Problem += after("; ", g.onAnotherSheet(func(cell string) bool { return quantity.Fold(cell) == quantity.Fold(e.Name) }))
			}
			return c, err
		}
	}
	if o.Sheet == "" {
		g.noteSheets(&c)
	}
	if n := len(g.struck); n > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s struck through, and read as empty; the first is in row %d", plural(n, "cell is", "cells are"), g.struck[0]))
	}
	if n := len(g.beside); n > 0 {
		c.notes = append(c.notes, fmt.Sprintf("cells beside the table, which no heading is above, are not used: in %s, the first in row %d", plural(n, "row", "rows"), g.beside[0]))
	}
	if len(q.Asks) > 0 {
		q.IDs = g.candidates(g.where(func(i int) bool {
			return (i == c.id || !slices.Contains(c.taken(), i)) && g.rank(idNames[:2], i) >= 0 && g.filled(i)
		})...)
		if q.ID = ""; c.id >= 0 {
			q.ID = g.answer(c.id)
		}
		q.Hint = joined("; ", g.hint(q, c), g.formulas(nil))
		return c, &q
	}
	if c.used = c.taken(); o.Molecules {
		c.stereo = g.one(func(i int) bool {
			return !slices.Contains(c.used, i) && slices.Contains(stereoNames, g.heading(i).Base) && (g.share(i, isRacemic) > 0 || g.heading(i).HasAny([]string{"racemic", "racemate"}))
		})
	}
	assays := g.where(func(i int) bool { return !slices.Contains(c.used, i) && g.isAssay(i) })
	c.assay = g.one(func(i int) bool { return slices.Contains(assays, i) && g.several(i) })
	if c.assay < 0 && len(assays) > 0 {
		c.assay = assays[0]
	}
	for _, names := range [][]string{quantity.Replicates, wellNames, plateNames, runNames, dayNames} {
		if i := g.first([][]string{names}, slices.Concat(c.used, c.repeats)...); i >= 0 {
			c.repeats = append(c.repeats, i)
		}
	}
	g.findReplicates(o, &c)
	if unread := g.formulas(c.used); unread != "" {
		c.notes = append(c.notes, unread)
	}
	g.noteChains(o, &c)
	return c, g.chooseUnits(o, &c)
}

// repeat returns what tells a replicate from others; "": nothing does.
func (c *columns) repeat(cells []string) string {
	var all []string
	for _, i := range c.repeats {
		all = append(all, field(cells, i))
	}
	if strings.Join(all, "") == "" {
		return ""
	}
	return strings.Join(all, "\t")
}

// one returns the first column for which is holds; -1 if there is none.
func (g *grid) one(is func(column int) bool) int {
	for i := range g.header {
		if is(i) {
			return i
		}
	}
	return -1
}

// where returns the columns for which is holds.
func (g *grid) where(is func(column int) bool) (columns []int) {
	for i := range g.header {
		if is(i) {
			columns = append(columns, i)
		}
	}
	return columns
}

// byIndex begins the name of a column that is its index.
const byIndex = "\x00"

// named returns the column of a name that Options give or, if they give none, that of a table of the same study; -1 if
// there is none.
func (g *grid) named(role Role, name, like string) (int, error) {
	if name == "" {
		return g.find(like), nil
	}
	found := g.lookup(name)
	if len(found) == 1 {
		return found[0], nil
	}
	e := &ColumnError{Role: role, Name: name, Problem: "there is no such column" + suggest(name, g.header), Absent: true}
	switch {
	case len(found) > 1:
		numbers := stats.Map(found, func(i int) string { return strconv.Itoa(i + 1) })
		e.Problem = fmt.Sprintf("%d columns have this name: give the number of one, %s", len(found), strings.Join(numbers, " or "))
		if role == RoleOther { // it is called so in other tables, too
			e.Problem = fmt.Sprintf("columns %s have this name; leave it to one of them", strings.Join(numbers, " and "))
		}
	case len(g.others(name)) > 0 && g.heading(g.others(name)[0]).LogBase() != quantity.ParseHeading(name).LogBase():
		e.Absent, e.Problem = false, fmt.Sprintf("there is no such column, and %s is on another scale: convert its numbers first", g.list(g.others(name)))
	case len(g.others(name)) > 0:
		e.Absent, e.Problem, e.Another = false, fmt.Sprintf("there is no such column, and %s is another measurement by its name", g.list(g.others(name))), g.name(g.others(name)[0])
	case !g.format.Header:
		e.Problem = fmt.Sprintf("the file has no header: give the number of the column, 1 to %d", len(g.header))
	}
	return -1, e
}

// find returns the column of a name, or -1 if there is none or not only one.
func (g *grid) find(name string) int {
	if found := g.lookup(name); len(found) == 1 {
		return found[0]
	}
	return -1
}

// lookup returns the columns that a name may mean: those of that name, else of that name and unit in another writing,
// of that name alone or of that number.
func (g *grid) lookup(name string) (found []int) {
	if index, ok := strings.CutPrefix(name, byIndex); ok {
		i, _ := strconv.Atoi(index) // it is an index
		return []int{i}
	}
	if name == "" {
		return nil
	}
	name = plainName(name)
	given := quantity.ParseHeading(name)
	same := func(i int) bool { return g.header[i] == name }
	exact := func(i int) bool { return strings.EqualFold(g.header[i], name) }
	named := func(i int) bool {
		return given.Base != "" && g.heading(i).Base == given.Base && !given.Differs(g.heading(i))
	}
	inUnit := func(i int) bool { return named(i) && g.heading(i).Unit.Equal(given.Unit) }
	label := func(i int) bool { return given.Base != "" && quantity.Fold(field(g.labels, i)) == given.Base }
	group := func(i int) bool { return given.Base != "" && quantity.Fold(field(g.groups, i)) == given.Base }
	mean := func(i int) bool { // pIC50 (mean) of pIC50
		of := without(g.heading(i).Words, quantity.Means)
		return len(of) > 0 && slices.Equal(of, without(given.Words, quantity.Means)) && !given.Differs(g.heading(i))
	}
	for _, means := range []func(i int) bool{same, exact, inUnit, named, label, group, mean} {
		if found = g.where(means); len(found) > 0 {
			return found
		}
	}
	if i, err := strconv.Atoi(name); err == nil && 1 <= i && i <= len(g.header) {
		return []int{i - 1}
	}
	return nil
}

// others returns the columns whose names are the same as a name, but for what these say is measured.
func (g *grid) others(name string) []int {
	given := quantity.ParseHeading(name)
	return g.where(func(i int) bool {
		return given.Base != "" && g.heading(i).Base == given.Base && given.Differs(g.heading(i))
	})
}

// suggest is usage.Suggest for the names of columns.
func suggest(name string, header []string) string {
	if best, _ := nearest(name, header); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; there are " + usage.Shorten(joined(", ", header...), 1000)
}

// nearest returns the column's name that is spelled nearly as name is, and the share of letters that differ; empty if
// none is.
func nearest(name string, header []string) (best string, least float64) {
	least = 0.45
	endpoint, scale := quantity.Endpoint(quantity.Fold(name))
	wanted, numbers := quantity.ParseHeading(name), quantity.Numbers(name)
	for _, h := range header {
		if len(h) > longName || quantity.Fold(h) == "" {
			continue
		}
		if of := quantity.ParseHeading(h); (wanted.Log == "log") != (of.Log == "log") || wanted.Log == of.Log && wanted.LogBase() != of.LogBase() || wanted.Unit.IsSet() && of.Unit.IsSet() && !of.Unit.ConvertsTo(wanted.Unit) {
			continue // logarithms, and numbers in another unit, are not meant
		}
		if others := quantity.Numbers(h); len(numbers) > 0 && len(others) > 0 && !slices.Equal(numbers, others) { // after 1 h at 50 °C and 2 h at 60 °C
			continue
		}
		if of, other := quantity.Endpoint(quantity.Fold(h)); endpoint != "" && of != "" && scale != other { // IC50 does not mean pIC50
			continue
		}
		if d := stats.Levenshtein([]rune(quantity.Fold(name)), []rune(quantity.Fold(h))); d < least {
			best, least = h, d
		}
	}
	return best, least
}

// chooseGiven sets the columns of names and errors that Options give.
func (g *grid) chooseGiven(o Options, c *columns, _ *Question) error {
	var errs [3]error
	c.id, errs[0] = g.named(RoleID, o.ID, o.Like.ID)
	if key := g.key(o); key >= 0 && o.ID == "" {
		c.id = key
	}
	c.se, c.sd = -1, -1
	if o.SE != NoColumn {
		c.se, errs[1] = g.named(RoleSE, o.SE, "")
	}
	if o.SD != NoColumn {
		c.sd, errs[2] = g.named(RoleSD, o.SD, "")
	}
	return cmp.Or(errs[:]...)
}

// areNames reports whether a column is called as names are, and holds no sequences.
func (g *grid) areNames(column int) bool {
	called := g.rank(idNames[:2], column) >= 0 || g.heading(column).HasAny([]string{"name", "names", "cas"})
	return g.format.Header && called && !areSequences(g.cells(column, sampled))
}

// chooseInput sets the column of strings, or leaves it at -1 if rows have names alone, and may.
func (g *grid) chooseInput(o Options, c *columns, q *Question) (err error) {
	if c.input, err = g.named(RoleInput, o.Input, o.Like.Input); slices.Contains(g.sites, c.input) {
		c.input = len(g.header) - 1 // one of them alone is no string
	}
	switch {
	case err != nil:
		return err
	case g.blocks && c.input == rawfile.MolblockColumn:
		return molecule.Available()
	case c.input >= 0:
		return nil
	case g.blocks && molecule.Available() == nil:
		c.input = rawfile.MolblockColumn
		return nil
	}
	numbers := stats.Map(slices.Concat([]string{o.SE, o.SD, o.Like.SE, o.Like.SD, o.Like.Score}, o.Score, o.Others, o.Like.From), g.find)
	candidates := slices.DeleteFunc(g.namedInputs(), func(i int) bool { return slices.Contains(numbers, i) && g.share(i, numeral.IsValue) > 0.5 })
	if o.Sequences == Detect && o.Normalize == nil {
		candidates = g.withoutLabels(candidates)
	}
	numberedNames := func(i int) bool { return o.Normalize == nil && !o.Named && g.areNumberedNames(i) }
	labels := slices.DeleteFunc(slices.Clone(candidates), func(i int) bool { return !numberedNames(i) })
	candidates = without(candidates, labels)
	told := o.Known != nil && g.format.Header
	if told {
		candidates = g.toldInputs(o, c, candidates)
		o.UsualInput = true
	}
	known := len(candidates) > 0
	var chains []int         // sequences by name and content
	if !known && !g.blocks { // by content
		candidates = g.where(func(i int) bool {
			return g.share(i, numeral.IsValue) < 0.5 && g.filled(i) && !slices.Contains(numbers, i) && !numberedNames(i) && (len(labels) == 0 || g.holdsStrings(i))
		})
		if o.Named {
			id := c.id
			if id < 0 {
				id = g.first(idNames)
			}
			candidates = without(candidates, []int{id})
			if (len(candidates) == 0 || o.UsualInput) && id >= 0 {
				c.id = id
				return nil
			}
		}
		chains = slices.DeleteFunc(slices.Clone(candidates), func(i int) bool {
			return o.Sequences != Detect || !g.holdsSequences(i)
		})
		if len(chains) == 1 { // 5'UTR sequence
			candidates = chains
		}
		if len(g.header) == 1 { // strings may look like numbers
			candidates = []int{0}
		}
	}
	if o.Normalize != nil {
		if accepted := slices.DeleteFunc(slices.Clone(candidates), func(i int) bool { return g.share(i, o.accepts) <= 0.5 }); len(accepted) > 0 {
			candidates = accepted
		}
	} else if !known && !g.format.Header && o.Sequences == Detect {
		candidates = g.longestStrings(candidates)
	}
	if len(candidates) == 1 && !known && o.Normalize == nil && g.areNames(candidates[0]) {
		labels = candidates
	}
	switch {
	case len(labels) > 0 && (len(candidates) == 0 || labels[0] == candidates[0]):
		q.ask(RoleInput, fmt.Sprintf("no column holds structures or sequences, and column %s looks like names, whose letters say nothing of what was measured", g.name(labels[0])), g.candidates(labels...))
		return nil
	case len(candidates) == 1 && (known || !told || g.plainly(o, candidates[0])), len(candidates) > 1 && !g.format.Header:
		c.input = candidates[0]
		return nil
	case g.blocks:
		return fmt.Errorf("an SD file's molecules: %w; or name a property that holds SMILES", molecule.ErrNoRDKit)
	}
	meant, least := "", 1.0
	for _, name := range slices.Concat(inputNames...) {
		if near, d := nearest(name, g.header); d < least && len(name) > 3 {
			meant, least = near, d
		}
	}
	var why string
	switch {
	case known:
		why = fmt.Sprintf("columns %s may all hold the strings", g.list(candidates))
	case meant != "":
		why = fmt.Sprintf("no column is named SMILES or sequence; did you mean %q?", meant)
		candidates = []int{slices.Index(g.header, meant)}
	case len(candidates) == 0:
		why = "no column holds strings"
	case len(candidates) == 1:
		why = fmt.Sprintf("no column is named SMILES or sequence, and %s may be something else", g.name(candidates[0]))
	default:
		why = fmt.Sprintf("columns %s may all hold the strings, and none is named SMILES or sequence", g.list(candidates))
	}
	described := g.candidates(candidates...)
	for k, i := range candidates {
		if len(chains) > 1 && slices.Contains(chains, i) {
			described[k].Note = "to search several chains, join them with / in one column"
		}
	}
	q.ask(RoleInput, why, described)
	return nil
}

// withoutLabels returns, for columns that are called as strings may be but hold labels of them, such as a column
// protein of names, the columns beside them that do hold sequences or mutants. If there are none, the columns are as
// they are.
func (g *grid) withoutLabels(columns []int) []int {
	certain := func(i int) bool { return g.rank(inputNames[:2], i) >= 0 }
	if len(columns) == 0 || slices.ContainsFunc(columns, certain) {
		return columns
	}
	strings := g.where(func(i int) bool { return !slices.Contains(columns, i) && ofSequences(g.header[i]) && g.holdsStrings(i) })
	mutants := slices.DeleteFunc(slices.Clone(strings), func(i int) bool { return g.share(i, mutation.Is) <= 0.5 })
	isLabel := func(i int) bool {
		return !g.holdsStrings(i) || len(mutants) > 0 && g.share(i, mutation.Is) <= 0.5 && g.ofSeveral(i, mutants[0])
	}
	if len(strings) == 0 || slices.ContainsFunc(columns, func(i int) bool { return !isLabel(i) }) {
		return columns
	}
	return strings
}

// holdsStrings reports whether a column holds sequences, perhaps with modifications, or mutants.
func (g *grid) holdsStrings(column int) bool {
	cells := g.cells(column, sampled)
	return areSequences(cells) || g.share(column, mutation.Is) > 0.5 || areModified(cells)
}

// areModified reports whether most cells are sequences with modifications or ends, perhaps between the marks of a
// search engine: _RRAS(ph)VAAEP_.
func areModified(cells []string) bool {
	bare := stats.Map(cells, func(cell string) string { return strings.Trim(cell, "_") })
	return notation.HaveParts(bare) || notation.HaveWords(bare) || notation.HaveHELM(bare) || notation.Coded(bare) != "" && mostly(bare, func(cell string) bool { return notation.IsCoded(cell) || isLetters(cell) })
}

// areNumberedNames reports whether a column of a table with a header holds names: one prefix, and numbers that increase
// by little.
func (g *grid) areNumberedNames(column int) bool {
	const fewest, apart = 3, 3 // names; numbers from one to the next, on average
	cells := g.cells(column, sampled)
	if !g.format.Header || len(g.header) == 1 || len(cells) < fewest {
		return false
	}
	first, last, prefix := 0, 0, ""
	for i, cell := range cells {
		stem := strings.TrimRight(cell, "0123456789")
		n, err := strconv.Atoi(cell[len(stem):])
		if err != nil || stem == "" || i > 0 && (stem != prefix || n <= last) {
			return false
		}
		if i == 0 {
			first, prefix = n, stem
		}
		last = n
	}
	return last-first <= apart*len(cells)
}

// ofSeveral reports whether a value of one column stands beside several values of another.
func (g *grid) ofSeveral(column, other int) bool {
	beside := map[string]string{}
	return slices.ContainsFunc(g.sample, func(r rawfile.Row) bool {
		value, cell := field(r.Cells, column), field(r.Cells, other)
		before, known := beside[value]
		beside[value] = cell
		return known && value != "" && before != cell
	})
}

// longestStrings returns those of some columns without names that hold sequences or mutants, those of the longest cells
// first; all, if none does.
func (g *grid) longestStrings(columns []int) []int {
	size := map[int]int{}
	for _, i := range columns {
		if cells := g.cells(i, sampled); areSequences(cells) || mostly(cells, mutation.IsPlain) {
			size[i] = len(strings.Join(cells, "")) / len(cells)
		}
	}
	if len(size) == 0 {
		return columns
	}
	return slices.SortedStableFunc(maps.Keys(size), func(a, b int) int { return cmp.Or(size[b]-size[a], a-b) })
}

// namedInputs returns the columns whose names say that they hold strings: one that is certain, or several that are not.
func (g *grid) namedInputs() []int {
	all := g.where(func(i int) bool { return g.heading(i).HasAny([]string{"smiles"}) && g.filled(i) })
	plain := g.where(func(i int) bool { return g.heading(i).Base == "smiles" && g.filled(i) })
	if len(plain) == 1 {
		return plain // beside Solvent_SMILES
	}
	for r := 0; len(all) == 0 && r < len(inputNames); r++ {
		all = g.where(func(i int) bool { return g.rank(inputNames, i) == r && !g.quantity(i) && !g.lacks(i) })
	}
	return all
}

// lacks reports whether cells of a column only say that they are missing, as hgvs_pro of variants of a promoter does.
func (g *grid) lacks(column int) bool {
	return g.filled(column) && g.share(column, numeral.IsMissing) == 1
}

// quantity reports whether a column is called as strings and as a quantity may be, such as expression, and holds
// numbers beside other strings.
func (g *grid) quantity(column int) bool {
	words := func(i int) bool { return i != column && g.filled(i) && g.share(i, numeral.IsValue) < 0.5 }
	return slices.Contains(quantityNames, g.heading(column).Base) && g.share(column, numeral.IsValue) > 0.5 && g.one(words) >= 0
}

// derived reports whether a column holds a property of the strings, whatever it is called: the length of a sequence or,
// of a molecule, its weight, log P, polar surface or number of rotatable bonds or heavy atoms.
func (g *grid) derived(input, column int) bool {
	const looked, enough = 20, 3
	if input < 0 || g.blocks {
		return false
	}
	var fits [6]int // rows that have the number, by property
	rows := 0
	for _, r := range g.sample {
		text, m := field(r.Cells, input), readCell(field(r.Cells, column), numeral.Style{})
		if text == "" || m.state != Measured {
			continue
		}
		for i, property := range propertiesOf(text) {
			if tolerance := 0.02 + 0.002*math.Abs(property); math.Abs(m.number-property) <= tolerance {
				fits[i]++
			}
		}
		if rows++; rows == looked {
			break
		}
	}
	return rows >= enough && 10*slices.Max(fits[:]) >= 9*rows
}

// propertiesOf returns what a column may hold of a string.
func propertiesOf(text string) []float64 {
	all := []float64{float64(len(text))}
	m, err := molecule.Parse(text)
	if err != nil {
		return all
	}
	defer m.Close()
	return append(all, m.Weight(), m.LogP(), m.TPSA(), float64(m.RotatableBonds()), float64(m.HeavyAtoms()))
}

// chooseRest sets the columns of names, errors and SELFIES, as far as Options do not give them.
func (g *grid) chooseRest(o Options, c *columns, _ *Question) error {
	if c.id < 0 {
		c.id = g.first(idNames, c.taken()...)
	}
	if len(c.scores) > 0 {
		g.chooseErrors(o, c)
	}
	if c.id < 0 {
		c.id = g.label(*c, o)
	}
	if c.id < 0 {
		c.id = g.first([][]string{catalogueIDs}, c.taken()...)
	}
	if c.id < 0 && g.blocks {
		c.id = g.one(func(i int) bool { return !slices.Contains(c.taken(), i) && g.filled(i) && g.namesOffers(i) })
	}
	c.selfies = c.input >= 0 && slices.Contains(selfiesNames, g.heading(c.input).Base)
	return nil
}

// field returns a cell of a row; empty if there is none, or no column.
func field[T any](cells []T, column int) (cell T) {
	if 0 <= column && column < len(cells) {
		cell = cells[column]
	}
	return cell
}

// without returns those of some values that are not among others.
func without[T comparable](values, others []T) []T {
	return slices.DeleteFunc(slices.Clone(values), func(v T) bool { return slices.Contains(others, v) })
}

// subset reports whether all words are among others.
func subset(words, others []string) bool { return len(without(words, others)) == 0 }

// first returns the first column of the best rank that is not taken and says something; -1 if no name is known.
func (g *grid) first(ranks [][]string, taken ...int) int {
	for _, names := range ranks {
		if i := g.one(func(i int) bool {
			said := g.filled(i) && !g.lacks(i) || len(g.sample) == 0
			return said && !slices.Contains(taken, i) && slices.Contains(names, g.heading(i).Base)
		}); i >= 0 {
			return i
		}
	}
	return -1
}

// label returns the column that may name the compounds, in a file where no name says so: the first that is left, if it
// holds neither measurements nor strings; -1 if there is none. With a header, only the very first column may, unless it
// sorts strings, as Vendor and Series do.
func (g *grid) label(c columns, o Options) int {
	return g.one(func(i int) bool {
		if i > 0 && g.format.Header || slices.Contains(c.taken(), i) || g.blocks || !g.filled(i) || g.heading(i).HasAny([]string{"smiles"}) || slices.Contains(placeNames, g.heading(i).Base) {
			return false
		}
		if c.input >= 0 && g.format.Header && 2*len(distinct(g.cells(i, sampled))) < len(distinct(g.cells(c.input, sampled))) {
			return false
		}
		return g.share(i, numeral.IsNumber) < 0.5 && (o.Normalize == nil || !g.format.Header || g.share(i, o.accepts) <= 0.5) || g.share(i, numeral.IsDigits) == 1
	})
}

// share returns the share of a column's first cells that are not empty for which is holds; 0 if all are empty.
func (g *grid) share(column int, is func(cell string) bool) float64 {
	cells := g.cells(column, 100)
	return float64(stats.Count(cells, is)) / float64(max(len(cells), 1))
}

// cells returns the first n cells of a column that are not empty.
func (g *grid) cells(column, n int) (cells []string) {
	for _, r := range g.sample {
		if cell := field(r.Cells, column); cell != "" {
			if cells = append(cells, cell); len(cells) == n {
				break
			}
		}
	}
	return cells
}

// filled reports whether a column has a cell that is not empty.
func (g *grid) filled(column int) bool { return len(g.cells(column, 1)) > 0 }

// list names columns, for people.
func (g *grid) list(columns []int) string {
	return usage.List(stats.Map(columns, func(i int) string { return usage.Shorten(g.name(i), longName) }))
}

// isWord reports whether a cell has no digit, and does not say that there is no value.
func isWord(cell string) bool {
	_, failed := numeral.Failure(cell)
	return !strings.ContainsFunc(cell, unicode.IsDigit) && !numeral.IsMissing(cell) && !failed
}

// plainName returns the name of a column on one line, with single blanks, as people can give it to a program: a cell of
// a spreadsheet may break it.
func plainName(name string) string { return strings.Join(strings.Fields(whitespace.Trim(name)), " ") }
