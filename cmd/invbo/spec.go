package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle/expression"
)

// spec describes a run: the flags that `invbo run` and `invbo bench` share.
type spec struct {
	task, method         string
	budget               int           // 0: the task's default
	time                 time.Duration // 0: no limit
	seed                 uint64
	init                 string
	initSample, initSkip int
	skipInvalid          bool
	methodFlags
	own taskFlags
}

// methodFlags are the parts of a method. Zero fields take the task's or the method's default.
type methodFlags struct {
	profile, transform   string
	batch, top, patience int
	inversion            inversionFlags
	updateRate           float64
	region               regionFlags
}

// regionFlags are the sides of the trust region.
type regionFlags struct{ length, least, most float64 }

// largestRegion bounds the flags of the region's side: far beyond any space that is searched.
const largestRegion = 100

// experiment is a spec made ready to run.
type experiment struct {
	task    task
	parts   parts
	problem invbo.Problem
	options invbo.Options
	search  search
	time    time.Duration // after which it ends; 0: no limit
	note    string        // on the initial data, for people; may be empty
	scoring string        // see taskFlags.scoring
}

// groups returns the flags of all runs of a kind.
func (s *spec) groups() []flagGroup {
	search := newGroup("What and how")
	f := search.flags
	f.StringVar(&s.task, "task", "", "`NAME` of what to search: see invbo tasks")
	f.IntVar(&s.budget, "budget", 0, "oracle calls after the initial data: `N` (default: the task's, mostly 500)")
	f.DurationVar(&s.time, "time", 0, "end at the first batch after `TIME`, such as 5m, if the budget is not spent by then (default: no limit)")
	f.IntVar(&s.batch, "batch", 0, "ask for `N` strings at a time (default: the task's, mostly 5)")

	start := newGroup("What to start from")
	f = start.flags
	f.StringVar(&s.init, "init", "", "`N|FILE`: random strings of the model, or a file's (default: the task's N, mostly 100)")
	f.IntVar(&s.initSample, "init-sample", 0, "draw `N` rows of the --init file by the seed (default: take all)")
	f.IntVar(&s.initSkip, "init-skip", 0, "leave out the first `N` rows of the --init file")
	f.BoolVar(&s.skipInvalid, "skip-invalid", false, "leave out rows that the model cannot write, and say how many")

	own := newGroup("Single tasks")
	f = own.flags
	f.StringVar(&s.own.weights, "weights", "", "molecules, expression: model `FILE` from invbo train (default: the built-in one)")
	f.BoolVar(&s.own.plausible, "plausible", false, "molecules: ask for none that has an atom environment, a ring or a pair of fused rings that fewer than 10 molecules of the training corpus have")
	f.StringVar(&s.own.target, "target", expression.Target, "expression: the curve to fit, as an `EXPRESSION`")
	f.IntVar(&s.own.dim, "dim", 40, "ackley: `N` dimensions")
	s.own.docking.add(f)
	return []flagGroup{search, start, s.methodFlags.group(), own}
}

// group returns the flags, but for that of the batch, which has its place beside the budget.
func (m *methodFlags) group() flagGroup {
	g := newGroup("Parts of the method")
	f := g.flags
	f.IntVar(&m.top, "top", 0, "choose anchors among the `N` best points, and update the VAE on them (default: the task's, 50 for GuacaMol's, 10 otherwise)")
	f.IntVar(&m.patience, "patience", 0, "update the VAE after `N` batches without a new best (default 10)")
	f.StringVar(&m.profile, "profile", "fitted", "fitted (recommended), or published: surrogate, transform, inversion, updates and region as in the paper's code")
	f.StringVar(&m.transform, "transform", "", "what the surrogate sees of the scores: raw, standardise or logrank (default: the task's, or as published with --profile published)")
	m.inversion.add(f, "inversion-")
	f.Float64Var(&m.updateRate, "update-rate", 0, "learning `RATE` of the VAE's updates (default: the task's, or 0.001 as published with --profile published)")
	f.Float64Var(&m.region.length, "region-length", 0, "the trust region's `SIDE` at first, where 1 is the search box, or ±4σ of latents (default: the task's, or 0.8)")
	f.Float64Var(&m.region.least, "region-min", 0, "`SIDE` below which it begins anew (default: the task's, or 0.0078)")
	f.Float64Var(&m.region.most, "region-max", 0, "largest `SIDE` (default: the task's, or 1.6)")
	return g
}

