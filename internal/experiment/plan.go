package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo"
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
	Note   string // on the initial design, for people; may be empty

	parts   task.Parts
	problem study.Problem
	options invbo.Options
}

// Build resolves the specification, and reads and builds what it names. Nothing is evaluated or written.
func (s RunSpec) Build(ctx context.Context) (*Plan, error) { return s.build(ctx, nil, true) }

// BuildMeasured is Build for scores that are told: the initial design is what has been measured, two different strings with a score at
// least. Rows without a measurement are left out. Notes say what else is.
func (s RunSpec) BuildMeasured(ctx context.Context, rows []Row) (p *Plan, err error) {
	s.Measured, s.Budget = true, usage.Most
	init, parts, err := s.Observations(rows)
	if err != nil {
		return nil, err
	}
	scored := 0
	for _, o := range init {
		if slices.ContainsFunc(o.Measurements, func(m study.Measurement) bool { return !math.IsNaN(m.Score) }) {
			scored++
		}
	}
	if scored < 2 {
		return nil, usage.Errorf("strings with a score: %d, and a search needs 2 different ones; give a table with more of them", scored)
	}
	if p, err = s.build(ctx, init, false); err != nil {
		return nil, err
	}
	if len(parts) > 0 {
		p.Note = strings.TrimSpace(fmt.Sprintf("%s\nrows left out, as they have a part of %s only: %d; the first is line %d", p.Note, words(s.Outcomes()), len(parts), parts[0].Line))
	}
	return p, nil
}

// build is Build with an initial design, unless that is nil. Without scores the plan has no oracle: others score.
func (s RunSpec) build(ctx context.Context, init []study.Observation, scores bool) (*Plan, error) {
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
	options, err := s.libraryOptions(m)
	if err != nil {
		return nil, err
	}
	e := &Plan{Spec: s, Task: t, Method: m, options: options}
	parts := s.Options
	parts.Measured = parts.Measured || !scores || s.Workers == RemoteWorkers // they have the oracle
	if e.parts, err = t.Build(ctx, t, parts); err != nil {
		return nil, err
	}
	if e.parts.Oracle, err = s.combine(e.parts.Oracle); err != nil {
		return nil, err
	}
	if err := e.meetNeeds(); err != nil {
		return nil, err
	}
	if init == nil {
		if init, err = e.initial(ctx); err != nil {
			return nil, err
		}
	}
	e.Note = strings.TrimSpace(e.Note + "\n" + e.parts.Note)
	e.options.Features = e.parts.Features
	e.problem = study.Problem{Name: t.Name, Oracle: e.parts.Oracle, Minimize: t.Minimize, Init: init, Translate: e.parts.Translate}
	e.problem.Feasible, e.problem.Constraints, e.problem.Noise = e.parts.Feasible, s.Constraints, s.Noise
	if e.parts.Hopeless != nil {
		if err := e.parts.Hopeless(e.initialInputs()); err != nil {
			from := "--init"
			if s.Measured {
				from = "--data"
			}
			return nil, usage.Errorf("%w with %s FILE", err, from)
		}
	}
	return e, nil
}

// combine returns an oracle, which may be nil, with the objective of several properties as its score if there is one.
func (s RunSpec) combine(o oracle.Oracle) (oracle.Oracle, error) {
	objective, err := s.Objective()
	if objective == nil || o == nil || err != nil {
		return o, err
	}
	return oracle.Combine(o, s.ScoreName(), *objective), nil
}

