package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/invbo/invbo/internal/usage"
)

// Results is a file of finished runs, a line of JSON each: {"spec": …, "result": …}. Several processes may add to it.
type Results struct {
	name string
	runs map[string]Result // by RunSpec.Key
	file *os.File          // nil until it is opened to add runs
	Note string            // what was skipped, for people; may be empty
}

// Line is a run in a file of results, and in what --json prints.
type Line struct {
	Spec   RunSpec `json:"spec"`
	Result Result  `json:"result"`
}

// ReadResults reads a file of results; it need not exist.
func ReadResults(name string) (*Results, error) {
	r := &Results{name: name, runs: map[string]Result{}}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, usage.Errorf("--results: %w", err)
	}
	at := 0
	for line := range bytes.Lines(data) {
		at++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var run Line
		err := unmarshalStrictly(line, &run)
		if _, torn := errors.AsType[*json.SyntaxError](err); torn && line[0] == '{' {
			r.Note = fmt.Sprintf("--results %s: line %d is incomplete, perhaps after a crash, and was skipped", name, at)
			continue
		}
		if err == nil {
			err = run.check()
		}
		if err != nil && at == 1 {
			return nil, usage.Errorf("--results %s: it is no file of results of this version (%w); give another name", name, err)
		}
		if err != nil {
			return nil, usage.Errorf("--results %s: line %d: %w; correct or remove it", name, at, err)
		}
		r.runs[run.Spec.Key()] = run.Result
	}
	return r, nil
}

// unmarshalStrictly refuses fields that v does not have: a newer program may mean something by them.
func unmarshalStrictly(text []byte, v any) error {
	if !json.Valid(text) {
		return json.Unmarshal(text, v) // the syntax error, also of text that is cut off
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func (l Line) check() error {
	if l.Spec.Version != specVersion {
		return fmt.Errorf("version %d of specifications, and this program knows %d", l.Spec.Version, specVersion)
	}
	if l.Spec.Budget < 1 || l.Spec.Budget > usage.Most {
		return fmt.Errorf("budget %d is not from 1 to %d", l.Spec.Budget, usage.Most)
	}
	return nil
}

// Open makes the file ready for runs to be added, and reads it again: other processes may have added runs.
func (r *Results) Open() error {
	now, err := ReadResults(r.name)
	if err != nil {
		return err
	}
	*r = *now
	if r.file, err = os.OpenFile(r.name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return usage.Errorf("--results: %w", err)
	}
	info, err := r.file.Stat()
	if err != nil {
		return fmt.Errorf("--results: %w", err)
	}
	last := []byte{'\n'}
	if size := info.Size(); size > 0 {
		if _, err := r.file.ReadAt(last, size-1); err != nil {
			return fmt.Errorf("--results: %w", err)
		}
	}
	if last[0] != '\n' { // what a crash has cut off gets a line of its own
		return appendWhole(r.file, []byte{'\n'})
	}
	return nil
}

// Get returns the run of a resolved specification, if it is there.
func (r *Results) Get(s RunSpec) (Result, bool) {
	run, ok := r.runs[s.Key()]
	return run, ok
}

// Add appends a finished run.
func (r *Results) Add(s RunSpec, run Result) error {
	line, err := json.Marshal(Line{s, run})
	if err != nil {
		return err
	}
	if err := appendWhole(r.file, append(line, '\n')); err != nil {
		return err
	}
	r.runs[s.Key()] = run
	return nil
}
