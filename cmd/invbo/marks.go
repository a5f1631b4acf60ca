package main

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/sequence"
)

// marks holds what stands in keys of runs for the files that flags name: the base name, # and the beginning of the
// content's SHA-256, so that a file is another once it changes; the name is for people. Built-in weights are under
// builtIn of their tasks.
type marks map[string]string

// builtIn is no name of a file: it has no base.
func builtIn(task string) string { return task + "/" }

// newMarks reads the files that s names, and digests the built-in weights of tasks.
func newMarks(s spec, tasks []task) (marks, error) {
	if err := s.rereadable(); err != nil {
		return nil, err
	}
	m := marks{}
	for _, f := range s.files() {
		if err := m.addFile(f.flag, *f.name); err != nil {
			return nil, err
		}
	}
	models := map[string]string{"": ""} // a task without a model has no mark
	for _, t := range tasks {
		if _, ok := models[t.model]; !ok {
			h := sha256.New()
			if err := writeBuiltIn(h, t.model); err != nil {
				return nil, err
			}
			models[t.model] = mark("", h)
		}
		m[builtIn(t.name)] = models[t.model]
	}
	return m, nil
}

// addFile marks a file.
func (m marks) addFile(flag, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return usagef("--%s: %w", flag, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return usagef("--%s: %w", flag, err)
	}
	m[name] = mark(filepath.Base(name), h)
	return nil
}

func mark(name string, h hash.Hash) string { return fmt.Sprintf("%s#%.4x", name, h.Sum(nil)) }

// writeBuiltIn writes the file of weights that a built-in model is read from.
func writeBuiltIn(w io.Writer, model string) error {
	if model == "molecules" {
		m, err := sequence.Molecules()
		if err != nil {
			return err
		}
		return m.SaveHalf(w)
	}
	m, err := grammar.Expression()
	if err != nil {
		return err
	}
	return m.Save(w)
}

// on returns s with marks for files, and for the weights that it takes unless it names some.
func (m marks) on(s spec) spec {
	_, isControl := controlNamed(s.method)
	switch {
	case isControl && m[s.init] != "": // no model searches, and none has drawn what it starts from
		s.own.weights = ""
	case s.own.weights == "":
		s.own.weights = m[builtIn(s.task)]
	}
	for _, f := range s.files() {
		if mark := m[*f.name]; mark != "" {
			*f.name = mark
		}
	}
	return s
}

// fileFlag is a flag that names a file.
type fileFlag struct {
	flag string
	name *string
}

// files returns the flags of s that name files.
func (s *spec) files() []fileFlag {
	all := []fileFlag{{"weights", &s.own.weights}, {"receptor", &s.own.docking.receptor}, {"box", &s.own.docking.box}}
	if _, err := strconv.Atoi(s.init); err != nil {
		all = append(all, fileFlag{"init", &s.init})
	}
	return slices.DeleteFunc(all, func(f fileFlag) bool { return *f.name == "" })
}

// rereadable refuses files that only the first of several runs could read.
func (s spec) rereadable() error {
	for _, f := range s.files() {
		info, err := os.Stat(*f.name)
		switch {
		case *f.name == "-" || err == nil && !info.Mode().IsRegular():
			return usagef("--%s %s: every run reads it, and a stream can be read once; give a file", f.flag, *f.name)
		case err != nil:
			return usagef("--%s: %w", f.flag, err)
		}
	}
	return nil
}
