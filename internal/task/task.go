// Package task holds what can be searched: the registry of tasks, the models that they search with, and the readers and
// writers of files of strings and latents.
package task

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/oracle/synthetic"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// Task is something that can be searched: its strings, its score and its defaults.
type Task struct {
	Defaults
	Group    string // that it is listed in; the tasks of a group have the same defaults
	Name     string
	Also     string // another name for it; may be empty
	About    string
	Score    string // what the score is, in words
	Minimize bool
	Columns  []string // names of CSV columns that may hold its score, by preference
	Model    string   // built-in, unless Options.Weights names another; empty: it has none
	Listed   int      // how many of the best strings are printed
	Optimum  *float64 // the best score that there is; nil: not known
	Ehrlich  Ehrlich  // values of its parameters that are not given

	Components []string // of its score, which can be objectives; nil: it has none

	external bool                                                  // its oracle is the user's: Options.External
	needs    func() error                                          // why it cannot be run in this build; nil: it always can
	Oracle   func(context.Context, Options) (oracle.Oracle, error) // of molecules; nil for others
	Build    func(context.Context, Task, Options) (Parts, error)   // nothing is evaluated; of molecules, Options.Weights is given if a model is needed
	Draw     func(Options, []study.Trial) (Picture, error)         // draws the best of scored strings, given best first; nil: it has no picture
}

// Defaults are a task's values for options that are not given.
type Defaults struct {
	Method                   string
	Init, Budget, Batch, Top int
	Transform                string  // of the scores for the surrogate; empty: the profile's
	UpdateRate               float64 // learning rate of the VAE's updates; 0: as published
	Region                   Region  // zero: as published
	Target                   string
	Dim                      int
}

// Region is the sides of a trust region: at first, and where it restarts and stops growing.
type Region struct {
	Length float64 `json:"length,omitzero"`
	Min    float64 `json:"min,omitzero"`
	Max    float64 `json:"max,omitzero"`
}

// Bounds are limits on numbers of a molecule that the initial design may give.
type Bounds struct {
	Weight  Range `json:"weight,omitzero"` // g/mol
	SA      Range `json:"sa,omitzero"`
	Charge  Whole `json:"charge,omitzero"`
	Rings   Whole `json:"rings,omitzero"`
	Centers Whole `json:"centers,omitzero"` // stereocenters
	Nearest Range `json:"nearest,omitzero"` // similarity to the nearest molecule of the initial design
}

// Options are the options of single tasks.
type Options struct {
	Weights     File     `json:"weights,omitzero"`
	Plausible   bool     `json:"plausible,omitzero"`
	Implausible bool     `json:"implausible,omitzero"` // of methods that are plausible unless told otherwise
	Library     File     `json:"library,omitzero"`     // of molecules; not given: the built-in one
	Forbid      File     `json:"forbid,omitzero"`      // SMARTS
	Require     Required `json:"require,omitzero"`     // groups, or SMARTS
	MaxAtoms    int      `json:"max_atoms,omitzero"`   // heavy ones
	LogP        Range    `json:"logp,omitzero"`
	Bounds
	Alerts         Alerts      `json:"alerts,omitzero"`    // that no proposal matches
	FromData       bool        `json:"from_data,omitzero"` // limits that are not given are taken from the initial design
	DataLimits     *DataLimits `json:"taken,omitzero"`     // what it said; nil: it was not asked
	Target         string      `json:"target,omitzero"`
	Dim            int         `json:"dim,omitzero"`
	Receptor       File        `json:"receptor,omitzero"`
	Box            File        `json:"box,omitzero"`
	Exhaustiveness int         `json:"exhaustiveness,omitzero"` // 0: package docking's
	DockTimeout    Duration    `json:"dock_timeout,omitzero"`   // 0: package docking's
	External
	Properties  []oracle.Property  `json:"properties,omitzero"`  // that the score is made of; none: it is the oracle's
	Product     bool               `json:"product,omitzero"`     // of Properties; otherwise their sum
	Components  bool               `json:"components,omitzero"`  // those of the task are Objectives
	Objectives  []study.Objective  `json:"objectives,omitzero"`  // outcomes to make as good as possible at once; none: the score alone
	Computed    []string           `json:"computed,omitzero"`    // names of those objectives that the program computes of a string: see SetComputed
	Constraints []study.Constraint `json:"constraints,omitzero"` // on further outcomes of the oracle
	PoolBounds  []study.Constraint `json:"pool_bounds,omitzero"` // on columns of the pool that nothing measures: see SetPoolBounds
	Noise       float64            `json:"noise,omitzero"`       // standard error of a score that has none of its own; 0: not known

	Measured bool   `json:"measured,omitzero"` // scores are told, and there is no oracle
	Minimize bool   `json:"minimize,omitzero"`
	Pool     File   `json:"pool,omitzero"`     // of strings that may be proposed; not given: any may
	Features File   `json:"features,omitzero"` // numbers of each string
	Prior    string `json:"prior,omitzero"`    // column of Features that the prior's mean is linear in; empty: there is none
	Alphabet string `json:"alphabet,omitzero"` // tokens, as readAlphabet takes them; empty: those of the initial strings
	SequenceOptions
	RouteOptions
	CoreOptions
	Ehrlich
	Landscape Landscape `json:"landscape,omitzero"`

	Strip  table.Strip `json:"-"` // of the molecules of tables: the initial design and a pool
	Column string      `json:"-"` // of the strings in the data; a pool may have it, too
}

