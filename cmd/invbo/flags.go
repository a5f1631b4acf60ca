package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/studyfile"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/study"
)

// flagGroup is a part of a command's flags with a title in its help, which would be a long list otherwise.
type flagGroup struct {
	title string
	*pflag.FlagSet
}

func newGroup(title string) flagGroup {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return flagGroup{title, f}
}

// names returns the names of those of the group's flags that were given to a command.
func (g flagGroup) names(given *pflag.FlagSet) []string {
	var all []string
	g.VisitAll(func(f *pflag.Flag) {
		if given.Changed(f.Name) {
			all = append(all, f.Name)
		}
	})
	return all
}

// addGroups adds flags to a command, whose help shows them group by group.
func addGroups(c *cobra.Command, groups ...flagGroup) {
	c.Flags().SortFlags = false
	for _, g := range groups {
		c.Flags().AddFlagSet(g.FlagSet)
	}
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", c.UseLine(), c.Example)
		for _, g := range groups {
			if _, err := fmt.Fprintf(w, "\n%s:\n%s", g.title, g.FlagUsagesWrapped(80)); err != nil {
				return err
			}
		}
		return nil
	})
}

// checked is a flag whose values are parsed and checked. Its zero value stands for a default of the task or the library, which the
// flag's help tells.
type checked[T comparable] struct {
	kind  string
	to    *T
	parse func(string) (T, error)
	valid func(T) bool
	want  string // what is valid
}

func (c checked[T]) Type() string { return c.kind }

func (c checked[T]) String() string {
	var zero T
	if *c.to == zero {
		return ""
	}
	return fmt.Sprint(*c.to)
}

func (c checked[T]) Set(text string) error {
	v, err := c.parse(text)
	if err != nil {
		return err
	}
	if !c.valid(v) {
		return usage.Errorf("give %s", c.want)
	}
	*c.to = v
	return nil
}

// count adds a flag for a whole number from 1.
func count(f *pflag.FlagSet, p *int, name, help string) { upTo(f, p, name, help, usage.Most) }

// upTo adds a flag for a whole number from 1 to most.
func upTo(f *pflag.FlagSet, p *int, name, help string, most int) {
	valid := func(n int) bool { return n >= 1 && n <= most }
	f.Var(checked[int]{"int", p, strconv.Atoi, valid, fmt.Sprintf("a number from 1 to %d", most)}, name, help)
}

// positive adds a flag for a number above 0, up to most.
func positive(f *pflag.FlagSet, p *float64, name, help string, most float64) {
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	valid := func(v float64) bool { return v > 0 && v <= most }
	f.Var(checked[float64]{"float64", p, parse, valid, fmt.Sprintf("a number above 0 and up to %g", most)}, name, help)
}

// duration adds a flag for a time above 0.
func duration(f *pflag.FlagSet, p *task.Duration, name, help string) {
	parse := func(text string) (task.Duration, error) {
		d, err := time.ParseDuration(text)
		return task.Duration(d), err
	}
	f.Var(checked[task.Duration]{"duration", p, parse, func(d task.Duration) bool { return d > 0 }, "a time above 0, such as 5m"}, name, help)
}

// plainFlagError says in plain words what is wrong with the value of a flag.
func plainFlagError(err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := invalid.GetFlag()
	cause := errors.Unwrap(err)
	return fmt.Errorf("--%s %s: %w", flag.Name, invalid.GetValue(), studyfile.ValueError(flag, cause))
}

// noEmptyFlag refuses flags that are given without a value, as a shell gives those of a variable that is not set.
func noEmptyFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok && len(list.GetSlice()) > 0 {
			values = list.GetSlice()
		} else if ok {
			values = []string{""}
		}
		if err == nil && slices.Contains(values, "") {
			err = usage.Errorf("--%s is empty, or has an empty name in it; give a value, or leave the flag out", f.Name)
		}
	})
	return err
}

// specFlags are the flags of a run.
type specFlags struct {
	experiment.RunSpec
	what, start, external, method, single flagGroup
	write                                 string // name of a study file to write
	wild                                  wildTypeFlags
}

