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
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/study"
)

// folder is where a run writes beside its study: tables of trials and batches as they happen, and the result and its
// figures at the end.
type folder struct {
	path  string
	files []string // names of the files written

	made, discarded bool // by this process; close leaves nothing of it
	replaces        bool // a run, whose files are in replacedFolder until this one has a trial

	modes map[string]fs.FileMode // of files of a run that is replaced, by name: the new ones get them
	lock  *lock.Lock             // held until close, or the end of the process

	e               *Experiment // nil before begin
	gauges          []gaugeColumn
	trials, batches *os.File
	lost            error // the first line that could not be written
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

	replacedFolder = ".replaced"
)

// runFiles are the names of all files that runs write, whatever the task.
var runFiles = []string{
	TrialsFile, studyFile, studyFile + "-wal", studyFile + "-shm", specFile, specToml, resultFile, batchesFile, "curve.svg", "curve.csv", "alignment.svg",
	"fit.svg", "fit.csv", "molecules.svg", "portfolio.csv", routeFile, "front.svg", "front.csv", "hypervolume.svg", "hypervolume.csv", "operators.svg", "operators.csv", // the last two by earlier versions
}

// newFolder makes the folder of a run, and writes the specification to it. It refuses a folder that another process
// writes to and, unless told to replace it, one that holds a run or another file that a run would write. Of a run that
// is replaced no file is left.
func newFolder(path string, p *Plan, replace bool) (*folder, error) {
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
		d.discarded = d.replaces
		return nil, errors.Join(err, d.close())
	}
	err = d.json(specFile, p.Spec)
	if text := p.Spec.StudyFile; err == nil && text != "" {
		err = d.file(specToml, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	if err != nil {
		d.discarded = true
		return nil, errors.Join(notWritable(err), d.close())
	}
	d.files = append(d.files, studyFile)
	return d, nil
}

// lockFolder locks a folder for this process.
func lockFolder(path string) (*folder, error) {
	held, err := lock.Take(filepath.Join(path, lockFile))
	if by, ok := errors.AsType[*lock.HeldError](err); ok {
		return nil, usage.Errorf("another process is writing to %s (%s); wait until it ends, or give another folder", path, by.Holder)
	}
	if err != nil {
		return nil, notWritable(err)
	}
	d := &folder{path: path, lock: held}
	if err := d.settle(); err != nil {
		return nil, errors.Join(notWritable(err), held.Release())
	}
	return d, nil
}

// settle ends what a process that was killed had begun: a run that was to replace another one has either begun, or is
// undone.
func (d *folder) settle() error {
	if !files.Exists(filepath.Join(d.path, replacedFolder)) {
		return nil
	}
	if files.Exists(filepath.Join(d.path, studyFile)) {
		return d.forget()
	}
	return d.restore()
}

// restore puts the files of a run that was to be replaced back.
func (d *folder) restore() error {
	old := filepath.Join(d.path, replacedFolder)
	for _, name := range runFiles {
		if err := os.Rename(filepath.Join(old, name), filepath.Join(d.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	d.replaces = false
	return os.Remove(old)
}

// forget removes the files of a run that is replaced.
func (d *folder) forget() error {
	d.replaces = false
	return os.RemoveAll(filepath.Join(d.path, replacedFolder))
}

func notWritable(err error) error {
	return option.Errorf("%s: %w; give a folder that can be written", option.Name("out"), err)
}

// clear moves a run that is to be replaced out of the way. Files that a run would write are no run without its study or
// specification.
func (d *folder) clear(p *Plan, replace bool) error {
	old := filepath.Join(d.path, replacedFolder)
	isRun := files.Exists(filepath.Join(d.path, studyFile)) || files.Exists(filepath.Join(d.path, specFile))
	if replace {
		if err := p.keeps(d.path); err != nil {
			return err
		}
		d.modes = map[string]fs.FileMode{}
	}
	for _, name := range runFiles {
		file := filepath.Join(d.path, name)
		info, err := os.Lstat(file)
		switch {
		case err == nil && replace && info.IsDir():
			err = fmt.Errorf("%s is a folder", file)
		case err == nil && replace && !isRun:
			return option.Errorf("%s: %s holds no run to replace, and its file %s would be lost; give another folder, or move the file away", option.Name("out"), d.path, name)
		case err == nil && replace:
			if info.Mode().IsRegular() {
				d.modes[name] = info.Mode().Perm()
			}
			if !d.replaces {
				if err := os.Mkdir(old, 0o700); err != nil {
					return notWritable(err)
				}
				d.replaces = true
			}
			err = os.Rename(file, filepath.Join(old, name))
		case err == nil && !isRun:
			return option.Errorf("%s: a run writes a file %s, and %s has one of that name already; give another folder, or move the file away", option.Name("out"), name, d.path)
		case err == nil && name == TrialsFile:
			return option.Errorf("%s: %s already holds a run; give another folder, or %s. To go on with it: invbo resume %s", option.Name("out"), d.path, option.Name("overwrite"), usage.Quoted(d.path))
		case err == nil:
			return option.Errorf("%s: a run writes a file %s, and %s has one of that name already; give another folder, or %s", option.Name("out"), name, d.path, option.Name("overwrite"))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return notWritable(err)
		}
	}
	return nil
}

// begin starts the tables of trials and batches, with what there is of earlier processes, and has trials written as
// they come.
func (d *folder) begin(e *Experiment) (err error) {
	if mode, ok := d.modes[studyFile]; ok {
		if err := os.Chmod(filepath.Join(d.path, studyFile), mode); err != nil {
			return err
		}
	}
	d.e, d.gauges = e, e.gaugeColumns()
	if e.resumed {
		e.batches = d.earlier()
	}
	header := []string{"batch", "oracle_calls", "best_score"}
	for _, g := range d.gauges {
		header = append(header, g.column)
	}
	batches := [][]string{append(header, "ranking")}
	for _, s := range e.batches {
		batches = append(batches, d.batchFields(s))
	}
	if d.batches, err = d.table(batchesFile, batches); err != nil {
		return err
	}
	d.trials, err = d.table(TrialsFile, d.trialRows())
	return err
}

// keeps returns an error if a run that writes to a folder would overwrite a file that the experiment reads.
func (e *Plan) keeps(path string) error {
	for _, name := range runFiles {
		for _, f := range e.Spec.named() {
			if files.Same(filepath.Join(path, name), f.Path) {
				return option.Errorf("%s is one of the files that a run writes; copy it elsewhere, or give another %s", option.Setting{Name: option.Name(f.flag), Value: f.Path}, option.Name("out"))
			}
		}
	}
	return nil
}

// prepare makes an empty file with the mode that one of that name had in a run that is replaced.
func (d *folder) prepare(name string) error {
	mode, ok := d.modes[name]
	if !ok {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(d.path, name), os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(mode), f.Close())
}

// table writes a CSV file that more records are appended to. At no moment are fewer rows there than before.
func (d *folder) table(name string, rows [][]string) (*os.File, error) {
	path := filepath.Join(d.path, name)
	if err := d.prepare(name); err != nil {
		return nil, err
	}
	if err := writeCSV(path, rows); err != nil {
		return nil, err
	}
	d.wrote(name)
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
}

func writeCSV(path string, rows [][]string) error {
	return files.WriteWhole(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		for _, row := range rows {
			c.Write(sheet.Guarded(row)) // csv.Writer keeps its error until Error
		}
		c.Flush()
		return c.Error()
	})
}

func trialColumns(n task.Notation, outcomes []string) []string {
	return slices.Concat([]string{"trial", "batch", "kind"}, n.Columns, []string{"score"}, outcomes, []string{"called", "predicted", "predicted_sd", "reason"})
}

// outcomeColumns returns the columns of trials.csv for outcomes. One with the name of another column there, such as
// score, is oracle_score.
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

// trialRows returns all of trials.csv. The trials are in the order of their IDs, whatever the order of the answers was.
func (d *folder) trialRows() [][]string {
	n := d.e.parts.Notation
	rows := [][]string{trialColumns(n, outcomeColumns(d.e.Spec.Outcomes(), n))}
	for _, t := range d.e.Trials() {
		rows = append(rows, d.trialFields(t))
	}
	return rows
}

func (d *folder) trialFields(t study.Trial) []string {
	var outcomes []string
	reason := t.Reason
	for _, name := range d.e.Spec.Outcomes() {
		v := t.Outcome(name)
		outcomes = append(outcomes, t.OutcomeBound(name).String()+task.Float(v))
		if math.IsNaN(v) {
			reason = cmp.Or(reason, t.MissingReason())
		}
	}
	return slices.Concat(
		[]string{strconv.Itoa(t.ID), strconv.Itoa(t.Batch), string(t.Kind)},
		d.e.parts.Notation.Fields(t.Input, t.X),
		[]string{t.Bound.String() + task.Float(t.Score)}, outcomes,
		[]string{strconv.FormatBool(t.Called), task.Float(t.Mean), task.Float(t.SD), reason},
	)
}

// gaugeColumn is a column of batches.csv with a gauge of the search.
type gaugeColumn struct {
	column, gauge string
	counts        bool // events: 0 if it is not known
}

// gaugeColumns returns the gauges of an evolution, for other methods those of a search in latent space.
func (e *Experiment) gaugeColumns() (all []gaugeColumn) {
	r, ok := e.searcher.(study.Reporter)
	if !ok || !e.Method.evolves {
		return []gaugeColumn{
			{"aligned_fraction", invbo.Aligned, false}, {"dissimilarity", invbo.Dissimilarity, false}, {"region_length", invbo.Length, false},
			{"restarts", invbo.Restarts, true}, {"vae_updates", invbo.Updates, true},
		}
	}
	for _, g := range r.Report().Gauges {
		all = append(all, gaugeColumn{g.Name, g.Name, false})
	}
	return all
}

func (d *folder) batchFields(s study.Status) []string {
	fields := []string{strconv.Itoa(s.Batches), strconv.Itoa(s.Calls), task.Float(s.Best.Score)}
	for _, g := range d.gauges {
		v := s.Gauge(g.gauge)
		if g.counts {
			v = float64(count(v))
		}
		fields = append(fields, task.Float(v))
	}
	return append(fields, task.Float(s.Ranking))
}

// earlier returns the batches that batches.csv holds, as far as that says: those up to a line that an interruption cut off.
func (d *folder) earlier() (all []study.Status) {
	f, err := os.Open(filepath.Join(d.path, batchesFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	rows := csv.NewReader(f)
	header, err := rows.Read()
	if err != nil {
		return nil
	}
	for {
		row, err := rows.Read()
		if err != nil {
			return all
		}
		cells := map[string]float64{}
		for i, text := range row {
			if cells[header[i]], err = strconv.ParseFloat(text, 64); err != nil {
				cells[header[i]] = math.NaN()
			}
		}
		s := study.Status{Batches: int(cells["batch"]), Calls: int(cells["oracle_calls"]), Ranking: cells["ranking"]}
		s.Best.Score = cells["best_score"]
		for _, g := range d.gauges {
			if v, ok := cells[g.column]; ok { // it may be of another version
				s.Gauges = append(s.Gauges, study.Gauge{Name: g.gauge, Value: v})
			}
		}
		if s.Batches != len(all)+1 {
			return all
		}
		all = append(all, s)
	}
}

// record appends to a table. Where that fails, lost says why. Nothing is lost but a line: the study holds it.
func (d *folder) record(to *os.File, fields []string) {
	if d.lost == nil {
		var line bytes.Buffer
		csv.NewWriter(&line).WriteAll([][]string{sheet.Guarded(fields)}) // a Buffer takes all
		d.lost = files.Append(to, line.Bytes())
	}
}

// close puts the trials into the order of their IDs, closes the files and releases the folder. If it was discarded, it
// removes them.
func (d *folder) close() error {
	err := d.lost
	if d.trials != nil && !d.discarded && err == nil {
		err = writeCSV(filepath.Join(d.path, TrialsFile), d.trialRows())
	}
	d.trials.Close() // every line was checked when it was written, and a nil File may be closed
	d.batches.Close()
	if d.discarded {
		for _, name := range runFiles {
			os.Remove(filepath.Join(d.path, name)) // most were never made
		}
	}
	switch {
	case d.replaces && d.discarded:
		err = errors.Join(err, d.restore())
	case d.replaces:
		err = errors.Join(err, d.forget())
	}
	err = errors.Join(err, d.lock.Release())
	if d.discarded && d.made {
		os.Remove(d.path) // fails if others have put something there
	}
	return err
}

// save writes the result and its figures, as many as it can; the error is that of the first that failed.
func (d *folder) save(r Outcome) error {
	summary := struct {
		Spec string `json:"spec"` // the file with what was run
		Summary
	}{specFile, r.Summary}
	if err := d.json(resultFile, summary); err != nil || !r.BestScore.known() {
		return err
	}
	title := fmt.Sprintf("%s: %s, seed %d", r.Spec.Task, r.Spec.Method, r.Spec.Seed)
	curve := func(values []float64) []report.Method {
		return []report.Method{{Name: r.Spec.Method, Runs: [][]float64{values}}}
	}
	failed := d.figure(task.Picture{SVG: "curve", CSV: "curve", Figure: BestCurves(title, r.Task, curve(r.BestAfter(r.OracleCalls))...)})
	if front := r.Spec.Front(r.Trials); front != nil && front.Trials != nil {
		failed = cmp.Or(failed, d.figure(task.Picture{SVG: "front", CSV: "front", Figure: r.frontFigure(title, front)}))
		volumes := report.Hypervolume(title, report.Method{Name: r.Spec.Method, Runs: [][]float64{r.hypervolumes(front.Reference)}})
		failed = cmp.Or(failed, d.figure(task.Picture{SVG: "hypervolume", CSV: "hypervolume", Figure: volumes}))
	}
	if r.Task.Draw != nil {
		picture, err := r.Task.Draw(r.Spec.Options, r.Top(len(r.Trials), nil))
		if err == nil {
			err = d.figure(picture)
		}
		failed = cmp.Or(failed, err)
	}
	if d.e.Routes() {
		failed = cmp.Or(failed, d.file(routeFile, func(w io.Writer) error { return d.e.drawBestRoutes(w) }))
	}
	if len(r.Alignments) > 0 {
		alignment := report.Alignment{Title: title, Aligned: curve(r.Alignments), Dissimilarity: curve(r.Dissimilarities)}
		failed = cmp.Or(failed, d.file("alignment.svg", alignment.WriteSVG))
	}
	return failed
}

// BestCurves returns the figure of the best score after each oracle call, a curve per method.
func BestCurves(title string, t task.Task, methods ...report.Method) report.Curves {
	return report.Curves{
		Title: title, X: report.Axis{Label: "oracle calls", Column: "call"}, Y: report.Axis{Label: t.Score, Column: "best"}, Methods: methods,
	}
}

// Operator is what an operator of an evolution contributed to a run.
type Operator struct {
	Name                   string
	Made, Chosen, Improved int64 // different new strings; of these proposals; of these new bests
}

// Operators returns what each operator of an evolution contributed; none for other methods.
func (r Outcome) Operators() (all []Operator) {
	if len(r.Batches) == 0 {
		return nil
	}
	return operators(r.Batches[len(r.Batches)-1].Report)
}

// operators returns what a report says of operators.
func operators(r study.Report) (all []Operator) {
	for _, g := range r.Gauges {
		if name, ok := strings.CutPrefix(g.Name, "chosen_"); ok {
			all = append(all, Operator{strings.ReplaceAll(name, "_", " "), int64(r.Gauge("made_" + name)), int64(g.Value), int64(r.Gauge("improved_" + name))})
		}
	}
	return all
}

// figure writes a picture and its numbers.
func (d *folder) figure(p task.Picture) error {
	return cmp.Or(d.file(p.SVG+".svg", p.WriteSVG), d.file(p.CSV+".csv", p.WriteCSV))
}

// json writes v as a file.
func (d *folder) json(name string, v any) error {
	return d.file(name, func(w io.Writer) error {
		text, err := json.MarshalIndent(v, "", "  ")
		if err == nil {
			_, err = w.Write(append(usage.VisibleJSON(text), '\n'))
		}
		return err
	})
}

// file writes a file by fill, all of it or nothing. Its name is one of runFiles, or overwriting would leave it.
func (d *folder) file(name string, fill func(io.Writer) error) error {
	path := filepath.Join(d.path, name)
	fresh := !files.Exists(path)
	if err := d.prepare(name); err != nil {
		return err
	}
	if err := files.WriteWhole(path, fill); err != nil {
		if fresh {
			os.Remove(path) // what prepare may have made
		}
		return err
	}
	d.wrote(name)
	return nil
}

// wrote lists a file that was written, once.
func (d *folder) wrote(name string) {
	if !slices.Contains(d.files, name) {
		d.files = append(d.files, name)
	}
}
