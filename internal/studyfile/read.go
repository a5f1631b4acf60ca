package studyfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/usage"
)

// File is a study file that was read.
type File struct {
	Path, Text string

	set []setting
}

// setting is a flag that a study file has set.
type setting struct {
	key
	line  int
	value string
}

// Read reads a study file and sets the flags that it names, but for those that have been given. Relative paths in it are relative to
// its folder. The error names the line and the key.
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

// take sets the flag of a key, or the flags of those in an inline table.
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

// assign sets the flag of a key.
func (o Options) assign(f *File, k key, line int, v any) error {
	all, err := texts(k.flag, v)
	switch {
	case err != nil:
		return err
	case slices.Contains(all, "") || len(all) == 0:
		return errors.New("give a value, or leave it out")
	case k.flag.Changed: // a flag of the command line overrides the file
		return nil
	}
	_, isText := v.(string)
	if path := filepath.Join(filepath.Dir(f.Path), all[0]); isText && isPathTo(k.flag, all[0], path) {
		all[0] = path
	}
	f.set = append(f.set, setting{k, line, all[0]})
	if list, ok := k.flag.Value.(pflag.SliceValue); ok {
		k.flag.Changed = true
		return list.Replace(all)
	}
	if err := o.flags.Set(k.flag.Name, all[0]); err != nil {
		return ValueError(k.flag, errors.Unwrap(err))
	}
	return nil
}

// ValueError says in plain words what is wrong with the value of a flag, by the error of its Set.
func ValueError(f *pflag.Flag, err error) error {
	if want := Want(f.Value.Type()); want != "" && !usage.Is(err) {
		return fmt.Errorf("give %s", want)
	}
	return err
}

// find returns the key of that name. The error names the closest one.
func (o Options) find(path []string) (key, error) {
	name, last := strings.Join(path, "."), path[len(path)-1]
	var beside []string
	table := strings.Join(path[:len(path)-1], ".")
	var other key // of that name in another table, or with that flag
	for _, k := range o.keys {
		switch {
		case k.String() == name && k.flag == nil:
			return k, fmt.Errorf("%s is an option of invbo %s only; leave it out", name, k.of[0].command)
		case k.String() == name:
			return k, nil
		case k.any().Name == last || k.name == last:
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

// Has reports whether the file has set a flag.
func (f *File) Has(flag string) bool {
	return slices.ContainsFunc(f.set, func(s setting) bool { return s.flag.Name == flag })
}

// Explain names the lines of the file in an error in the input: those of options that the error names as flags, or whose value it
// quotes.
func (f *File) Explain(err error) error {
	if err == nil || !usage.Is(err) {
		return err
	}
	text := flagsAs(err.Error(), func(flag string) string {
		for _, s := range f.set {
			if s.flag.Name == flag {
				return fmt.Sprintf("%s (%s, line %d)", s.key, f.Path, s.line)
			}
		}
		return ""
	})
	if text != err.Error() {
		return explained{err, text}
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:", r) })
	var quoted []setting
	for _, s := range f.set {
		if strings.Contains(text, fmt.Sprintf("%q", s.value)) || isPath(s.flag) && slices.Contains(words, s.value) {
			quoted = append(quoted, s)
		}
	}
	if len(quoted) == 1 {
		return explained{err, fmt.Sprintf("%s, line %d: %s: %s", f.Path, quoted[0].line, quoted[0].key, text)}
	}
	return explained{err, fmt.Sprintf("%s: %s", f.Path, text)}
}

// explained is an error in other words.
type explained struct {
	error
	text string
}

func (e explained) Error() string { return e.text }
func (e explained) Unwrap() error { return e.error }
