package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
)

// results is a CSV file of finished runs. It can be read again while others are added.
type results struct {
	name  string
	marks marks
	runs  map[string]finished // by key

	file *os.File // nil until it is opened to add runs
}

// finished is what tables and figures need of a run. What it does not have is NaN or nil.
type finished struct {
	curve                         []float64 // best score after each call, 0 first
	aligned, dissimilarity, found []float64 // after each batch; found: strings that were new to the oracle
	calls, recentering            float64   // after the initial data; and those among them for recentering
	improved, improvedRecentering float64   // calls that brought a new best: for acquisition, for recentering
	best, seconds                 float64
	ranking, plausible            float64 // NaN: not known
}

// flagged returns a run without any flag, and its flags, which set it.
func flagged() (*spec, []*pflag.Flag) {
	s := &spec{}
	groups := s.groups()
	s.addOne(groups)
	var flags []*pflag.Flag
	for _, g := range groups {
		g.flags.VisitAll(func(f *pflag.Flag) { flags = append(flags, f) })
	}
	return s, flags
}

// keyFields returns what tells a run from others: all its flags.
func (s spec) keyFields() (columns, values []string) {
	of, flags := flagged()
	*of = s
	for _, f := range flags {
		columns = append(columns, keyColumn(f))
		values = append(values, f.Value.String())
	}
	return columns, values
}

func keyColumn(f *pflag.Flag) string { return strings.ReplaceAll(f.Name, "-", "_") }

func keyColumns() []string {
	columns, _ := spec{}.keyFields()
	return columns
}

// key returns what stands for s in the results.
func (r *results) key(s spec) string {
	_, values := r.marks.on(s).keyFields()
	return joinKey(values)
}

// joinKey leaves the names of files out: what a run has read is told by its content.
func joinKey(values []string) string {
	key := make([]string, len(values))
	for i, v := range values {
		_, content, isMark := strings.Cut(v, "#")
		key[i] = v
		if isMark {
			key[i] = "#" + content
		}
	}
	return strings.Join(key, "\x00")
}

func resultsColumns() []string {
	return append(keyColumns(), "init_calls", "oracle_calls", "recentering_calls", "improved_by_acquisition", "improved_by_recentering",
		"best", "best_score", "seconds", "aligned_fraction", "ranking", "plausible_fraction", "plausible_top10",
		"alignments", "dissimilarities", "new_strings", "curve")
}

// readResults reads a file of results; it need not be there.
func readResults(name string, m marks) (*results, error) {
	r := &results{name: name, marks: m, runs: map[string]finished{}}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, usagef("--results: %w", err)
	}
	if err := r.read(data); err != nil {
		return nil, usagef("--results %s: %w", name, err)
	}
	return r, nil
}

// open makes the file ready for runs to be added.
func (r *results) open() error {
	now, err := readResults(r.name, r.marks) // others may have added runs meanwhile
	if err != nil {
		return err
	}
	*r = *now
	if r.file, err = os.OpenFile(r.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return usagef("--results: %w", err)
	}
	info, err := r.file.Stat()
	if err != nil {
		return fmt.Errorf("--results: %w", err)
	}
	if info.Size() == 0 {
		return r.write(resultsColumns())
	}
	return nil
}

func (r *results) close() error { return r.file.Close() }

