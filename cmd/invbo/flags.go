package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
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

// given returns the names of the flags that were given.
func (g flagGroup) given() []string {
	var names []string
	g.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			names = append(names, f.Name)
		}
	})
	return names
}

// titleOf annotates a flag with the title of its group.
const titleOf = "title"

// withGroups returns a command with flags, which its help shows group by group.
func withGroups(c *cobra.Command, groups ...flagGroup) *cobra.Command {
	c.Flags().SortFlags = false
	for _, g := range groups {
		g.VisitAll(func(f *pflag.Flag) { g.SetAnnotation(f.Name, titleOf, []string{g.title}) }) // fails only for flags that are not in g
		c.Flags().AddFlagSet(g.FlagSet)
	}
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", c.UseLine(), c.Example)
		for _, g := range groups {
			fmt.Fprintf(w, "\n%s:\n%s", g.title, g.FlagUsagesWrapped(80))
		}
		return nil
	})
	return c
}

// declare adds flags for options.
func (g flagGroup) declare(options ...*option.Option) {
	for _, o := range options {
		f := &pflag.Flag{Name: strings.ReplaceAll(o.Name, "_", "-"), Shorthand: o.Short, Usage: o.Usage(), Value: o, DefValue: o.Default}
		if o.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
		f.Hidden = o.IsDropped()
		g.AddFlag(f)
	}
}

// declared returns the options that flags are made from, each followed by its parameters.
func declared(flags *pflag.FlagSet) []*option.Option {
	var all []*option.Option
	flags.VisitAll(func(f *pflag.Flag) {
		if o, ok := f.Value.(*option.Option); ok {
			all = append(append(all, o), o.Parameters()...)
		}
	})
	return all
}

// isGiven reports whether there is a flag of that name, and it was given, or set in a study file.
func isGiven(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	if f == nil {
		return false
	}
	o, declared := f.Value.(*option.Option)
	return f.Changed || declared && o.Given
}

// flagName returns what the command line calls an option of a command with these flags: --budget, or --task ackley:dim.
func flagName(flags *pflag.FlagSet) func(option.Name) string {
	return func(n option.Name) string {
		p, spelling := parameter(flags, string(n))
		f := flags.Lookup(strings.ReplaceAll(string(n), "_", "-"))
		switch {
		case p != nil && (f == nil || p.Given): // of length there are both
			return spelling
		case f != nil:
			return "--" + f.Name
		}
		return string(n)
	}
}

// parameter returns the parameter of a task or a method of that name, and how it is written: --task ackley:dim. It is
// nil if no flag takes a parameter of that name.
func parameter(flags *pflag.FlagSet, name string) (found *option.Option, spelling string) {
	flags.VisitAll(func(f *pflag.Flag) {
		o, ok := f.Value.(*option.Option)
		if !ok || found != nil {
			return
		}
		i := slices.IndexFunc(o.Parameters(), func(p *option.Option) bool { return option.Same(p.Name, name) || p.Was != "" && p.Was == name })
		if i < 0 {
			return
		}
		found = o.Parameters()[i]
		of := "NAME"
		if len(found.Methods) == 0 {
			of = found.Tasks[0]
		}
		spelling = fmt.Sprintf("--%s %s:%s", f.Name, of, found.Name)
	})
	return found, spelling
}

// plainFlagError says in plain words what is wrong with a flag or its value.
func plainFlagError(flags *pflag.FlagSet, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if unknown.GetSpecifiedName() == "seeds" {
			return errors.New("--seeds is now a flag of invbo bench table, which shows the mean over seeds; here give --seed")
		}
		if foldSpelling(unknown.GetSpecifiedName()) == foldSpelling("maximize") && flags.Lookup("minimize") != nil && flags.Lookup("maximize") == nil {
			return fmt.Errorf("%w: scores are maximized unless --minimize is given", err)
		}
		if p, spelling := parameter(flags, unknown.GetSpecifiedName()); p != nil {
			return fmt.Errorf("--%s is now a parameter: give %s=%s", unknown.GetSpecifiedName(), spelling, cmp.Or(p.Takes(), "true"))
		}
		if meant := nearestFlag(flags, unknown.GetSpecifiedName()); meant != "" {
			return fmt.Errorf("%w (did you mean --%s?)", err, meant)
		}
		return err
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	switch {
	case !ok:
		return err
	case invalid.GetValue() == "":
		return emptyFlag(invalid.GetFlag().Name)
	}
	flag := invalid.GetFlag()
	return fmt.Errorf("--%s %s: %w", flag.Name, invalid.GetValue(), option.Plain(flag.Value.Type(), errors.Unwrap(err)))
}

