package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/invbo/invbo"
)

// folder is where a run writes. Its trials are on disk before they are used.
type folder struct {
	path     string
	trials   *os.File
	notation notation
	names    []string // of the files written
}

const (
	trialsFile = "trials.csv"
	resultFile = "result.json"
)

// runFiles returns the names of all files that runs write, whatever the task.
func runFiles() []string {
	return []string{
		trialsFile, resultFile, "batches.csv", "curve.svg", "curve.csv", "alignment.svg",
		"fit.svg", "fit.csv", "molecules.svg", "molecules.csv",
	}
}

// newFolder makes the folder and starts trials.csv in it. Unless told to, it refuses a folder that holds a run, or
// another file that a run would write: nothing is to be lost by mistake. Of a run that is written over no file is left.
func newFolder(path string, overwrite bool, n notation) (*folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, usagef("--out: %w; give a folder that can be written", err)
	}
	for _, name := range runFiles() {
		file := filepath.Join(path, name)
		_, err := os.Lstat(file)
		switch {
		case err == nil && overwrite:
			err = os.Remove(file)
		case err == nil && name == trialsFile:
			return nil, holdsRun(path)
		case err == nil:
			return nil, usagef("--out: a run writes a file %s, and %s holds another; give another folder, or --overwrite", name, path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("--out: %w; give a folder that can be written", err)
		}
	}
	f, err := os.OpenFile(filepath.Join(path, trialsFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_EXCL, 0o644)
	if err != nil {
		return nil, usagef("--out: %w; give a folder that can be written", err)
	}
	d := &folder{path: path, trials: f, notation: n, names: []string{trialsFile}}
	return d, d.write(slices.Concat([]string{"trial", "batch", "kind"}, n.columns, []string{"score", "called", "predicted", "reason"}))
}

// holdsRun refuses a folder with a run in it.
func holdsRun(path string) error {
	return usagef("--out: %s holds a run already; give another folder, or --overwrite. To go on from it, --init %s", path, filepath.Join(path, trialsFile))
}

// record appends a trial.
func (d *folder) record(t invbo.Trial) error {
	return d.write(slices.Concat(
		[]string{strconv.Itoa(t.N), strconv.Itoa(t.Batch), string(t.Kind)},
		d.notation.fields(t.Input, t.X),
		[]string{float(t.Score), strconv.FormatBool(t.Called), float(t.Predicted), t.Reason},
	))
}

func (d *folder) write(record []string) error { return appendCSV(d.trials, record) }

// appendCSV writes a line to the end of a file: all of it or, on a full disk, nothing.
func appendCSV(f *os.File, record []string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var line bytes.Buffer
	if err := csv.NewWriter(&line).WriteAll([][]string{record}); err != nil {
		return err
	}
	if _, err := f.Write(line.Bytes()); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return nil
}

func (d *folder) close() error { return d.trials.Close() }

// discard removes the folder of a run that was not begun, or what this program has put into it.
func (d *folder) discard() {
	d.close()
	if os.Remove(d.trials.Name()) == nil {
		os.Remove(d.path) // unless there is something else in it
	}
}

// json writes v as a file.
func (d *folder) json(name string, v any) error {
	return d.file(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// file writes a file by fill. It is one of runFiles, or --overwrite would leave it.
func (d *folder) file(name string, fill func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(d.path, name))
	if err != nil {
		return err
	}
	if err := cmp.Or(fill(f), f.Close()); err != nil {
		if _, named := errors.AsType[*fs.PathError](err); named {
			return err
		}
		return fmt.Errorf("write %s: %w", f.Name(), err)
	}
	d.names = append(d.names, name)
	return nil
}

// float writes v so that reading it gives v again; NaN as NaN.
func float(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