// Objective returns what makes one score of the oracle's answers; nil: they are scores. The error says why it cannot be
// used.
func (o Options) Objective() (*oracle.Objective, error) {
	objective := &oracle.Objective{Properties: o.Properties, Product: o.Product}
	switch {
	case len(o.Objectives) > 0 && (len(o.Properties) > 0 || o.Product):
		return nil, option.Errorf("%s and %s: the outcomes are either objectives of their own or make one score; give one of them", option.Name("objective"), option.Name("property"))
	case len(o.Objectives) > 0 && o.Minimize && !o.Objectives[0].Minimize:
		return nil, option.Errorf("%s: each objective says whether it is max or min; leave it out", option.Name("minimize"))
	case len(o.Objectives) > 0:
		if err := study.CheckObjectives(o.Objectives); err != nil {
			return nil, option.Errorf("%s: %w", option.Name("objective"), err)
		}
		objective.First = true
		for _, name := range o.PropertyNames() {
			objective.Properties = append(objective.Properties, oracle.Property{Name: name})
		}
		if len(o.Computed) > 0 {
			var err error
			if objective.Compute, err = o.compute(); err != nil {
				return nil, err
			}
		}
		return objective, nil
	case len(o.Properties) > 0:
		if err := objective.Check(); err != nil {
			return nil, option.Errorf("%s: %w", option.Name("property"), err)
		}
		return objective, nil
	case o.Product:
		return nil, option.Errorf("%s is of properties; give %s for each", option.Name("product"), option.Name("property"))
	}
	return nil, nil
}

// Desirable reports whether the score is made of desirabilities, so that higher scores are better.
func (o Options) Desirable() bool {
	return slices.ContainsFunc(o.Properties, func(p oracle.Property) bool { return p.Zero != p.One && p.Weight >= 0 })
}

