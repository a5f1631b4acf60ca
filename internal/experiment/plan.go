package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
)

// Plan is a specification with all that it names: what an Experiment is made of.
type Plan struct {
	Spec   RunSpec // resolved
	Task   task.Task
	Method Method
	Notes  option.Notes // on the initial design

	Objective *oracle.Objective // that makes scores of outcomes; nil: the score is one itself
	Problem   study.Problem     // with its initial design
	Options   invbo.Options     // of a search in latent space

	parts     task.Parts
	space     task.Space // of a method that searches strings themselves
	sequences bioseq.Kind
	spelling  table.Alike // how strings are written as those of the initial design; nil: they stay as they are
	pool      *pool       // nil: any string may be proposed
	recipes   recipes
}

// WildType returns the sequence that mutations are counted from, and the position of its first letter; empty: there is
// none. Where none was given it is the consensus of variants of one sequence.
func (p *Plan) WildType() (sequence string, first int) {
	return cmp.Or(p.Spec.WildType, p.space.WildType), p.Spec.Offset + 1
}

// Apart reports whether the search cannot compare an input with others, such as a sequence of another length than
// aligned ones. It may be measured, and teaches the search nothing.
func (p *Plan) Apart(input string) bool {
	return p.space.Compares != nil && !p.space.Compares(input)
}

// Mutant returns how an input differs from the wild type, such as K2R:T3S; empty if there is no wild type, or the input
// has another length.
func (p *Plan) Mutant(input string) string {
	wildType, first := p.WildType()
	return mutation.Format(wildType, first, input)
}

// Limits returns the limits on proposals of molecules that the data gave, as the options that would set them.
func (p *Plan) Limits() []option.Setting {
	if p.parts.Limits == nil {
		return nil
	}
	return p.parts.Limits()
}

// Model returns the model whose latent space is searched; nil if the strings themselves are.
func (p *Plan) Model() vae.Model { return p.parts.Model }

// Build resolves the specification, and reads and builds what it names. Nothing is evaluated or written.
func (s RunSpec) Build(ctx context.Context) (*Plan, error) { return s.build(ctx, task.Design{}, true) }

// BuildMeasured is Build for scores that are told: the initial design is what has been measured, two different strings
// with a score at least. Rows without an outcome are left out; the note says how many have a part of what is asked for.
func (s RunSpec) BuildMeasured(ctx context.Context, t *table.Table) (*Plan, error) {
	s.Measured, s.Budget = true, usage.Most
	design := task.Design{Init: []study.Observation{}, Sequences: t.Sequences}
	scored := 0
	partly, err := s.takeParts(t)
	if err != nil {
		return nil, err
	}
	for _, c := range t.Compounds() {
		o := observation(c.Input, c, t.Records)
		for _, row := range c.Rows {
			if r := t.Records[row]; isPart(r) {
				o.Measurements = append(o.Measurements, study.Measurement{Score: math.NaN(), Others: r.Others, OtherBounds: sides[study.Bound](r.OtherBounds)})
			}
		}
		if len(o.Measurements) > 0 {
			design.Init = append(design.Init, o)
		}
		if len(c.Scores) > 0 {
			scored++
		}
	}
	unread := unreadable(t)
	design.Init = append(design.Init, unread...)
	if scored < 2 {
		return nil, usage.Errorf("strings with a score: %d, and a search needs 2 different ones; give a table with more of them%s", scored, s.betterFirst(t))
	}
	p, err := s.build(ctx, design, false)
	if err != nil {
		return nil, err
	}
	if n := len(unread); n > 0 {
		p.Notes.Add("measured strings whose value cannot be read: %d; they are not proposed, and teach the search nothing until a value is told", n)
	}
	if len(partly) > 0 {
		p.Notes.Add("rows with a part of %s, which is kept: %d; the first is line %d", usage.List(s.Asked()), len(partly), partly[0].Line)
	}
	return p, nil
}

// unreadable returns the strings that a table has no value of that can be used, though they were measured, such as one
// that is inactive: they are not proposed, and teach the search nothing until a value is told.
func unreadable(t *table.Table) (all []study.Observation) {
	usable := map[string]bool{}
	for _, r := range t.Records {
		usable[r.Input] = usable[r.Input] || r.State != table.Invalid && r.State != table.SetAside
	}
	for _, r := range t.Records {
		measured := r.State == table.Invalid || slices.Contains([]table.Code{table.OtherUnit, table.NoUnit, table.BoundDropped}, r.Reason.Code)
		if r.Input == "" || usable[r.Input] || !measured {
			continue
		}
		usable[r.Input] = true
		why := study.Unreadable(r.Reason.Text)
		all = append(all, study.Observation{X: r.Input, Name: r.ID, Measurements: []study.Measurement{{Score: why.Score, Reason: why.Reason}}})
	}
	return all
}

