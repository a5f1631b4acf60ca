package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/studyfile"
	"github.com/invbo/invbo/internal/usage"
)

// studyTables returns the tables of study files in their order. Options without a table are above them.
func studyTables() []string {
	return []string{"", "data", "columns", "oracle", "molecules", "strings", "pool", "expression", "ackley", "ehrlich", "landscape", "docking", "inversion", "region", "database", "output"}
}

// studyOptions returns what a study file may say to a command.
func studyOptions(c *cobra.Command) studyfile.Options {
	var commands []studyfile.Command
	for _, name := range []string{"run", "new"} {
		reader, _, _ := c.Root().Find([]string{name}) // there are both
		commands = append(commands, studyfile.Command{Name: name, Options: declared(reader.Flags())})
	}
	return studyfile.New(c.Name(), studyTables(), commands...)
}

// writeGroup returns the flag that writes a study file.
func (s *specFlags) writeGroup() flagGroup {
	g := newGroup("Study file")
	g.StringVar(&s.write, "write", "", "write a study `FILE` with every option, those that are given and, as comments, the others; - is standard output. Nothing is run")
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
		if file, err = o.Read(args[0]); err != nil && filepath.Ext(args[0]) != ".toml" && !errors.Is(err, fs.ErrNotExist) {
			flag := "init"
			if c.Flags().Lookup("data") != nil {
				flag = "data"
			}
			return usage.Errorf("%s is no study file, such as study.toml; a table is given with --%s: %w", args[0], flag, err)
		} else if err != nil {
			return err
		}
		s.StudyFile = usage.WithoutSecrets(file.Text)
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
		return file.Explain(run(), flagName(c.Flags()))
	}
	if store := c.Flags().Lookup("store"); store != nil && usage.WithoutSecrets(store.Value.String()) != store.Value.String() {
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