// PropertyNames returns the names of the objectives, or of the properties that the score is made of, each once.
func (o Options) PropertyNames() []string {
	var names []string
	for _, p := range o.Objectives {
		names = append(names, p.Name)
	}
	for _, p := range o.Properties {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Duration is a time.Duration that JSON holds as text, such as "5m0s".
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// Parts is what a task is made of, once its options are known.
type Parts struct {
	Notation
	Notes     option.Notes // on its files
	Model     vae.Model    // nil: it has none
	Oracle    oracle.Oracle
	Close     func()                                                             // ends what Oracle has started; nil: it starts nothing
	Generate  func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) // a random initial design: n different strings; nil: it has none
	Random    func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) // n different random strings; nil: Generate
	Plausible func(input string) (bool, error)                                   // all its atom environments are known ones; nil: the task has no such notion
	Feasible  func(input string) (bool, error)                                   // what the options ask for; nil if they ask for nothing
	Family    func(input string) string                                          // as in study.Problem, with Vaguer; nil: every input is its own
	Vaguer    func(input, known string) bool
	Limits    func() []option.Setting                        // on proposals, that the data gave; nil: there are none
	Flags     func(input string) ([]string, error)           // names of the alerts that an input matches; nil: there are none
	Hopeless  func(ctx context.Context, init []string) error // why nothing feasible is likely to be found, given the inputs of the initial design; nil: nothing is known of that
	Features  func(x string) (gp.Counts, error)              // for a surrogate on structure; nil: runs of tokens
	Library   func(n int, rng *rand.Rand) []string           // different molecules of the library; nil: the task is not of molecules
	Space     func(Design) (Space, error)                    // for a search of inputs themselves; nil: there is none
	Blocks    *reaction.Blocks                               // that proposals are made of, by the route in X; nil: molecules have no routes
	Direct    Notation                                       // of that search, which needs no model
	Sequences bioseq.Kind                                    // what Generate's strings are
	Best      []string                                       // the ten best strings there are; nil: not known
	Top       []float64                                      // the hundred best scores there are, best first; nil: not known
	Optimum   *float64                                       // the best score there is; nil: not known
}

// Design is the initial design: strings, and what they are.
type Design struct {
	Init      []study.Observation
	Sequences bioseq.Kind
	Pool      []string // that may be proposed, and they alone; nil: there is none
	Drawn     bool     // at random: nobody chose what it has

	// Later are the strings of Init with those that are known since, if much was told that the search had not proposed:
	// what proposals may be is then taken from these. Nil: from Init.
	Later []study.Observation

	First []string // strings of Init before it was replaced by Later, which tell how lists are written; nil: Init is the first

	Scores map[string]float64 // of strings, where Init lacks them, as of a study that goes on: higher is better

	Total int // how many strings are known, of Init or told since; 0: those of Init
}

// total returns how many strings are known, including examples.
func (d Design) total(examples []string) int { return max(d.Total, len(examples)) }

// Strings returns the strings of the design.
func (d Design) Strings() []string {
	xs := make([]string, len(d.Init))
	for i, o := range d.Init {
		xs[i] = o.X
	}
	return xs
}

// values returns the value of each scored string. Larger values are better; NaN: the string has none.
func (d Design) values(minimize bool) map[string]float64 {
	values := map[string]float64{}
	for _, o := range d.Init {
		values[o.X] = o.Value(minimize)
		if score, ok := d.Scores[o.X]; ok {
			values[o.X] = score
		}
	}
	return values
}

// best returns the string with the best score; empty: none has one.
func (d Design) best(minimize bool) (x string) {
	most := math.Inf(-1)
	for _, o := range d.Init {
		if v := o.Value(minimize); v > most {
			x, most = o.X, v
		}
	}
	return x
}

// wildType returns the string of a length that a name, such as WT, calls the wild type; empty: there is none, or several.
func (d Design) wildType(length int) (x string) {
	for _, o := range d.Init {
		switch {
		case len(o.X) != length || !mutation.IsWildType(o.Name) || o.X == x:
		case x != "":
			return ""
		default:
			x = o.X
		}
	}
	return x
}

// Space is where strings themselves are searched.
type Space struct {
	evolve.Space
	Aligned    bool                                           // its strings have one length, and positions mean the same in all of them
	WildType   string                                         // that mutations are counted from; empty: there is none
	Lengths    Lengths                                        // of proposals, as options or the scores of the design say; zero: none is said
	DataLimits *DataLimits                                    // what the design says of proposals; nil: it was not asked
	Core       *molecule.Core                                 // that all that is proposed has; nil: there is none
	Groups     func(smiles string) (groups []string, ok bool) // of a molecule at the points of Core
	Refuses    func(x string) option.Name                     // names the option by which a string is not proposed, or is ""; nil: none is known
	Why        func(x string) string                          // a string cannot be compared with the others; nil: it has another length
	Notes      option.Notes                                   // on what of the design is not used, and on what it makes proposals keep
}