// newSpecFlags returns the flags that all runs of a kind share.
func newSpecFlags() *specFlags {
	s := &specFlags{
		what: newGroup("What and how"), start: newGroup("Initial design"), external: newGroup("An oracle of your own, for the task strings"), method: newGroup("Method"), single: newGroup("Single tasks"),
	}
	f := s.what.FlagSet
	f.StringVar(&s.Task, "task", "", "`NAME` of what to search: see invbo tasks")
	count(f, &s.Budget, "budget", "oracle calls after the initial design: `N` (default: the task's, mostly 500)")
	duration(f, &s.Time, "time", "end with the first batch after `TIME`, such as 5m, if the budget is not spent by then (default: no limit)")

	f = s.start.FlagSet
	f.Var(&s.Init, "init", "initial strings: `N|FILE`, random ones or those of a file (default: the task's N, mostly 100)")
	f.StringVar(&s.Init.Score, "score", "", "`COLUMN` of the --init file with scores, or none to evaluate all its strings (default: score, or one named like the task)")
	count(f, &s.Init.Sample, "init-sample", "draw `N` rows of the --init file at random (default: use all)")
	f.IntVar(&s.Init.Skip, "init-skip", 0, "leave out the first `N` rows of the --init file")
	s.wild.add(f)
	dropped(f, "skip-invalid", alwaysSkipped)

	addExternal(s.external.FlagSet, &s.External)
	addAnswers(s.external.FlagSet, &s.Options)

	f = s.method.FlagSet
	count(f, &s.Batch, "batch", "propose `N` candidates per batch (default: the task's, mostly 5)")
	count(f, &s.Top, "top", "choose anchors among the `N` best points, and update the VAE on them (default: the task's)")
	count(f, &s.Patience, "patience", fmt.Sprintf("update the VAE after `N` batches without a new best (default %d)", invbo.Defaults().Patience))
	f.StringVar(&s.Profile, "profile", "fitted", "fitted (recommended), or published: surrogate, transform, inversion, updates and region as in the paper's code")
	f.StringVar(&s.Transform, "transform", "", "transform of the scores for the surrogate: raw, standardise, log or logrank (default: with evolve the data choose, and very bad scores are raised; otherwise the task's; with --profile published as published)")
	addInversion(f, &s.Inversion, "inversion-")
	positive(f, &s.UpdateRate, "update-rate", fmt.Sprintf("learning `RATE` of the VAE's updates (default: the task's; with --profile published %g)", invbo.PublishedRate), usage.Most)
	count(f, &s.Passes, "update-passes", "`N` passes of an update through its data (default 2; of wlbo and pglbo 1)")
	region := invbo.Defaults().Region
	const largest = 100 // far beyond any space that is searched
	positive(f, &s.Region.Length, "region-length", fmt.Sprintf("initial `SIDE` of the trust region, where 1 is the search box, or ±4σ of latents (default: the task's, or %g)", region.Length), largest)
	positive(f, &s.Region.Min, "region-min", fmt.Sprintf("`SIDE` below which the trust region restarts (default: the task's, or %.2g)", region.Min), largest)
	positive(f, &s.Region.Max, "region-max", fmt.Sprintf("largest `SIDE` (default: the task's, or %g)", region.Max), largest)
	f.Var(&s.Library, "library", "evolve: `FILE` of molecules to start from, to cross with and to screen: SMILES, one per line, or CSV with a column smiles (default: 20,000 built-in ones)")
	positive(f, &s.Similarity, "max-similarity", "evolve: greatest similarity `S` of two strings of a batch, from 0 to 1; of molecules the Tanimoto similarity of their atom environments (default: any)", 1)
	f.BoolVar(&s.Implausible, "implausible", false, "evolve: propose molecules with unusual environments or rings too")

	f = s.single.FlagSet
	f.Var(&s.Weights, "weights", "molecules, expression: model `FILE` from invbo train (default: the built-in one)")
	f.BoolVar(&s.Plausible, "plausible", false, "molecules: propose none with an atom environment, a ring or a pair of fused rings that fewer than 10 molecules of the training corpus have")
	f.Var(&s.Forbid, "forbid", "molecules: propose none that contains one of the SMARTS in `FILE`, one per line")
	f.Var(&s.Require, "require", "molecules: propose only those that contain all SMARTS in `FILE`, one per line")
	count(f, &s.MaxAtoms, "max-atoms", "molecules: propose none with more than `N` heavy atoms")
	f.Var(&s.Weight, "weight", "molecules: propose only those of a molecular weight in `MIN:MAX`, in g/mol; :MAX and MIN: are open ranges")
	f.Var(&s.LogP, "logp", "molecules: propose only those with Crippen's logP in `MIN:MAX`")
	f.StringVar(&s.Target, "target", expression.Target, "expression: the curve to fit, as an `EXPRESSION`")
	for _, t := range task.All() {
		s.Dim = max(s.Dim, t.Dim)
	}
	count(f, &s.Dim, "dim", "ackley: `N` dimensions")
	addDocking(f, &s.Options)
	const longest = 10_000
	f.BoolVar(&s.Minimize, "minimize", false, "strings: lower scores are better")
	f.StringVar(&s.Alphabet, "alphabet", "", "strings: `TOKENS`, the characters of a word, or words with blanks or commas between them (default: the characters and bracketed groups of the initial strings)")
	upTo(f, &s.Length, "length", "ehrlich: `N` symbols of a string (default 32); strings, with --alphabet: tokens of random ones", longest)
	count(f, &s.States, "states", "ehrlich: `N` symbols (default 20)")
	count(f, &s.Motifs, "motifs", "ehrlich: `N` motifs (default 4)")
	count(f, &s.MotifLength, "motif-length", "ehrlich: `N` symbols in a motif (default 4)")
	f.Uint64Var(&s.Instance, "instance", 0, "ehrlich: random seed `N` of the function; with the same seed, instances of the literature differ")
	f.Var(&s.Instances, "instances", "ehrlich: take instance number --instance, from 0, of a `FILE` with alphabet and instances, as JSON")
	return s
}

