// Package table reads a table of measured compounds or sequences as laboratories write them, and says what became of
// every row.
//
// Formats are told apart by content: tables with commas, semicolons, tabs or pipes, lines of SMILES with names, SD
// files, Excel workbooks (.xlsx) and FASTA, each gzipped or not, in UTF-8, UTF-16 or Windows-1252 (Latin-1). Columns
// are found by their names and contents, with their units and relations: IC50 (nM), a column of standard_relation, one
// of standard_units.
//
// Read fails if the file as a whole cannot be understood: an unknown format, or columns that could be either, which is
// a Question. What is wrong with a single row is the State and Reason of its Record. Errors are those of package usage.
package table

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Options says what a reader cannot tell from the file. The zero value finds all columns by their names and contents.
type Options struct {
	// Columns, by name (case, blanks, punctuation and units aside) or number from 1; empty: found by name.
	Input    string   // SMILES, sequences or other strings, or mutants of WildType
	Score    []string // several hold replicates; NoScores alone: there are none
	ID       string   // name of the compound
	SE       string   // standard error of the score, or NoColumn
	SD       string   // standard deviation of the score, which is the mean of as many measurements as a column n says, or NoColumn
	Relation string   // <, =, > of the score, or NoRelation

	Others []string // further outcomes, by the same name in Record.Others; if Named, a table may lack them

	Type     string         // kind of measurement, such as IC50, of a table of several; empty: that of most rows
	Unit     string         // of the scores, to which others are converted; empty: that of the column, or of most rows
	Scale    quantity.Scale // of the scores
	Censored Censored       // what becomes of >4.5

	Like  Columns // of a table of the same study: they are taken where this table has them, with their unit and scale
	Known *Known  // with Named: what the study knows, which the table is told to; nil: it is told to none

	Pooled     bool   // scores of several conditions are replicates without a Question, as nobody can answer with a Type
	Scored     bool   // a table without a column of scores is a Question
	Named      bool   // a row, or all, may have an ID and no Input: its compound is known by name
	UsualInput bool   // with Named: strings are in a column of a usual name or in that of Input, or there are none
	Elsewhere  bool   // columns of Others may be in other files instead, unless it has none of them
	WildType   string // the sequence that mutants such as A24T:K30R change, in capital letters; see bioseq.Parse
	Offset     int    // position of its first letter, minus 1: −1 where positions count from 0
	Sheet      string // of an Excel workbook; empty: the first
	Encoding   string // of text, as the WHATWG names it: gbk, windows-1251; empty: UTF-8, UTF-16 or Windows-1252, as the bytes say

	// Normalize returns what the search uses for what the file has, and what it changed, for people: "desalted (removed
	// Cl)", which is counted by what comes before " (". Rows with an error are Invalid. It must be safe for concurrent
	// use; nil makes sequences of what Sequences says are such, and leaves other text as it is. See Molecules.
	Normalize   func(text string) (input, note string, err error)
	Sequences   bioseq.Kind // what the strings are, if Normalize is nil
	Alike       Alike       // how strings that are neither molecules nor sequences are written alike; nil: they stay as they are
	BothStrands bool        // DNA or RNA and its reverse complement are one string; see bioseq.Kind.Strand
	Molecules   bool        // Normalize reads SMILES, and a column of SELFIES is decoded for it

	Carry      bool                  // cells of columns without a use are kept, too
	CSV        bool                  // the name of the file says so: a single letter in its first row may name a column
	NoComments bool                  // rows that begin with # are strings, or begin with a name
	Progress   func(done, total int) // is called with the number of rows that were read, and about that of all; nil: nothing is
}

// Alike returns how strings of a table are written alike, such as lists of items, and what people should know of them.
// The error says why none can be used.
type Alike func(texts []string) (spell func(text string) Spelled, notes []string, err error)

// Spelled is a string as the others are written.
type Spelled struct {
	Text    string
	Changed string // in words; empty if nothing was
	Folded  string // the same for strings that hardly differ; empty if all are different
	Odd     string // why it is not as the others are; empty if it is
	Err     error  // why it cannot be used
}