// Picture is a figure with the names of its files.
type Picture struct {
	SVG, CSV string // without their extensions
	Figure
}

// Figure is a picture and its numbers.
type Figure interface {
	WriteSVG(io.Writer) error
	WriteCSV(io.Writer) error
}

// With returns the task with what options say about it: which scores are better, and what they are.
func (t Task) With(o Options) Task {
	t.Minimize = t.Minimize || o.Minimize
	if len(o.Objectives) > 0 {
		t.Minimize, t.Score = o.Objectives[0].Minimize, o.Objectives[0].Name
	}
	return t
}

// Sense says which scores are better, in words.
func (t Task) Sense() string {
	if t.Minimize {
		return "lower is better"
	}
	return "higher is better"
}

// Available returns an error if this build cannot run the task.
func (t Task) Available() error {
	if t.needs == nil {
		return nil
	}
	return usage.Wrap(t.needs())
}

// OpenOracle returns the task's oracle, and how to end what it starts. Files that only a search needs are not read.
func (t Task) OpenOracle(ctx context.Context, o Options) (scores oracle.Oracle, end func(), err error) {
	switch {
	case t.Oracle != nil:
		return t.openMolecules(ctx, o)
	case t.external:
		return o.open("x")
	}
	o.Weights = File{}
	p, err := t.Build(ctx, t, o)
	return p.Oracle, func() {}, err // only oracles of the user's own start something
}

// All returns all tasks, a row each.
func All() []Task {
	ofStrings := Defaults{Method: "evolve", Init: 100, Budget: 500, Batch: 5}
	return append(Molecular(),
		Task{
			Name: "expression", About: "an arithmetic expression in x that fits a target curve",
			Score: "log(1 + mean squared error)", Minimize: true,
			Columns: []string{"score", "expression"}, Model: ExpressionModel,
			Defaults: Defaults{Method: "cobo+invbo", Init: 100, Budget: 500, Batch: 5, Top: 10, Target: expression.Target},
			Group:    "Expressions",
			Build:    buildExpression, Listed: 1,
			Draw: func(o Options, best []study.Trial) (Picture, error) {
				f, err := expressionFit(best[0].Input, o.Target, best[0].Score)
				return Picture{"fit", "fit", f}, err
			},
		},
		Task{
			Name: "ackley", About: "the minimum of the Ackley function in many dimensions",
			Score: "Ackley function", Minimize: true,
			Columns:  []string{"score", "ackley"},
			Defaults: Defaults{Method: "turbo+pas", Init: 80, Budget: 1000, Batch: 4, Top: 10, Transform: "standardise", Dim: ackleyDim},
			Group:    "Numbers",
			Build:    buildAckley, Listed: 1,
		},
		Task{
			Name: "strings", About: "strings of your own over any alphabet, scored by a program or a service: --init FILE --oracle-cmd CMD",
			Score: ownScore, Columns: []string{"score"}, external: true,
			Defaults: ofStrings, Group: "Strings",
			Build: buildStrings, Listed: 5,
		},
		Task{
			Name: "ehrlich", About: "motifs in a string, of a random test function with a known optimum (not the instances of the literature)",
			Score: "Ehrlich function", Columns: []string{"score", "ehrlich"},
			Defaults: ofStrings, Group: "Strings",
			Build: buildEhrlich, Listed: 1, Optimum: new(1.0), Ehrlich: defaultEhrlich(),
		},
		Task{
			Name: LandscapeTask, About: "a table of measured strings, which stands for an experiment: a string that it does not have cannot be scored",
			Score: "score of the table", Columns: []string{"score"},
			Defaults: Defaults{Method: "evolve", Init: 96, Budget: 384, Batch: 96}, Group: "Landscapes",
			Build: buildLandscape, Listed: 5,
		},
	)
}