// groups returns the flags in the order of help.
func (s *specFlags) groups() []flagGroup {
	return []flagGroup{s.what, s.start, s.external, s.method, s.single}
}

// addOne adds the flags that single out one run.
func (s *specFlags) addOne() {
	s.what.StringVar(&s.Method, "method", "", "`NAME` of how to search: see invbo methods (default: "+defaultMethods()+")")
	s.what.Uint64Var(&s.Seed, "seed", 0, "random seed `N`")
}

// defaultMethods says which methods tasks have: "evolve; for expression cobo+invbo".
func defaultMethods() string {
	const usual = "evolve"
	text := usual
	for _, t := range task.All() {
		if t.Method != usual {
			text += "; for " + t.Name + " " + t.Method
		}
	}
	return text
}

// check refuses flags that do not apply to the task, or to any of the methods.
func (s *specFlags) check(given *pflag.FlagSet, methods ...string) error {
	if s.Init.Skip < 0 {
		return usage.Errorf("--init-skip %d: give 0 or a number above it", s.Init.Skip)
	}
	mutants, err := s.wild.options(given)
	if err != nil {
		return err
	}
	s.Init.WildType, s.Init.Offset = mutants.WildType, mutants.Offset
	if s.Plausible && s.Implausible {
		return usage.Errorf("--plausible and --implausible: give one of them")
	}
	method := s.method.names(given)
	for _, name := range []string{"weights", "plausible"} {
		if given.Changed(name) {
			method = append(method, name)
		}
	}
	return s.Refuse(slices.Concat(s.single.names(given), s.start.names(given), s.external.names(given), method), method, methods...)
}

func addInversion(f *pflag.FlagSet, v *experiment.Inversion, prefix string) {
	defaults := invbo.Defaults().Inversion
	f.StringVar(&v.Loss, prefix+"loss", "", "what inversion minimizes: `LOSS` is cross-entropy, focal or hinge (default cross-entropy)")
	positive(f, &v.Rate, prefix+"rate", fmt.Sprintf("Adam's learning `RATE` in z (default %g)", defaults.Rate), usage.Most)
	count(f, &v.Iterations, prefix+"iterations", fmt.Sprintf("at most `N` steps (default %d)", defaults.Iterations))
	f.Float64Var(&v.Epsilon, prefix+"epsilon", 0, "accept a latent if the edit distance of its decoding is below `E`, from 0 to 1: ε of the paper's Algorithm 1 (default: exact)")
}

func addDocking(f *pflag.FlagSet, o *task.Options) {
	f.Var(&o.Receptor, "receptor", "docking: PDBQT `FILE` of the protein, such as dockstring's DRD3_target.pdbqt")
	f.Var(&o.Box, "box", "docking: `FILE` with the search box, such as dockstring's DRD3_conf.txt")
	count(f, &o.Exhaustiveness, "exhaustiveness", "docking: Vina's effort `N`, which its time grows with (default 8)")
	duration(f, &o.DockTimeout, "dock-timeout", "docking: a molecule that takes longer than `TIME` has no score (default 30m)")
}

// list is a flag that may be given several times, once for each value.
type list[T any] struct {
	values *[]T
	parse  func(string) (T, error)
}

func (l *list[T]) Set(text string) error {
	v, err := l.parse(text)
	if err != nil {
		return err
	}
	*l.values = append(*l.values, v)
	return nil
}