// Known tells names and strings of a study from other text. Called and Written return a string of the study, or "" if
// it has none such.
type Known struct {
	Called   func(name string) string // the string of that name or number
	Shared   func(name string) bool   // several strings had that name, and are called otherwise; nil: none
	Written  func(text string) string // the string that is written so
	Remarked func() bool              // whether a string of the study has a remark as part of it; nil: none has

	Range func() (least, most float64) // smallest and largest known score if all are positive, otherwise 0 and 0; nil: not known

	Fractions []string // outcomes, and "" for the score, that are fractions though the study states no unit: numbers in % are converted
	Ratios    []string // outcomes without a unit, "" for the score, that may be ratios or in per cent: numbers in % are refused
}

// NoScores is an Options.Score for a table whose scores are not to be read.
const NoScores = "none"

// Censored says what becomes of a score that is only known to be above or below a value.
type Censored string

const (
	Keep    Censored = ""      // the row is Measured, and Record.Bound says on which side the true value is
	AsScore Censored = "bound" // the value is taken for the score
	Skip    Censored = "skip"  // the row is Missing: its string is known, and has no score
	Drop    Censored = "drop"  // the row is SetAside
)

// Columns says how the columns of a table were read. A study keeps them, so that later tables are read alike.
type Columns struct {
	Input string `json:"input"` // as the file spells them; empty for those that it does not have
	ID    string `json:"id"`
	SE    string `json:"se,omitzero"` // of standard errors
	SD    string `json:"sd,omitzero"` // of standard deviations
	Score string `json:"score"`       // what the scores are called: their column or, if they are made of From, a name for them

	From  []string       `json:"from,omitempty"` // columns that scores of another name are made of: on a Scale, or as replicates
	Scale quantity.Scale `json:"scale,omitzero"` // of scores that are made of From
	Type  string         `json:"type,omitzero"`  // kind of measurement in a table of several
	Assay string         `json:"assay,omitzero"` // likewise, in which it was measured
	Unit  string         `json:"unit,omitzero"`  // of the scores, or of From; empty if no unit is stated

	DecimalComma bool `json:"decimal_comma,omitzero"` // numbers are written as 5,3
	Grouped      bool `json:"grouped,omitzero"`       // and 1500 as 1.500, as a number such as 1.020,5 tells

	LowerCase bool `json:"lower_case,omitzero"` // most peptides are written in it

	OtherUnits map[string]string `json:"other_units,omitempty"` // of Options.Others
	OtherFrom  map[string]From   `json:"other_from,omitempty"`  // those of Options.Others that are made of columns of other names
}

// From is the column that an outcome is made of, on a Scale.
type From struct {
	Column string         `json:"column"`
	Unit   string         `json:"unit"`
	Scale  quantity.Scale `json:"scale"`
}

// Record is what became of a row, or of each score of a row with several.
type Record struct {
	File        string             // of a table that was joined of several
	Line, Lines int                // of the file or sheet that the row begins at, from 1, and how many it takes; Lines is 0 for further scores of a row
	ID          string             // may be empty
	Unnamed     bool               // ID is not a name but the mutants, as no column has names
	Text        string             // as written: a SMILES, that of an SD file's molblock, a sequence, mutants
	Input       string             // Text as Options.Normalize writes it; empty if that is not possible
	Score       float64            // in Columns.Unit and on Columns.Scale; NaN without one
	Bound       int                // 1: the true value is greater than Score, as in >4.5; -1: less; 0: it is Score
	SE          float64            // standard error of Score; 0 if it is not known
	Of          int                // measurements that Score is the mean of, in a table of invbo export of an earlier version; 0: it is one
	Measurement int                // number among those of its string, in a table of invbo export; 0: it has none
	Others      map[string]float64 // further outcomes that have a value; nil: none has
	OtherBounds map[string]int     // of Others, as Bound; those without one are exact
	OtherFailed map[string]string  // why further outcomes could not be measured; nil: none failed
	Bare        []string           // further outcomes, and "" for the score, whose unit neither the row nor Options state
	racemic     bool               // the row says so, beside the string
	NaN         bool               // the score is written as NaN or infinite, as by a program that could not compute it
	State       State
	Reason      Reason   // why it is not Measured
	Note        string   // what was changed or is not used, for people; may be empty
	Unread      []string // further outcomes whose cells cannot be read, and why
	Carried     []string // cells of the columns Table.Carried

	own       State    // of what is Repeated: Measured or, with a part of the outcomes, Missing
	ownReason Reason   // likewise
	elsewhere bool     // the row says what a string is called, and another file has its values
	about     bool     // the score is approximate
	ranged    bool     // the score or a further outcome is the geometric mean of a range
	footnote  bool     // a mark behind the score or a further outcome refers to one
	spread    bool     // the standard error is stated after ±
	deviation bool     // a standard deviation is stated after ±, and not used
	divided   bool     // likewise, and used as that of the mean of several measurements
	spreads   bool     // a further outcome states an error after ±, which is not used
	taken     bool     // the score is a bound that is taken for the score
	from      string   // unit that the score was converted from
	others    []string // likewise of further outcomes, each with its name and what it was converted to
	changed   string   // what Normalize changed, without details
	unused    string   // of another column than those of the string and the score: a cell that cannot be used, and why
	column    int      // index of the column of scores, among several
	assay     string   // in which it was measured, in a table that has a column of them
	settings  []string // under which it was measured, in a table that has columns of them
	repeat    string   // number of the replicate, in a table that has a column of them
	further   []measurement
	bounds    bool   // a further outcome, in another column than the score, is a bound
	unbound   bool   // likewise, and it is not used
	odd       string // how its length, or its structure, differs from that of nearly all strings
	trimmed   bool   // blanks around the string are left out

	unmutated   string // what stands for the wild type instead of mutants, where this is not certain
	mutants     string // as written; empty if there are none or they cannot be read
	expected    string // what they make of the wild type; empty if they do not fit it
	contradicts bool   // they fit neither the wild type nor the sequence
}