// addOne adds the flags that single out one run to the first group.
func (s *spec) addOne(groups []flagGroup) {
	f := groups[0].flags
	f.StringVar(&s.method, "method", "", "`NAME` of how to search: see invbo methods (default: the task's, mostly cobo+invbo)")
	f.Uint64Var(&s.seed, "seed", 0, "the same `N` gives the same run")
}

// most is more than anyone wants of anything, and still fits into memory.
const most = 1_000_000

// check refuses flags that mean nothing, before anything is built.
func (s spec) check(f *pflag.FlagSet) error {
	t, err := taskNamed(s.task)
	if err != nil {
		return err
	}
	if c, ok := controlNamed(s.method); ok {
		if err := c.refuse(f); err != nil {
			return err
		}
	}
	for _, name := range []string{"budget", "batch", "top", "patience", "init-sample"} {
		if value, _ := f.GetInt(name); f.Changed(name) && (value < 1 || value > most) {
			return usagef("--%s %d: give a number from 1 to %d", name, value, most)
		}
	}
	if err := s.own.docking.check(f); err != nil {
		return err
	}
	if f.Changed("time") && s.time <= 0 {
		return usagef("--time %v: give a time above 0, such as 5m", s.time)
	}
	if s.initSkip < 0 {
		return usagef("--init-skip %d: give 0 or a number above it", s.initSkip)
	}
	if f.Changed("update-rate") && !(s.updateRate > 0 && s.updateRate <= most) {
		return usagef("--update-rate %g: give a number above 0 and up to %d", s.updateRate, most)
	}
	for _, name := range []string{"region-length", "region-min", "region-max"} {
		if value, _ := f.GetFloat64(name); f.Changed(name) && !(value > 0 && value <= largestRegion) {
			return usagef("--%s %g: give a number above 0 and up to %g", name, value, float64(largestRegion))
		}
	}
	return t.refuse(f)
}

// filled returns s with the task's defaults, and without the flags of other tasks.
func (s spec) filled(t task) spec {
	s.task = t.name
	s.method = cmp.Or(s.method, t.method)
	s.init = cmp.Or(s.init, strconv.Itoa(t.init))
	s.budget = cmp.Or(s.budget, t.budget)
	s.batch = cmp.Or(s.batch, t.batch)
	s.top = cmp.Or(s.top, t.top)
	if s.profile == invbo.Fitted().Name {
		s.transform = cmp.Or(s.transform, t.transform)
		s.updateRate = cmp.Or(s.updateRate, t.updateRate)
		s.region.length = cmp.Or(s.region.length, t.region.length)
		s.region.least = cmp.Or(s.region.least, t.region.least)
		s.region.most = cmp.Or(s.region.most, t.region.most)
	}
	if c, ok := controlNamed(s.method); ok {
		s.methodFlags = c.keep(s.methodFlags)
	}
	if !slices.Contains(t.flags, "target") {
		s.own.target = ""
	}
	if !slices.Contains(t.flags, "dim") {
		s.own.dim = 0
	}
	return s
}

// experiment builds the run that s describes. Nothing is evaluated or written.
func (s spec) experiment(ctx context.Context) (experiment, error) {
	t, err := taskNamed(s.task)
	if err != nil {
		return experiment{}, err
	}
	s = s.filled(t)
	options, err := s.options()
	if err != nil {
		return experiment{}, err
	}
	if t.needs != nil {
		if err := t.needs(); err != nil {
			return experiment{}, &usageError{err}
		}
	}
	built, err := t.build(ctx, t, s.own)
	if err != nil {
		return experiment{}, err
	}
	control, isControl := controlNamed(s.method)
	if isControl {
		built, err = control.among(t, built)
	} else {
		options.Inversion, err = s.inversion.options(built.model, built.notation)
	}
	if err != nil {
		return experiment{}, err
	}
	init, note, err := s.initial(ctx, t, built)
	if err != nil {
		return experiment{}, err
	}
	scoring, err := s.own.scoring()
	if err != nil {
		return experiment{}, err
	}
	e := experiment{
		task: t, parts: built, note: note, scoring: scoring, options: options, search: inLatents, time: s.time,
		problem: invbo.Problem{
			Name: t.name, Model: built.model, Oracle: built.oracle, Minimize: t.minimize, Init: init,
			Translate: built.translate, Features: built.features,
		},
	}
	if s.own.plausible {
		e.problem.Feasible = built.feasible
	}
	if isControl {
		e.search = control.search
	} else if _, err := invbo.New(e.problem, e.options); err != nil {
		return experiment{}, &usageError{err}
	}
	return e, nil
}

