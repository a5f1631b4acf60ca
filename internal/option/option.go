// Package option declares options, each once. A declaration says what an option is called, what it takes and means,
// what its default is, where it applies, and where a study file has it. Flags, parameters of tasks and methods, study
// files, help and refusals are all made from declarations.
package option

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
)

// Option is the declaration of an option, bound to the field that it sets.
type Option struct {
	Value          // how text is read and checked, and the field that it sets
	Name    string // of its flag, such as init-sample; of a parameter, such as motif_length
	Short   string // a letter for the flag; may be empty
	Help    string // what it is; what it takes is in backquotes: `N`, `FILE`
	Default string // its value if it is not given; empty if that depends
	Unset   string // what holds if it is not given, in words, where Default is empty

	Commands Command  // those that have it, as a flag or as a parameter
	Tasks    []string // kinds of tasks that it applies to; none: all
	Methods  []string // kinds of methods that it applies to; none: all

	Table string // of a study file; empty: the top of the file
	Key   string // in Table; empty: Name
	Was   string // former name of its flag, if that is not its own
	Given bool   // a value has been set

	Scores bool // what a string scores depends on it
}

// Command is a set of commands.
type Command uint

// The commands that share options of runs. A study file is for Run and New.
const (
	Run  Command = 1 << iota // invbo run
	Grid                     // the commands of invbo bench that carry out runs
	Fit                      // invbo bench figure fit
	New                      // invbo new
)

// Group is options that help lists together.
type Group struct {
	Title   string
	Options []*Option
}

// For returns the groups of the options that a command has. Parameters of an option that it has not are options of
// their own.
func For(c Command, groups []Group) []Group {
	var kept []Group
	for _, g := range groups {
		of := Group{Title: g.Title}
		for _, o := range g.Options {
			candidates := []*Option{o}
			if o.Commands&c == 0 {
				candidates = o.Parameters()
			}
			for _, o := range candidates {
				if o.Commands&c != 0 {
					of.Options = append(of.Options, o)
				}
			}
		}
		if len(of.Options) > 0 {
			kept = append(kept, of)
		}
	}
	return kept
}

// All returns the options of groups, each followed by its parameters.
func All(groups []Group) []*Option {
	var all []*Option
	for _, g := range groups {
		for _, o := range g.Options {
			all = append(all, o)
			all = append(all, o.Parameters()...)
		}
	}
	return all
}

// Find returns the option of that name; nil if there is none. In the names of parameters _ and - are the same.
func Find(name string, all []*Option) *Option {
	i := slices.IndexFunc(all, func(o *Option) bool { return Same(o.Name, name) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// Same reports whether two names are the same but for _ and -.
func Same(a, b string) bool {
	return strings.ReplaceAll(a, "_", "-") == strings.ReplaceAll(b, "_", "-")
}

// GivenOf returns those of some options that were given.
func GivenOf(all []*Option) []*Option {
	return slices.DeleteFunc(slices.Clone(all), func(o *Option) bool { return !o.Given })
}

// Parameters returns the parameters of the tasks or methods that the option names; none if it names nothing.
func (o *Option) Parameters() []*Option {
	if n, ok := o.Value.(*Named); ok {
		return n.Parameters
	}
	return nil
}

// Set sets the option. The error says what to give.
func (o *Option) Set(text string) error { return o.SetIn("", text) }

// SetIn is Set of the text of a file in folder dir: relative paths are relative to it.
func (o *Option) SetIn(dir, text string) error {
	if text == "" {
		return usage.Errorf("it is empty; give a value, or leave it out")
	}
	var err error
	if n, ok := o.Value.(*Named); ok {
		if n.Calls != nil && !o.Given {
			*n.Calls = nil // the default
		}
		err = n.set(dir, text)
	} else {
		if in := filepath.Join(dir, text); o.IsPathTo(text, in) {
			text = in
		}
		err = o.Value.Set(text)
	}
	if err != nil {
		return Plain(o.Type(), err)
	}
	o.Given = true
	return nil
}

// Texts returns the value as text, or the values of a list.
func (o *Option) Texts() []string {
	if l, ok := o.Value.(interface{ Texts() []string }); ok {
		return l.Texts()
	}
	return []string{o.String()}
}

// Many reports whether the option takes a list: each Set adds a value.
func (o *Option) Many() bool {
	_, many := o.Value.(interface{ Texts() []string })
	return many
}

// IsDropped reports whether there is no such option any more.
func (o *Option) IsDropped() bool {
	_, dropped := o.Value.(Dropped)
	return dropped
}

// Takes returns what the option takes, as its help calls it; empty if it is true or false.
func (o *Option) Takes() string {
	_, from, _ := strings.Cut(o.Help, "`")
	name, _, _ := strings.Cut(from, "`")
	return name
}

// IsPath reports whether the option takes the path of a file or a folder, or may do so.
func (o *Option) IsPath() bool { return strings.HasSuffix(o.Takes(), "FILE") || o.Takes() == "DIR" }

// IsPathTo reports whether text is a relative path. Where an option takes a path or something else, it is one if the
// file is there.
func (o *Option) IsPathTo(text, file string) bool {
	either := strings.Contains(o.Takes(), "|")
	return o.IsPath() && text != "-" && !filepath.IsAbs(text) && (!either || files.Exists(file))
}

// Usage returns the help of the option with the methods that it is for and, if its default depends, what holds without it.
func (o *Option) Usage() string {
	var also []string
	if len(o.Methods) > 0 {
		also = append(also, "for "+strings.Join(o.Methods, " and "))
	}
	if o.Default == "" && o.Unset != "" {
		also = append(also, "default: "+o.Unset)
	}
	if len(also) == 0 {
		return o.Help
	}
	return o.Help + " (" + strings.Join(also, "; ") + ")"
}

// Meaning returns the help of the option without its marks.
func (o *Option) Meaning() string { return strings.ReplaceAll(o.Help, "`", "") }

// Without returns the default, or in words what holds if the option is not given.
func (o *Option) Without() string { return cmp.Or(o.Default, o.Unset) }

// Plain says in plain words what is wrong with a value of a type, by the error of its Set.
func Plain(kind string, err error) error {
	if want := Wants[kind]; want != "" && !usage.Is(err) {
		return usage.Errorf("give %s", want)
	}
	return err
}

// Wants says in words what values of types are, but for text.
var Wants = map[string]string{
	"int": "a whole number", "uint64": "a whole number", "float64": "a number", "bool": "true or false",
	"duration": "a time with its unit, such as 90s, 20m or 8h",
}