func (l *list[T]) String() string { return strings.Join(l.GetSlice(), ", ") }

func (l *list[T]) Type() string { return "stringArray" }

// Append, Replace and GetSlice implement pflag.SliceValue.
func (l *list[T]) Append(text string) error { return l.Set(text) }

func (l *list[T]) Replace(texts []string) error {
	*l.values = nil
	for _, text := range texts {
		if err := l.Set(text); err != nil {
			return err
		}
	}
	return nil
}

func (l *list[T]) GetSlice() []string {
	var texts []string
	if l.values != nil {
		for _, v := range *l.values {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return texts
}

// addAnswers adds the flags that say what is made of the answers of an oracle or a laboratory.
func addAnswers(f *pflag.FlagSet, o *task.Options) {
	f.Var(&list[study.Constraint]{values: &o.Constraints, parse: study.ParseConstraint}, "constraint", "what the best string has to keep: a `BOUND` on a further column or key of the answers, such as logP<=3.5; may be given several times")
	f.Var(&list[oracle.Property]{values: &o.Properties, parse: oracle.ParseProperty}, "property", "a column or key that the score is made of: `NAME`, 'NAME weight=W', or with its desirability from 0 to 1 'NAME zero=A one=B'; may be given several times (default: the score is the oracle's)")
	f.BoolVar(&o.Product, "product", false, "the score is the weighted geometric mean of the properties' desirabilities (default: their weighted sum)")
	positive(f, &o.Noise, "noise", "standard deviation `SD` of a score that comes without one (default: from replicates)", usage.Most)
}

func addExternal(f *pflag.FlagSet, e *task.External) {
	f.StringVar(&e.OracleCmd, "oracle-cmd", "", "`COMMAND` of the shell that reads strings and writes a score for each")
	f.StringVar(&e.OracleProtocol, "oracle-protocol", "", "how it does that: `NAME` is lines, csv, json (as REINVENT4's ExternalProcess) or persistent (it runs once and answers lines of JSON) (default lines)")
	f.StringVar(&e.OracleURL, "oracle-url", "", "`URL` of a service instead: the JSON of persistent by POST")
	f.StringVar(&e.OracleProperty, "oracle-property", "", "`NAME` of the column or list with the scores (default: score in csv, predictions in json, otherwise scores; with --property none is needed, unless a property or bound is named score)")
	addCalls(f, e)
}

// addCalls adds the flags that say how the oracle is called.
func addCalls(f *pflag.FlagSet, e *task.External) {
	f.StringVar(&e.OracleDir, "oracle-dir", "", "folder `DIR` that the command runs in (default: the current one, or that of the study file with the command)")
	f.StringVar(&e.OracleTokenFile, "oracle-token-file", "", "`FILE` with the service's bearer token (default: the environment variable "+task.TokenVariable+")")
	count(f, &e.OracleSize, "oracle-size", "`N` strings in a call (default: a batch divided by --oracle-jobs)")
	count(f, &e.OracleJobs, "oracle-jobs", "`N` calls at a time, and persistent programs (default 1)")
	duration(f, &e.OracleTimeout, "oracle-timeout", "a call that takes longer than `TIME` fails, and its programs are killed (default: no limit)")
	count(f, &e.OracleRetries, "oracle-retries", "repeat a call that fails up to `N` times, after 1s, 2s, 4s and so on (default: the run ends, and can be resumed)")
}

// modelFlags choose a model.
type modelFlags struct {
	name    string
	weights task.File
}

func (f *modelFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "model", "", "`NAME` of a built-in model: expressions or molecules (default expressions)")
	flags.Var(&f.weights, "weights", "model `FILE` of your own, from invbo train or import, instead of a built-in one")
}

func (f modelFlags) load() (task.Model, error) {
	if f.name != "" && f.weights.Given() {
		return task.Model{}, usage.Errorf("--model names a built-in model, and --weights a file with another; give one of them")
	}
	if f.name == "" {
		f.name = task.ExpressionModel
	}
	return task.LoadModel(f.name, f.weights)
}

// fileArgument returns the optional FILE of a command; "-" stands for standard input.
func fileArgument(args []string) task.File {
	if len(args) == 0 {
		return task.File{Path: "-"}
	}
	return task.File{Path: args[0]}
}

// say shows a note on standard error, if there is one.
func say(note string) {
	if note != "" {
		io.WriteString(os.Stderr, "invbo: "+strings.TrimRight(note, "\n")+"\n")
	}
}
