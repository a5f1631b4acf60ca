package experiment

import (
	"fmt"
	"slices"
	"sync"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// Declare declares the options of runs, bound to the fields of s, group by group as help lists them: first what a
// problem of one's own needs.
func (s *RunSpec) Declare() []option.Group {
	const (
		runs = option.Run | option.Grid
		fits = runs | option.Fit
	)
	molecules := append(s.DeclareMolecules(),
		&option.Option{Name: "library", Value: &s.Library, Help: "`FILE` of molecules to start from, to cross with and to screen: SMILES, one per line, or CSV with a column smiles", Unset: "20,000 built-in ones",
			Tasks: []string{task.KindMolecules}, Methods: []string{evolves}, Table: "molecules", Commands: runs | option.New})
	return []option.Group{
		{Title: "Problem", Options: []*option.Option{
			{Name: "task", Value: s.TaskValue(&s.Task), Help: "`NAME` of what to search, or NAME:PARAMETER=VALUE,…: see invbo tasks", Commands: fits},
			{Name: "init", Value: &s.Init, Help: "initial strings: `N|FILE`, random ones or those of a file", Unset: "the task's N, mostly 100", Commands: fits},
			{Name: "score", Value: option.Text(&s.Init.Score), Help: "`COLUMN` of the --init file with scores, or none to evaluate all its strings", Unset: "score, or one named like the task", Table: "columns", Commands: fits},
			{Name: "minimize", Value: option.Switch(&s.Minimize), Help: "lower scores are better, of an oracle of your own", Tasks: []string{task.KindOwn}, Commands: runs},
		}},
		{Title: "An oracle of your own, for the tasks strings and molecules", Options: s.DeclareOracle()},
		{Title: "Objective and constraints", Options: s.DeclareAnswers()},
		{Title: "Budget", Options: []*option.Option{
			{Name: "budget", Value: option.Count(&s.Budget), Help: "oracle calls after the initial design: `N`", Unset: "the task's, mostly 500", Commands: runs},
			{Name: "batch", Value: option.Count(&s.Batch), Help: "propose `N` candidates per batch", Unset: "the task's, mostly 5", Methods: []string{inBatches}, Commands: runs},
			{Name: "time", Value: option.Time(&s.Time), Help: "end with the first batch after `TIME`, such as 5m, if the budget is not spent by then", Unset: "no limit", Commands: runs},
		}},
		{Title: "Molecules that may be proposed", Options: molecules},
		{Title: "Strings of your own", Options: s.DeclareStrings()},
		{Title: "Choice among given strings", Options: s.declarePool()},
		{Title: "Method and seed", Options: []*option.Option{
			{Name: "method", Value: s.MethodValue(), Help: "`NAME` of how to search, or NAME:PARAMETER=VALUE,…: see invbo methods", Unset: defaultMethods(), Commands: option.Run},
			{Name: "seed", Value: option.Seed(&s.Seed), Help: "random seed `N`", Default: "0", Commands: option.Run | option.Fit | option.New},
		}},
		{Title: "More on the initial design", Options: []*option.Option{
			{Name: "skip-invalid", Value: option.Dropped(AlwaysSkipped), Commands: fits},
			{Name: "init-sample", Value: option.Count(&s.Init.Sample), Help: "draw `N` rows of the --init file at random", Unset: "use all", Commands: fits},
			{Name: "init-skip", Value: option.FromZero(&s.Init.Skip), Help: "leave out the first `N` rows of the --init file", Default: "0", Commands: fits},
		}},
	}
}

// declarePool declares what limits a search to given strings, and what is known of them.
func (s *RunSpec) declarePool() []*option.Option {
	all := []*option.Option{
		{Name: "pool", Value: &s.Pool, Help: "propose only strings of `FILE`, such as those that can be ordered; a table's names and further columns come along, and constraints may bound these", Unset: "any string"},
		{Name: "features", Value: &s.Features, Help: "compare strings by the numbers in `FILE`, too, such as descriptors or an embedding: a table with a column of strings, for --pool"},
	}
	for _, o := range all {
		o.Tasks, o.Methods, o.Table, o.Commands = []string{task.KindOwn, task.KindMolecules, task.LandscapeTask}, []string{evolves}, "pool", option.Run|option.Grid|option.New
	}
	all[0].Methods = []string{fromPools}
	return all
}

// AlwaysSkipped is why there is no option skip-invalid any more.
const AlwaysSkipped = "rows that cannot be used are always left out, and listed"

// defaultMethods says which methods tasks have: "evolve; for expression cobo+invbo". Most commands have flags that say it.
var defaultMethods = sync.OnceValue(func() string {
	const usual = "evolve"
	text := usual
	for _, t := range task.All() {
		if t.Method != usual {
			text += "; for " + t.Name + " " + t.Method
		}
	}
	return text
})

// MethodValue returns the value of an option that names a method, whose parameters set fields of s.
func (s *RunSpec) MethodValue() *option.Named {
	return &option.Named{Kind: "method", To: &s.Method, Parameters: s.methodParameters(), Accepts: func(name string) (func(*option.Option) bool, error) {
		m, err := MethodNamed(name)
		return m.Takes, err
	}}
}

// MethodParameters returns the parameters of methods.
func MethodParameters() []*option.Option { return new(RunSpec).methodParameters() }

// methodParameters declares the parameters of methods.
func (s *RunSpec) methodParameters() []*option.Option {
	const (
		runs    = option.Run
		fits    = option.Run | option.Fit
		largest = 100 // side of a region, far beyond any space that is searched
	)
	defaults := invbo.Defaults()
	ours := func(v float64) string { return fmt.Sprintf("the task's, or %.2g", v) }
	all := []*option.Option{
		{Name: "top", Value: option.Count(&s.Top), Help: "choose anchors among the `N` best points, and update the VAE on them", Unset: "the task's", Methods: []string{inLatents}, Commands: runs},
		{Name: "profile", Value: option.Text(&s.Profile), Help: "`NAME` is fitted (recommended), or published: surrogate, transform, inversion, updates and region as in the paper's code", Default: defaultProfile, Methods: []string{inLatents}, Commands: fits},
		{Name: "patience", Value: option.Count(&s.Patience), Help: "update the VAE after `N` batches without a new best", Default: fmt.Sprint(defaults.Patience), Methods: []string{withUpdates}, Commands: runs},
		{Name: "update_rate", Value: option.Number(&s.UpdateRate, usage.Most), Help: "learning `RATE` of the VAE's updates", Unset: fmt.Sprintf("the task's; with the profile published %g", invbo.PublishedRate), Methods: []string{withUpdates}, Commands: runs},
		{Name: "update_passes", Value: option.Count(&s.Passes), Help: "`N` passes of an update through its data", Unset: "2; of wlbo and pglbo 1", Methods: []string{withUpdates}, Commands: runs},
		{Name: "region_length", Value: option.Number(&s.Region.Length, largest), Help: "initial `SIDE` of the trust region, where 1 is the search box, or ±4σ of latents", Unset: ours(defaults.Region.Length), Methods: []string{withRegion}, Table: "region", Key: "length", Commands: runs},
		{Name: "region_min", Value: option.Number(&s.Region.Min, largest), Help: "`SIDE` below which the trust region restarts", Unset: ours(defaults.Region.Min), Methods: []string{withRegion}, Table: "region", Key: "min", Commands: runs},
		{Name: "region_max", Value: option.Number(&s.Region.Max, largest), Help: "largest `SIDE` of the trust region", Unset: ours(defaults.Region.Max), Methods: []string{withRegion}, Table: "region", Key: "max", Commands: runs},
	}
	for _, o := range s.Inversion.Declare() {
		o.Table, o.Key, o.Name = "inversion", o.Name, "inversion_"+o.Name
		o.Methods, o.Commands = []string{withInversion}, fits
		all = append(all, o)
	}
	return append(all, []*option.Option{
		{Name: "transform", Value: option.Text(&s.Transform), Help: "`NAME` of the transform of the scores for the surrogate: raw, standardise, sqrt, log or logrank", Unset: "with evolve the data choose, and very bad scores are raised; otherwise the task's; with the profile published as published", Methods: []string{withTransform}, Commands: runs},
		{Name: "weights", Value: &s.Weights, Help: "model `FILE` from invbo model train", Unset: "the built-in one", Tasks: []string{"expression", task.KindMolecules}, Methods: []string{withModel}, Commands: fits},
		{Name: "plausible", Value: option.Switch(&s.Plausible), Help: "propose no molecule with an atom environment, a ring or a pair of fused rings that fewer than 10 molecules of the training corpus have", Default: "false",
			Tasks: []string{task.KindMolecules}, Methods: []string{withFilter, withModel}, Table: "molecules", Commands: runs},
		{Name: "implausible", Value: option.Switch(&s.Implausible), Help: "propose molecules with unusual environments or rings, too", Default: "false",
			Tasks: []string{task.KindMolecules}, Methods: []string{withFilter}, Table: "molecules", Commands: runs | option.New},
		{Name: "prior", Value: option.Text(&s.Prior), Help: "expect scores to follow `COLUMN` of --features, such as a zero-shot score; the data fit its slope", Unset: "no trend",
			Tasks: []string{task.KindOwn, task.KindMolecules, task.LandscapeTask}, Methods: []string{evolves}, Table: "pool", Commands: runs | option.New},
		{Name: "max_similarity", Value: option.Number(&s.Similarity, 1), Help: "greatest similarity `S` of two strings of a batch, from 0 to 1: the Tanimoto similarity of molecules' atom environments, or of the letters where aligned sequences vary", Unset: "any", Methods: []string{evolves}, Commands: runs | option.New},
	}...)
}

// Kinds of methods that options apply to.
const (
	evolves       = "evolve"
	fromPools     = "evolve and ridge"
	inLatents     = "methods with a latent space"
	inBatches     = "methods other than gbga"
	withUpdates   = "methods that update their VAE"
	withInversion = "methods with inversion"
	withRegion    = "methods with a region" // a trust region or, without one, the moves around the best points
	withTransform = "methods that transform scores"
	withModel     = "methods other than evolve" // they search in a model, or draw the initial design from it
	withFilter    = "evolve (not evolve-filter)"
)

// Is reports whether the method is of a kind.
func (m Method) Is(kind string) bool {
	switch kind {
	case evolves:
		return m.evolves
	case fromPools:
		return m.pools
	case inLatents:
		return m.Latent()
	case inBatches:
		return m.batch == 0
	case withUpdates:
		return m.updates()
	case withInversion:
		return m.Latent() && m.latent.Align.Name == invbo.Inversion.Name
	case withRegion:
		return m.Latent() && (m.latent.Anchor.Choose != nil || m.latent.Generate != nil)
	case withTransform:
		return m.Latent() || m.evolves && !m.lacks(transform)
	case withModel:
		return !m.evolves
	case withFilter:
		return m.evolves && !m.lacks(filter)
	}
	return false
}

// Takes reports whether an option applies to the method.
func (m Method) Takes(o *option.Option) bool {
	return len(o.Methods) == 0 || slices.ContainsFunc(o.Methods, m.Is)
}

// Refuse returns an error if an option that was given does not apply to the task of s or to any of the methods; without
// methods none is refused for them.
func (s RunSpec) Refuse(given []*option.Option, methods ...string) error {
	t, err := task.Named(s.Task)
	if err != nil {
		return err
	}
	var all []Method
	for _, name := range methods {
		m, err := MethodNamed(name)
		if err != nil {
			return err
		}
		for _, part := range m.without {
			if part.molecules && t.Oracle == nil {
				return usage.Errorf("the method %s leaves out a part of evolve for molecules, and the task %s has none; leave -%s out", m.Name, t.Name, part.Name)
			}
		}
		all = append(all, m)
	}
	none := func(has func(Method) bool) bool { return len(all) > 0 && !slices.ContainsFunc(all, has) }
	for _, o := range given {
		applies := func(m Method) bool {
			unused := o.Name == "library" && m.lacks(library) && s.Init.File.Given() // nothing starts from it either
			return m.Takes(o) && !unused
		}
		name := option.Name(o.Name)
		switch {
		case none(applies):
			return option.Errorf("%s does not apply to the %s; leave it out", name, listed(all))
		case o.Name == "length" && !t.Takes(o) && t.Is("ehrlich"): // which has a parameter of this name
			return option.Errorf("%s is for strings of your own; give ehrlich:length instead, or length in [ehrlich] of a study file", name)
		case s.Instances.Given() && slices.Contains([]string{"states", "length", "motifs", "motif_length"}, o.Name):
			return option.Errorf("%s is for functions that are drawn, and %s names a file of others; leave one out", name, option.Name("instances"))
		}
	}
	if s.Plausible && s.Implausible {
		return option.Errorf("%s and %s: give one of them", option.Name("plausible"), option.Name("implausible"))
	}
	return t.Refuse(given)
}