func (r *results) read(data []byte) error {
	c := csv.NewReader(bytes.NewReader(data))
	header, err := c.Read()
	if err == io.EOF {
		return nil
	}
	columns := resultsColumns()
	if err != nil || !slices.Equal(header, columns) {
		return errors.New("it is no file of results of this version; give another name")
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		return errors.New("its last line is not whole; remove it")
	}
	for {
		record, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w; mend or remove that line", err)
		}
		line, _ := c.FieldPos(0)
		if r.runs[joinKey(record[:len(keyColumns())])], err = parseRun(columns, record); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// parseRun reads a record.
func parseRun(columns, record []string) (run finished, err error) {
	field := func(column string) string { return record[slices.Index(columns, column)] }
	budget, err := strconv.Atoi(field("budget"))
	if err != nil || budget < 1 || budget > most {
		return run, fmt.Errorf("budget %q is not a number from 1 to %d", field("budget"), most)
	}
	if run.curve, err = parseCurve(field("curve"), budget); err != nil {
		return run, fmt.Errorf("curve: %w", err)
	}
	for column, to := range map[string]*[]float64{
		"alignments": &run.aligned, "dissimilarities": &run.dissimilarity, "new_strings": &run.found,
	} {
		if *to, err = parseNumbers(field(column)); err != nil {
			return run, fmt.Errorf("%s: %w", column, err)
		}
	}
	for column, to := range map[string]*float64{
		"oracle_calls": &run.calls, "recentering_calls": &run.recentering,
		"improved_by_acquisition": &run.improved, "improved_by_recentering": &run.improvedRecentering,
		"best_score": &run.best, "seconds": &run.seconds, "ranking": &run.ranking, "plausible_fraction": &run.plausible,
	} {
		if *to, err = strconv.ParseFloat(field(column), 64); err != nil {
			return run, fmt.Errorf("%s: %w", column, err)
		}
	}
	return run, nil
}

func (r *results) has(s spec) bool {
	_, ok := r.runs[r.key(s)]
	return ok
}

// add appends a finished run.
func (r *results) add(s spec, run result) error {
	ranking, plausible, top := math.NaN(), math.NaN(), math.NaN()
	if run.Ranking != nil {
		ranking = *run.Ranking
	}
	if run.plausibility != nil {
		plausible, top = run.All, run.Top
	}
	alignment := run.alignment()
	calls, improved, found := run.tally()
	_, keys := r.marks.on(s).keyFields()
	record := append(keys,
		strconv.Itoa(run.InitCalls), strconv.Itoa(run.OracleCalls), strconv.Itoa(calls[invbo.Recentered]),
		strconv.Itoa(improved[invbo.Acquired]), strconv.Itoa(improved[invbo.Recentered]),
		run.Best, float(run.score()), strconv.FormatFloat(run.Seconds, 'f', 2, 64), float(orNaN(run.Aligned)), float(ranking), float(plausible), float(top),
		formatNumbers(alignment.Aligned), formatNumbers(alignment.Dissimilarity), formatNumbers(found), formatCurve(run.best()),
	)
	if err := r.write(record); err != nil {
		return err
	}
	var err error
	r.runs[r.key(s)], err = parseRun(resultsColumns(), record)
	return err
}

// score returns the best score; NaN if nothing has one.
func (r result) score() float64 {
	if r.BestScore == nil {
		return math.NaN()
	}
	return *r.BestScore
}

// tally counts the calls after the initial data, and those that brought a new best, by what they were for;
// and the calls of each batch.
func (r result) tally() (calls, improved map[invbo.Kind]int, found []float64) {
	calls, improved = map[invbo.Kind]int{}, map[invbo.Kind]int{}
	found = make([]float64, len(r.batches))
	best := math.NaN()
	for _, t := range r.trials {
		better := !math.IsNaN(t.Score) && (math.IsNaN(best) || r.task.better(t.Score, best))
		if better {
			best = t.Score
		}
		if t.Kind == invbo.Initial || !t.Called {
			continue
		}
		calls[t.Kind]++
		if better {
			improved[t.Kind]++
		}
		if t.Kind == invbo.Acquired && t.Batch <= len(found) {
			found[t.Batch-1]++
		}
	}
	return calls, improved, found
}

// write appends a record whole, or not at all.
func (r *results) write(record []string) error { return appendCSV(r.file, record) }

// formatCurve writes the calls after which the best score changed, and to what: "0:1.5 17:0.5".
func formatCurve(best []float64) string {
	var steps []string
	for call, score := range best {
		if !math.IsNaN(score) && (call == 0 || score != best[call-1]) {
			steps = append(steps, fmt.Sprintf("%d:%s", call, float(score)))
		}
	}
	return strings.Join(steps, " ")
}

// parseCurve returns the best score after 0 to budget calls; NaN before the first.
func parseCurve(text string, budget int) ([]float64, error) {
	best := slices.Repeat([]float64{math.NaN()}, budget+1)
	for step := range strings.FieldsSeq(text) {
		at, value, _ := strings.Cut(step, ":")
		call, err := strconv.Atoi(at)
		if err != nil || call < 0 || call > budget {
			return nil, fmt.Errorf("%q is not a call of %d and its score", step, budget)
		}
		score, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a call and its score", step)
		}
		for i := call; i <= budget; i++ {
			best[i] = score
		}
	}
	return best, nil
}

// formatNumbers writes shares: four digits of each will do.
func formatNumbers(values []float64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strings.Join(words, " ")
}

func parseNumbers(text string) ([]float64, error) {
	var values []float64
	for word := range strings.FieldsSeq(text) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", word)
		}
		values = append(values, v)
	}
	return values, nil
}
