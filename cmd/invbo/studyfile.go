package main

import (
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/studyfile"
	"github.com/invbo/invbo/internal/usage"
)

// studyTables returns the tables of study files. A flag that is in none is at the top of the file.
func studyTables() []studyfile.Table {
	return []studyfile.Table{
		{Name: "data", Flags: []string{"data=file", "sheet", "censored", "report"}},
		{Name: "columns", Flags: []string{"input", "score", "id", "se"}},
		{Name: "oracle"},
		{Name: "molecules", Flags: []string{"library", "implausible", "plausible", "forbid", "require", "max-atoms", "weight", "logp", "keep-salts"}},
		{Name: "strings", Flags: []string{"alphabet", "length", "wild-type"}},
		{Name: "expression", Flags: []string{"target"}},
		{Name: "ackley", Flags: []string{"dim"}},
		{Name: "ehrlich", Flags: []string{"states", "motifs", "motif-length", "instance", "instances"}},
		{Name: "docking", Flags: []string{"receptor", "box", "exhaustiveness", "dock-timeout=timeout"}},
		{Name: "inversion"},
		{Name: "region"},
		{Name: "output", Flags: []string{"out", "overwrite", "json", "verbose"}},
	}
}

// studyOptions returns what a study file may say to a command.
func studyOptions(c *cobra.Command) studyfile.Options {
	var commands []studyfile.Command
	for _, name := range []string{"run", "new"} {
		if reads, _, err := c.Root().Find([]string{name}); err == nil {
			commands = append(commands, studyfile.Command{Name: name, Flags: reads.Flags()})
		}
	}
	return studyfile.New(c.Flags(), studyTables(), commands...)
}

// writeGroup returns the flag that writes a study file.
func (s *specFlags) writeGroup() flagGroup {
	g := newGroup("Study file")
	g.StringVar(&s.write, studyfile.WriteFlag, "", "write a study `FILE` with every option, those that are given and, as comments, the others; - is standard output. Nothing is run")
	return g
}

// fromFile runs a command with the options of the study file that args name, if they name one, or writes a study file.
func (s *specFlags) fromFile(c *cobra.Command, args []string, run func() error) error {
	o := studyOptions(c)
	if len(args) == 0 && s.write == "" {
		return run()
	}
	var file *studyfile.File
	if len(args) > 0 {
		var err error
		if file, err = o.Read(args[0]); err != nil {
			return err
		}
		s.StudyFile = file.Text
		if s.OracleDir == "" && file.Has("oracle-cmd") {
			s.OracleDir = filepath.Dir(args[0])
		}
	}
	if s.write == "" {
		return file.Explain(run())
	}
	if s.OracleDir == "" && c.Flags().Changed("oracle-cmd") {
		if err := c.Flags().Set("oracle-dir", "."); err != nil {
			return err
		}
	}
	about := "A study file: invbo run FILE.toml searches as it says, and if the scores come from a laboratory, invbo new lab.db FILE.toml begins a study. What only one of these commands has begins with run: or new:."
	write := func(w io.Writer) error { return o.Write(w, s.write, about) }
	if s.write == "-" {
		return write(c.OutOrStdout())
	}
	if files.Exists(s.write) {
		return usage.Errorf("--write: %s exists already; give another name", s.write)
	}
	return usage.Wrap(files.WriteWhole(s.write, write))
}
