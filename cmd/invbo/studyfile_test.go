package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/option"
)

// reader returns the command of that name, which reads study files.
func reader(t *testing.T, name string) *cobra.Command {
	t.Helper()
	c, _, err := root().Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// written returns the study file that a command writes.
func written(t *testing.T, c *cobra.Command) string {
	t.Helper()
	var text strings.Builder
	if err := studyOptions(c).Write(&text, "study.toml", "About."); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// read reads a study file as a command does.
func read(t *testing.T, name, text string) *cobra.Command {
	t.Helper()
	c := reader(t, name)
	file := filepath.Join(t.TempDir(), "study.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := studyOptions(c).Read(file); err != nil {
		t.Fatal(err)
	}
	return c
}

// options returns what a study file may say to a command.
func options(c *cobra.Command) []*option.Option {
	return slices.DeleteFunc(declared(c.Flags()), (*option.Option).IsDropped)
}

// sample returns a value of an option that is not its default.
func sample(o *option.Option) string {
	if o.IsPath() {
		return "/" + o.Name
	}
	for takes, value := range map[string]string{"MIN:MAX": "1:2", "N|MIN:MAX": "3:9", "BOUND": "logP<=3.5", "OBJECTIVE": "hERG min", "LIST": "3,5-7", "RULES": "3:AV;5-7:!C", "SET|FILE": "strict", "WHAT": "frame", "LIMITS": "1 max_atoms=8"} {
		if o.Takes() == takes {
			return value
		}
	}
	for kind, value := range map[string]string{"int": "7", "uint64": "7", "float64": "0.25", "bool": "true", "duration": "5m0s"} {
		if o.Type() == kind {
			return value
		}
	}
	return o.Name
}

// Every option of run and new has a key, every key is an option of one of them, and what one writes it reads back.
func TestStudyFileHasAllOptions(t *testing.T) {
	names := map[string]bool{}
	for _, name := range []string{"run", "new"} {
		c := reader(t, name)
		for _, o := range options(c) {
			names[o.Table+"."+cmp.Or(o.Key, o.Name)] = true
			if err := o.Set(sample(o)); err != nil {
				t.Fatal(err)
			}
		}
		again := options(read(t, name, written(t, c)))
		for i, o := range again {
			if want := options(c)[i]; !o.Given || o.String() != want.String() {
				t.Errorf("%s: %s %s is read back as %s, given %t", name, o.Name, want, o, o.Given)
			}
		}
	}
	for _, name := range []string{"run", "new"} {
		keys := regexp.MustCompile(`(?m)^#?[a-z0-9_-]+ = `).FindAllString(written(t, reader(t, name)), -1)
		if len(keys) != len(names) {
			t.Errorf("%s writes %d keys of %d options", name, len(keys), len(names))
		}
	}
}

// Every table of the options is in the order of study files, and holds options.
func TestStudyTables(t *testing.T) {
	used := map[string]bool{}
	for _, name := range []string{"run", "new"} {
		for _, o := range options(reader(t, name)) {
			used[o.Table] = true
		}
	}
	for _, table := range studyTables() {
		if !used[table] {
			t.Errorf("[%s] has no options", table)
		}
		delete(used, table)
	}
	if len(used) > 0 {
		t.Errorf("tables without a place: %v", used)
	}
}

// What is written without options sets none; a line whose comment is taken away sets the default that there is.
func TestStudyFileHasDefaults(t *testing.T) {
	for _, name := range []string{"run", "new"} {
		text := written(t, reader(t, name))
		left := 0
		for _, o := range options(read(t, name, text)) {
			if o.Given {
				t.Errorf("%s: %s is set by a file without options", name, o.Name)
			}
			if o.Default != "" || o.Type() == "bool" {
				left++
			}
		}
		line := regexp.MustCompile(`^#[a-z0-9_-]+ = `)
		placeholder := regexp.MustCompile(`= \[?'?[A-Z:|]+'?\]?$`)
		table := ""
		for text := range strings.Lines(text) {
			text = strings.TrimSpace(text)
			if strings.HasPrefix(text, "[") {
				table = text
			}
			if !line.MatchString(text) || placeholder.MatchString(text) {
				continue
			}
			file := filepath.Join(t.TempDir(), "study.toml")
			if err := os.WriteFile(file, []byte(table+"\n"+text[1:]), 0o644); err != nil {
				t.Fatal(err)
			}
			c := reader(t, name)
			if _, err := studyOptions(c).Read(file); err != nil {
				if !strings.Contains(err.Error(), " only; leave it out") {
					t.Error(err)
				}
				continue
			}
			for _, o := range option.GivenOf(options(c)) {
				left--
				if want := cmp.Or(o.Default, "false"); o.String() != want {
					t.Errorf("%s: %s sets %s to %s, and its default is %s", name, text, o.Name, o, want)
				}
			}
		}
		if left != 0 {
			t.Errorf("%s: %d options have another default in the file than in the help", name, left)
		}
	}
}