// options returns the options of a search but for its inversion, which depends on the model. A control needs few.
func (s spec) options() (o invbo.Options, err error) {
	o = invbo.Options{Budget: s.budget, Batch: s.batch, Top: s.top, Patience: s.patience, Seed: s.seed}
	if c, ok := controlNamed(s.method); ok {
		o.Method.Name = c.name
		o.Profile.Transform, err = transformNamed(s.transform, nil)
		return o, err
	}
	if o.Method, err = methodNamed(s.method); err != nil {
		return o, err
	}
	if o.Method.Tuning != (invbo.FineTuning{}) {
		o.Method.Tuning.Rate = s.updateRate
	}
	if o.Profile, err = profileNamed(s.profile); err != nil {
		return o, err
	}
	if o.Profile.Transform, err = transformNamed(s.transform, o.Profile.Transform); err != nil {
		return o, err
	}
	o.Region = invbo.RegionOptions{Length: s.region.length, Min: s.region.least, Max: s.region.most}
	return o, nil
}

// initial returns the strings to start from: random ones, or a file's. The note says what was left out.
func (s spec) initial(ctx context.Context, t task, p parts) (_ []invbo.Observation, note string, _ error) {
	n, err := strconv.Atoi(s.init)
	if err != nil {
		return s.fromFile(t, p)
	}
	if s.initSample > 0 || s.initSkip > 0 {
		return nil, "", usagef("--init-sample and --init-skip choose among the rows of a file; give one with --init FILE")
	}
	if n < 2 || n > most {
		return nil, "", usagef("--init %d: give 2 to %d strings to start from", n, most)
	}
	xs, err := p.generate(ctx, s.rand(), n)
	if ctx.Err() != nil {
		return nil, "", context.Cause(ctx)
	}
	if err != nil {
		return nil, "", usagef("--init %d: %w", n, err)
	}
	init := make([]invbo.Observation, n)
	for i, x := range xs {
		init[i].X = x
	}
	return init, "", nil
}

// fromFile returns the rows of the --init file that the flags choose.
func (s spec) fromFile(t task, p parts) (init []invbo.Observation, note string, _ error) {
	list, err := readFile(s.init, os.Stdin, p.notation, t.scores...)
	if err != nil {
		return nil, "", err
	}
	if slices.ContainsFunc(list.rows, func(r row) bool { return r.scored }) {
		if err := s.sameTask(); err != nil {
			return nil, "", err
		}
	}
	rows, other, err := s.choose(list.rows)
	if err != nil {
		return nil, "", err
	}
	wanted := cmp.Or(s.initSample, len(rows))
	var invalid []error
	at := map[string]int{} // by what the oracle reads
	for _, r := range rows {
		if len(init) == wanted {
			break
		}
		x, err := list.read(r, p.model)
		thing := x
		if err == nil && p.translate != nil {
			if input, err := p.translate(x); err == nil {
				thing = input
			}
		}
		i, again := at[thing]
		switch {
		case err != nil && !s.skipInvalid:
			return nil, "", usagef("%w; --skip-invalid leaves such rows out", err)
		case err != nil:
			invalid = append(invalid, err)
		case !again:
			at[thing] = len(init)
			init = append(init, invbo.Observation{X: x, Y: r.score, Scored: r.scored})
		case r.scored && !init[i].Scored:
			init[i].Y, init[i].Scored = r.score, true
		case r.scored && init[i].Y != r.score:
			other = append(other, r.line)
		}
	}
	if len(init) < 2 && len(invalid) > 0 {
		return nil, "", usagef("%d rows that the model can write are left, and a search needs 2; %w", len(init), invalid[0])
	}
	if len(init) < 2 {
		return nil, "", usagef("--init %s: %d different initial strings, and a search needs 2", s.init, len(init))
	}
	if len(init) < s.initSample {
		return nil, "", usagef("--init-sample %d: %s has only %d different strings", s.initSample, s.init, len(init))
	}
	return init, joinNotes(skipped(invalid), scoredAgain(other)), nil
}

// joinNotes returns the notes there are, a line each.
func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "\n")
}