// Table is a file that was read.
type Table struct {
	Format   Format
	Columns  Columns
	Records  []Record // in the order of the file
	Comments int      // lines that begin with #, or say what columns hold
	Empty    int      // lines without anything but separators
	Lines    int      // of the file or sheet: the sum of the above, and the header's
	Notes    []string // on what was assumed of the whole table, for people
	Remarks  []string // on strings that are one, and rows that are equal, likewise

	Sequences bioseq.Kind // what the strings were found to be; not Detect
	WildType  string      // where Options give none: what sequences are without the mutations beside them; empty if nearly all do not agree
	First     int         // position of its first letter by these mutations
	Carried   []string    // names of columns without a use, if Options.Carry is set

	Replicates []string // in a table of a study: the columns of scores, and behind them those that look like further replicates and are not used; nil: none do

	Lacks []string // of Options.Others, those without a column

	made      bool // scores were made of further outcomes
	molecules bool // the strings are SMILES
	equal     int  // rows that are measurements though they are equal to one before
}

// remark finds equal rows, and remarks on these and on strings.
func (t *Table) remark() {
	t.Remarks = nil
	t.findRepeats()
	t.noteRepeats()
	if !t.molecules {
		t.noteBlanks()
	}
}

// Format says how a file is written.
type Format struct {
	Kind         string // "CSV" for text with separators, "lines" for text without, "SDF", "FASTA" or "Excel"
	Separator    string // of a CSV: "comma", "semicolon", "tab", "pipe" or "blank"
	DecimalComma bool   // numbers are written as 5,3
	Encoding     string // "UTF-8", "UTF-16", "Windows-1252" or Options.Encoding; empty for Excel
	Gzip         bool
	Sheet        string // of an Excel workbook
	Header       bool   // the first row names the columns
	Layout       string // of a known source, whose first rows say what columns hold: "PubChem"
}

const excelKind = "Excel"

// String describes what is not plain: "semicolons, decimal commas, Windows-1252, no header"; empty if nothing is.
func (f Format) String() string {
	return joined(", ",
		f.Layout,
		when(f.Kind == "SDF" || f.Kind == "FASTA", f.Kind),
		when(f.Kind == excelKind, fmt.Sprintf("Excel sheet %q", f.Sheet)),
		when(f.Separator != "" && f.Separator != "comma", f.Separator+"s"),
		when(f.DecimalComma, "decimal commas"),
		when(f.Encoding != "UTF-8", f.Encoding),
		when(f.Gzip, "gzip"),
		when(!f.Header, "no header"))
}

// Read reads a table. If most of its rows are Invalid, that is for MostlyUsable to say.
func Read(ctx context.Context, r io.Reader, o Options) (*Table, error) {
	rows, err := Open(r, o)
	if err != nil {
		return nil, err
	}
	return rows.Read(ctx, o)
}

