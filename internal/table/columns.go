package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// facts are what a grid knows of its columns beside their names.
type facts struct {
	headings []heading // by column
	stated   []unit    // by column, in a row below the header; nil if there is none
	layout   string    // of a known source: PubChem

	relations, units []adjective // columns of these; nil: they were not looked for yet
}

// heading returns the name of a column, taken apart, with the unit that a row below the header states.
func (g *grid) heading(column int) heading {
	for i := len(g.headings); i < len(g.header); i++ {
		h := parseHeading(g.header[i])
		if i < len(g.stated) && g.stated[i].isSet() && !h.unit.isSet() {
			h.unit = g.stated[i]
		}
		g.headings = append(g.headings, h)
	}
	return g.headings[column]
}

// rank returns the rank of a name that a column may have; -1 if it is not known.
func rank(ranks [][]string, name string) int { return rankOf(ranks, fold(name)) }

// rank returns the rank of the name of a column; -1 if it is not known.
func (g *grid) rank(ranks [][]string, column int) int { return rankOf(ranks, g.heading(column).base) }

func rankOf(ranks [][]string, folded string) int {
	return slices.IndexFunc(ranks, func(names []string) bool { return slices.Contains(names, folded) })
}

// columns says which columns hold what; -1 for what is not there.
type columns struct {
	input, id, se, sd, n int
	scores               []outcome // none: no column; several: replicates
	others               []outcome // with the column -1 for those that are not there
	kind                 int       // of measurement: IC50, Inhibition
	wanted               string    // kind; empty: any
	repeats              int       // number of the replicate
	mutant               int       // of mutants of Options.WildType: input, or beside it
	export               *layout   // of an export; nil: it is none
	selfies              bool      // input holds SELFIES
	used                 []int     // all of the above but repeats
	notes                []string
}

func noColumns() columns {
	return columns{input: -1, id: -1, se: -1, sd: -1, n: -1, kind: -1, repeats: -1, mutant: -1}
}

// taken returns the columns that have a use.
func (c columns) taken() []int {
	all := []int{c.input, c.id, c.se, c.sd, c.n, c.kind, c.mutant}
	for _, o := range slices.Concat(c.scores, c.others) {
		all = append(all, o.column)
	}
	return append(all, c.export.columns()...)
}

// choose finds the columns. The error is a ColumnError, or the Question of all that is not clear.
func (g *grid) choose(o Options) (columns, error) {
	c := noColumns()
	if c.export = exportLayout(g.header); c.export != nil {
		c.export.choose(g, &o)
	}
	var q Question
	var err error
	ask := func(a *Ask, failed error) bool {
		if a != nil {
			q.Asks = append(q.Asks, *a)
		}
		err = failed
		return err != nil
	}
	if c.id, err = g.named(RoleID, o.ID); err != nil {
		return c, err
	}
	if c.se, err = g.named(RoleSE, o.SE); err != nil {
		return c, err
	}
	if c.sd, err = g.named(RoleSD, o.SD); err != nil {
		return c, err
	}
	if c.id < 0 {
		c.id = g.find(o.Like.ID)
	}
	if ask(g.chooseInput(o, &c)) || ask(nil, g.chooseOthers(o, &c)) || ask(g.chooseScores(o, &c)) {
		return c, err
	}
	if c.id < 0 {
		c.id = g.first(idNames, c.taken()...)
	}
	if len(c.scores) > 0 {
		g.chooseErrors(o, &c)
	}
	if c.id < 0 {
		c.id = g.label(c, o)
	}
	c.selfies = c.input >= 0 && g.rank([][]string{selfiesNames}, c.input) >= 0
	if err := c.placeMutants(g, o); err != nil {
		q.mutants = err
		q.Asks = append(q.Asks, Ask{For: RoleWildType, Why: err.Error(), Candidates: g.candidates(c.input)})
	}
	if ask(g.chooseRelations(o, &c)) || ask(g.chooseType(o, &c)) {
		return c, err
	}
	if len(q.Asks) > 0 {
		var ids []int
		for i := range g.width {
			if g.isID(i, c) {
				ids = append(ids, i)
			}
		}
		q.IDs = g.candidates(ids...)
		if c.id >= 0 {
			q.ID = g.name(c.id)
		}
		return c, &q
	}
	c.used = c.taken()
	c.repeats = g.first([][]string{replicateNames}, c.used...)
	return c, g.chooseUnits(o, &c)
}

// byIndex begins the name of a column that is its index.
const byIndex = "\x00"

