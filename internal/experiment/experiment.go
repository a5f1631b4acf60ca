// Package experiment holds experiments, whoever scores: an oracle, a laboratory, or workers on other machines.
//
// An Experiment is a space of strings, their outcomes, an objective, a store and perhaps an oracle. RunSpec says as
// data what it is; RunSpec.Build makes a Plan of that, with all that it names. Create begins an experiment in a file, a
// folder or a database, and Open opens one. Then Ask proposes, Tell takes measurements (tell.go), Run has the oracle
// score (run.go), Status says where it stands (status.go), Export writes all that is known (export.go), and Watch
// follows it (watch.go).
package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Experiment is an open experiment. One process at a time may have it open to change it. Its methods may be called from
// several goroutines at once, except for Run.
type Experiment struct {
	*Plan
	*study.Study
	Columns Columns  // of the tables that people read and tell
	Notes   []string // on what is not as it was when the experiment began, or could not be taken then

	place    Place
	log      *slog.Logger
	keeper   *keeper
	folder   *folder // nil: there is none, or it is only read
	searcher study.Searcher
	clock    *timed // its oracle
	resumed  bool   // an earlier process began it
	saved    saved  // then: what the store held of it

	compared sync.Once
	alike    func(a, b string) (float64, error) // see likeness

	counting sync.Mutex     // batches
	batches  []study.Status // that ended, those of earlier processes included as far as the folder tells

	trial func(study.Trial)  // of a run: after every evaluation
	ended func(study.Status) // and after every batch
}

// Options say how an experiment is created or opened.
type Options struct {
	Columns  Columns // of a new one; empty names: the task's
	Replace  bool    // a run that the new one's folder holds
	ReadOnly bool    // it is only looked at
	Run      bool    // its oracle will score: otherwise none is made

	Change func(*RunSpec) error // of one that is opened: what no answer depends on, or the oracle
	Logger *slog.Logger         // nil discards

	Ahead    int           // see study.Options
	Patience time.Duration // how long to go on trying to reach a database that is away; 0: not at all
	Away     func(error)   // is told when that begins; may be nil
}

// wait has a store wait for its database, if it is in one.
func (o Options) wait(kept store) {
	if s, ok := kept.(*postgres.Study); ok {
		s.Wait(o.Patience, o.Away)
	}
}

