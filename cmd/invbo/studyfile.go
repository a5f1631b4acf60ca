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
		{Name: "data", Flags: []string{"data=file", "sheet", "type", "unit", "as", "log10", "censored", "report"}},
		{Name: "columns", Flags: []string{"input", "score", "id", "se", "sd", "relation"}},
		{Name: "oracle"},
		{Name: "molecules", Flags: []string{"library", "implausible", "plausible", "forbid", "require", "max-atoms", "weight", "logp", "keep-salts"}},
		{Name: "strings", Flags: []string{"alphabet", "length", "wild-type", "first-position"}},
		{Name: "expression", Flags: []string{"target"}},
		{Name: "ackley", Flags: []string{"dim"}},
		{Name: "ehrlich", Flags: []string{"states", "motifs", "motif-length", "instance", "instances"}},
		{Name: "docking", Flags: []string{"receptor", "box", "exhaustiveness", "dock-timeout=timeout"}},
		{Name: "inversion"},
		{Name: "region"},
		{Name: "database", Flags: []string{"store", "study", "workers"}},
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
	file := &studyfile.File{}
	if len(args) > 0 {
		var err error
		if file, err = o.Read(args[0]); err != nil {
			return err
		}
		s.StudyFile = withoutPassword(file.Text)
	}
	dir := "" // that the oracle's command is written for
	switch {
	case file.Has("oracle-cmd"):
		dir = filepath.Dir(file.Path)
	case s.OracleCmd != "" && s.write != "":
		dir = "."
	}
	if dir != "" && s.OracleDir == "" {
		if err := c.Flags().Set("oracle-dir", dir); err != nil {
			return err
		}
	}
	if s.write == "" {
		return file.Explain(run())
	}
	if store := c.Flags().Lookup("store"); store != nil && withoutPassword(store.Value.String()) != store.Value.String() {
		return usage.Errorf("--write: the URL of --store holds a password, which a study file should not; leave it out, and give it in PGPASSWORD or ~/.pgpass")
	}
	about := "A study file: invbo run FILE.toml carries it out; if the scores come from a laboratory, invbo new lab.db FILE.toml begins it. Options of only one of these commands are marked run: or new:."
	write := func(w io.Writer) error { return o.Write(w, s.write, about) }
	if s.write == "-" {
		return write(c.OutOrStdout())
	}
	if files.Exists(s.write) {
		return usage.Errorf("--write: %s exists already; give another name", s.write)
	}
	return usage.Wrap(files.WriteWhole(s.write, write))
}
