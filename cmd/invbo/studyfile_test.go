package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/studyfile"
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

// options returns the flags of a command that are options of a study file.
func options(c *cobra.Command) (all []*pflag.Flag) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != studyfile.WriteFlag {
			all = append(all, f)
		}
	})
	return all
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

// sample returns a value of a flag that is not its default.
func sample(f *pflag.Flag) string {
	switch name, _ := pflag.UnquoteUsage(f); {
	case name == "MIN:MAX":
		return "1:2"
	case name == "BOUND":
		return "logP<=3.5"
	case strings.HasSuffix(name, "FILE") || name == "DIR":
		return "/" + f.Name
	}
	for kind, value := range map[string]string{"int": "7", "uint64": "7", "float64": "0.25", "bool": "true", "duration": "5m0s"} {
		if f.Value.Type() == kind {
			return value
		}
	}
	return f.Name
}

// Every flag of run and new has a key, every key is a flag of one of them, and what one writes it reads back.
func TestStudyFileHasAllFlags(t *testing.T) {
	names := map[string]bool{}
	for _, name := range []string{"run", "new"} {
		c := reader(t, name)
		for _, f := range options(c) {
			names[f.Name] = true
			if err := c.Flags().Set(f.Name, sample(f)); err != nil {
				t.Fatal(err)
			}
		}
		again := read(t, name, written(t, c))
		for i, f := range options(again) {
			if want := options(c)[i]; !f.Changed || f.Value.String() != want.Value.String() {
				t.Errorf("%s: --%s %s is read back as %s, given %t", name, f.Name, want.Value, f.Value, f.Changed)
			}
		}
	}
	for _, name := range []string{"run", "new"} {
		keys := regexp.MustCompile(`(?m)^#?[a-z-]+ = `).FindAllString(written(t, reader(t, name)), -1)
		if len(keys) != len(names) {
			t.Errorf("%s writes %d keys of %d flags", name, len(keys), len(names))
		}
	}
	for _, table := range studyTables() {
		for _, entry := range table.Flags {
			if flag, _, _ := strings.Cut(entry, "="); !names[flag] {
				t.Errorf("[%s] has the flag --%s, which there is not", table.Name, flag)
			}
		}
	}
}

// What is written without flags sets none; a line whose comment is taken away sets the default that there is.
func TestStudyFileHasDefaults(t *testing.T) {
	for _, name := range []string{"run", "new"} {
		text := written(t, reader(t, name))
		left := 0
		for _, f := range options(read(t, name, text)) {
			if f.Changed {
				t.Errorf("%s: --%s is set by a file without options", name, f.Name)
			}
			if f.DefValue != "" && f.DefValue != "[]" {
				left++
			}
		}
		option := regexp.MustCompile(`^#[a-z-]+ = `)
		placeholder := regexp.MustCompile(`= \[?'?[A-Z:|]+'?\]?$`)
		table := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				table = line
			}
			if !option.MatchString(line) || placeholder.MatchString(line) {
				continue
			}
			file := filepath.Join(t.TempDir(), "study.toml")
			if err := os.WriteFile(file, []byte(table+"\n"+line[1:]), 0o644); err != nil {
				t.Fatal(err)
			}
			c := reader(t, name)
			if _, err := studyOptions(c).Read(file); err != nil {
				if !strings.Contains(err.Error(), " only; leave it out") {
					t.Error(err)
				}
				continue
			}
			for _, f := range options(c) {
				if f.Changed {
					left--
				}
				if f.Value.String() != f.DefValue {
					t.Errorf("%s: %s sets --%s to %s, and its default is %s", name, line, f.Name, f.Value, f.DefValue)
				}
			}
		}
		if left != 0 {
			t.Errorf("%s: %d flags have another default in the file than in the help", name, left)
		}
	}
}
