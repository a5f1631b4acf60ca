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
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/study"
)

// Folder is where a run writes beside its study: tables of trials and batches as they happen, and the result and its figures at the end.
type Folder struct {
	Path  string
	Files []string // names of the files written

	made, discarded bool // by this process; close leaves nothing of it
	trials, batches *os.File
	lock            *lock.Lock // held until close, or the end of the process
	latest          int        // ID of the latest trial written
	unordered       bool       // trials were written in another order than that of their IDs, or again
	notation        task.Notation
	columns         []batchColumn
	outcomes        []string // columns of trials.csv
	lost            error    // the first line that could not be written
}

// The files that runs write.
const (
	TrialsFile  = "trials.csv"
	batchesFile = "batches.csv"
	specFile    = "spec.json"
	specToml    = "spec.toml" // the study file of the run, if there was one
	resultFile  = "result.json"
	studyFile   = "study.db"
	lockFile    = ".lock" // there, and locked, while a process writes to the folder
)

// runFiles are the names of all files that runs write, whatever the task.
var runFiles = []string{
	TrialsFile, studyFile, studyFile + "-wal", studyFile + "-shm", specFile, specToml, resultFile, batchesFile, "curve.svg", "curve.csv", "alignment.svg",
	"fit.svg", "fit.csv", "molecules.svg", "portfolio.csv", "operators.svg", "operators.csv",
}

// newFolder makes the folder of a run, and writes the specification to it. It refuses a folder that another process writes to and,
// unless told to replace it, one that holds a run or another file that a run would write. Of a run that is replaced no file is left.
func newFolder(path string, p *Plan, replace bool) (*Folder, error) {
	made := !files.Exists(path)
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, notWritable(err)
	}
	d, err := lockFolder(path)
	if err != nil {
		return nil, err
	}
	d.made = made
	if err := d.clear(p, replace); err != nil {
		return nil, errors.Join(err, d.close())
	}
	if err := d.json(specFile, p.Spec); err != nil {
		return nil, errors.Join(notWritable(err), d.close())
	}
	if text := p.Spec.StudyFile; text != "" {
		err := d.file(specToml, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		if err != nil {
			return nil, errors.Join(notWritable(err), d.close())
		}
	}
	d.Files = append(d.Files, studyFile)
	return d, nil
}

// lockFolder locks a folder for this process.
func lockFolder(path string) (*Folder, error) {
	held, err := lock.Take(filepath.Join(path, lockFile))
	if by, ok := errors.AsType[*lock.HeldError](err); ok {
		return nil, usage.Errorf("another process is writing to %s (%s); wait until it ends, or give another folder", path, by.Holder)
	}
	if err != nil {
		return nil, notWritable(err)
	}
	return &Folder{Path: path, lock: held}, nil
}

func notWritable(err error) error {
	return option.Errorf("%s: %w; give a folder that can be written", option.Name("out"), err)
}

// clear removes a run that is to be replaced.
func (d *Folder) clear(p *Plan, replace bool) error {
	if replace {
		if err := p.keeps(d.Path); err != nil {
			return err
		}
	}
	for _, name := range runFiles {
		file := filepath.Join(d.Path, name)
		_, err := os.Lstat(file)
		switch {
		case err == nil && replace:
			err = os.Remove(file)
		case err == nil && name == TrialsFile:
			return holdsRun(d.Path)
		case err == nil:
			return option.Errorf("%s: a run writes a file %s, and %s has one of that name already; give another folder, or %s", option.Name("out"), name, d.Path, option.Name("overwrite"))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return notWritable(err)
		}
	}
	return nil
}

// begin starts the tables of trials and batches, with what there is of earlier processes, and has trials written as they come.
func (d *Folder) begin(e *Experiment) (err error) {
	d.of(e)
	header := make([]string, len(d.columns))
	for i, c := range d.columns {
		header[i] = c.name
	}
	batches := [][]string{header}
	for _, s := range e.batches {
		batches = append(batches, d.batchFields(s))
	}
	if d.batches, err = d.table(batchesFile, batches); err != nil {
		return err
	}
	trials := e.Trials()
	if d.trials, err = d.table(TrialsFile, d.trialRows(trials)); err != nil {
		return err
	}
	for _, t := range trials {
		d.latest = max(d.latest, t.ID)
	}
	return nil
}

// of sets how the experiment's trials and batches are written.
func (d *Folder) of(e *Experiment) {
	d.notation, d.columns, d.outcomes = e.parts.Notation, e.batchColumns(), e.Spec.Outcomes()
}

