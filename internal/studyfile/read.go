package studyfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// File is a study file that was read.
type File struct {
	Path, Text string

	set []setting
}

// setting is an option that a study file has set.
type setting struct {
	key
	line  int
	value string
}

// Read reads a study file and sets the options that it names, but for those that have been given. Relative paths in it
// are relative to its folder. The error names the line and the key.
func (o Options) Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage.Errorf("read the study file: %w", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte-order mark of Windows
	f := &File{Path: path, Text: string(text)}
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := at.Position()
			return nil, f.at(line, errors.New(strings.TrimPrefix(at.Error(), "toml: ")))
		}
		return nil, usage.Errorf("%s: %w", path, err)
	}
	var p unstable.Parser // of the same text: it knows the lines
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			if err := o.take(f, &p, e, table, values); err != nil {
				return nil, err
			}
			continue
		}
		var line int
		if table, line = names(&p, e); e.Kind == unstable.ArrayTable {
			return nil, f.at(line, fmt.Errorf("there are no lists of tables; write [%s]", strings.Join(table, ".")))
		}
		if err := o.checkTable(strings.Join(table, ".")); err != nil {
			return nil, f.at(line, err)
		}
	}
	return f, nil
}

// at returns err as one of a line.
func (f *File) at(line int, err error) error {
	return usage.Errorf("%s, line %d: %w", f.Path, line, err)
}

// names returns the parts of the name of a table or a key, and its line.
func names(p *unstable.Parser, n *unstable.Node) (all []string, line int) {
	for parts := n.Key(); parts.Next(); {
		if line == 0 {
			line = p.Shape(parts.Node().Raw).Start.Line
		}
		all = append(all, string(parts.Node().Data))
	}
	return all, line
}

// take sets the option of a key, or the options of those in an inline table.
func (o Options) take(f *File, p *unstable.Parser, e *unstable.Node, table []string, values map[string]any) error {
	path, line := names(p, e)
	path = slices.Concat(table, path)
	if e.Value().Kind == unstable.InlineTable {
		if err := o.checkTable(strings.Join(path, ".")); err != nil {
			return f.at(line, err)
		}
		for entries := e.Value().Children(); entries.Next(); {
			if err := o.take(f, p, entries.Node(), path, values); err != nil {
				return err
			}
		}
		return nil
	}
	k, err := o.find(path)
	if err != nil {
		return f.at(line, err)
	}
	var v any = values
	for _, name := range path {
		v = v.(map[string]any)[name] // as toml.Unmarshal has read it
	}
	err = o.assign(f, k, line, v)
	if text, ok := v.(string); ok && err != nil {
		return f.at(line, fmt.Errorf("%s = %q: %w", k, text, err))
	}
	if err != nil {
		return f.at(line, fmt.Errorf("%s = %v: %w", k, v, err))
	}
	return nil
}

// assign sets the option of a key, and the parameters that its value has.
func (o Options) assign(f *File, k key, line int, v any) error {
	all, err := texts(k.option, v)
	if err != nil {
		return err
	}
	if slices.Contains(all, "") || len(all) == 0 {
		return errors.New("give a value, or leave it out")
	}
	if i := slices.IndexFunc(f.set, func(s setting) bool { return s.key.option == k.option }); i >= 0 {
		return fmt.Errorf("line %d gives it, too; leave one out", f.set[i].line)
	}
	if k.option.Given { // a flag of the command line overrides the file
		return nil
	}
	before := option.GivenOf(k.option.Parameters())
	for _, text := range all {
		if err := k.option.SetIn(filepath.Dir(f.Path), text); err != nil {
			return err
		}
	}
	f.set = append(f.set, setting{k, line, all[0]})
	if k.option.IsPath() { // as it is now, relative to the current folder
		f.set[len(f.set)-1].value = k.option.String()
	}
	for _, p := range option.GivenOf(k.option.Parameters()) {
		if !slices.Contains(before, p) {
			own := slices.IndexFunc(o.keys, func(k key) bool { return k.option == p })
			f.set = append(f.set, setting{o.keys[own], line, p.String()})
		}
	}
	return nil
}

// find returns the key of that name. The error names the closest one.
func (o Options) find(path []string) (key, error) {
	name, last := strings.Join(path, "."), path[len(path)-1]
	var beside []string
	table := strings.Join(path[:len(path)-1], ".")
	var other key // of that name in another table, or with that flag
	for _, k := range o.keys {
		switch {
		case k.is(name) && k.option == nil:
			return k, fmt.Errorf("%s is an option of invbo %s only; leave it out", name, k.of[0].command)
		case k.is(name):
			return k, nil
		case option.Same(k.any().Name, last) || option.Same(k.name, last):
			other = k
		}
		if k.table == table {
			beside = append(beside, k.name)
		}
	}
	switch {
	case other.name != "":
		return other, fmt.Errorf("there is no option %q; did you mean %q?", name, other)
	case slices.ContainsFunc(o.keys, func(k key) bool { return k.table == name }):
		return other, fmt.Errorf("%s is a table; write [%s], and below it its options", name, name)
	case len(beside) == 0:
		return other, o.checkTable(table)
	case table != "":
		return other, fmt.Errorf("there is no option %q in [%s]%s", last, table, usage.Suggest(last, beside))
	}
	return other, fmt.Errorf("there is no option %q%s", name, usage.Suggest(name, beside))
}

// checkTable refuses a table that there is not. The error names the closest one.
func (o Options) checkTable(name string) error {
	var all []string
	for _, k := range o.keys {
		if k.table == name {
			return nil
		}
		if k.table != "" && !slices.Contains(all, k.table) {
			all = append(all, k.table)
		}
	}
	return fmt.Errorf("there is no table [%s]%s", name, usage.Suggest(name, all))
}

// Has reports whether the file has set the option of that name.
func (f *File) Has(name string) bool {
	return slices.ContainsFunc(f.set, func(s setting) bool { return s.option.Name == name })
}

// Explain names the lines of the file in an error in the input: those of options that the error names, or whose value
// it quotes. flag is what the command line calls other options.
func (f *File) Explain(err error, flag func(option.Name) string) error {
	if err == nil || !usage.Is(err) {
		return err
	}
	place := func(name string) string {
		for _, s := range f.set {
			if option.Same(s.option.Name, name) {
				return fmt.Sprintf("%s (%s, line %d)", s.key, f.Path, s.line)
			}
		}
		return ""
	}
	plain := option.Say(err, flag)
	text := option.Say(err, func(n option.Name) string { return cmp.Or(place(string(n)), flag(n)) })
	text = flagsAs(text, place) // of errors that have flags in their words
	if text != plain {
		return option.Said(err, text)
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:", r) })
	var quoted []setting
	for _, s := range f.set {
		if strings.Contains(text, fmt.Sprintf("%q", s.value)) || s.option.IsPath() && slices.Contains(words, s.value) {
			quoted = append(quoted, s)
		}
	}
	if len(quoted) == 1 {
		return option.Said(err, fmt.Sprintf("%s, line %d: %s: %s", f.Path, quoted[0].line, quoted[0].key, text))
	}
	return option.Said(err, fmt.Sprintf("%s: %s", f.Path, text))
}