// meetNeeds checks that the task has what the method needs. Methods without a model read and draw strings as people write them.
func (e *Plan) meetNeeds() (err error) {
	p, method, name := &e.parts, e.Method.Name, e.Task.Name
	if e.Spec.Init.Library > 0 {
		if e.Method.Latent() || p.Library == nil {
			return usage.Errorf("a start from the library is for searches of molecules themselves, and %s of %s is none; see invbo methods", method, name)
		}
		p.Generate = func(_ context.Context, rng *rand.Rand, n int) ([]string, error) { return p.Library(n, rng), nil }
	}
	switch needs := e.Method.needs; {
	case needs == needsModel && p.Model == nil:
		return usage.Errorf("the method %s searches the latent space of a model, and the task %s has none; evolve needs no model", method, name)
	case needs == needsMolecules && e.Task.Oracle == nil:
		return usage.Errorf("the method %s is for molecules, and the task %s has none; see invbo methods", method, name)
	case needs == needsSpace && p.Space == nil:
		return usage.Errorf("the method %s is for molecules, expressions and strings, and the task %s has none; see invbo methods", method, name)
	case needs == needsSamples && p.Generate == nil:
		return usage.Errorf("the method %s draws strings: give --alphabet and --length", method)
	case needs == needsModel && e.Method.updates() && !tunable(p.Model):
		return usage.Errorf("the method %s updates its model, and that of the task %s has nothing to update; take turbo", method, name)
	case needs == needsModel:
		e.options.Inversion, err = e.Spec.Inversion.Options(p.Model)
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

// tunable reports whether a model can be updated.
func tunable(m vae.Model) bool {
	_, ok := m.(vae.Tunable)
	return ok
}

// initialInputs returns the valid strings of the initial design as the oracle reads them.
func (e *Plan) initialInputs() []string {
	var inputs []string
	for _, o := range e.problem.Init {
		if input := e.parts.Show(o.X); input != "" {
			inputs = append(inputs, input)
		}
	}
	return inputs
}

// initial returns the initial design, random, of the library, or from a file.
func (e *Plan) initial(ctx context.Context) ([]study.Observation, error) {
	init := e.Spec.Init
	if init.File.Given() {
		return e.fromFile()
	}
	if init.Sample > 0 || init.Skip > 0 || init.Score != "" {
		return nil, usage.Errorf("--init-sample, --init-skip and --score are for a file of initial strings; give one with --init FILE")
	}
	if e.parts.Generate == nil {
		return nil, usage.Errorf("give initial strings with --init FILE, or --alphabet and --length for random ones")
	}
	xs, err := e.parts.Generate(ctx, e.Spec.Rand(), cmp.Or(init.Library, init.Random))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, usage.Errorf("--init %d: %w", init.Random, err)
	}
	design := make([]study.Observation, len(xs))
	for i, x := range xs {
		design[i].X = x
	}
	return design, nil
}

// fromFile returns the rows of the --init file that the options select.
func (e *Plan) fromFile() (design []study.Observation, _ error) {
	init, name := e.Spec.Init, e.Spec.Init.File.Path
	scores, outcomes := task.ScoreColumn{Name: init.Score, Known: e.Task.Columns}, e.Spec.Outcomes()
	if init.Score != task.NoScores {
		scores.Others = outcomeColumns(outcomes, e.parts.Notation)
	}
	if init.Score == "" {
		scores.Parts = scores.Others[:len(e.Spec.PropertyNames())] // Outcomes begins with these
	}
	list, err := task.ReadFile(init.File, e.parts.Notation, scores)
	if err != nil {
		return nil, err
	}
	if list.Made {
		if err := e.Spec.remake(list.Rows); err != nil {
			return nil, err
		}
	}
	source := "" // of the scores, if people should know
	if slices.ContainsFunc(list.Rows, func(r task.Row) bool { return r.Scored }) {
		if source, err = e.Spec.sameScores(list.Made); err != nil {
			return nil, err
		}
	}
	rows, repeats, err := e.Spec.selectRows(list.Rows)
	if err != nil {
		return nil, err
	}
	wanted := cmp.Or(init.Sample, len(rows))
	var invalid []error
	at := map[string]int{} // by what the oracle reads
	for _, r := range rows {
		if len(design) == wanted {
			break
		}
		x, err := list.Read(r, e.parts.Model)
		input := x
		if err == nil && e.parts.Translate != nil {
			if translated, err := e.parts.Translate(x); err == nil {
				input = translated
			}
		}
		i, again := at[input]
		switch {
		case err != nil && !init.SkipInvalid:
			return nil, usage.Errorf("%w; --skip-invalid leaves such rows out", err)
		case err != nil:
			invalid = append(invalid, err)
		case !again:
			at[input] = len(design)
			design = append(design, observation(x, r, outcomes))
		case r.Scored && design[i].Measurements == nil:
			design[i] = observation(design[i].X, r, outcomes)
		case r.Scored && design[i].Measurements[0].Score != r.Score:
			repeats = append(repeats, r.Line)
		}
	}
	if len(design) < 2 && len(invalid) > 0 {
		return nil, usage.Errorf("only %d rows can be used, and a search needs 2; %w", len(design), invalid[0])
	}
	if len(design) < 2 {
		return nil, usage.Errorf("--init %s: %d different initial strings, and a search needs 2", name, len(design))
	}
	if len(design) < init.Sample {
		return nil, usage.Errorf("--init-sample %d: %s has only %d different strings", init.Sample, name, len(design))
	}
	notes := []string{list.Note, source, task.Skipped(invalid)}
	if len(repeats) > 0 {
		notes = append(notes, fmt.Sprintf("%d rows repeat a string with a different score, and the first score is used; the first such row is line %d", len(repeats), slices.Min(repeats)))
	}
	e.Note = strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "\n")
	return design, nil
}

// observation returns what a row says of x.
func observation(x string, r task.Row, outcomes []string) study.Observation {
	o := study.Observation{X: x}
	if r.Scored {
		o.Measurements = []study.Measurement{{Score: r.Score, Others: known(r, outcomes)}}
	}
	return o
}