// Groups returns the tasks group by group, in their order.
func Groups() [][]Task {
	var groups [][]Task
	for _, t := range All() {
		if last := len(groups) - 1; last >= 0 && groups[last][0].Group == t.Group {
			groups[last] = append(groups[last], t)
			continue
		}
		groups = append(groups, []Task{t})
	}
	return groups
}

// Named returns the task with that name. What follows a colon are parameters, which are left out.
func Named(name string) (Task, error) {
	if name, _, _ = strings.Cut(name, ":"); name == "" {
		return Task{}, option.Errorf("give a task, for example %s; invbo tasks lists them", option.Setting{Name: "task", Value: "expression"})
	}
	return Among(All(), name)
}

// Among returns the one of some tasks with that name, as people write it: Median molecules 2 is median_molecules_2.
func Among(all []Task, name string) (Task, error) {
	blank := strings.NewReplacer("_", " ", "-", " ")
	same := func(a, b string) bool { return strings.EqualFold(blank.Replace(a), blank.Replace(b)) }
	if i := slices.IndexFunc(all, func(t Task) bool { return same(t.Name, name) || t.Also != "" && same(t.Also, name) }); i >= 0 {
		return all[i], nil
	}
	return usage.Find("task", name, all, func(t Task) string { return t.Name })
}

func buildExpression(_ context.Context, t Task, opts Options) (Parts, error) {
	o, err := expression.New(opts.Target)
	if err != nil {
		return Parts{}, option.Errorf("%s: %w", option.Name("target"), err)
	}
	if !finite(opts.Target) {
		return Parts{}, option.Errorf("%s: it has no finite value from %g to %g; give another", option.Setting{Name: "target", Value: opts.Target}, expression.Lower, expression.Upper)
	}
	m, err := LoadModel(t.Model, opts.Weights)
	if err != nil {
		return Parts{}, err
	}
	if m.Translate != nil {
		return Parts{}, usage.Errorf("%s holds a model of molecules, and this task needs one of expressions", opts.Weights.Path)
	}
	p := Parts{Notation: m.Notation, Model: m.Tunable, Oracle: o, Generate: func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		xs, err := cfg.RandomExpressions(rng, n)
		for _, x := range xs {
			if err := m.Check(x); err != nil {
				return nil, option.Errorf("the model cannot encode random expressions of the built-in grammar (%w); give strings that it can with %s", err, option.Setting{Name: "init", Value: "FILE"})
			}
		}
		return xs, err
	}}
	p.Direct, p.Space, err = expressionSpace()
	return p, err
}

// finite reports whether an expression has a finite value somewhere: all strings would score alike against one without.
func finite(target string) bool {
	const n = 1000
	xs := make([]float64, n+1)
	for i := range xs {
		xs[i] = expression.Lower + (expression.Upper-expression.Lower)*float64(i)/n
	}
	ys, err := expression.Eval(target, xs)
	return err == nil && slices.ContainsFunc(ys, func(y float64) bool { return y-y == 0 }) // NaN for NaN and infinities
}

// ackleyDim is the number of dimensions that the paper has.
const ackleyDim = 40

func buildAckley(_ context.Context, _ Task, o Options) (Parts, error) {
	upper := slices.Repeat([]float64{synthetic.AckleyBound}, o.Dim)
	lower := slices.Repeat([]float64{-synthetic.AckleyBound}, o.Dim)
	m, err := vae.NewIdentity(lower, upper)
	if err != nil {
		return Parts{}, usage.Wrap(err)
	}
	return Parts{Notation: Verbatim("x"), Model: m, Oracle: synthetic.Ackley{Dim: o.Dim}, Generate: func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		cube := make([][]float64, n)
		for i := range cube {
			cube[i] = make([]float64, o.Dim)
			for j := range cube[i] {
				cube[i][j] = rng.Float64()
			}
		}
		return m.Decode(ctx, cube)
	}}, nil
}