// holdsRun refuses a folder with a run in it.
func holdsRun(path string) error {
	return option.Errorf("%s: %s already holds a run; give another folder, or %s. To go on with it: invbo resume %s", option.Name("out"), path, option.Name("overwrite"), path)
}

// SeedFolder returns the folder of a seed's run within that of several.
func SeedFolder(out string, seed uint64) string {
	return filepath.Join(out, fmt.Sprintf("seed-%d", seed))
}

// CheckSeedFolders refuses seeds if one of their folders holds a run or, even to overwrite, a file that all the runs read.
func (e *Plan) CheckSeedFolders(out string, seeds []uint64, overwrite bool) error {
	for _, seed := range seeds {
		path := SeedFolder(out, seed)
		if !overwrite && files.Exists(filepath.Join(path, TrialsFile)) {
			return holdsRun(path)
		}
		if err := e.keeps(path); err != nil {
			return err
		}
	}
	return files.MakeWritable(out)
}

// keeps returns an error if a run that writes to a folder would overwrite a file that the experiment reads.
func (e *Plan) keeps(path string) error {
	for _, name := range runFiles {
		for _, f := range e.Spec.named() {
			if same, _ := files.Same(filepath.Join(path, name), f.Path); same {
				return option.Errorf("%s is one of the files that a run writes; copy it elsewhere, or give another %s", option.Setting{Name: option.Name(f.flag), Value: f.Path}, option.Name("out"))
			}
		}
	}
	return nil
}

// table writes a CSV file that more records are appended to. At no moment are fewer rows there than before.
func (d *Folder) table(name string, rows [][]string) (*os.File, error) {
	path := filepath.Join(d.Path, name)
	if err := writeCSV(path, rows); err != nil {
		return nil, err
	}
	d.Files = append(d.Files, name)
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
}