// known returns the outcomes that a row has, by name; nil if there are none.
func known(r task.Row, outcomes []string) map[string]float64 {
	var others map[string]float64
	for i, v := range r.Others {
		if math.IsNaN(v) {
			continue
		}
		if others == nil {
			others = map[string]float64{}
		}
		others[outcomes[i]] = v
	}
	return others
}

// remake makes the scores of rows from their properties. A row without one of them has no score.
func (s RunSpec) remake(rows []task.Row) error {
	objective, err := s.Objective()
	if err != nil {
		return err
	}
	for i, r := range rows {
		score, missing := objective.Score(known(r, s.Outcomes()))
		rows[i].Score, rows[i].Scored = score, missing == ""
	}
	return nil
}

// sameScores refuses an --init file from the folder of a run whose scores are of another task, or of other options of the task. A
// program or service may be the same under another name, and so only a note says that it differs. made says that the scores were
// made of the properties in the file.
func (s RunSpec) sameScores(made bool) (note string, _ error) {
	path := s.Init.File.Path
	unknown := "" // what to say of scores of unknown origin
	if len(s.Properties) > 0 && !made && s.Init.Score == "" {
		unknown = fmt.Sprintf("--init %s: it lacks a column of %s, and its scores are taken for those made of these properties; give --score none to have its strings evaluated",
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
	const remedy = "give --score none to have its strings evaluated"
	if other.Task != s.Task {
		return "", usage.Errorf("--init %s: its scores are those of a run of %s; %s for %s", path, other.Task, remedy, s.Task)
	}
	if other.Instances.SHA256 != s.Instances.SHA256 {
		return "", usage.Errorf("--init %s: its scores are those of a run with another --instances; %s anew", path, remedy)
	}
	if s.Task == "strings" { // where it is the length of random ones, and no matter of scores
		other.Ehrlich.Length = s.Ehrlich.Length
	}
	for _, option := range []struct{ flag, theirs, ours string }{
		{"target", other.Target, s.Target}, {"receptor", other.Receptor.SHA256, s.Receptor.SHA256}, {"box", other.Box.SHA256, s.Box.SHA256},
		{"states", strconv.Itoa(other.States), strconv.Itoa(s.States)}, {"length", strconv.Itoa(other.Ehrlich.Length), strconv.Itoa(s.Ehrlich.Length)},
		{"motifs", strconv.Itoa(other.Motifs), strconv.Itoa(s.Motifs)}, {"motif-length", strconv.Itoa(other.MotifLength), strconv.Itoa(s.MotifLength)},
		{"instance", strconv.FormatUint(other.Instance, 10), strconv.FormatUint(s.Instance, 10)},
	} {
		if option.theirs != option.ours {
			return "", usage.Errorf("--init %s: its scores are those of a run with --%s %s; %s anew", path, option.flag, option.theirs, remedy)
		}
	}
	if !made && (other.OracleProperty != s.OracleProperty || !slices.Equal(other.Properties, s.Properties) || other.Product != s.Product) {
		return "", usage.Errorf("--init %s: its scores are those of a run with another --oracle-property or --property; %s anew", path, remedy)
	}
	if theirs, ours := cmp.Or(other.OracleCmd, other.OracleURL), cmp.Or(s.OracleCmd, s.OracleURL); theirs != ours {
		return fmt.Sprintf("--init %s: its scores are those of %s, and are taken for scores of %s; give --score none if that is another function", path, theirs, ours), nil
	}
	return "", nil
}

// selectRows skips rows and puts the others in the order in which they are drawn. Of equal texts only the first counts;
// repeats are the lines of those with a different score.
func (s RunSpec) selectRows(rows []task.Row) (_ []task.Row, repeats []int, _ error) {
	skip := s.Init.Skip
	if skip > 0 && skip > len(rows)-2 {
		return nil, nil, usage.Errorf("--init-skip %d leaves fewer than 2 of the %d rows in %s", skip, len(rows), s.Init.File.Path)
	}
	at := map[string]int{}
	var different []task.Row
	for _, r := range rows[skip:] {
		if i, again := at[r.Text]; !again {
			at[r.Text] = len(different)
			different = append(different, r)
		} else if r.Scored && !different[i].Scored {
			different[i].Score, different[i].Scored, different[i].Others = r.Score, true, r.Others
		} else if r.Scored && different[i].Score != r.Score {
			repeats = append(repeats, r.Line)
		}
	}
	if s.Init.Sample == 0 {
		return different, repeats, nil
	}
	drawn := make([]task.Row, len(different))
	for i, j := range s.Rand().Perm(len(different)) {
		drawn[i] = different[j]
	}
	return drawn, repeats, nil
}