// named returns the column of a name that Options give; -1 if they give none.
func (g *grid) named(role Role, name string) (int, error) {
	if name == "" {
		return -1, nil
	}
	found := g.lookup(name)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		numbers := make([]string, len(found))
		for i, at := range found {
			numbers[i] = strconv.Itoa(at + 1)
		}
		return -1, &ColumnError{Role: role, Name: name, Problem: fmt.Sprintf("%d columns have this name: give the number of one, %s", len(found), strings.Join(numbers, " or "))}
	case !g.format.Header:
		return -1, &ColumnError{Role: role, Name: name, Problem: fmt.Sprintf("the file has no header: give the number of the column, 1 to %d", g.width)}
	}
	return -1, &ColumnError{Role: role, Name: name, Problem: "there is no such column" + suggest(name, g.header)}
}

// find returns the column of a name, or -1 if there is none or not only one.
func (g *grid) find(name string) int {
	if found := g.lookup(name); len(found) == 1 {
		return found[0]
	}
	return -1
}

// lookup returns the columns that a name may mean: those of that name, of that name and unit in another writing, of that name with
// another unit or none, or of that number.
func (g *grid) lookup(name string) (found []int) {
	if name == "" {
		return nil
	}
	if index, ok := strings.CutPrefix(name, byIndex); ok {
		i, _ := strconv.Atoi(index) // it is an index
		return []int{i}
	}
	given := parseHeading(name)
	for _, same := range []func(i int) bool{
		func(i int) bool { return strings.EqualFold(g.header[i], clean(name)) },
		func(i int) bool { return g.heading(i).unit.is(given.unit) },
		func(i int) bool { return true },
	} {
		for i, header := range g.header {
			if strings.EqualFold(header, clean(name)) || given.base != "" && g.heading(i).base == given.base {
				if same(i) {
					found = append(found, i)
				}
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	if i, err := strconv.Atoi(name); err == nil && 1 <= i && i <= g.width {
		return []int{i - 1}
	}
	return nil
}

// suggest is usage.Suggest for the names of columns.
func suggest(name string, header []string) string {
	if best, _ := nearest(name, header); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	named := slices.DeleteFunc(slices.Clone(header), func(s string) bool { return s == "" })
	return "; there are " + usage.Shorten(strings.Join(named, ", "), 1000)
}

// nearest returns the column's name that is spelled nearly as name is, and the share of letters that differ; empty if none is.
func nearest(name string, header []string) (best string, least float64) {
	least = 0.45
	for _, h := range header {
		if len(h) > longName {
			continue
		}
		if d := stats.Levenshtein([]rune(fold(name)), []rune(fold(h))); d < least && fold(h) != "" {
			best, least = h, d
		}
	}
	return best, least
}

// chooseInput sets the column of strings, or leaves it at -1 if rows have names alone, and may.
func (g *grid) chooseInput(o Options, c *columns) (_ *Ask, err error) {
	if o.Input != "" {
		c.input, err = g.named(RoleInput, o.Input)
		if err == nil && g.blocks && c.input == blockColumn {
			err = molecule.Available()
		}
		return nil, err
	}
	if c.input = g.find(o.Like.Input); c.input >= 0 {
		return nil, nil
	}
	if g.blocks && molecule.Available() == nil {
		c.input = blockColumn
		return nil, nil
	}
	candidates := g.namedInputs()
	known := len(candidates) > 0
	if !known && !g.blocks { // by content
		for i := range g.width {
			if g.share(i, isScore) < 0.5 && g.filled(i) && !slices.Contains(g.numbers(o), i) {
				candidates = append(candidates, i)
			}
		}
		if o.Named {
			id := c.id
			if id < 0 {
				id = g.first(idNames)
			}
			candidates = slices.DeleteFunc(candidates, func(i int) bool { return i == id })
			if len(candidates) == 0 && id >= 0 {
				return nil, nil
			}
		}
		if g.width == 1 { // strings may look like numbers
			candidates = []int{0}
		}
	}
	if o.Normalize != nil {
		if accepted := slices.DeleteFunc(slices.Clone(candidates), func(i int) bool { return g.share(i, o.accepts) <= 0.5 }); len(accepted) > 0 {
			candidates = accepted
		}
	}
	switch {
	case len(candidates) == 1, len(candidates) > 1 && !g.format.Header:
		c.input = candidates[0]
		return nil, nil
	case g.blocks:
		return nil, fmt.Errorf("an SD file's molecules: %w; or name a property that holds SMILES", molecule.ErrNoRDKit)
	}
	a := &Ask{For: RoleInput, Candidates: g.candidates(candidates...)}
	meant, least := "", 1.0
	for _, name := range slices.Concat(inputNames...) {
		if near, d := nearest(name, g.header); d < least && len(name) > 3 {
			meant, least = near, d
		}
	}
	switch {
	case known:
		a.Why = fmt.Sprintf("columns %s may all hold the strings", g.list(candidates))
	case meant != "":
		a.Why = fmt.Sprintf("no column is named SMILES or sequence; did you mean %q?", meant)
		a.Candidates = g.candidates(slices.Index(g.header, meant))
	case len(candidates) == 0:
		a.Why = "no column holds strings"
	default:
		a.Why = fmt.Sprintf("columns %s may all hold the strings, and none is named SMILES or sequence", g.list(candidates))
	}
	return a, nil
}

// namedInputs returns the columns whose names say that they hold strings: one that is certain, or several of which it is not.
func (g *grid) namedInputs() []int {
	var all []int
	for i := range g.header {
		if h := g.heading(i); slices.Contains(h.words, "smiles") && g.filled(i) {
			all = append(all, i)
		}
	}
	plain := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return g.heading(i).base != "smiles" })
	if len(plain) == 1 {
		return plain // beside Solvent_SMILES
	}
	if len(all) > 0 {
		return all
	}
	for r := range inputNames {
		for i := range g.header {
			if g.rank(inputNames, i) == r {
				all = append(all, i)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// numbers returns the columns that Options name and that hold numbers, whatever is in them.
func (g *grid) numbers(o Options) (columns []int) {
	names := slices.Concat([]string{o.SE, o.SD, o.Like.SE, o.Like.Score}, o.Score, o.Others, o.Like.From)
	for _, name := range names {
		if i := g.find(name); i >= 0 && name != NoScores {
			columns = append(columns, i)
		}
	}
	return columns
}

// chooseOthers sets the columns of further outcomes.
func (g *grid) chooseOthers(o Options, c *columns) error {
	for _, name := range o.Others {
		i, err := g.named(RoleOther, name)
		if err != nil && !o.Named {
			return err
		}
		if err != nil {
			i = -1
		}
		c.others = append(c.others, outcome{column: i, units: -1, relations: -1})
	}
	return nil
}

// chooseScores sets the columns of scores. Several are replicates.
func (g *grid) chooseScores(o Options, c *columns) (*Ask, error) {
	add := func(i int) { c.scores = append(c.scores, outcome{column: i, units: -1, relations: -1}) }
	partly := slices.ContainsFunc(c.others, func(other outcome) bool { return other.column >= 0 })
	switch {
	case len(o.Score) == 1 && o.Score[0] == NoScores:
		if o.Named && len(o.Others) > 0 && !partly {
			return nil, &ColumnError{Role: RoleOther, Name: strings.Join(o.Others, " or "), Problem: "there is no such column" + suggest(o.Others[0], g.header)}
		}
		return nil, nil
	case len(o.Score) > 0:
		for _, name := range o.Score {
			i, err := g.named(RoleScore, name)
			if err != nil {
				return nil, err
			}
			if i == c.input {
				return nil, &ColumnError{Role: RoleScore, Name: g.name(i), Problem: "it cannot hold both the strings and the scores"}
			}
			add(i)
		}
		return nil, nil
	case o.Like.Score != "":
		for _, name := range o.Like.From {
			if i := g.find(name); i >= 0 {
				add(i)
			}
		}
		if len(c.scores) == 0 {
			if i := g.find(o.Like.Filled()); i >= 0 {
				add(i)
				return nil, nil
			}
			i, err := g.named(RoleScore, o.Like.Score)
			if err != nil && partly { // a part of the outcomes
				return nil, nil
			}
			if err != nil {
				return nil, g.convertible(o.Like.Score, err)
			}
			add(i)
		}
		return nil, nil
	}
	candidates := g.scoreCandidates(c)
	switch {
	case len(candidates) == 1:
		add(candidates[0])
		return nil, nil
	case len(candidates) > 1:
		return &Ask{For: RoleScore, Why: fmt.Sprintf("columns %s may all hold the score", g.list(candidates)), Candidates: g.replicates(candidates)}, nil
	}
	if i := g.first(scoreNames); i >= 0 && slices.ContainsFunc(c.others, func(other outcome) bool { return other.column == i }) { // a constraint bounds the score itself
		add(i)
		return nil, nil
	}
	if !o.Scored {
		return nil, nil
	}
	var others []int
	for i := range g.width {
		if !slices.Contains(c.taken(), i) && g.share(i, isValue) > 0.5 {
			others = append(others, i)
		}
	}
	a := &Ask{For: RoleScore, Why: "no column is known to hold the scores", Candidates: g.candidates(others...)}
	for k, i := range others {
		if a.Candidates[k].Note = g.use(i).note(); g.use(i) == measured {
			a.Candidates[k].Note = computed.note()
		}
	}
	return a, nil
}

// convertible adds to the error of a missing column of scores which column they could be made of.
func (g *grid) convertible(score string, err error) error {
	e, ok := errors.AsType[*ColumnError](err)
	h := parseHeading(score)
	for i := range g.header {
		if quantity, _ := endpoint(g.heading(i).base); ok && h.scale == "p" && quantity != "" && h.base == "p"+quantity && g.heading(i).scale == "" {
			e.Problem, e.Source = fmt.Sprintf("there is no such column, but it can be made of column %s", g.name(i)), g.name(i)
		}
	}
	return err
}

// scoreCandidates returns the columns that may hold the scores: those with the best known names, or else all that hold numbers and
// nothing that is known to be something else.
func (g *grid) scoreCandidates(c *columns) (candidates []int) {
	taken := c.taken()
	free := func(i int) bool { return !slices.Contains(taken, i) }
	known := func(is func(i int) bool) bool {
		var empty []int // which wait for their numbers
		for i := range g.header {
			switch {
			case !free(i) || !is(i) || g.use(i) != measured:
			case !g.filled(i):
				empty = append(empty, i)
			case g.share(i, isValue) > 0 || g.share(i, isWord) == 0:
				candidates = append(candidates, i)
			}
		}
		if len(candidates) == 0 {
			candidates = empty
		}
		return len(candidates) > 0
	}
	switch {
	case known(func(i int) bool { return g.rank(scoreNames[:1], i) == 0 }):
	case known(func(i int) bool { return g.rank(scoreNames, i) >= 0 || g.heading(i).endpoint() }):
	default:
		id := g.first(idNames, taken...)
		for i := range g.width {
			numbers := g.share(i, isValue) > 0 && g.share(i, isWord) <= 0.5 && (g.format.Header || g.share(i, isDigits) < 1)
			if free(i) && i != id && numbers && g.use(i) == measured && !g.derived(c.input, i) {
				candidates = append(candidates, i)
			}
		}
	}
	return candidates
}

// replicates describes candidates, those of one name but for a number at its end together, and errors with what they are of.
func (g *grid) replicates(columns []int) (all []Candidate) {
	const most = 12 // more are hardly replicates
	of := map[string]int{}
	for _, i := range columns {
		of[g.heading(i).stem()]++
	}
	at := map[string]int{}
	for k, c := range g.candidates(columns...) {
		if c.SE, c.SD = g.errorsOf(columns[k]); c.SE != "" || c.SD != "" {
			c.Note = "its error is in column " + cmp.Or(c.SE, c.SD)
		}
		stem := g.heading(columns[k]).stem()
		first, ok := at[stem]
		if !ok || stem == "" || of[stem] > most {
			at[stem] = len(all)
			all = append(all, c)
			continue
		}
		f := &all[first]
		f.Names = append(f.Names, c.Names...)
		f.Values += c.Values
		f.Least, f.Most = min(f.Least, c.Least), max(f.Most, c.Most)
		f.Note, f.SE, f.SD = "perhaps replicates", "", ""
	}
	return all
}

// stem returns a name without the number or letter at its end, which may count replicates; empty if there is none.
func (h heading) stem() string {
	if len(h.words) == 0 {
		return ""
	}
	last := h.words[len(h.words)-1]
	before := strings.Join(h.words[:len(h.words)-1], "")
	letters := strings.TrimRight(last, "0123456789")
	quantity, _ := endpoint(last)
	switch {
	case before != "" && (letters == "" || len(last) == 1):
		return before
	case letters != last && letters != "" && quantity == "":
		return before + letters
	}
	return ""
}

// errorsOf returns the names of the columns that hold the standard error and the standard deviation of a column, by their names.
func (g *grid) errorsOf(score int) (se, sd string) {
	if i := g.errorOf(score, seNames[0]); i >= 0 {
		se = g.name(i)
	}
	if i := g.errorOf(score, sdWords); i >= 0 {
		sd = g.name(i)
	}
	return se, sd
}

// errorOf returns the column whose name is that of a score with one of some words: pIC50_SEM, or IC50_SD of IC50_mean; -1 if there is
// none.
func (g *grid) errorOf(score int, words []string) int {
	s := g.heading(score)
	for i := range g.header {
		h := g.heading(i)
		if rest, ok := strings.CutPrefix(h.base, s.base); ok && slices.Contains(words, rest) {
			return i
		}
		if !h.any(words) {
			continue
		}
		stem := slices.DeleteFunc(slices.Clone(h.words), func(w string) bool { return slices.Contains(words, w) })
		if len(stem) > 0 && subset(stem, s.words) && g.share(i, isWord) == 0 {
			return i
		}
	}
	return -1
}

// subset reports whether all words are among others.
func subset(words, others []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(others, w) })
}

// chooseErrors sets the columns of standard errors or deviations, and of the numbers of measurements that deviations are of. A deviation
// is only taken by its name if these numbers are known. Errors beside several columns of scores are those of the mean, unless they are
// named.
func (g *grid) chooseErrors(o Options, c *columns) {
	if len(c.scores) > 1 && c.se < 0 && c.sd < 0 {
		return
	}
	score, taken := c.scores[0].column, c.taken()
	free := func(i int) int {
		if slices.Contains(taken, i) {
			return -1
		}
		return i
	}
	by := func(words []string) int {
		if i := free(g.errorOf(score, words)); i >= 0 {
			return i
		}
		return g.first([][]string{words}, taken...)
	}
	if c.se < 0 && c.sd < 0 {
		if c.se = free(g.find(o.Like.SE)); c.se < 0 {
			c.se = by(seNames[0])
		}
	}
	if c.se >= 0 {
		return
	}
	if c.n = by(countNames); c.n >= 0 && g.share(c.n, isValue) < 0.5 {
		c.n = -1
	}
	if c.sd < 0 && c.n >= 0 {
		c.sd = by(sdWords)
	}
	if c.sd < 0 {
		c.n = -1
	}
}

// first returns the first column of the best rank that is not taken; -1 if no name is known.
func (g *grid) first(ranks [][]string, taken ...int) int {
	for r := range ranks {
		for i := range g.header {
			if !slices.Contains(taken, i) && g.rank(ranks[r:r+1], i) == 0 {
				return i
			}
		}
	}
	return -1
}

// isID reports whether a column may name the compounds.
func (g *grid) isID(i int, c columns) bool {
	return !slices.Contains(slices.DeleteFunc(c.taken(), func(at int) bool { return at == c.id }), i) && g.rank(idNames[:2], i) >= 0 && g.filled(i)
}

// label returns the column that may name the compounds, in a file where no name says so: the first that is left, if it holds neither
// measurements nor strings; -1 if there is none. With a header, only the very first column may.
func (g *grid) label(c columns, o Options) int {
	for i := range g.width {
		if g.format.Header && i > 0 {
			break
		}
		if slices.Contains(c.taken(), i) || g.blocks || !g.filled(i) || slices.Contains(g.heading(i).words, "smiles") {
			continue
		}
		if g.share(i, isScore) < 0.5 && (o.Normalize == nil || !g.format.Header || g.share(i, o.accepts) <= 0.5) || g.share(i, isDigits) == 1 {
			return i
		}
	}
	return -1
}

// share returns the share of a column's cells that are not empty for which is holds; 0 if all are empty.
func (g *grid) share(column int, is func(cell string) bool) float64 {
	n, all := 0, 0
	for _, cells := range g.sample {
		if column < len(cells) && cells[column] != "" {
			all++
			if is(cells[column]) {
				n++
			}
		}
		if all == 100 {
			break
		}
	}
	return float64(n) / float64(max(all, 1))
}

// cells returns the first cells of a column that are not empty.
func (g *grid) cells(column int) (cells []string) {
	for _, row := range g.sample {
		if column < len(row) && row[column] != "" {
			cells = append(cells, row[column])
		}
	}
	return cells
}

// filled reports whether a column has a cell that is not empty.
func (g *grid) filled(column int) bool {
	return g.share(column, func(string) bool { return true }) > 0
}

// example returns the first cell of a column for which is holds.
func (g *grid) example(column int, is func(cell string) bool) string {
	for _, cells := range g.sample {
		if column < len(cells) && is(cells[column]) {
			return usage.Shorten(cells[column], 40)
		}
	}
	return ""
}

// list names columns, for people.
func (g *grid) list(columns []int) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = usage.Shorten(g.name(c), longName)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// isWord reports whether a cell has no digit, and does not say that there is no value.
func isWord(cell string) bool {
	_, failed := failure(cell)
	return !strings.ContainsFunc(cell, unicode.IsDigit) && !isMissing(cell) && !failed
}