func writeCSV(path string, rows [][]string) error {
	return files.WriteWhole(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

func (d *Folder) trialColumns() []string {
	return trialColumns(d.notation, outcomeColumns(d.outcomes, d.notation))
}

func trialColumns(n task.Notation, outcomes []string) []string {
	return slices.Concat([]string{"trial", "batch", "kind"}, n.Columns, []string{"score"}, outcomes, []string{"called", "predicted", "predicted_sd", "reason"})
}

// outcomeColumns returns the columns of trials.csv for outcomes. One with the name of another column there, such as score, is
// oracle_score.
func outcomeColumns(outcomes []string, n task.Notation) []string {
	const prefix = "oracle_"
	others := trialColumns(n, nil)
	columns := slices.Clone(outcomes)
	for i, name := range outcomes {
		if slices.Contains(others, name) || strings.HasPrefix(name, prefix) { // two outcomes never share a column
			columns[i] = prefix + name
		}
	}
	return columns
}

func (d *Folder) trialFields(t study.Trial) []string {
	outcomes := make([]string, len(d.outcomes))
	for i, name := range d.outcomes {
		outcomes[i] = task.Float(t.Outcome(name))
	}
	return slices.Concat(
		[]string{strconv.Itoa(t.ID), strconv.Itoa(t.Batch), string(t.Kind)},
		d.notation.Fields(t.Input, t.X),
		[]string{task.Float(t.Score)}, outcomes,
		[]string{strconv.FormatBool(t.Called), task.Float(t.Mean), task.Float(t.SD), t.Reason},
	)
}

// record appends a trial. Where that fails, lost says why, and nothing is lost but a line: the study holds it.
func (d *Folder) record(t study.Trial) {
	if d.trials == nil || d.lost != nil {
		return
	}
	d.lost = appendCSV(d.trials, d.trialFields(t))
	d.unordered = d.unordered || t.Revised || t.ID < d.latest
	d.latest = max(d.latest, t.ID)
}

// order puts the trials into the order of their IDs, if answers arrived in another: then the file does not depend on how
// fast each answer was. At no moment is there a file without all trials.
func (d *Folder) order(trials []study.Trial) (err error) {
	if !d.unordered || d.trials == nil {
		return nil
	}
	path := filepath.Join(d.Path, TrialsFile)
	if err := writeCSV(path, d.trialRows(trials)); err != nil {
		return err
	}
	d.trials.Close() // the old file, of which every line was checked when it was written
	d.trials, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	d.unordered = false
	return err
}

func (d *Folder) trialRows(trials []study.Trial) [][]string {
	rows := [][]string{d.trialColumns()}
	for _, t := range trials {
		rows = append(rows, d.trialFields(t))
	}
	return rows
}

// batchColumn is a column of batches.csv.
type batchColumn struct {
	name string
	of   func(study.Status) string
	read func(s *study.Status, v float64)
}

// batchColumns returns the columns of batches.csv: in the middle the gauges of an evolution, for other methods those of a search
// in latent space.
func (e *Experiment) batchColumns() []batchColumn {
	read := func(gauge string) func(*study.Status, float64) {
		return func(s *study.Status, v float64) { s.Gauges = append(s.Gauges, study.Gauge{Name: gauge, Value: v}) }
	}
	gauge := func(name, gauge string) batchColumn {
		return batchColumn{name, func(s study.Status) string { return task.Float(s.Gauge(gauge)) }, read(gauge)}
	}
	number := func(name, gauge string) batchColumn {
		return batchColumn{name, func(s study.Status) string { return strconv.Itoa(count(s.Gauge(gauge))) }, read(gauge)}
	}
	middle := []batchColumn{
		gauge("aligned_fraction", invbo.Aligned), gauge("dissimilarity", invbo.Dissimilarity), gauge("region_length", invbo.Length),
		number("restarts", invbo.Restarts), number("vae_updates", invbo.Updates),
	}
	if r, ok := e.searcher.(study.Reporter); ok && e.Method.evolves {
		middle = nil
		for _, g := range r.Report().Gauges {
			middle = append(middle, gauge(g.Name, g.Name))
		}
	}
	first := []batchColumn{
		{"batch", func(s study.Status) string { return strconv.Itoa(s.Batches) }, func(s *study.Status, v float64) { s.Batches = int(v) }},
		{"oracle_calls", func(s study.Status) string { return strconv.Itoa(s.Calls) }, func(s *study.Status, v float64) { s.Calls = int(v) }},
		{"best_score", func(s study.Status) string { return task.Float(s.Best.Score) }, func(s *study.Status, v float64) { s.Best.Score = v }},
	}
	ranking := batchColumn{"ranking", func(s study.Status) string { return task.Float(s.Ranking) }, func(s *study.Status, v float64) { s.Ranking = v }}
	return slices.Concat(first, middle, []batchColumn{ranking})
}

// earlier returns the batches that batches.csv holds, as far as that says: those up to a line that an interruption cut off.
func (d *Folder) earlier(e *Experiment) []study.Status {
	d.of(e)
	f, err := os.Open(filepath.Join(d.Path, batchesFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	rows := csv.NewReader(f)
	header, err := rows.Read()
	if err != nil {
		return nil
	}
	var all []study.Status
	for {
		row, err := rows.Read()
		if err != nil {
			return all
		}
		var s study.Status
		for i, text := range row {
			column := slices.IndexFunc(d.columns, func(c batchColumn) bool { return c.name == header[i] })
			if column < 0 { // of another version
				continue
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				v = math.NaN()
			}
			d.columns[column].read(&s, v)
		}
		if s.Batches != len(all)+1 {
			return all
		}
		all = append(all, s)
	}
}

// batch appends where the run stands after a batch.
func (d *Folder) batch(s study.Status) {
	if d.lost == nil && d.batches != nil {
		d.lost = appendCSV(d.batches, d.batchFields(s))
	}
}

func (d *Folder) batchFields(s study.Status) []string {
	fields := make([]string, len(d.columns))
	for i, c := range d.columns {
		fields[i] = c.of(s)
	}
	return fields
}

func appendCSV(f *os.File, record []string) error {
	var line bytes.Buffer
	if err := csv.NewWriter(&line).WriteAll([][]string{record}); err != nil {
		return err
	}
	return files.Append(f, line.Bytes())
}

// discard has Close remove the files of a run in which nothing was scored: the same command can be given again.
func (d *Folder) discard() { d.discarded, d.Files = true, nil }

// close closes the files and releases the folder.
func (d *Folder) close() error {
	for _, f := range []*os.File{d.trials, d.batches} {
		if f != nil {
			f.Close() // every line was checked when it was written
		}
	}
	if d.discarded {
		for _, name := range runFiles {
			os.Remove(filepath.Join(d.Path, name)) // most were never made
		}
	}
	err := d.lock.Release()
	if d.discarded && d.made {
		os.Remove(d.Path) // fails if others have put something there
	}
	return err
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
	curve := func(values []float64) []report.Method {
		return []report.Method{{Name: r.Spec.Method, Runs: [][]float64{values}}}
	}
	failed := d.figure(task.Picture{SVG: "curve", CSV: "curve", Figure: BestCurves(title, r.Task, curve(r.BestAfter(r.OracleCalls))...)})
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
		alignment := report.Alignment{Title: title, Aligned: curve(r.Alignments), Dissimilarity: curve(r.Dissimilarities)}
		failed = cmp.Or(failed, d.file("alignment.svg", alignment.WriteSVG))
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
