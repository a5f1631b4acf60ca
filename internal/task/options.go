package task

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/study"
)

// Kinds of tasks that options apply to, beside the names of single tasks.
const (
	KindMolecules = "molecules"            // all tasks of molecules
	KindOwn       = "an oracle of its own" // scores are the user's: the tasks strings and molecules

	KindComponents = "a score with components"
)

// Is reports whether the task is of a kind.
func (t Task) Is(kind string) bool {
	switch kind {
	case KindMolecules:
		return t.Oracle != nil
	case KindOwn:
		return t.external
	case KindComponents:
		return t.Components != nil
	}
	return t.Name == kind
}

// Takes reports whether an option applies to the task.
func (t Task) Takes(o *option.Option) bool {
	return len(o.Tasks) == 0 || slices.ContainsFunc(o.Tasks, t.Is)
}

// Refuse returns an error if one of some options that were given does not apply to the task.
func (t Task) Refuse(given []*option.Option) error {
	for _, o := range given {
		if !t.Takes(o) {
			return option.Errorf("%s does not apply to the task %s; leave it out", option.Name(o.Name), t.Name)
		}
	}
	return nil
}

// TaskValue returns the value of an option that names a task, whose parameters set fields of o.
func (o *Options) TaskValue(name *string) *option.Named {
	return &option.Named{Kind: "task", To: name, Parameters: o.parameters(), Accepts: func(name string) (func(*option.Option) bool, error) {
		t, err := Named(name)
		return t.Takes, err
	}}
}

const longest = 10_000 // symbols of a string, or dimensions of a point

// parameters declares the parameters of tasks.
func (o *Options) parameters() []*option.Option {
	const ehrlich = "ehrlich"
	sizes := defaultEhrlich()
	all := []*option.Option{
		{Name: "target", Value: option.Text(&o.Target), Help: "the curve to fit, as an `EXPRESSION` in x", Default: expression.Target, Tasks: []string{"expression"}},
		{Name: "dim", Value: option.UpTo(&o.Dim, longest), Help: "`N` dimensions", Default: fmt.Sprint(ackleyDim), Tasks: []string{"ackley"}},
		{Name: "states", Value: option.Count(&o.States), Help: "`N` symbols", Default: fmt.Sprint(sizes.States), Tasks: []string{ehrlich}},
		{Name: "length", Value: option.UpTo(&o.Length, longest), Help: "`N` symbols of a string", Default: fmt.Sprint(sizes.Length), Tasks: []string{ehrlich}},
		{Name: "motifs", Value: option.Count(&o.Motifs), Help: "`N` motifs", Default: fmt.Sprint(sizes.Motifs), Tasks: []string{ehrlich}},
		{Name: "motif_length", Value: option.Count(&o.MotifLength), Help: "`N` symbols in a motif", Default: fmt.Sprint(sizes.MotifLength), Tasks: []string{ehrlich}},
		{Name: "instance", Value: option.Seed(&o.Instance), Help: "random seed `N` of the function; with the same seed, instances of the literature differ", Default: "0", Tasks: []string{ehrlich}},
		{Name: "instances", Value: &o.Instances, Help: "`FILE` with an alphabet and functions, as JSON: number instance of these is taken, from 0", Unset: "the function is drawn", Tasks: []string{ehrlich}},
		{Name: "file", Value: &o.Landscape.File, Help: "`FILE` with the strings and their scores", Tasks: []string{LandscapeTask}},
		{Name: "column", Value: option.Text(&o.Landscape.Column), Help: "`COLUMN` of the scores", Unset: "by its name", Tasks: []string{LandscapeTask}},
		{Name: "receptor", Value: &o.Receptor, Help: "PDBQT `FILE` of the protein, such as dockstring's DRD3_target.pdbqt", Tasks: []string{"docking"}},
		{Name: "box", Value: &o.Box, Help: "`FILE` with the search box, such as dockstring's DRD3_conf.txt", Tasks: []string{"docking"}},
		{Name: "exhaustiveness", Value: option.Count(&o.Exhaustiveness), Help: "Vina's effort `N`, which its time grows with", Default: fmt.Sprint(docking.Exhaustiveness), Tasks: []string{"docking"}},
		{Name: "timeout", Value: option.Time(&o.DockTimeout), Help: "a molecule that takes longer than `TIME` has no score", Default: Duration(docking.Timeout).String(), Was: "dock-timeout", Tasks: []string{"docking"}},
	}
	for _, p := range all {
		p.Commands, p.Table = option.Run|option.Grid|option.Fit, p.Tasks[0]
		p.Scores = p.Name != "timeout" // by which a molecule has its score, or none
	}
	all = append(all, &option.Option{Name: "components", Value: option.Switch(&o.Components), Help: "make each component of the score an objective, instead of their mean", Default: "false",
		Tasks: []string{KindComponents}, Table: "molecules", Commands: option.Run | option.Grid})
	return slices.Concat(all, o.proposals(), o.likely(), o.CoreOptions.declare(), o.RouteOptions.declare())
}