// scoredAgain says which lines have another score of a string than one before.
func scoredAgain(lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	return fmt.Sprintf("%d rows have another score of a string than a row before, which counts; the first of them is line %d", len(lines), slices.Min(lines))
}

// sameTask refuses an --init file that a run of another task, or with other flags of the task, wrote beside its result. Of a run
// that has not ended nothing is known.
func (s spec) sameTask() error {
	name := strings.TrimSuffix(s.init, ".gz")
	if filepath.Ext(name) != ".csv" || !slices.Contains(runFiles(), filepath.Base(name)) {
		return nil
	}
	var run struct{ Task, Scoring string }
	data, err := os.ReadFile(filepath.Join(filepath.Dir(name), resultFile))
	if err != nil || json.Unmarshal(data, &run) != nil || run.Task == "" {
		return nil
	}
	flags, err := s.own.scoring()
	if err != nil {
		return err
	}
	if run.Task != s.task {
		return usagef("--init %s: its scores are those of a run of %s; drop the column score to have its strings scored by %s", s.init, run.Task, s.task)
	}
	if run.Scoring != "" && run.Scoring != flags {
		return usagef("--init %s: its scores are those of a run with %s; drop the column score to have its strings scored anew", s.init, run.Scoring)
	}
	return nil
}

// scoring returns the flags that scores of a task depend on, files by their contents; empty if there are none.
func (f taskFlags) scoring() (string, error) {
	var flags []string
	if f.target != "" {
		flags = append(flags, "--target "+f.target)
	}
	for _, file := range []fileFlag{{"receptor", &f.docking.receptor}, {"box", &f.docking.box}} {
		if *file.name == "" {
			continue
		}
		m := marks{}
		if err := m.addFile(file.flag, *file.name); err != nil {
			return "", err
		}
		flags = append(flags, "--"+file.flag+" "+m[*file.name])
	}
	return strings.Join(flags, " "), nil
}

// skipped says how many rows were left out, and why the first few.
func skipped(invalid []error) string {
	if len(invalid) == 0 {
		return ""
	}
	const examples = 3
	note := fmt.Sprintf("%d rows that the model cannot write were left out", len(invalid))
	for _, err := range invalid[:min(examples, len(invalid))] {
		note += "\n  " + err.Error()
	}
	if len(invalid) > examples {
		note += "\n  …"
	}
	return note
}

// choose skips rows and puts the others in the order in which the flags draw them. Of equal texts only the first
// counts; other are the lines of those with another score.
func (s spec) choose(rows []row) (_ []row, other []int, _ error) {
	if s.initSkip > 0 && s.initSkip > len(rows)-2 {
		return nil, nil, usagef("--init-skip %d leaves fewer than 2 of the %d rows in %s", s.initSkip, len(rows), s.init)
	}
	at := map[string]int{}
	var different []row
	for _, r := range rows[s.initSkip:] {
		if i, again := at[r.text]; !again {
			at[r.text] = len(different)
			different = append(different, r)
		} else if r.scored && !different[i].scored {
			different[i].score, different[i].scored = r.score, true
		} else if r.scored && different[i].score != r.score {
			other = append(other, r.line)
		}
	}
	if s.initSample == 0 {
		return different, other, nil
	}
	drawn := make([]row, len(different))
	for i, j := range s.rand().Perm(len(different)) {
		drawn[i] = different[j]
	}
	return drawn, other, nil
}

// rand returns the generator of the initial data, which is none of the optimizer's.
func (s spec) rand() *rand.Rand { return rand.New(rand.NewPCG(s.seed, 0)) }

// transformNamed returns the transform of scores with that name; an empty name stands for other.
func transformNamed(name string, other func([]float64) []float64) (func([]float64) []float64, error) {
	switch name {
	case "":
		return other, nil
	case gp.Raw.String():
		return gp.Raw.Apply, nil
	case gp.Standardise.String():
		return gp.Standardise.Apply, nil
	case gp.LogRanks.String():
		return invbo.LogRanks, nil
	}
	names := []string{gp.Raw.String(), gp.Standardise.String(), gp.LogRanks.String()}
	return nil, usagef("there is no transform %q%s", name, suggest(name, names))
}

func profileNamed(name string) (invbo.Profile, error) {
	var names []string
	for _, p := range []invbo.Profile{invbo.Fitted(), invbo.Published()} {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return invbo.Profile{}, usagef("there is no profile %q%s", name, suggest(name, names))
}
