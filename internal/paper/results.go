package paper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
)

// Results is a file of finished runs, an experiment.Line each. Several processes may add to it.
type Results struct {
	name string
	runs map[string]experiment.Result // by RunSpec.Key
	torn bool                         // the last line has no end
	file *os.File                     // nil until it is opened to add runs
	Note string                       // what was skipped, for people; may be empty
}

// ReadResults reads a file of results; it need not exist.
func ReadResults(name string) (*Results, error) {
	r := &Results{name: name, runs: map[string]experiment.Result{}}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, usage.Wrap(err)
	}
	r.torn = len(data) > 0 && !bytes.HasSuffix(data, []byte{'\n'})
	at := 0
	for line := range bytes.Lines(data) {
		at++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		run, err := experiment.ParseLine(line)
		if _, torn := errors.AsType[*json.SyntaxError](err); torn && line[0] == '{' {
			r.Note = fmt.Sprintf("line %d is incomplete, perhaps after a crash, and was skipped", at)
			continue
		}
		if err != nil && at == 1 {
			return nil, usage.Errorf("it is no file of results of this version (%w); give another name", err)
		}
		if err != nil {
			return nil, usage.Errorf("line %d: %w; correct or remove it", at, err)
		}
		r.runs[run.Spec.Key()] = run.Result
	}
	return r, nil
}

// open makes the file ready for runs to be added, and reads it again: other processes may have added runs.
func (r *Results) open() error {
	now, err := ReadResults(r.name)
	if err != nil {
		return err
	}
	*r = *now
	if r.file, err = os.OpenFile(r.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return usage.Wrap(err)
	}
	if r.torn { // what a crash has cut off gets a line of its own
		return files.Append(r.file, []byte{'\n'})
	}
	return nil
}

// Get returns the run of a resolved specification, if it is there.
func (r *Results) Get(s experiment.RunSpec) (experiment.Result, bool) {
	run, ok := r.runs[s.Key()]
	return run, ok
}

// add appends a finished run.
func (r *Results) add(s experiment.RunSpec, run experiment.Result) error {
	line, err := json.Marshal(experiment.Line{Spec: s, Result: run})
	if err != nil {
		return err
	}
	if err := files.Append(r.file, append(line, '\n')); err != nil {
		return err
	}
	r.runs[s.Key()] = run
	return nil
}