// Rescored names the first setting by which the scores of a task under other options differ from those under o:
// "target=x", or "another value of receptor" if the content of a file differs, or if other leaves open what has no
// default; "": none.
func (o Options) Rescored(t Task, other Options) string {
	theirs := other.parameters()
	for i, ours := range o.parameters() {
		if !ours.Scores || !t.Takes(ours) {
			continue
		}
		was, is := cmp.Or(theirs[i].Value.String(), ours.Default), cmp.Or(ours.Value.String(), ours.Default)
		f, isFile := ours.Value.(*File)
		if isFile {
			was, is = theirs[i].Value.(*File).SHA256, f.SHA256
		}
		switch {
		case was == is:
		case isFile || was == "":
			return "another value of " + ours.Name
		default:
			return ours.Name + "=" + was
		}
	}
	return ""
}

// likely declares limits on molecules that have defaults from the data, as parameters of tasks.
func (o *Options) likely() []*option.Option {
	all := []*option.Option{
		{Name: "alerts", Value: &o.Alerts, Help: "propose no molecule that matches a rule of `SET|FILE`: nibr (groups that Novartis' hit triage excludes, and unstable ones), strict (also those that it flags), none, or a FILE of SMARTS", Unset: "nibr with evolve, except rules that many good molecules match; none with a pool"},
		{Name: "sa", Value: &o.SA, Help: "propose only molecules with a synthetic accessibility score in `MIN:MAX`; 1 is easy, 10 hard", Unset: "with evolve, the easiest 95 % of the data; the upper limit is from 3 to 4.5, or above where many of the data are"},
		{Name: "charge", Value: &o.Charge, Help: "propose only molecules with a charge in `MIN:MAX`", Unset: "with evolve, the range of most of the data"},
		{Name: "rings", Value: &o.Rings, Help: "propose only molecules with a number of rings in `MIN:MAX`", Unset: "with evolve, the range of most of the data"},
		{Name: "nearest", Value: &o.Nearest, Help: "propose only molecules whose similarity to the most similar one of the initial data is in `MIN:MAX`, from 0 to 1 (Tanimoto, ECFP4)", Unset: "with evolve, for fewer than 100 molecules of one series, a limit that most of them pass and few others do"},
		{Name: "centers", Value: &o.Centers, Help: "propose only molecules with a number of stereocenters in `MIN:MAX`, defined or not", Unset: "with evolve, up to that of most of the data"},
	}
	for _, m := range all {
		m.Tasks, m.Table, m.Commands = []string{KindMolecules}, "molecules", option.Run|option.Grid|option.New
		if m.Name == "nearest" {
			m.Methods = []string{"evolve"} // others make no space of the initial design
		}
	}
	return all
}

// DeclareOracle declares the options of an oracle of the user's own.
func (e *External) DeclareOracle() []*option.Option {
	all := []*option.Option{
		{Name: "oracle-cmd", Value: option.Text(&e.OracleCmd), Help: "`COMMAND` of the shell that reads strings and writes a score for each"},
		{Name: "oracle-url", Value: serviceURL{&e.OracleURL}, Help: "`URL` of a service instead: the JSON of persistent by POST"},
		{Name: "oracle-protocol", Value: option.Text(&e.OracleProtocol), Help: "how the command reads and writes: `NAME` is lines, csv, json (as REINVENT4's ExternalProcess) or persistent (it runs once and answers lines of JSON)", Default: protocols()[0]},
		{Name: "oracle-property", Value: option.Text(&e.OracleProperty), Help: "`NAME` of the column or list with the scores", Unset: "score in csv, predictions in json, otherwise scores; with --property none is needed, unless a property or bound is named score"},
		{Name: "oracle-jobs", Value: option.Count(&e.OracleJobs), Help: "`N` calls at a time, and persistent programs", Default: "1"},
		{Name: "oracle-size", Value: option.Count(&e.OracleSize), Help: "`N` strings in a call", Unset: "a batch divided by --oracle-jobs"},
		{Name: "oracle-timeout", Value: option.Time(&e.OracleTimeout), Help: "a call that takes longer than `TIME` fails, and its programs are killed", Unset: "no limit"},
		{Name: "oracle-retries", Value: option.Count(&e.OracleRetries), Help: "repeat a call that fails up to `N` times, after 1s, 2s, 4s and so on", Unset: "the run ends, and can be resumed"},
		{Name: "oracle-skip", Value: option.Switch(&e.OracleSkip), Help: "if the oracle fails for a string on its own, record that string as failed and continue; a call where all strings fail, or ten failures in a row, end the run", Unset: "the run ends"},
		{Name: "oracle-dir", Value: option.Text(&e.OracleDir), Help: "folder `DIR` that the command runs in", Unset: "the current one, or that of the study file with the command"},
		{Name: "oracle-token-file", Value: option.Text(&e.OracleTokenFile), Help: "`FILE` with the service's bearer token", Unset: "the environment variable " + TokenVariable},
	}
	for _, o := range all {
		o.Tasks, o.Commands = []string{KindOwn}, option.Run|option.Grid
		o.Table, o.Key = "oracle", o.Name[len("oracle-"):]
	}
	return all
}