// isPart reports whether a row has further outcomes and no score.
func isPart(r table.Record) bool { return r.State == table.Missing && len(r.Others) > 0 }

// betterFirst returns advice to name another objective first, if more rows have that one.
func (s RunSpec) betterFirst(t *table.Table) string {
	if len(s.Objectives) < 2 {
		return ""
	}
	rows := make([]int, len(s.Objectives))
	for _, r := range t.Records {
		for i, o := range s.Objectives {
			if _, ok := r.Others[o.Name]; ok {
				rows[i]++
			}
		}
	}
	most := slices.Index(rows, slices.Max(rows))
	if most == 0 {
		return ""
	}
	return fmt.Sprintf(", or %s as the first objective, which %d rows have", s.Objectives[most].Name, rows[most])
}

// takeParts returns the rows with a part of what is asked for. Those with the first of several objectives, which is
// their score, it takes as measured.
func (s RunSpec) takeParts(t *table.Table) (parts []table.Record, _ error) {
	objective, err := s.Objective()
	if err != nil {
		return nil, err
	}
	for i := range t.Records {
		r := &t.Records[i]
		if !isPart(*r) && r.State != table.Failed {
			continue
		}
		first, err := s.scoreByFirst(objective, r.Input, r)
		if err != nil {
			return nil, err
		}
		if first {
			r.State, r.Reason = table.Measured, table.Reason{}
		}
		s.awaitScore(objective, r)
		if r.State != table.Failed && len(r.Others) > 0 {
			parts = append(parts, *r)
		}
	}
	return parts, nil
}

// build is Build with an initial design, unless that has no strings. Without scores the plan has no oracle: others score.
func (s RunSpec) build(ctx context.Context, design task.Design, scores bool) (*Plan, error) {
	t, m, err := s.lookup()
	if err != nil {
		return nil, err
	}
	if err := t.Available(); err != nil {
		return nil, err
	}
	if s, err = s.Resolve(); err != nil {
		return nil, err
	}
	t = t.With(s.Options)
	note := ""
	if !s.stored && !s.Options.Measured { // a laboratory's are set
		if note, err = s.SetComputed(t, s.Init.File); err != nil {
			return nil, err
		}
		if err := s.SetPoolBounds(t, s.Init.File); err != nil {
			return nil, err
		}
	}
	options, err := s.libraryOptions(m)
	if err != nil {
		return nil, err
	}
	e := &Plan{Spec: s, Task: t, Method: m, Options: options}
	e.Notes.AddText(note)
	if e.Objective, err = s.Objective(); err != nil {
		return nil, err
	}
	parts := s.Options
	parts.DataStrip = s.Strip
	parts.Strip = table.Strip{KeepSalts: s.Measured || s.earlier, KeepCharges: s.Measured || s.earlier}
	parts.Measured = parts.Measured || !scores || s.Workers == RemoteWorkers // they have the oracle
	if e.parts, err = t.Build(ctx, t, parts); err != nil {
		return nil, err
	}
	e.parts.Oracle = e.combine(e.parts.Oracle)
	if len(s.Objectives) > 1 && !m.objectives {
		return nil, option.Errorf("%s: the method %s searches for one; take evolve, or make one score of the outcomes with %s", option.Name("objective"), m.Name, option.Name("property"))
	}
	if err := e.meetNeeds(); err != nil {
		return nil, err
	}
	if design.Init == nil {
		if design, err = e.initial(ctx); err != nil {
			return nil, err
		}
	}
	init := design.Init
	if e.sequences = design.Sequences; t.Name == task.OwnStrings && design.Sequences == bioseq.None {
		e.spelling = task.Alike(s.Alphabet, design.Strings())
	}
	if e.Method.needs == needsSpace {
		err := e.setSpace(ctx, design)
		if err != nil && ctx.Err() == nil {
			err = usage.Wrap(err)
		}
		if err != nil {
			return nil, err
		}
	}
	if e.Molecules() && e.parts.Translate == nil { // they were read by RDKit, which takes as long again as all else
		for i := range init {
			init[i].Checked = true
		}
	}
	e.Notes = slices.Concat(e.Notes, e.parts.Notes, e.space.Notes)
	e.Options.Features = e.parts.Features
	e.Problem = study.Problem{Name: t.Name, Oracle: e.parts.Oracle, Minimize: t.Minimize, Init: init, Translate: e.parts.Translate}
	e.Problem.Feasible, e.Problem.Family, e.Problem.Vaguer = e.parts.Feasible, e.parts.Family, e.parts.Vaguer
	e.Problem.Objectives, e.Problem.Constraints, e.Problem.Noise = s.Objectives, s.Constraints, s.Noise
	if e.parts.Hopeless != nil && s.DataLimits == nil && design.Later == nil { // a search that goes on has found something
		var inputs []string // of valid strings
		for _, o := range init {
			if input := e.parts.Show(o.X); input != "" {
				inputs = append(inputs, input)
			}
		}
		if err := e.parts.Hopeless(ctx, inputs); err != nil {
			from := option.Setting{Name: "init", Value: "FILE"}
			if s.Measured {
				from.Name = "data"
			}
			return nil, option.Errorf("%w with %s", err, from)
		}
	}
	return e, nil
}

