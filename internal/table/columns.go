package table

import (
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

// Names that columns usually have, folded, in ranks by preference: a column of a later rank is only taken if there is none of an
// earlier one.
var (
	inputNames = [][]string{
		{"smiles", "canonicalsmiles", "isomericsmiles", "cansmiles", "isosmiles", "molsmiles", "smilesstring", "compoundsmiles", "ligandsmiles", "canonicalsmilesrdkit"},
		{"smi", "smile", "sequence", "seq", "aasequence", "aaseq", "aminoacidsequence", "proteinsequence", "proteinseq", "peptidesequence",
			"mutatedsequence", "mutantsequence", "variantsequence"},
		{"structure", "molecule", "mol", "peptide", "protein", "string", "x", "expression", "input"},
		selfiesNames,
		mutantNames,
	}
	selfiesNames = []string{"selfies", "selfie"}
	mutantNames  = []string{"mutant", "mutants", "mutation", "mutations", "variant", "variants", "aamutation", "aamutations", "aasubstitution", "aasubstitutions",
		"substitution", "substitutions", "aachange", "proteinchange", "proteinvariant", "hgvs", "hgvsp", "hgvspro"}
	scoreNames = [][]string{
		{"score", "scores", "dmsscore", "fitness", "objective"},
		{"pic50", "pki", "pkd", "pec50", "ic50", "ki", "kd", "ec50", "gi50", "pchembl", "pchemblvalue", "standardvalue", "activity", "affinity",
			"potency", "inhibition", "yield", "value", "measured", "measurement", "response", "y"},
	}
	idNames = [][]string{
		{"id", "compoundid", "cmpdid", "moleculeid", "molid", "sampleid", "variantid", "sequenceid", "moleculechemblid", "chemblid", "cid", "identifier",
			"compoundno", "compoundnumber", "regno", "cas", "zincid"},
		{"name", "compound", "compoundname", "cmpd", "moleculename", "molname", "sample", "samplename", "title", "ligand", "drug", "label", "code"},
		mutantNames,
		{"molecule", "protein", "peptide", "no", "nr", "number", "index"},
	}
	seNames    = [][]string{{"se", "sem", "stderr", "stderror", "standarderror", "scorese", "scoresem", "scorestderr"}}
	otherNames = [][]string{{"sd", "std", "stdev", "standarddeviation", "n", "count", "replicate", "replicates", "rep", "batch", "plate", "year"}}
	units      = []string{"m", "mm", "um", "µm", "nm", "pm", "mol", "percent", "pct", "%", "ugml", "mgml", "kcalmol", "kjmol"}
)

// fold reduces a name to its letters and digits, without what is in parentheses: "Canonical SMILES (RDKit)" is canonicalsmiles.
func fold(name string) string {
	if i := strings.IndexAny(name, "(["); i > 0 {
		name = name[:i]
	}
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' || r == '/' })
	if n := len(words); n > 1 && slices.Contains(units, strings.ToLower(words[n-1])) {
		words = words[:n-1]
	}
	return strings.Map(letters, strings.Join(words, ""))
}

// rank returns the rank of a column's name; -1 if it is not known.
func rank(ranks [][]string, name string) int {
	folded := fold(name)
	return slices.IndexFunc(ranks, func(names []string) bool { return slices.Contains(names, folded) })
}

// columns says which columns hold what; -1 for what is not there.
type columns struct {
	input, score, id, se int
	others               []int
	mutant               int     // of mutants of Options.WildType: input, or beside it
	export               *layout // of an export; nil: it is none
	selfies              bool    // input holds SELFIES
}

func (c columns) names(g *grid) Columns {
	name := func(i int) string {
		if i < 0 {
			return ""
		}
		return g.name(i)
	}
	return Columns{Input: name(c.input), Score: name(c.score), ID: name(c.id), SE: name(c.se)}
}

// choose finds the columns. The error lists what may be meant and names the flag that says so.
func (g *grid) choose(o Options) (c columns, err error) {
	c.score = -1
	if c.export = exportLayout(g.header); c.export != nil {
		c.export.choose(g, &o)
	}
	if c.input, err = g.chooseInput(o); err != nil {
		return c, err
	}
	if c.id, err = g.named(o.flag("--id"), o.ID); err != nil {
		return c, err
	}
	if c.se, err = g.named(o.flag("--se"), o.SE); err != nil {
		return c, err
	}
	for _, name := range o.Others {
		i, err := g.named("column", name)
		if err != nil && !o.Named {
			return c, err
		}
		if err != nil {
			i = -1
		}
		c.others = append(c.others, i)
	}
	if o.Score != NoScores {
		if c.score, err = g.named(o.flag("--score"), o.Score); err != nil {
			return c, err
		}
	} else if o.Named && len(o.Others) > 0 && !slices.ContainsFunc(c.others, func(i int) bool { return i >= 0 }) {
		return c, fmt.Errorf("there is no column %s%s", strings.Join(o.Others, " or "), suggest(o.Others[0], g.header))
	}
	if c.score >= 0 && c.score == c.input {
		return c, fmt.Errorf("column %s cannot hold both the strings and the scores; give --input and --score with different columns", g.name(c.score))
	}
	if o.ID == "" {
		c.id = g.first(idNames, append([]int{c.input, c.score, c.se}, c.others...)...)
	}
	if o.Score == "" {
		if c.score, err = g.chooseScore(o, c); err != nil {
			return c, err
		}
	}
	if c.score < 0 {
		c.se = -1
	} else if o.SE == "" {
		if c.se = g.ofScore(c.score); c.se < 0 {
			c.se = g.first(seNames, c.input, c.score, c.id)
		}
	}
	if o.ID == "" && c.id < 0 {
		c.id = g.label(c)
	}
	c.selfies = c.input >= 0 && rank([][]string{selfiesNames}, g.name(c.input)) >= 0
	return c, c.placeMutants(g, o)
}

// flag returns what an error calls a column that Options name: by its flag, unless a study may have named it.
func (o Options) flag(name string) string {
	if o.Named {
		return "column"
	}
	return name
}

// byIndex begins the name of a column that is its index.
const byIndex = "\x00"

// named returns the column of a name that a flag gives; -1 if it gives none.
func (g *grid) named(flag, name string) (int, error) {
	if name == "" {
		return -1, nil
	}
	if index, ok := strings.CutPrefix(name, byIndex); ok {
		return strconv.Atoi(index)
	}
	var found []int
	for _, same := range []func(header string) bool{
		func(header string) bool { return strings.EqualFold(header, clean(name)) },
		func(header string) bool { return fold(header) != "" && fold(header) == fold(name) },
	} {
		for i, header := range g.header {
			if same(header) {
				found = append(found, i)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			numbers := make([]string, len(found))
			for i, at := range found {
				numbers[i] = strconv.Itoa(at + 1)
			}
			return -1, fmt.Errorf("%s %s: %d columns have this name: give the number of one, %s", flag, name, len(found), strings.Join(numbers, " or "))
		}
	}
	if i, err := strconv.Atoi(name); err == nil && 1 <= i && i <= g.width {
		return i - 1, nil
	}
	if !g.format.Header {
		return -1, fmt.Errorf("%s %s: the file has no header: give the number of the column, 1 to %d", flag, name, g.width)
	}
	return -1, fmt.Errorf("%s %s: there is no such column%s", flag, name, suggest(name, g.header))
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
		if d := stats.Levenshtein([]rune(fold(name)), []rune(fold(h))); d < least && fold(h) != "" {
			best, least = h, d
		}
	}
	return best, least
}

// chooseInput returns the column of strings; -1 if rows have names alone, and may.
func (g *grid) chooseInput(o Options) (int, error) {
	if o.Input != "" {
		i, err := g.named(o.flag("--input"), o.Input)
		if err == nil && g.blocks && i == blockColumn {
			err = molecule.Available()
		}
		return i, err
	}
	if g.blocks && molecule.Available() == nil {
		return blockColumn, nil
	}
	var candidates []int
	for r := range inputNames {
		for i, name := range g.header {
			if rank(inputNames, name) == r {
				candidates = append(candidates, i)
			}
		}
		if len(candidates) == 1 {
			return candidates[0], nil
		}
		if len(candidates) > 1 {
			break
		}
	}
	known := len(candidates) > 1
	if !known && !g.blocks { // by content
		for i := range g.width {
			if g.share(i, isScore) < 0.5 && g.filled(i) {
				candidates = append(candidates, i)
			}
		}
		candidates = slices.DeleteFunc(candidates, func(i int) bool { return slices.Contains(g.numbers(o), i) })
		if o.Named {
			id, err := g.named(o.flag("--id"), o.ID)
			if err != nil {
				return 0, err
			}
			if o.ID == "" {
				id = g.first(idNames)
			}
			candidates = slices.DeleteFunc(candidates, func(i int) bool { return i == id })
			if len(candidates) == 0 && id >= 0 {
				return -1, nil
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
		return candidates[0], nil
	case g.blocks:
		return 0, fmt.Errorf("an SD file's molecules: %w; or give --input with a property that holds SMILES", molecule.ErrNoRDKit)
	case len(candidates) > 1 && known:
		return 0, fmt.Errorf("columns %s may all hold the strings: give --input NAME", g.list(candidates))
	}
	meant, least := "", 1.0
	for _, name := range slices.Concat(inputNames...) {
		if near, d := nearest(name, g.header); d < least && len(name) > 3 {
			meant, least = near, d
		}
	}
	if meant != "" {
		return 0, fmt.Errorf("no column is named SMILES or sequence; did you mean %q? If so, give --input %q", meant, meant)
	}
	if len(candidates) == 0 {
		return 0, errors.New("no column holds strings: give --input NAME")
	}
	return 0, fmt.Errorf("columns %s may all hold the strings, and none is named SMILES or sequence: give --input NAME", g.list(candidates))
}

// numbers returns the columns that Options name and that hold numbers, whatever is in them.
func (g *grid) numbers(o Options) (columns []int) {
	names := append([]string{o.SE}, o.Others...)
	if o.Score != NoScores {
		names = append(names, o.Score)
	}
	for _, name := range names {
		if i, err := g.named("", name); err == nil && i >= 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// chooseScore returns the column of scores; -1 if there is none.
func (g *grid) chooseScore(o Options, c columns) (int, error) {
	taken := func(i int) bool { return i == c.input || i == c.id || i == c.se || slices.Contains(c.others, i) }
	var candidates []int
	for r := range scoreNames {
		for i, name := range g.header {
			if !taken(i) && rank(scoreNames, name) == r && (g.share(i, isScore) > 0 || g.share(i, isWord) == 0) {
				candidates = append(candidates, i)
			}
		}
		if len(candidates) > 0 {
			break
		}
	}
	if len(candidates) == 0 {
		for i, name := range g.header {
			switch {
			case taken(i), rank(idNames, name) >= 0, rank(seNames, name) >= 0, rank(otherNames, name) >= 0, g.counts(i):
			case !g.format.Header && g.share(i, isDigits) == 1: // a name, as in .smi files
			case g.share(i, isScore) > 0 && g.share(i, isWord) <= 0.5:
				candidates = append(candidates, i)
			}
		}
	}
	switch len(candidates) {
	case 0:
		if i := g.first(scoreNames); slices.Contains(c.others, i) { // a constraint bounds the score itself
			return i, nil
		}
		return -1, nil
	case 1:
		return candidates[0], nil
	}
	return 0, fmt.Errorf("columns %s may all hold the score: give --score NAME, or --score %s to read no scores", g.list(candidates), NoScores)
}

// ofScore returns the column of standard errors of a column of scores, by its name: pIC50_SEM; -1 if there is none.
func (g *grid) ofScore(score int) int {
	return slices.IndexFunc(g.header, func(name string) bool {
		rest, ok := strings.CutPrefix(fold(name), fold(g.header[score]))
		return ok && rest != "" && slices.Contains(seNames[0], rest)
	})
}

// first returns the first column of the best rank that is not taken; -1 if no name is known.
func (g *grid) first(ranks [][]string, taken ...int) int {
	for r := range ranks {
		for i, name := range g.header {
			if !slices.Contains(taken, i) && rank(ranks[r:r+1], name) == 0 {
				return i
			}
		}
	}
	return -1
}

// label returns the column that may name the compounds, in a file where no name says so: the first that is left, if it holds no
// measurements; -1 if there is none. With a header, only the very first column may.
func (g *grid) label(c columns) int {
	for i := range g.width {
		if g.format.Header && i > 0 {
			break
		}
		if i != c.input && i != c.score && i != c.se && !slices.Contains(c.others, i) && !g.blocks && g.filled(i) && (g.share(i, isScore) < 0.5 || g.share(i, isDigits) == 1) {
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

// counts reports whether a column counts the rows.
func (g *grid) counts(column int) bool {
	first := 0
	for row, cells := range g.sample {
		if column >= len(cells) {
			return false
		}
		n, err := strconv.Atoi(cells[column])
		if row == 0 {
			first = n
		}
		if err != nil || n != first+row {
			return false
		}
	}
	return len(g.sample) > 1
}

// list names columns, for people.
func (g *grid) list(columns []int) string {
	const most = 8
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = usage.Shorten(g.name(c), 60) // a file that is no table may be one long name
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// isWord reports whether a cell has no digit, and does not say that there is no value.
func isWord(cell string) bool {
	_, failed := failure(cell)
	return !strings.ContainsFunc(cell, unicode.IsDigit) && !isMissing(cell) && !failed
}