// DeclareAnswers declares what is made of the answers of an oracle or a laboratory.
func (o *Options) DeclareAnswers() []*option.Option {
	all := []*option.Option{
		{Name: "property", Value: option.List(&o.Properties, oracle.ParseProperty), Help: "a column or key that the score is made of: `NAME`, 'NAME weight=W', or with its desirability from 0 to 1 'NAME zero=A one=B'; may be given several times", Unset: "the score is the oracle's"},
		{Name: "product", Value: option.Switch(&o.Product), Help: "the score is the weighted geometric mean of the properties' desirabilities", Unset: "their weighted sum"},
		{Name: "objective", Value: option.List(&o.Objectives, study.ParseObjective), Help: "one of up to four outcomes to make as good as possible at once: `OBJECTIVE` is the name of a column or key, or of molecules qed, sa, logp, weight, tpsa, charge, rings or similarity:SMILES and of variants mutations, which the program computes, and max or min, such as 'hERG min'; with 'hERG min zero=6' only values better than 6 count, while a --constraint excludes others; given for each", Unset: "the score is the only one"},
		{Name: "constraint", Value: option.List(&o.Constraints, study.ParseConstraint), Help: "what the best string has to keep: a `BOUND` on a further column or key of the answers, such as logP<=3.5; may be given several times"},
		{Name: "noise", Value: option.Number(&o.Noise, usage.Most), Help: "standard deviation `SD` of a score that comes without one", Unset: "from replicates"},
	}
	for _, a := range all {
		a.Tasks, a.Commands = []string{KindOwn}, option.Run|option.Grid|option.New
		if a.Name == "objective" {
			a.Tasks = append(a.Tasks, LandscapeTask) // its score, and the number of mutations
		}
	}
	return all
}

// DeclareMolecules declares limits on the molecules that are proposed. Options that only some methods have say so in
// Methods.
func (o *Options) DeclareMolecules() []*option.Option {
	all := []*option.Option{
		{Name: "max-atoms", Value: option.Count(&o.MaxAtoms), Help: "propose none with more than `N` heavy atoms"},
		{Name: "weight", Value: &o.Weight, Help: "propose only those of a molecular weight in `MIN:MAX`, in g/mol; :MAX and MIN: are open ranges", Unset: "with evolve, the range of most of the data"},
		{Name: "logp", Value: &o.LogP, Help: "propose only those with Crippen's logP in `MIN:MAX`"},
		{Name: "forbid", Value: &o.Forbid, Help: "propose none that contains one of the SMARTS in `FILE`, one per line"},
		{Name: "require", Value: &o.Require, Help: "propose only molecules with all of these: `GROUPS|FILE` is a comma-separated list of functional groups (carboxylic_acid,amide), scaffolds (scaffold:SMILES, bonds of rings that are not aromatic of any order, * for any atom; closed:SMILES, bonds as drawn, and no further groups but at *, which may be nothing) and SMARTS (smarts:SMARTS), | between several if one of them is enough, each after how often, if that matters ('2 carboxylic_acid,1:3 amide'), none, or a FILE of SMARTS, one per line", Unset: "with evolve, the groups, scaffolds and SMARTS that nearly all of the data have, and not by chance"},
	}
	for _, m := range all {
		m.Tasks, m.Table, m.Commands = []string{KindMolecules}, "molecules", option.Run|option.Grid|option.New
	}
	return all
}

// DeclareStrings declares what strings of one's own are made of, and which may be proposed.
func (o *Options) DeclareStrings() []*option.Option {
	return []*option.Option{
		{Name: "alphabet", Value: option.Text(&o.Alphabet), Help: "`TOKENS`, the characters of a word, or words with blanks or commas between them; items to add to lists of the data, each behind its position if neither key nor unit tells that: '1:DavePhos,120 C'", Unset: "of sequences all letters of proteins, DNA or RNA, otherwise the characters and bracketed groups that occur",
			Tasks: []string{OwnStrings}, Table: "strings", Commands: option.Run | option.Grid | option.New},
		o.length(),
	}
}
