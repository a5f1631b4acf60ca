package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
)

// tableFlags say how to read a table of measurements.
type tableFlags struct {
	study string // file that no report overwrites; may be empty
	told  bool   // the study knows what mutants change, and no flag says so
	table.Options
	ids    map[string]string // columns of names by the paths of their files, where they differ
	report string
}

// asIs reads a value of a list.
func asIs(text string) (string, error) { return text, nil }

// What to do instead of giving an option of one column twice.
const (
	oneInput    = "the strings are in one column: join those of several in it, such as VH and VL with /"
	oneID       = "names are in one column"
	oneError    = "errors are in one column"
	oneRelation = "relations are in one column"
	oneType     = "the rows of one kind are read"
)

// add declares the options of all tables.
func (f *tableFlags) add(to flagGroup) {
	to.declare(
		&option.Option{Name: "se", Value: option.Once(&f.SE, oneError), Help: "`COLUMN` of the scores' standard errors, or none", Table: "columns"},
		&option.Option{Name: "sd", Value: option.Once(&f.SD, oneError), Help: "`COLUMN` of the scores' standard deviations, each of as many measurements as a column n says, or none", Table: "columns"},
		&option.Option{Name: "relation", Value: option.Once(&f.Relation, oneRelation), Help: "`COLUMN` of <, = and > before scores, or none", Unset: "by its name and content", Table: "columns"},
		&option.Option{Name: "type", Value: option.Once(&f.Type, oneType), Help: "`KIND` of measurement, such as IC50, in a table of several, or none: all rows are of one", Unset: "that of most rows", Table: "data"},
		&option.Option{Name: "unit", Value: option.Text(&f.Unit), Help: "`UNIT` of the scores, such as nM; others are converted to it", Unset: "that of the column", Table: "data"},
		&option.Option{Name: "as", Value: option.Text((*string)(&f.Scale)), Help: "make `SCALE` of the scores: pIC50, pKi, pEC50 and so on are -log10 of concentrations in mol/L", Table: "data"},
		&option.Option{Name: "censored", Value: option.Text((*string)(&f.Censored)), Help: "values such as >4.5: `HOW` is bound (the score is 4.5), skip (no score) or drop (no row)", Unset: "the search knows that it is more", Table: "data"},
		&option.Option{Name: "sheet", Value: option.Text(&f.Sheet), Help: "`NAME` of the sheet of an Excel workbook", Unset: "the first visible one with a table", Table: "data"},
		&option.Option{Name: "encoding", Value: option.Text(&f.Encoding), Help: "`NAME` of the encoding of text, such as gbk, shift_jis or windows-1251", Unset: "UTF-8, UTF-16 or Windows-1252, as the bytes say", Table: "data"},
		&option.Option{Name: "report", Value: option.Text(&f.report), Help: "write what became of each row to `FILE`, as CSV", Table: "data"})
}

// tableFile returns the file of a table, which may be read several times though it is a stream.
func (f tableFlags) tableFile(path string) (task.File, error) {
	file := task.File{Path: path, Encoding: f.Encoding}
	return file, file.Digest()
}

// readTable reads a table. Errors begin with the name of its file.
func (f tableFlags) readTable(ctx context.Context, file task.File) (*table.Table, error) {
	o := f.Options
	o.ID = cmp.Or(f.ids[file.Path], o.ID)
	r, err := file.Open()
	if err != nil {
		return nil, usage.Wrap(err)
	}
	defer r.Close()
	show, stop := progress.Rows("read ", nil)
	o.Progress = show
	t, err := table.Read(ctx, r, o)
	stop()
	if _, misfit := errors.AsType[*table.WildTypeError](err); misfit && f.told {
		return nil, usage.Errorf("%s: %w. The wild type is that of the study, and its first letter has position %d; number mutants like that, or write whole sequences", file.Source(), err, o.Offset+1)
	}
	if err != nil {
		return nil, usage.Errorf("%s: %w", file.Source(), remedied(encoded(err)))
	}
	return t, nil
}

