package studyfile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/invbo/invbo/internal/option"
)

// Write writes a study file with all options, to be named path: options that were given have their values, and the
// others are comments with their defaults. Relative paths become relative to its folder.
func (o Options) Write(w io.Writer, path, about string) error {
	var b bytes.Buffer
	comment(&b, about)
	comment(&b, "Options that begin with # have their defaults: take the # away to set one. Flags override this file, and paths are relative to its folder.")
	table := ""
	for _, k := range o.keys {
		if k.any().IsDropped() {
			continue
		}
		if k.table != table {
			table = k.table
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		line, err := k.line(path)
		if err != nil {
			return err
		}
		b.WriteByte('\n')
		for _, help := range o.help(k) {
			comment(&b, help)
		}
		fmt.Fprintln(&b, line)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// help returns what an option is: once, or by command if that differs or not all have it.
func (o Options) help(k key) (lines []string) {
	usage := func(c owner) string {
		return flagsAs(strings.ReplaceAll(c.Usage(), "`", ""), func(flag string) string {
			for _, k := range o.keys {
				if k.any().Name == flag {
					return k.String()
				}
			}
			return ""
		})
	}
	if len(k.of) == o.commands && !slices.ContainsFunc(k.of, func(c owner) bool { return c.Usage() != k.any().Usage() }) {
		return []string{usage(k.of[0])}
	}
	for _, c := range k.of {
		lines = append(lines, c.command+": "+usage(c))
	}
	return lines
}

// line returns the line of a key.
func (k key) line(path string) (string, error) {
	if k.option == nil || !k.option.Given {
		o := k.any()
		if o.Default == "" && o.Type() != "bool" {
			return "#" + k.name + " = " + placeholder(o), nil
		}
		text, err := assignment(k.name, parse(o.Type(), o.Default))
		return "#" + text, err
	}
	var err error
	if k.option.Many() {
		texts := slices.Clone(k.option.Texts())
		for i, text := range texts {
			if texts[i], err = k.from(path, text); err != nil {
				return "", err
			}
		}
		return assignment(k.name, texts)
	}
	v := parse(k.option.Type(), k.option.String())
	if text, ok := v.(string); ok {
		if v, err = k.from(path, text); err != nil {
			return "", err
		}
	}
	return assignment(k.name, v)
}

// from returns a value as it is written in a study file of that path: a relative path becomes relative to the file's folder.
func (k key) from(path, text string) (string, error) {
	if !k.option.IsPathTo(text, text) {
		return text, nil
	}
	from, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(text)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(from, to)
	if err != nil { // on another volume
		return to, nil
	}
	return relative, nil
}

// assignment returns a line of TOML.
func assignment(name string, v any) (string, error) {
	text, err := toml.Marshal(map[string]any{name: v})
	return strings.TrimSuffix(string(text), "\n"), err
}

// parse returns the value of an option as TOML has it.
func parse(kind, text string) any {
	switch kind {
	case "int", "uint64", option.NumberOrText:
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return v
		}
	case "float64":
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return v
		}
	case "bool":
		return text == "true"
	}
	return text
}

// placeholder stands for the value of an option that has no default of its own.
func placeholder(o *option.Option) string {
	name := strings.ToUpper(cmp.Or(o.Takes(), o.Name))
	switch kind := o.Type(); {
	case o.Many():
		return "['" + name + "']"
	case kind == "int" || kind == "uint64" || kind == "float64":
		return name
	}
	return "'" + name + "'"
}

// comment writes a comment in lines of a readable length.
func comment(b *bytes.Buffer, text string) {
	const width = 100
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width {
			fmt.Fprintln(b, line)
			line = "#"
		}
		line += " " + word
	}
	fmt.Fprintln(b, line)
}