// foldSpelling makes British and American spellings equal: maximise and maximize. Only folded names compare.
func foldSpelling(name string) string { return strings.ReplaceAll(strings.ToLower(name), "is", "iz") }

// nearestFlag returns the flag that is spelled nearly as name is; empty if none is.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	flag := map[string]string{} // by its folded name
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.HasPrefix(name, "max") == strings.HasPrefix(f.Name, "max") { // maximize is no slip for minimize
			flag[foldSpelling(f.Name)] = f.Name
		}
	})
	return flag[usage.Nearest(foldSpelling(name), slices.Sorted(maps.Keys(flag)), 0.35)]
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
			err = emptyFlag(f.Name)
		}
	})
	return err
}

// noRepeatedFlag refuses flags with one value that are given several times: the last would replace the others unnoticed.
func noRepeatedFlag(c *cobra.Command) error {
	_, args, err := c.Root().Find(os.Args[1:])
	if err != nil || c.DisableFlagParsing { // of completions
		return nil
	}
	given := map[string]int{}
	count := func(f *pflag.Flag, _ string) error {
		given[f.Name]++
		_, many := f.Value.(pflag.SliceValue)
		if o, declared := f.Value.(*option.Option); declared {
			named, _ := o.Value.(*option.Named)
			many = o.Many() || named != nil && named.Calls != nil // which add to a list, too
		}
		if given[f.Name] > 1 && !many {
			return usage.Errorf("--%s is given more than once; give it once", f.Name)
		}
		return nil
	}
	return c.Flags().ParseAll(args, count)
}

func emptyFlag(name string) error {
	return usage.Errorf("--%s is empty, or has an empty name in it; give a value, or leave the flag out", name)
}

// specFlags are the flags of a run.
type specFlags struct {
	experiment.RunSpec
	groups []flagGroup // in the order of help
	wild   wildTypeFlags
	write  string // name of a study file to write
}

// newSpecFlags returns the flags of runs that a command has.
func newSpecFlags(c option.Command) *specFlags {
	s := &specFlags{}
	for _, options := range option.For(c, s.Declare()) {
		g := newGroup(options.Title)
		g.declare(options.Options...)
		if g.Lookup("alphabet") != nil {
			s.wild.add(g)
		}
		s.groups = append(s.groups, g)
	}
	return s
}

// flag returns the flag of that name.
func (s *specFlags) flag(name string) *pflag.Flag {
	for _, g := range s.groups {
		if f := g.Lookup(name); f != nil {
			return f
		}
	}
	return nil
}

// check refuses options that do not apply to the task, or to any of the methods. It sets what mutants in the initial
// design change.
func (s *specFlags) check(given *pflag.FlagSet, methods ...string) error {
	if err := s.setWildType(); err != nil {
		return err
	}
	return s.Refuse(option.GivenOf(declared(given)), methods...)
}

// setWildType sets what mutants change.
func (s *specFlags) setWildType() error {
	mutants, err := s.wild.options()
	s.WildType, s.Offset = mutants.WildType, mutants.Offset
	return err
}

// modelFlags choose a model.
type modelFlags struct {
	name    string
	weights task.File
}

func (f *modelFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "model", "", "`NAME` of a built-in model: expressions or molecules (default expressions)")
	flags.Var(&f.weights, "weights", "model `FILE` of your own, from invbo model train or import, instead of a built-in one")
}

func (f modelFlags) load() (task.Model, error) {
	if f.name != "" && f.weights.Given() {
		return task.Model{}, usage.Errorf("--model names a built-in model, and --weights a file with another; give one of them")
	}
	return task.LoadModel(cmp.Or(f.name, task.ExpressionModel), f.weights)
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
		io.WriteString(os.Stderr, "invbo: "+usage.VisibleLines(usage.WithoutSecrets(strings.TrimRight(note, "\n")))+"\n")
	}
}