// Create begins an experiment. What has been measured is its initial design. The error says what is missing or wrong;
// then nothing is there.
func Create(ctx context.Context, at Place, p *Plan, opts Options) (_ *Experiment, err error) {
	e := &Experiment{Plan: p, Columns: opts.Columns.or(p), place: at, log: opts.Logger}
	defer func() {
		if err != nil {
			if e.folder != nil {
				e.folder.discarded = true
			}
			err = errors.Join(err, e.Close())
		}
	}()
	first := &memory{}
	e.keeper = newKeeper(first, e.answered)
	if err := e.begin(ctx, opts.Run, opts.Ahead); err != nil {
		return nil, err
	}
	if err := e.Begin(ctx); err != nil {
		return nil, err
	}
	if at == (Place{}) {
		return e, nil
	}
	record, err := e.record()
	if err != nil {
		return nil, err
	}
	if at.Folder != "" {
		if e.folder, err = newFolder(at.Folder, p, opts.Replace); err != nil {
			return nil, err
		}
	}
	events, err := first.Events(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := at.create(ctx, record, events)
	if err != nil {
		return nil, err
	}
	opts.wait(kept)
	e.keeper.use(kept)
	if e.folder != nil {
		err = e.folder.begin(e)
	}
	return e, err
}

// Open opens an experiment as people call it: see ParsePlace. The search goes on as if it had never been interrupted.
func Open(ctx context.Context, at string, opts Options) (_ *Experiment, err error) {
	place, err := ParsePlace(at)
	if err != nil {
		return nil, err
	}
	e := &Experiment{place: place, log: opts.Logger, resumed: true}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if place.Folder != "" && !opts.ReadOnly {
		if e.folder, err = lockFolder(place.Folder); err != nil {
			return nil, err
		}
	}
	kept, record, err := place.open(ctx, opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	opts.wait(kept)
	e.keeper = newKeeper(kept, e.answered)
	if err := e.restore(ctx, record, opts); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return e, nil
}

// manyKnown is how many of the molecules of a study limits are taken from anew.
const manyKnown = 2_000

// restore builds the experiment of a record, and begins it with the events that the keeper has.
func (e *Experiment) restore(ctx context.Context, record []byte, opts Options) error {
	saved, err := parseRecord(record)
	if err != nil {
		return err
	}
	spec, err := saved.spec()
	if err != nil {
		return err
	}
	e.Notes, e.saved = saved.notes(), saved
	if opts.Change != nil {
		if err := opts.Change(&spec); err != nil {
			return err
		}
	}
	design := task.Design{Sequences: saved.Columns.Sequences}
	for _, o := range saved.Init {
		design.Init = append(design.Init, study.Observation{X: o.X, Name: o.Name})
	}
	e.keeper.constraints = spec.Constraints
	if spec.Measured {
		if err := e.keeper.load(ctx); err != nil {
			return err
		}
		most := 0
		if spec.Task == task.OwnMolecules && spec.Nearest == (task.Range{}) { // or similarity is that to all
			most = manyKnown // which tell as much of limits, and take seconds to read
		}
		if design.Later = e.keeper.told(most); design.Later != nil {
			spec.DataLimits = nil
		}
		design.Total, design.Scores = e.keeper.total(), e.keeper.scores()
	}
	spec.earlier, spec.Strip, spec.Column = len(design.Init) == 0, saved.Columns.Strip(), saved.Columns.Input
	if e.Plan, err = spec.build(ctx, design, opts.Run); err != nil {
		return err
	}
	e.Columns = saved.Columns.or(e.Plan)
	if err := e.begin(ctx, opts.Run, opts.Ahead); err != nil {
		return err
	}
	if e.folder != nil {
		return e.folder.begin(e)
	}
	return nil
}

// begin makes the study, with the events that its store holds. If it is to run, its oracle scores, if it has one; else
// people do, as many strings as they like.
func (e *Experiment) begin(ctx context.Context, run bool, ahead int) (err error) {
	if e.searcher, err = e.Method.searcher(e.Plan); err != nil {
		return usage.Wrap(err)
	}
	e.keeper.constraints = e.Spec.Constraints
	problem := e.Problem
	problem.Oracle = nil
	if run && (e.parts.Oracle != nil || e.Spec.Workers == RemoteWorkers) {
		e.clock = &timed{} // Run sets its oracle
		problem.Oracle = e.clock
	}
	options := e.studyOptions()
	options.Ahead = ahead
	if e.clock == nil {
		options.Budget = usage.Most
	}
	options.Store, options.Logger, options.Watch = e.keeper, e.log, e.batch
	e.Study, err = study.New(ctx, problem, e.searcher, options)
	return usage.Wrap(err)
}

// Custom returns an experiment in memory, called as a file of that name, whose search is the caller's.
func Custom(ctx context.Context, name string, p study.Problem, s study.Searcher, o study.Options) (*Experiment, error) {
	e := &Experiment{Plan: &Plan{Task: task.Task{Name: p.Name}}, place: Place{File: name}}
	e.keeper = newKeeper(&memory{}, e.answered)
	return e, e.SearchBy(ctx, p, s, o)
}

// SearchBy replaces the search by the caller's. The trials are those of the store.
func (e *Experiment) SearchBy(ctx context.Context, p study.Problem, s study.Searcher, o study.Options) (err error) {
	o.Store = e.keeper
	e.Study, err = study.New(ctx, p, s, o)
	return err
}

// answered is told of every trial with an answer when it is stored.
func (e *Experiment) answered(t study.Trial) {
	if e.folder != nil {
		e.folder.record(e.folder.trials, e.folder.trialFields(t))
		if e.folder.replaces {
			e.folder.lost = cmp.Or(e.folder.lost, e.folder.forget())
		}
	}
	if e.trial != nil {
		e.trial(t)
	}
}

// batch is told when a batch has ended: of a resumed search again for those since its latest snapshot. One goroutine at
// a time calls it.
func (e *Experiment) batch(s study.Status) {
	if s.Batches > len(e.endedBatches()) {
		e.counting.Lock()
		e.batches = append(e.batches, s)
		e.counting.Unlock()
		if e.folder != nil {
			e.folder.record(e.folder.batches, e.folder.batchFields(s))
		}
	}
	if e.ended != nil {
		e.ended(s)
	}
}

// endedBatches returns the batches that have ended.
func (e *Experiment) endedBatches() []study.Status {
	e.counting.Lock()
	defer e.counting.Unlock()
	return e.batches // only its end changes
}

// HasOracle reports whether an oracle scores what is proposed, when the experiment runs; otherwise people do.
func (e *Experiment) HasOracle() bool { return e.Spec.Task != "" && !e.Spec.Measured }

// Place returns where the experiment is kept.
func (e *Experiment) Place() Place { return e.place }

// Close closes the experiment. All that was stored is kept, unless it was discarded.
func (e *Experiment) Close() error {
	var errs []error
	if e.keeper != nil {
		errs = append(errs, e.keeper.kept.Close())
	}
	if e.folder != nil {
		errs = append(errs, e.folder.close())
	}
	if e.Plan != nil && e.parts.Close != nil {
		e.parts.Close()
		e.parts.Close = nil
	}
	return errors.Join(errs...)
}

// Columns say how the user's tables are read.
type Columns struct {
	table.Columns
	KeepSalts bool `json:"keep_salts,omitzero"` // molecules are not stripped of them
	Neutral   bool `json:"neutral,omitzero"`    // charges are removed from molecules of a single part, too, which studies of earlier versions keep

	// As in table.Options.
	Sequences bioseq.Kind `json:"sequences,omitzero"`
	WildType  string      `json:"wild_type,omitzero"`
	Offset    int         `json:"offset,omitzero"`
}

// Strip says how molecules are read.
func (c Columns) Strip() table.Strip {
	return table.Strip{KeepSalts: c.KeepSalts, KeepCharges: !c.Neutral}
}

// or returns the columns with the usual names for those that have none.
func (c Columns) or(p *Plan) Columns {
	input := "sequence"
	if p.Molecules() {
		input = "SMILES"
	}
	c.Columns = c.Columns.OneLine()
	c.Input, c.Score, c.ID = cmp.Or(c.Input, input), cmp.Or(c.Score, "score"), cmp.Or(c.ID, "id")
	c.Sequences = cmp.Or(c.Sequences, p.sequences)
	c.WildType, _ = p.WildType()
	c.Offset = p.Spec.Offset
	if c.WildType != "" && table.NamesMutants(c.ID) { // that column has the mutants of proposals, and their names are numbers
		c.ID = "id"
	}
	return c
}

// Normalize returns how the strings of a table become those of a task, as for table.Options; nil: they are left as they
// are. The error is that this build has no RDKit.
func (c Columns) Normalize(t task.Task) (func(text string) (input, note string, err error), error) {
	if t.Oracle != nil {
		return table.Molecules(c.Strip())
	}
	return nil, nil
}

// Normalize returns how a string that people tell becomes one of the search; nil: it is left as it is. The error is
// that this build has no RDKit.
func (e *Experiment) Normalize() (func(text string) (input, note string, err error), error) {
	if o := e.tableOptions(); o.Sequences != bioseq.None {
		return func(text string) (string, string, error) {
			sequence, err := table.ReadSequence(text, o)
			return sequence, "", err
		}, nil
	}
	if e.spelling != nil {
		spell, _, err := e.spelling(nil)
		return func(text string) (string, string, error) {
			s := spell(text)
			return s.Text, s.Changed, s.Err
		}, err
	}
	return e.Columns.Normalize(e.Task)
}

// tableOptions are those of the strings in the user's tables.
func (e *Experiment) tableOptions() table.Options {
	c := e.Columns
	return table.Options{Sequences: c.Sequences, WildType: c.WildType, Offset: c.Offset, BothStrands: e.Spec.BothStrands}
}

// TableOptions are how tables are read that are told.
func (e *Experiment) TableOptions() (o table.Options, err error) {
	o = e.tableOptions()
	o.Molecules, o.Named, o.Others, o.Like = e.Molecules(), true, e.Spec.Asked(), e.Columns.Columns
	o.Normalize, err = e.Columns.Normalize(e.Task)
	o.Known, o.Alike = e.known(), e.spelling
	return o, err
}

// known is what tells names and strings of the study in a table that is told.
func (e *Experiment) known() *table.Known {
	names, numbered, values := e.names(), sync.OnceValue(e.numbered), e.knownValues()
	fractions, ratios := e.unstated(values)
	return &table.Known{
		Called: func(name string) string {
			if fits := e.fits(e.whole(name, names), names); len(fits) > 0 {
				return fits[0].Input
			}
			return e.pool.called(name)
		},
		Shared: func(name string) bool { return numbered()[name] != nil },
		Written: func(text string) string {
			if t, err := e.about(&table.Record{Input: e.read(text)}, names); err == nil && t.ID != 0 {
				return t.Input
			}
			return ""
		},
		Range: func() (least, most float64) {
			if scores := values[""]; len(scores) > 0 && slices.Min(scores) > 0 {
				return slices.Min(scores), slices.Max(scores)
			}
			return 0, 0
		},
		Fractions: fractions,
		Ratios:    ratios,
		Remarked: func() bool {
			return slices.ContainsFunc(e.Trials(), func(t study.Trial) bool {
				_, remark := notation.CutRemark(t.Input)
				return remark != ""
			})
		},
	}
}

// read returns a string as Normalize writes it, and one that it refuses as it is.
func (e *Experiment) read(text string) string {
	normalize, err := e.Normalize()
	if err != nil || normalize == nil {
		return text
	}
	input, _, err := normalize(text)
	if err != nil {
		return text
	}
	return input
}

// Molecules reports whether the strings are molecules.
func (p *Plan) Molecules() bool { return p.Task.Oracle != nil }

// Outcomes returns the names of the outcomes beside the score: those that the objective is made of, and then those that
// constraints bound.
func (s RunSpec) Outcomes() []string {
	names := s.PropertyNames()
	for _, name := range study.Outcomes(s.Constraints) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Asked returns the names of Outcomes that the oracle or the laboratory is asked for: the program does not compute them.
func (s RunSpec) Asked() []string {
	return slices.DeleteFunc(s.Outcomes(), func(name string) bool { return slices.Contains(s.Computed, name) })
}

// SaveLeases and Leases keep what is lent of the proposals, beyond the end of the process if the experiment is kept.
func (e *Experiment) SaveLeases(ctx context.Context, leases []sqlite.Lease) error {
	return e.keeper.kept.SaveLeases(ctx, leases)
}

func (e *Experiment) Leases(ctx context.Context) ([]sqlite.Lease, error) {
	return e.keeper.kept.Leases(ctx)
}

// Reachable returns an error if an answer could not be stored now.
func (e *Experiment) Reachable(ctx context.Context) error { return e.keeper.kept.Reachable(ctx) }