// Read reads the table. The options may differ from those that it was opened with.
func (r *Rows) Read(ctx context.Context, o Options) (*Table, error) {
	if !slices.Contains([]Censored{Keep, AsScore, Skip, Drop}, o.Censored) {
		return nil, usage.Errorf("bounds cannot be treated as %q: give %s, %s or %s", o.Censored, AsScore, Skip, Drop)
	}
	g := r.grid
	c, err := g.choose(o)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	s := g.styleOfStudy(o, append(c.numbers(), c.se, c.sd)...)
	g.format.DecimalComma = s.Mark == numeral.Commas || s.Mark == numeral.Both
	t := &Table{Format: g.format, Columns: c.described(g, o), Notes: c.notes, Replicates: c.replicates}
	t.Columns.DecimalComma, t.Columns.Grouped = s.Mark == numeral.Commas, s.Mark == numeral.Commas && s.Grouped
	for i, out := range c.others {
		if out.column < 0 {
			t.Lacks = append(t.Lacks, o.Others[i])
		}
	}
	about := g.about()
	var carried []int
	if o.Carry {
		carried = g.where(func(i int) bool {
			return g.header[i] != "" && !slices.Contains(c.taken(), i) && !slices.Contains(c.used, i)
		})
		for _, i := range carried {
			t.Carried = append(t.Carried, g.name(i))
		}
	}
	err = reader{g: g, c: c, s: s, o: o, carried: carried, named: g.namesOfStrings(c)}.each(ctx, func(some []Record) bool {
		t.Records = append(t.Records, some...)
		if o.Progress != nil {
			o.Progress(len(t.Records), max(len(t.Records), about))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	t.Comments, t.Empty = g.lines[rawfile.Comment], g.lines[rawfile.Empty]
	for _, n := range g.lines {
		t.Lines += n
	}
	if len(t.Records) == 0 {
		return nil, usage.Errorf("it has no rows of data%s", when(g.hasFormulasAlone(), ", but formulas without their values: "+computeFormulas))
	}
	if i := slices.IndexFunc(t.Records, func(r Record) bool { return r.Reason.Code == AnotherHeader }); i >= 0 {
		return nil, usage.Errorf("line %d is another header (%s), and what is below it may be something else: make a table of each part", t.Records[i].Line, usage.Shorten(t.Records[i].Reason.Text, 100))
	}
	if o.Normalize == nil {
		t.sequences(o)
		t.refuseFolded(o)
		t.refuseNucleic(o)
		if err := t.refuseCased(o); err != nil {
			return nil, usage.Wrap(err)
		}
		t.compareMutants(g, c, o)
	}
	if err := t.writeAlike(o); err != nil {
		return nil, usage.Wrap(err)
	}
	if err := t.checkWildType(o); err != nil {
		return nil, usage.Wrap(err)
	}
	if !o.Named {
		t.takeNamed()
		t.adviseFilling(c)
	}
	t.refuseBlanks()
	t.setStatisticsAside(g, c)
	free := func(i int) bool { return !slices.Contains(c.used, i) && i != c.assay && !slices.Contains(c.repeats, i) }
	settings := g.where(func(i int) bool {
		return g.isSetting(i) && free(i) || g.isTimePoint(i) && !slices.Contains(c.used, i)
	})
	kinds := g.where(func(i int) bool { return !slices.Contains(settings, i) && (free(i) || i == c.id) && g.isKind(i) }) // a column protein may be taken for names
	batches := g.where(func(i int) bool { return !slices.Contains(c.used, i) && !slices.Contains(settings, i) && g.isBatch(i) })
	t.setSettings(g, slices.Concat(settings, kinds, batches))
	t.spread()
	t.molecules = o.Molecules
	t.remark()
	ask := t.noteSeveral(g.name(c.assay), assays, 0, func(r Record) string { return r.assay })
	for k, i := range slices.Concat(settings, kinds) {
		what, share := "conditions", 0.0
		if k >= len(settings) {
			what, share = "values", 0.5
		}
		if of := t.noteSeveral(g.name(i), what, share, func(r Record) string { return field(r.settings, k) }); ask == nil && k < len(settings) {
			ask = of
		}
	}
	if ask != nil && o.Type == "" && o.Known == nil && !o.Pooled {
		return nil, usage.Wrap(&Question{Asks: []Ask{*ask}, Hint: "give one of them as type, or a table of one alone"})
	}
	for k, i := range batches {
		t.noteBatches(g.name(i), func(r Record) string { return field(r.settings, len(settings)+len(kinds)+k) })
	}
	t.noteErrors()
	t.noteNumberedComments(g)
	t.noteRanges()
	t.noteUnmutated(g.name(c.mutant))
	t.noteWords()
	t.noteMarks(g, c.used)
	t.noteUnnamed(g, c.taken())
	t.noteSalts()
	t.noteRacemates()
	t.noteBounds()
	return t, nil
}

// noteSalts notes that compounds were measured as several salts, as ionic liquids are, which are taken as one.
func (t *Table) noteSalts() {
	const several = 3 // as what a drug is hardly measured
	forms := map[string]map[string]bool{}
	for _, r := range t.Records {
		if r.State != Measured || r.changed != "desalted" {
			continue
		}
		if forms[r.Input] == nil {
			forms[r.Input] = map[string]bool{}
		}
		forms[r.Input][r.Text] = true
	}
	n := 0
	for _, texts := range forms {
		if len(texts) >= several {
			n++
		}
	}
	if n > 1 && 5*n >= len(forms) {
		t.Notes = append(t.Notes, fmt.Sprintf("%d compounds were measured as three or more different salts, which are taken as replicates of one; if the salt matters, as of ionic liquids, keep salts", n))
	}
}

// noteUnnamed notes columns of numbers that have no name, in a table with a header.
func (t *Table) noteUnnamed(g *grid, taken []int) {
	if !g.format.Header || g.blocks || g.format.Kind == "FASTA" {
		return
	}
	var unnamed []string
	for _, i := range g.where(func(i int) bool {
		return g.header[i] == "" && !slices.Contains(taken, i) && g.share(i, numeral.IsValue) > 0.5
	}) {
		if i > 0 { // the first numbers rows
			unnamed = append(unnamed, strconv.Itoa(i+1))
		}
	}
	if len(unnamed) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("columns of numbers without a name are not used: %s; give each a name to use it", strings.Join(unnamed, ", ")))
	}
}

// racemic is what Options.Normalize says of a molecule without the configuration that it is drawn with, as it is a racemate.
const racemic = "racemic"

// noteRacemates notes that racemates of different diastereomers, whose centers have no configuration, are taken as one.
func (t *Table) noteRacemates() {
	type form struct {
		drawn string
		line  int
	}
	first := map[string]form{}
	n, example := 0, ""
	for _, r := range t.Records {
		if r.State != Measured || r.changed != racemic {
			continue
		}
		drawn, _, _ := strings.Cut(strings.TrimSpace(r.Text), " ")
		f := form{relative(drawn), r.Line}
		switch before, ok := first[r.Input]; {
		case !ok:
			first[r.Input] = f
		case before.drawn != f.drawn:
			if n++; n == 1 {
				example = fmt.Sprintf("lines %d and %d", before.line, f.line)
			}
		}
	}
	if n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("racemates of different diastereomers are taken as replicates of one compound, as the centers of racemates have no configuration: %d, the first in %s; keep one of each, or draw one enantiomer of each", n, example))
	}
}

