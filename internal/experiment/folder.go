package experiment

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
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Folder is where a run writes. Its specification is there before the first oracle call, each trial before it is used.
type Folder struct {
	Path  string
	Files []string // names of the files written

	trials, batches *os.File
	lock            *lock.Lock // held until Close, or the end of the process
	latest          int        // ID of the latest trial written
	unordered       bool       // trials were written in another order than that of their IDs
	notation        task.Notation
	columns         []batchColumn
}

// The files that runs write.
const (
	TrialsFile  = "trials.csv"
	batchesFile = "batches.csv"
	specFile    = "spec.json"
	resultFile  = "result.json"
	lockFile    = ".lock" // there, and locked, while a process writes to the folder
)

// runFiles are the names of all files that runs write, whatever the task.
var runFiles = []string{
	TrialsFile, specFile, resultFile, batchesFile, "curve.svg", "curve.csv", "alignment.svg",
	"fit.svg", "fit.csv", "molecules.svg", "portfolio.csv", "operators.svg", "operators.csv",
}

// NewFolder makes the folder and writes the experiment's specification to it. It refuses a folder that another process writes
// to and, unless told to overwrite, one that holds a run or another file that a run would write. Of a run that is overwritten
// no file is left.
func (e *Experiment) NewFolder(path string, overwrite bool) (*Folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, notWritable(err)
	}
	held, err := lock.Take(filepath.Join(path, lockFile))
	if by, ok := errors.AsType[*lock.HeldError](err); ok {
		return nil, usage.Errorf("--out: another process is writing to %s (%s); wait until it ends, or give another folder", path, by.Holder)
	}
	if err != nil {
		return nil, notWritable(err)
	}
	d := &Folder{Path: path, notation: e.parts.Notation, columns: e.batchColumns(), lock: held}
	if err := d.begin(e.Spec, overwrite); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func notWritable(err error) error {
	return usage.Errorf("--out: %w; give a folder that can be written", err)
}