// setSpace makes the space of a method that searches strings themselves, with the pool and the numbers that the
// specification names.
func (e *Plan) setSpace(ctx context.Context, design task.Design) (err error) {
	if e.Spec.Pool.Given() {
		if e.pool, err = e.readPool(ctx); err != nil {
			return err
		}
		design.Pool = e.pool.xs
	}
	if design.Later != nil {
		design.First, design.Init = design.Strings(), design.Later
	}
	if e.space, err = e.parts.Space(design); err != nil {
		return err
	}
	if e.Spec.Lengths == (task.Lengths{}) { // scores that come later change nothing
		e.Spec.Lengths = e.space.Lengths
	}
	e.Spec.DataLimits = e.space.DataLimits
	if e.space.Core != nil {
		e.Spec.Configured = e.space.Core.SMILES
	}
	if e.pool != nil {
		for _, o := range e.Spec.Objectives {
			if k := e.pool.column(o.Name); k >= 0 {
				e.Notes.Add("the column %s of the pool is not read as the objective %s: what is told of a string counts; %s leaves out strings by it", e.pool.columns[k], o.Name, option.Name("constraint"))
			}
		}
		if err := e.pool.restrict(&e.space, slices.Concat(e.Spec.Constraints, e.Spec.PoolBounds)); err != nil {
			return err
		}
	}
	if !e.Spec.Features.Given() {
		if e.Spec.Prior != "" {
			return option.Errorf("%s is a column of a file of numbers; give that with %s", option.Setting{Name: "prior", Value: e.Spec.Prior}, option.Setting{Name: "features", Value: "FILE"})
		}
		return nil
	}
	numbers, err := e.readNumbers(ctx)
	if err != nil {
		return err
	}
	return numbers.add(&e.space, design)
}

// combine returns an oracle, which may be nil, with the objective as its score if there is one.
func (e *Plan) combine(o oracle.Oracle) oracle.Oracle {
	if e.Objective == nil || o == nil {
		return o
	}
	return oracle.Combine(o, e.Spec.ScoreName(), *e.Objective)
}

// meetNeeds checks that the task has what the method needs. Methods without a model read and draw strings as people
// write them.
func (e *Plan) meetNeeds() (err error) {
	p, method, name := &e.parts, e.Method.Name, e.Task.Name
	if e.Spec.Init.Library > 0 {
		if e.Method.Latent() || p.Library == nil {
			return usage.Errorf("a start from the library is for searches of molecules themselves, and %s of %s is none; see invbo methods", method, name)
		}
		p.Generate = func(_ context.Context, rng *rand.Rand, n int) ([]string, error) { return p.Library(n, rng), nil }
	}
	_, tunable := p.Model.(vae.Tunable)
	switch needs := e.Method.needs; {
	case needs == needsModel && p.Model == nil:
		return usage.Errorf("the method %s searches the latent space of a model, and the task %s has none; evolve needs no model", method, name)
	case needs == needsMolecules && e.Task.Oracle == nil:
		return usage.Errorf("the method %s is for molecules, and the task %s has none; see invbo methods", method, name)
	case needs == needsSpace && p.Space == nil:
		return usage.Errorf("the method %s is for molecules, expressions and strings, and the task %s has none; see invbo methods", method, name)
	case needs == needsSamples && p.Generate == nil:
		return option.Errorf("the method %s draws strings: give %s and %s", method, option.Name("alphabet"), option.Name("length"))
	case needs == needsModel && e.Method.updates() && !tunable:
		return usage.Errorf("the method %s updates its model, and that of the task %s has nothing to update; take turbo", method, name)
	case needs == needsModel:
		e.Options.Inversion, err = e.Spec.Inversion.Options(p.Model)
	case needs.noModel() && p.Model != nil:
		show, generate := p.Show, p.Generate
		p.Generate = func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
			xs, err := generate(ctx, rng, n)
			for i, x := range xs {
				xs[i] = show(x)
			}
			return xs, err
		}
		p.Notation, p.Model = p.Direct, nil
	}
	return err
}