// relative returns one SMILES for a drawing and its mirror image.
func relative(drawn string) string {
	mirror := strings.NewReplacer("@@", "@", "@", "@@").Replace(drawn)
	a, errA := molecule.Canonical(drawn)
	b, errB := molecule.Canonical(mirror)
	if errA != nil || errB != nil {
		return drawn
	}
	return min(a, b)
}

// distrusted matches what columns such as Status and Comment say of rows that are not to be trusted.
var distrusted = regexp.MustCompile(`(?i)^\W*(?:rejected?|failed|fail|outlier|superseded|excluded?|invalid(?:ated)?|not valid|retracted|withdrawn|cancell?ed|obsolete|suspect|unreliable|` +
	`questionable|doubtful|do not use|don't use|ignored?|discard(?:ed)?|wrong|contaminated|impure|decomposed|degraded|mix-?up)\b`)

// noteMarks notes which columns that are not used mark rows as not to be trusted.
func (t *Table) noteMarks(g *grid, used []int) {
	for i := range g.header {
		h := g.heading(i)
		bad, good := h.HasAny(markWords), h.HasAny(validWords)
		if slices.Contains(used, i) || !g.format.Header {
			continue
		}
		fine := []string{"ok", "okay", "pass", "passed", "good", "valid", "none", "fine", "accepted", "unflagged"}
		if bad {
			fine = append(fine, "0", "0.0", "false", "no", "n", "f")
		} else {
			fine = append(fine, "1", "1.0", "true", "yes", "y", "t", "x", "✓", "✔", "used", "included")
		}
		marked, example, cells := 0, "", g.cells(i, math.MaxInt)
		for _, cell := range cells {
			of := !numeral.IsMissing(cell) && !slices.Contains(fine, strings.ToLower(cell))
			if !bad && !good {
				of = distrusted.MatchString(cell)
			}
			if of {
				marked, example = marked+1, cmp.Or(example, cell)
			}
		}
		as := fmt.Sprintf("%q", usage.Shorten(example, 40))
		if marked == 0 && len(cells) > 0 && !bad && h.HasAny(useWords) {
			marked, as = g.blanks(i), "an empty cell"
		}
		if marked > 0 && 2*marked <= len(t.Records) {
			t.Notes = append(t.Notes, fmt.Sprintf("column %s marks %s, as with %s, and is not used: leave rows out that are not to be trusted", g.name(i), plural(marked, "row", "rows"), as))
		}
	}
}