// begin removes a run that is to be overwritten, and starts the files of another.
func (d *Folder) begin(s RunSpec, overwrite bool) (err error) {
	for _, name := range runFiles {
		file := filepath.Join(d.Path, name)
		_, err := os.Lstat(file)
		switch {
		case err == nil && overwrite:
			err = os.Remove(file)
		case err == nil && name == TrialsFile:
			return holdsRun(d.Path)
		case err == nil:
			return usage.Errorf("--out: a run writes a file %s, and %s has one of that name already; give another folder, or --overwrite", name, d.Path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return notWritable(err)
		}
	}
	err = d.json(specFile, s)
	if err == nil {
		d.trials, err = d.table(TrialsFile, d.trialColumns()...)
	}
	if err == nil {
		var names []string
		for _, c := range d.columns {
			names = append(names, c.name)
		}
		d.batches, err = d.table(batchesFile, names...)
	}
	if err != nil {
		return notWritable(err)
	}
	return nil
}

// holdsRun refuses a folder with a run in it.
func holdsRun(path string) error {
	return usage.Errorf("--out: %s already holds a run; give another folder, or --overwrite. To continue from its evaluations, --init %s", path, filepath.Join(path, TrialsFile))
}

// SeedFolder returns the folder of a seed's run within that of several.
func SeedFolder(out string, seed uint64) string {
	return filepath.Join(out, fmt.Sprintf("seed-%d", seed))
}

// CheckSeedFolders refuses seeds if one of their folders holds a run or, even to overwrite, a file that all the runs read.
func (e *Experiment) CheckSeedFolders(out string, seeds []uint64, overwrite bool) error {
	for _, seed := range seeds {
		path := SeedFolder(out, seed)
		if !overwrite && files.Exists(filepath.Join(path, TrialsFile)) {
			return holdsRun(path)
		}
		for _, name := range runFiles {
			for _, f := range e.Spec.named() {
				if same, _ := files.Same(filepath.Join(path, name), f.Path); same {
					return usage.Errorf("--overwrite: every run reads --%s %s, which is in a folder that they write to; copy it elsewhere, or give another --out", f.flag, f.Path)
				}
			}
		}
	}
	return files.MakeWritable(out)
}

// table starts a CSV file that records are appended to.
func (d *Folder) table(name string, header ...string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(d.Path, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	d.Files = append(d.Files, name)
	return f, appendCSV(f, header)
}

func (d *Folder) trialColumns() []string {
	return slices.Concat([]string{"trial", "batch", "kind"}, d.notation.Columns, []string{"score", "called", "predicted", "predicted_sd", "reason"})
}

func (d *Folder) trialFields(t study.Trial) []string {
	return slices.Concat(
		[]string{strconv.Itoa(t.ID), strconv.Itoa(t.Batch), string(t.Kind)},
		d.notation.Fields(t.Input, t.X),
		[]string{task.Float(t.Score), strconv.FormatBool(t.Called), task.Float(t.Mean), task.Float(t.SD), t.Reason},
	)
}

// record appends a trial.
func (d *Folder) record(t study.Trial) error {
	if err := appendCSV(d.trials, d.trialFields(t)); err != nil {
		return err
	}
	d.unordered = d.unordered || t.ID < d.latest
	d.latest = max(d.latest, t.ID)
	return nil
}

// order puts the trials into the order of their IDs, if answers arrived in another: then the file does not depend on how
// fast each answer was. At no moment is there a file without all trials.
func (d *Folder) order(trials []study.Trial) error {
	if !d.unordered {
		return nil
	}
	rows := [][]string{d.trialColumns()}
	for _, t := range trials {
		rows = append(rows, d.trialFields(t))
	}
	return files.WriteWhole(filepath.Join(d.Path, TrialsFile), func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// batchColumn is a column of batches.csv.
type batchColumn struct {
	name string
	of   func(study.Status) string
}

// batchColumns returns the columns of batches.csv: in the middle the gauges of an evolution, for other methods those of a search
// in latent space.
func (e *Experiment) batchColumns() []batchColumn {
	gauge := func(name, gauge string) batchColumn {
		return batchColumn{name, func(s study.Status) string { return task.Float(s.Gauge(gauge)) }}
	}
	number := func(name, gauge string) batchColumn {
		return batchColumn{name, func(s study.Status) string { return strconv.Itoa(count(s.Gauge(gauge))) }}
	}
	middle := []batchColumn{
		gauge("aligned_fraction", invbo.Aligned), gauge("dissimilarity", invbo.Dissimilarity), gauge("region_length", invbo.Length),
		number("restarts", invbo.Restarts), number("vae_updates", invbo.Updates),
	}
	if e.gauges != nil {
		middle = nil
	}
	for _, g := range e.gauges {
		middle = append(middle, gauge(g.Name, g.Name))
	}
	first := []batchColumn{
		{"batch", func(s study.Status) string { return strconv.Itoa(s.Batches) }},
		{"oracle_calls", func(s study.Status) string { return strconv.Itoa(s.Calls) }},
		{"best_score", func(s study.Status) string { return task.Float(s.Best.Score) }},
	}
	return slices.Concat(first, middle, []batchColumn{{"ranking", func(s study.Status) string { return task.Float(s.Ranking) }}})
}

// batch appends where the run stands after a batch.
func (d *Folder) batch(s study.Status) error {
	var fields []string
	for _, c := range d.columns {
		fields = append(fields, c.of(s))
	}
	return appendCSV(d.batches, fields)
}

func appendCSV(f *os.File, record []string) error {
	var line bytes.Buffer
	if err := csv.NewWriter(&line).WriteAll([][]string{record}); err != nil {
		return err
	}
	return appendWhole(f, line.Bytes())
}

// appendWhole writes a line to the end of a file: all of it or, on a full disk, nothing.
func appendWhole(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Write(line); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return nil
}

// Close closes the files and releases the folder.
func (d *Folder) Close() {
	for _, f := range []*os.File{d.trials, d.batches} {
		if f != nil {
			f.Close() // every line was checked when it was written
		}
	}
	d.lock.Release()
}

// save writes the result and its figures, as many as it can; the error is that of the first that failed.
func (d *Folder) save(r Outcome) error {
	summary := struct {
		Spec string `json:"spec"` // the file with what was run
		Summary
	}{specFile, r.Summary}
	if err := cmp.Or(d.order(r.Trials), d.json(resultFile, summary)); err != nil || !r.BestScore.known() {
		return err
	}
	title := fmt.Sprintf("%s: %s, seed %d", r.Spec.Task, r.Spec.Method, r.Spec.Seed)
	row := []Row{{Method: r.Spec.Method, Budget: r.OracleCalls, Runs: []Result{r.Result}}}
	failed := d.figure(task.Picture{SVG: "curve", CSV: "curve", Figure: bestCurves(title, r.Task, row)})
	if r.Task.Draw != nil {
		picture, err := r.Task.Draw(r.Spec.Options, r.Top(len(r.Trials), nil))
		if err == nil {
			err = d.figure(picture)
		}
		failed = cmp.Or(failed, err)
	}
	if operators := r.Operators(); len(operators) > 0 {
		failed = cmp.Or(failed, d.figure(task.Picture{SVG: "operators", CSV: "operators", Figure: r.operatorCurves(title, operators)}))
	}
	if len(r.Alignments) > 0 {
		failed = cmp.Or(failed, d.file("alignment.svg", alignmentCurves(title, r.Task, row).WriteSVG))
	}
	return failed
}

// figure writes a picture and its numbers.
func (d *Folder) figure(p task.Picture) error {
	return cmp.Or(d.file(p.SVG+".svg", p.WriteSVG), d.file(p.CSV+".csv", p.WriteCSV))
}

// json writes v as a file.
func (d *Folder) json(name string, v any) error {
	return d.file(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// file writes a file by fill. Its name is one of runFiles, or overwriting would leave it.
func (d *Folder) file(name string, fill func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(d.Path, name))
	if err != nil {
		return err
	}
	if err := cmp.Or(fill(f), f.Close()); err != nil {
		if _, named := errors.AsType[*fs.PathError](err); named {
			return err
		}
		return fmt.Errorf("write %s: %w", f.Name(), err)
	}
	d.Files = append(d.Files, name)
	return nil
}
