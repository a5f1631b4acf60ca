// Package studyfile reads and writes study files: TOML files with the options of a command. Where an option stands,
// what it takes and what it means is in its declaration (package option), which flags and help are made from, too.
package studyfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
)

// Command is a command that reads study files, with its options.
type Command struct {
	Name    string
	Options []*option.Option
}

// Options are what a study file may say.
type Options struct {
	keys     []key // in the order of the file
	commands int
}

// key is an option as a study file has it.
type key struct {
	table, name string
	option      *option.Option // of the command that reads the file; nil: it has none
	of          []owner        // not empty
}

// owner is a command with its declaration of an option.
type owner struct {
	command string
	*option.Option
}

func (k key) String() string { return strings.TrimPrefix(k.table+"."+k.name, ".") }

// any returns the declaration of any command: their types and defaults are the same.
func (k key) any() *option.Option { return k.of[0].Option }

// is reports whether the key has that name, in which _ and - are the same.
func (k key) is(name string) bool { return option.Same(k.String(), name) }

// New returns the options of one of several commands that share their study files. What only others have is written,
// too, and refused when it is read. tables is the order of the file; options without a table are at its top.
func New(reader string, tables []string, commands ...Command) Options {
	o := Options{commands: len(commands)}
	for _, c := range commands {
		for _, declared := range c.Options {
			k := key{table: declared.Table, name: cmp.Or(declared.Key, declared.Name)}
			i := slices.IndexFunc(o.keys, func(other key) bool { return other.String() == k.String() })
			if i < 0 {
				i = len(o.keys)
				o.keys = append(o.keys, k)
			}
			if c.Name == reader {
				o.keys[i].option = declared
			}
			o.keys[i].of = append(o.keys[i].of, owner{c.Name, declared})
		}
	}
	at := func(k key) int { return slices.Index(tables, k.table) }
	slices.SortStableFunc(o.keys, func(a, b key) int { return at(a) - at(b) })
	return o
}

// flagsAs returns text with names for flags: those that name gives them, if it gives any.
func flagsAs(text string, name func(flag string) string) string {
	return regexp.MustCompile(`--[a-z][a-z-]*`).ReplaceAllStringFunc(text, func(flag string) string {
		return cmp.Or(name(flag[len("--"):]), flag)
	})
}

// texts returns what an option takes of a value of TOML, a text or those of a list. The error says what to give.
func texts(o *option.Option, v any) ([]string, error) {
	if list, ok := v.([]any); ok && o.Many() {
		all := make([]string, len(list))
		for i, v := range list {
			if all[i], ok = v.(string); !ok {
				return nil, fmt.Errorf("give a list of texts in quotes")
			}
		}
		return all, nil
	}
	takes := cmp.Or(types[o.Type()], "string")
	if !slices.Contains(strings.Fields(takes), fmt.Sprintf("%T", v)) {
		return nil, fmt.Errorf("give %s", cmp.Or(option.Wants[o.Type()], "text in quotes"))
	}
	return []string{fmt.Sprint(v)}, nil
}

// types are those that values of TOML have for types of options; of others it is string.
var types = map[string]string{"bool": "bool", "int": "int64", "uint64": "int64", "float64": "float64 int64", option.NumberOrText: "int64 string"}