// initial returns the initial design, random, of the library, or from a file.
func (e *Plan) initial(ctx context.Context) (task.Design, error) {
	init := e.Spec.Init
	if init.File.Given() {
		return e.fromFile(ctx)
	}
	if init.Sample > 0 || init.Skip > 0 || init.Score != "" {
		return task.Design{}, option.Errorf("%s, %s and %s are for a file of initial strings; give one with %s", option.Name("init-sample"), option.Name("init-skip"),
			option.Name("score"), option.Setting{Name: "init", Value: "FILE"})
	}
	if e.parts.Generate == nil {
		return task.Design{}, option.Errorf("give initial strings with %s, or %s and %s for random ones", option.Setting{Name: "init", Value: "FILE"}, option.Name("alphabet"), option.Name("length"))
	}
	xs, err := e.parts.Generate(ctx, e.Spec.Rand(), cmp.Or(init.Library, init.Random))
	if ctx.Err() != nil {
		return task.Design{}, context.Cause(ctx)
	}
	if err != nil {
		return task.Design{}, option.Errorf("%s: %w", option.Setting{Name: "init", Value: strconv.Itoa(init.Random)}, err)
	}
	design := task.Design{Init: make([]study.Observation, len(xs)), Sequences: e.parts.Sequences, Drawn: true}
	for i, x := range xs {
		design.Init[i].X = x
	}
	return design, nil
}

// fromFile returns the strings of the --init file that the options select, with the scores that are known.
func (e *Plan) fromFile(ctx context.Context) (design task.Design, _ error) {
	init := e.Spec.Init
	known := outcomeColumns(e.Spec.Asked(), e.parts.Notation)
	var check func(x string) error
	if e.parts.Model != nil {
		check = e.parts.Model.Check
	}
	file, err := e.parts.Notation.Open(init.File, table.Options{Score: scoreColumn(init.Score), Others: known}, check)
	if err != nil {
		return design, err
	}
	columns, outcomes, made := e.scoreColumns(file)
	columns.WildType, columns.Offset, columns.BothStrands = e.Spec.WildType, e.Spec.Offset, e.Spec.BothStrands
	columns.Pooled = true
	read, err := file.Read(ctx, columns)
	if err != nil {
		return design, err
	}
	for i := range read.Records {
		r := &read.Records[i]
		r.Others, r.OtherBounds = renamed(r.Others, outcomes), renamed(r.OtherBounds, outcomes)
	}
	if made {
		ScoreTable(read.Table, e.Objective)
	}
	e.Notes.AddText(read.Note())
	e.Notes.AddText(e.scoresNote(file, read, made))
	if slices.ContainsFunc(read.Records, func(r table.Record) bool { return r.State == table.Measured }) {
		source, err := e.Spec.sameScores(made)
		if err != nil {
			return design, err
		}
		e.Notes.AddText(source)
	}
	if read.Columns.ID == "trial" { // numbers of trials.csv are no names
		read.DropIDs()
	}
	read.SeparateNames()
	rows, order, err := e.Spec.selectRows(read)
	if err != nil {
		return design, err
	}
	compounds := rows.Compounds()
	of := map[int]int{} // compounds of rows
	for i, c := range compounds {
		for _, row := range c.Rows {
			of[row] = i
		}
	}
	taken := map[int]bool{}
	wanted := cmp.Or(init.Sample, len(order))
	for _, row := range order {
		c, usable := of[row]
		if usable && !taken[c] && len(design.Init) < wanted {
			taken[c] = true
			design.Init = append(design.Init, observation(rows.X[row], compounds[c], rows.Records))
		}
	}
	design.Sequences = read.Sequences
	if len(design.Init) < 2 {
		err := option.Errorf("%s: %d different initial strings, and a search needs 2", e.Spec.from(), len(design.Init))
		if left := read.LeftOut(); left != "" {
			err = option.Errorf("%w; %s", err, left)
		}
		return design, err
	}
	if len(design.Init) < init.Sample {
		return design, option.Errorf("%s: %s has only %d different strings", option.Setting{Name: "init-sample", Value: strconv.Itoa(init.Sample)}, init.File.Path, len(design.Init))
	}
	e.Notes.AddText(repeated(compounds, rows.Records))
	return design, nil
}

