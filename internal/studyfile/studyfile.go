// Package studyfile reads and writes study files: TOML files with the options of a command. The command's flags are those options,
// and the only description of them: a key has the value, the default and the explanation of its flag, so that flags, help and study
// files cannot differ.
package studyfile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/files"
)

// Table is a table of a study file. Flags whose names begin with its name belong to it: oracle-cmd is cmd in [oracle].
type Table struct {
	Name  string
	Flags []string // others that belong to it; "dock-timeout=timeout" has the key timeout
}

// Command is a command that reads study files.
type Command struct {
	Name  string
	Flags *pflag.FlagSet
}

// WriteFlag is the flag that writes a study file, and no option in it.
const WriteFlag = "write"

// Options are what a study file may say.
type Options struct {
	flags    *pflag.FlagSet
	keys     []key // in the order of the file
	commands int
}

// key is an option as a study file has it.
type key struct {
	table, name string
	flag        *pflag.Flag // of the command that reads the file; nil: it has none
	of          []owner     // not empty
}

// owner is a command with its flag for an option.
type owner struct {
	command string
	*pflag.Flag
}

func (k key) String() string { return strings.TrimPrefix(k.table+"."+k.name, ".") }

// any returns the flag of any command: their types and defaults are the same.
func (k key) any() *pflag.Flag { return k.of[0].Flag }

// New returns the options of one of several commands that share their study files, that with these flags. What only others have is
// written, too, and refused when it is read. Flags of no table are at the top of the file.
func New(flags *pflag.FlagSet, tables []Table, commands ...Command) Options {
	o := Options{flags: flags, commands: len(commands)}
	for _, c := range commands {
		c.Flags.VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == WriteFlag {
				return
			}
			i := slices.IndexFunc(o.keys, func(k key) bool { return k.any().Name == f.Name })
			if i < 0 {
				i = len(o.keys)
				table, name := place(tables, f.Name)
				o.keys = append(o.keys, key{table: table, name: name, flag: flags.Lookup(f.Name)})
			}
			o.keys[i].of = append(o.keys[i].of, owner{c.Name, f})
		})
	}
	at := func(k key) int { return slices.IndexFunc(tables, func(t Table) bool { return t.Name == k.table }) }
	slices.SortStableFunc(o.keys, func(a, b key) int { return at(a) - at(b) })
	return o
}

// place returns where a flag is in a study file.
func place(tables []Table, flag string) (table, name string) {
	for _, t := range tables {
		if name, ok := strings.CutPrefix(flag, t.Name+"-"); ok {
			return t.Name, name
		}
		for _, entry := range t.Flags {
			if f, name, _ := strings.Cut(entry, "="); f == flag {
				return t.Name, cmp.Or(name, f)
			}
		}
	}
	return "", flag
}

// isPath reports whether the value of a flag is a path, as its help says.
func isPath(f *pflag.Flag) bool {
	name, _ := pflag.UnquoteUsage(f)
	return strings.HasSuffix(name, "FILE") || name == "DIR"
}

// isPathTo reports whether the value of a flag is a relative path. Where a flag takes a path or something else, it is one if the file
// is there.
func isPathTo(f *pflag.Flag, value, file string) bool {
	name, _ := pflag.UnquoteUsage(f)
	return isPath(f) && value != "-" && !filepath.IsAbs(value) && (!strings.Contains(name, "|") || files.Exists(file))
}

// flagsAs returns text with names for flags: those that name gives them, if it gives any.
func flagsAs(text string, name func(flag string) string) string {
	return regexp.MustCompile(`--[a-z][a-z-]*`).ReplaceAllStringFunc(text, func(flag string) string {
		return cmp.Or(name(flag[len("--"):]), flag)
	})
}

// Want says in words what a flag of some type takes; nothing for text.
func Want(kind string) string {
	switch kind {
	case "int", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, such as 90s, 20m or 8h"
	case "bool":
		return "true or false"
	}
	return ""
}

// texts returns what a flag takes of a value of TOML, a text or those of a list. The error says what to give.
func texts(f *pflag.Flag, v any) ([]string, error) {
	kind := f.Value.Type()
	_, many := f.Value.(pflag.SliceValue)
	list, isList := v.([]any)
	if many && isList {
		all := make([]string, len(list))
		for i, v := range list {
			text, ok := v.(string)
			if !ok {
				return nil, fmt.Errorf("give a list of texts in quotes")
			}
			all[i] = text
		}
		return all, nil
	}
	ok := false
	switch v.(type) {
	case string:
		ok = kind != "bool" && kind != "int" && kind != "uint64" && kind != "float64"
	case int64:
		ok = kind == "int" || kind == "uint64" || kind == "float64" || kind == NumberOrText
	case float64:
		ok = kind == "float64"
	case bool:
		ok = kind == "bool"
	}
	if !ok {
		return nil, fmt.Errorf("give %s", cmp.Or(Want(kind), "text in quotes"))
	}
	return []string{fmt.Sprint(v)}, nil
}

// NumberOrText is the type of flags whose values are whole numbers or text.
const NumberOrText = "int or string"