// described returns the Columns for people and for later tables.
func (c columns) described(g *grid, o Options) Columns {
	d := Columns{Input: g.name(c.input), ID: g.name(c.id), SE: g.name(c.se), SD: g.name(c.sd), Type: c.wanted, Assay: when(c.among >= 0, c.amongValue)}
	for _, out := range c.scores {
		d.From = append(d.From, g.name(out.column))
		d.Scale, d.Unit = out.scale, out.want.String()
	}
	switch {
	case o.Like.Score != "":
		d.Score = o.Like.Score
	case len(d.From) > 0:
		d.Score = d.Scale.Name(together(d.From))
	}
	if len(d.From) == 1 && d.Scale == "" {
		d.From = nil
	}
	for i, out := range c.others {
		switch name := o.Others[i]; {
		case out.column < 0 || !out.want.IsSet():
		case out.scale != "":
			d.OtherFrom = with(d.OtherFrom, name, From{g.name(out.column), out.want.String(), out.scale})
		default:
			d.OtherUnits = with(d.OtherUnits, name, out.want.String())
		}
	}
	return d
}

// with sets a value of a map, which may be nil, and returns the map.
func with[V any](m map[string]V, key string, v V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = v
	return m
}

// OneLine returns the Columns with each name on one line, as tables are read; those of studies of earlier versions may
// break.
func (c Columns) OneLine() Columns {
	for _, name := range []*string{&c.Input, &c.ID, &c.SE, &c.SD, &c.Score} {
		*name = plainName(*name)
	}
	if c.From != nil {
		c.From = stats.Map(c.From, plainName)
	}
	return c
}

// Filled returns the name of the column that people fill in with new scores: what they measure, with its unit.
func (c Columns) Filled() string {
	if c.Scale != "" {
		return inUnit(together(c.From), c.Unit)
	}
	return inUnit(c.Score, c.Unit)
}

// FilledOther is Filled of a further outcome.
func (c Columns) FilledOther(outcome string) string {
	if from, ok := c.OtherFrom[outcome]; ok {
		return inUnit(from.Column, from.Unit)
	}
	return inUnit(outcome, c.OtherUnits[outcome])
}

// inUnit returns the name of a column with its unit, if that is known and the name does not state one.
func inUnit(name, unit string) string {
	if unit != "" && !quantity.ParseHeading(name).Unit.IsSet() {
		name += " (" + unit + ")"
	}
	return name
}

// together names what several columns of replicates hold: IC50 of IC50_1 and IC50_2.
func together(names []string) string {
	common := names[0]
	if len(names) == 1 {
		return common
	}
	same := stem(quantity.ParseHeading(common))
	for _, name := range names {
		if stem(quantity.ParseHeading(name)) != same {
			return "score"
		}
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	common = strings.TrimRight(common, " _-.,;:#([{")
	if same == "" || len(common) < 2 || slices.Contains(quantity.Replicates, quantity.Fold(common)) {
		return "score"
	}
	return common
}

// ScoreBy sets the scores of records without one by score, which sets that of a record from its input and further
// outcomes, with its bound and all outcomes that it knows, or names what is missing.
func (t *Table) ScoreBy(score func(*Record) (missing string)) {
	t.made = true
	for i := range t.Records {
		r := &t.Records[i]
		if r.State != Missing {
			continue
		}
		if missing := score(r); missing == "" {
			r.State, r.Reason = Measured, Reason{}
		} else if len(r.Others) > 0 {
			if r.Reason.Code != BoundSkipped {
				r.Reason = Reason{NoOutcome, ""}
			}
			r.annotate("without " + missing)
		}
	}
	t.remark()
}