// scoreColumns returns which columns of the --init file hold known scores and further outcomes, and the names of these
// outcomes by columns. made says that the scores are made of the outcomes.
func (e *Plan) scoreColumns(file *task.Opened) (columns table.Options, outcomes map[string]string, made bool) {
	columns.Score = scoreColumn(e.Spec.Init.Score)
	if e.Spec.Init.Score == table.NoScores {
		return columns, nil, false
	}
	outcomes = map[string]string{}
	names := e.Spec.Asked()
	for i, column := range outcomeColumns(names, e.parts.Notation) {
		if found, ok := file.Find(column); ok {
			columns.Others = append(columns.Others, found)
			outcomes[found] = names[i]
		}
	}
	properties := slices.DeleteFunc(e.Spec.PropertyNames(), func(name string) bool { return slices.Contains(e.Spec.Computed, name) })
	if columns.Score != nil {
		return columns, outcomes, false
	}
	has := slices.Collect(maps.Values(outcomes))
	made = len(properties)+len(e.Spec.Computed) > 0 && !slices.ContainsFunc(properties, func(p string) bool { return !slices.Contains(has, p) })
	score, found := file.Find(e.Task.Columns...)
	switch {
	case e.Spec.Components && !made, len(e.Spec.Objectives) > 1 && !made: // a column called as one, such as logP, or the task, has other numbers
		return table.Options{Score: scoreColumn(table.NoScores)}, nil, false
	case made:
		columns.Score = scoreColumn(table.NoScores)
	case found:
		columns.Score = scoreColumn(score)
	case !e.Task.Is(task.KindOwn), file.Format().Kind == "FASTA": // a column of another name has other scores than those of the task, and numbers in titles may be anything
		columns.Score = scoreColumn(table.NoScores)
	}
	return columns, outcomes, made
}