// read reads tables as one, and writes the report on it. An objective, if there is one, makes the scores.
func (f tableFlags) read(ctx context.Context, paths []task.File, objective *oracle.Objective) (*table.Table, error) {
	if !slices.Contains([]table.Censored{table.Keep, table.AsScore, table.Skip, table.Drop}, f.Censored) {
		return nil, usage.Errorf("--censored %s: give %s, %s or %s", f.Censored, table.AsScore, table.Skip, table.Drop)
	}
	if f.report == "-" {
		return nil, usage.Errorf("--report is written to a file: give the name of one")
	}
	read := []string{f.study}
	for _, file := range paths {
		read = append(read, file.Path)
	}
	for _, name := range read {
		if f.report == "" || name == "" {
			continue
		}
		if files.Same(f.report, name) {
			return nil, usage.Errorf("--report %s would overwrite %s; give another name", f.report, name)
		}
	}
	if objective != nil {
		for _, given := range []struct{ flag, value string }{{"se", f.SE}, {"sd", f.SD}, {"unit", f.Unit}} {
			if given.value != "" && given.value != table.NoScores {
				return nil, usage.Errorf("--%s is about a column of scores, and there is none among several outcomes; leave it out", given.flag)
			}
		}
		f.Options.Score = []string{table.NoScores}
	}
	f.Elsewhere = len(paths) > 1 && len(f.Others) > 0
	t, unusable, err := f.join(ctx, paths, objective)
	if err != nil {
		return nil, err
	}
	experiment.ScoreTable(t, objective)
	if f.report != "" {
		if err := files.WriteWhole(f.report, t.WriteReport); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	return t, unusable
}

// join reads tables as one. Of several, some may have names and values alone, or names and strings alone. unusable says
// that most rows of a table are not.
//
// Each of several has its strings in a column of a usual name, such as SMILES; if none has one, all have them in
// whatever column looks like it. If they cannot be joined by names, they are by the column whose cells they share.
func (f tableFlags) join(ctx context.Context, paths []task.File, objective *oracle.Objective) (joined *table.Table, unusable, err error) {
	if len(paths) > 1 {
		named := f
		named.Named, named.UsualInput = true, true
		joined, unusable, err = named.readAll(ctx, paths, objective)
		if err == nil && joined.Columns.Input != "" {
			return joined, unusable, nil
		}
		if err != nil {
			if named.ids = f.shared(paths); named.ids != nil {
				if joined, unusable, failed := named.readAll(ctx, paths, objective); failed == nil {
					return joined, unusable, nil
				}
			}
			return nil, nil, err
		}
	}
	return f.readAll(ctx, paths, objective)
}

// shared returns the columns by which tables may be joined, by the paths of their files; nil if there are none, or one
// is given.
func (f tableFlags) shared(paths []task.File) map[string]string {
	var all []*table.Rows
	for _, file := range paths {
		r, err := file.Open()
		if err != nil {
			return nil
		}
		defer r.Close()
		rows, err := table.Open(r, f.Options)
		if err != nil {
			return nil
		}
		all = append(all, rows)
	}
	columns, ok := table.Shared(all...)
	if !ok || f.ID != "" {
		return nil
	}
	ids := map[string]string{}
	for i, file := range paths {
		ids[file.Path] = columns[i]
	}
	return ids
}

// readAll is join with strings in the columns that the options say.
func (f tableFlags) readAll(ctx context.Context, paths []task.File, objective *oracle.Objective) (_ *table.Table, unusable, err error) {
	var valued, plain []*table.Table // plain: without values
	var valuedNames, plainNames []string
	var lacks []error // of the plain ones
	var neither error // of one without values and strings
	for _, file := range paths {
		t, err := f.readTable(ctx, file)
		if len(paths) > 1 && lacksScores(err) {
			if t := f.readPlain(ctx, file); t != nil {
				plain, plainNames, lacks = append(plain, t), append(plainNames, file.Source()), append(lacks, err)
			} else {
				neither = cmp.Or(neither, err)
			}
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if err := t.MostlyUsable(); err != nil {
			unusable = cmp.Or(unusable, usage.Errorf("%s: %w", file.Source(), err))
		}
		valued, valuedNames = append(valued, t), append(valuedNames, file.Source())
		if f.Like.Score == "" && objective == nil {
			f.Like, f.Options.Score = t.Columns, nil // further tables are read as the first
		}
	}
	if len(valued) == 0 {
		err := cmp.Or(append(lacks, neither)...)
		e, named := errors.AsType[*table.ColumnError](err)
		if !named {
			return nil, nil, err
		}
		nowhere := *e
		nowhere.Problem = "none of the files has it; name one of their columns"
		return nil, nil, usage.Wrap(&nowhere)
	}
	if neither != nil {
		return nil, nil, neither
	}
	for i, t := range plain {
		if names(t, valued) {
			continue
		}
		if name, ok := nameAlone(valued); ok {
			return nil, nil, usage.Errorf("%s has no scores, and none of its names, such as %q, is one of those in %s, such as %q: give the same names in both", plainNames[i], usage.Shorten(firstName(t), 40), strings.Join(valuedNames, " or "), usage.Shorten(name, 40))
		}
		return nil, nil, lacks[i]
	}
	if len(paths) == 1 {
		return valued[0], unusable, nil
	}
	for _, name := range f.Others {
		if !slices.ContainsFunc(valued, func(t *table.Table) bool { return !slices.Contains(t.Lacks, name) }) {
			return nil, nil, usage.Wrap(&table.ColumnError{Role: table.RoleOther, Name: name, Problem: "none of the files has it; name one of their columns", Absent: true})
		}
	}
	return table.Join(append(valuedNames, plainNames...), append(valued, plain...)...), unusable, nil
}

// nameAlone returns the first name in tables of what has no string there.
func nameAlone(all []*table.Table) (name string, ok bool) {
	for _, t := range all {
		for _, r := range t.Records {
			if r.Text == "" && r.ID != "" {
				return r.ID, true
			}
		}
	}
	return "", false
}

func firstName(t *table.Table) string {
	for _, r := range t.Records {
		if r.ID != "" {
			return r.ID
		}
	}
	return ""
}

// lacksScores reports whether an error says that a table has no column of scores, or of further outcomes.
func lacksScores(err error) bool {
	if q, ok := errors.AsType[*table.Question](err); ok {
		return slices.ContainsFunc(q.Asks, func(a table.Ask) bool {
			return a.For == table.RoleScore && !slices.ContainsFunc(a.Candidates, isLikely)
		})
	}
	e, ok := errors.AsType[*table.ColumnError](err)
	return ok && e.Absent && (e.Role == table.RoleScore || e.Role == table.RoleOther)
}

func isLikely(c table.Candidate) bool { return !c.Unlikely() }

// readPlain reads the names and strings of a table; nil: it has none.
func (f tableFlags) readPlain(ctx context.Context, file task.File) *table.Table {
	f.Options.Score, f.Options.Others = []string{table.NoScores}, nil
	t, err := f.readTable(ctx, file)
	if err != nil || t.Columns.Input == "" {
		return nil
	}
	return t
}

// names reports whether a table has the string of a row of others that has a name alone.
func names(t *table.Table, others []*table.Table) bool {
	called := map[string]bool{}
	for _, r := range t.Records {
		called[r.ID] = true
	}
	for _, other := range others {
		for _, r := range other.Records {
			if r.Text == "" && (called[r.ID] || called[table.WholeName(r.ID)]) {
				return true
			}
		}
	}
	return false
}

// answerFlags names the flags that answer a Question, with what they take.
var answerFlags = map[table.Role]string{
	table.RoleInput: "--input COLUMN", table.RoleScore: "--score COLUMN", table.RoleID: "--id COLUMN", table.RoleSE: "--se COLUMN", table.RoleSD: "--sd COLUMN",
	table.RoleRelation: "--relation COLUMN", table.RoleType: "--type KIND", table.RoleUnit: "--unit UNIT", table.RoleScale: "--as SCALE",
	table.RoleWildType: "--wild-type SEQUENCE|FILE",
}

// explained returns an error of a table with the flags that mend it. given are the flags of the command.
func explained(err error, given *pflag.FlagSet) error {
	if e, ok := errors.AsType[*table.ColumnError](err); ok {
		flag, _, _ := strings.Cut(answerFlags[e.Role], " ")
		switch {
		case e.Source != "":
			return usage.Errorf("%w; if it is meant, give --score %q --as %s", err, e.Source, e.Name)
		case e.Another != "" && e.Role == table.RoleScore && given.Lookup("data") == nil: // of a table that is told
			return usage.Errorf("%w; if it is the same, give --score %q", err, e.Another)
		case e.Another != "":
			return usage.Errorf("%w; if it is the same, call it %s in the table", err, e.Name)
		case e.NoUnit:
			return usage.Errorf("%w; give --unit UNIT, such as nM", withFlag(err, e, flag))
		case flag != "" && isGiven(given, strings.TrimPrefix(flag, "--")):
			return withFlag(err, e, flag)
		}
	}
	if e, ok := errors.AsType[*table.UnitError](err); ok && isGiven(given, "unit") {
		return usage.Errorf("--unit %s: %w", e.Want, err)
	}
	return err
}

// encoded returns an error of reading a table with what to do about its encoding.
func encoded(err error) error {
	if errors.Is(err, rawfile.ErrEncoding) {
		return usage.Errorf("%w, or give --encoding NAME, such as gbk, shift_jis or windows-1251", err)
	}
	return err
}

// withFlag returns the error of a column that a flag names.
func withFlag(err error, e *table.ColumnError, flag string) error {
	where := strings.TrimSuffix(err.Error(), e.Error())
	return option.Errorf("%s%s %s: %s", where, option.Name(strings.TrimPrefix(flag, "--")), e.Name, e.Problem)
}

// question returns the error that asks for all that a table does not say, and for the direction of the search unless it
// is given.
func question(source string, q *table.Question, direction bool) error {
	if len(q.Asks) == 1 && q.Asks[0].For == table.RoleWildType && !direction {
		return usage.Errorf("%s: %w", source, remedied(q))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: say how it is to be read:", source)
	if direction {
		b.WriteString("\n  --maximize or --minimize: which scores are better")
	}
	for _, a := range q.Asks {
		why := a.Why
		if len(a.Candidates) > 0 && (a.For == table.RoleScore || a.For == table.RoleInput) && strings.HasPrefix(why, "columns ") {
			why = map[table.Role]string{table.RoleScore: "which column holds the scores; several hold replicates", table.RoleInput: "which column holds the strings"}[a.For]
		}
		fmt.Fprintf(&b, "\n  %s: %s", answerFlags[a.For], why)
		writeCandidates(&b, a)
	}
	if len(q.IDs) > 1 || len(q.IDs) == 1 && q.ID != q.IDs[0].Names[0] {
		fmt.Fprintf(&b, "\n  %s: which column holds the names", answerFlags[table.RoleID])
		if q.ID != "" {
			fmt.Fprintf(&b, " (default: %s)", q.ID)
		}
		writeCandidates(&b, table.Ask{For: table.RoleID, Candidates: q.IDs})
	}
	if q.Hint != "" {
		fmt.Fprintf(&b, "\n  %s", q.Hint)
	}
	return usage.Errorf("%s", b.String())
}

// writeCandidates lists the possible answers to a question, each with the flag that gives it.
func writeCandidates(b *strings.Builder, a table.Ask) {
	const most, wide = 20, 60
	flag, _, _ := strings.Cut(answerFlags[a.For], " ")
	shown := a.Candidates[:min(len(a.Candidates), most)]
	given := make([]string, len(shown))
	width := 0
	for i, c := range shown {
		for _, name := range c.Names {
			if a.For == table.RoleWildType {
				given[i] += " column " + name
			} else {
				given[i] += fmt.Sprintf(" %s %s", flag, usage.Quoted(name))
			}
		}
		switch {
		case c.SE != "":
			given[i] += " --se " + usage.Quoted(c.SE)
		case c.SD != "":
			given[i] += " --sd " + usage.Quoted(c.SD)
		}
		width = min(max(width, utf8.RuneCountInString(given[i])), wide)
	}
	for i, c := range shown {
		fmt.Fprintf(b, "\n    %-*s  %s", width, given[i], c)
	}
	if more := len(a.Candidates) - most; more > 0 {
		fmt.Fprintf(b, "\n     and %d more columns", more)
	}
}

// wildTypeFlags say what mutants in a table change.
type wildTypeFlags struct {
	sequence string // or the name of a file
	first    int    // position of its first letter
	position *option.Option
}

func (f *wildTypeFlags) add(to flagGroup) {
	f.first = 1
	f.position = &option.Option{Name: "first-position", Value: option.Whole(&f.first), Help: "mutants number the first letter of the wild type `N`, such as 0", Default: "1", Tasks: []string{task.OwnStrings, task.LandscapeTask}, Table: "strings"}
	to.declare(&option.Option{Name: "wild-type", Value: option.Text(&f.sequence), Help: "the `SEQUENCE|FILE` that mutants such as A24T change, and that mutations are counted from", Tasks: []string{task.OwnStrings, task.LandscapeTask}, Table: "strings"}, f.position)
}

// options returns the options of a table with mutants.
func (f wildTypeFlags) options() (o table.Options, err error) {
	switch {
	case f.sequence == "" && f.position != nil && f.position.Given:
		return o, usage.Errorf("--first-position numbers the letters of the wild type: give --wild-type, too")
	case f.sequence == "":
		return o, nil
	}
	o.Offset = f.first - 1
	o.WildType, err = readWildType(f.sequence)
	return o, err
}

// remedied returns an error with the flag that helps, if a table does not fit the wild type.
func remedied(err error) error {
	e, misfit := errors.AsType[*table.WildTypeError](err)
	asked := func(a table.Ask) bool { return a.For == table.RoleWildType }
	switch q, ok := errors.AsType[*table.Question](err); {
	case ok && slices.ContainsFunc(q.Asks, asked):
		return usage.Errorf("%w: give --wild-type SEQUENCE, or a FILE that holds it", err)
	case misfit && len(e.First) == 1:
		return usage.Errorf("%w: give --first-position %d", err, e.First[0])
	case misfit && len(e.First) > 1:
		return usage.Errorf("%w: give --first-position with the right one", err)
	case misfit:
		return usage.Errorf("%w: give --wild-type with the sequence that they change", err)
	}
	return err
}

// readWildType returns the sequence that --wild-type gives, or that of the file that it names.
func readWildType(given string) (string, error) {
	if !files.Exists(given) {
		sequence, err := bioseq.Parse(given)
		if err != nil {
			return "", usage.Errorf("--wild-type %s: there is no such file, and it is no sequence: %w", usage.Shorten(given, 60), err)
		}
		return sequence, nil
	}
	r, err := os.Open(given)
	if err != nil {
		return "", usage.Errorf("--wild-type: %w", err)
	}
	defer r.Close()
	sequence, err := table.ReadWildType(r)
	if err != nil {
		return "", usage.Errorf("--wild-type %s: %w", given, err)
	}
	return sequence, nil
}