// scoreColumn returns the columns of scores of an option; none if it is not given.
func scoreColumn(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// scoresNote says where the scores are from if no column has the usual name.
func (e *Plan) scoresNote(file *task.Opened, read *task.Strings, made bool) string {
	if likely := file.LikelyScore(); len(e.Spec.Objectives) > 1 && !made && e.Spec.Init.Score == "" && likely != "" {
		return fmt.Sprintf("%s: all strings are evaluated, as it lacks a column of %s; %s is not read", read.Source,
			strings.Join(outcomeColumns(e.Spec.PropertyNames(), task.Notation{}), " or "), likely)
	}
	if _, usual := file.Find(e.Task.Columns...); usual || e.Spec.Init.Score != "" {
		return ""
	}
	if read.Columns.Score != "" {
		return fmt.Sprintf("%s: the scores are those of the column %s", read.Source, read.Columns.Score)
	}
	if column := file.LikelyScore(); column != "" && len(e.Spec.PropertyNames()) == 0 {
		return fmt.Sprintf("%s: %s is not read as the score, since no column is named %s; all strings are evaluated", read.Source, column, strings.Join(e.Task.Columns, " or "))
	}
	return ""
}

// renamed returns values by outcomes instead of columns.
func renamed[V any](values map[string]V, outcomes map[string]string) map[string]V {
	if len(values) == 0 {
		return nil
	}
	all := make(map[string]V, len(values))
	for column, v := range values {
		all[outcomes[column]] = v
	}
	return all
}

// observation returns what the rows of a compound say of x.
func observation(x string, c table.Compound, records []table.Record) study.Observation {
	o := study.Observation{X: x, Name: c.ID}
	for _, row := range c.Rows {
		if r := records[row]; r.State == table.Measured || r.State == table.Failed {
			o.Measurements = append(o.Measurements, measurement(r))
		}
	}
	return o
}

// repeated says how many rows repeat a string with another score.
func repeated(compounds []table.Compound, records []table.Record) string {
	n, first := 0, math.MaxInt
	for _, c := range compounds {
		for _, row := range c.Rows {
			if r := records[row]; r.State == table.Measured && !quantity.Same(r.Score, c.Scores[0]) {
				n, first = n+1, min(first, r.Line)
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d rows repeat a string with a different score, and the mean is used; the first such row is line %d", n, first)
}

// sameScores refuses an --init file from the folder of a run whose scores are of another task, or of other options of
// the task. A program or service may be the same under another name, and so only a note says that it differs. made says
// that the scores were made of the properties in the file.
func (s RunSpec) sameScores(made bool) (note string, _ error) {
	path := s.Init.File.Path
	unknown := "" // what to say of scores of unknown origin
	if len(s.PropertyNames()) > 0 && !made && s.Init.Score == "" {
		unknown = fmt.Sprintf("%s: it lacks a column of %s, and its scores are taken for those made of these properties",
			path, strings.Join(outcomeColumns(s.PropertyNames(), task.Notation{}), ", "))
	}
	name := strings.TrimSuffix(path, ".gz")
	if filepath.Ext(name) != ".csv" || !slices.Contains(runFiles, filepath.Base(name)) {
		return unknown, nil
	}
	var other RunSpec
	data, err := os.ReadFile(filepath.Join(filepath.Dir(name), specFile))
	if err != nil || json.Unmarshal(data, &other) != nil {
		return unknown, nil // not beside the run that wrote it
	}
	const remedy = "give %s to have its strings evaluated"
	none := option.Setting{Name: "score", Value: table.NoScores}
	if other.Task != s.Task {
		return "", option.Errorf("%s: its scores are those of a run of %s; "+remedy+" for %s", s.from(), other.Task, none, s.Task)
	}
	named, err := task.Named(s.Task)
	if err != nil {
		return "", err
	}
	if setting := s.Rescored(named, other.Options); setting != "" {
		return "", option.Errorf("%s: its scores are those of a run with %s; "+remedy+" anew", s.from(), setting, none)
	}
	if !made && (other.OracleProperty != s.OracleProperty || !slices.Equal(other.Properties, s.Properties) || other.Product != s.Product || !slices.Equal(other.PropertyNames(), s.PropertyNames())) {
		return "", option.Errorf("%s: its scores are those of a run with another %s or %s; "+remedy+" anew", s.from(), option.Name("oracle-property"), option.Name("property"), none)
	}
	if theirs, ours := cmp.Or(other.OracleCmd, other.OracleURL), cmp.Or(s.OracleCmd, s.OracleURL); theirs != ours {
		return fmt.Sprintf("%s: its scores are those of %s, and are taken for scores of %s", path, theirs, ours), nil
	}
	return "", nil
}

// from is the file of the initial design, for errors.
func (s RunSpec) from() option.Setting { return option.Setting{Name: "init", Value: s.Init.File.Path} }

// selectRows returns the rows that are not skipped, without those of a string that could not be evaluated before, and
// the order in which they are drawn. Of equal texts only the first that can be used is drawn.
func (s RunSpec) selectRows(all *task.Strings) (rows *task.Strings, order []int, _ error) {
	rows = &task.Strings{Table: &table.Table{}, Source: all.Source}
	for i, r := range all.Records {
		if r.Text != "" && !r.NaN && r.State != table.Failed {
			rows.Records, rows.X = append(rows.Records, r), append(rows.X, all.X[i])
		}
	}
	skip := s.Init.Skip
	if skip > 0 && skip > len(rows.Records)-2 {
		return nil, nil, option.Errorf("%s leaves fewer than 2 of the %d rows in %s", option.Setting{Name: "init-skip", Value: strconv.Itoa(skip)}, len(rows.Records), s.Init.File.Path)
	}
	rows.Records, rows.X = rows.Records[skip:], rows.X[skip:]
	usable := func(r table.Record) bool { return r.State != table.Invalid && r.State != table.SetAside }
	seen := map[string]int{} // places in order
	for i, r := range rows.Records {
		switch at, again := seen[r.Text]; {
		case !again:
			seen[r.Text] = len(order)
			order = append(order, i)
		case usable(r) && !usable(rows.Records[order[at]]):
			order[at] = i
		}
	}
	if s.Init.Sample == 0 {
		return rows, order, nil
	}
	drawn := make([]int, len(order))
	for i, j := range s.Rand().Perm(len(order)) {
		drawn[i] = order[j]
	}
	return rows, drawn, nil
}
