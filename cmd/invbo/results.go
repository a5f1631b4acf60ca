package main

import (
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
)

// results is a CSV file of finished runs. It can be read again while others are added.
type results struct {
	file *os.File
	csv  *csv.Writer
	runs map[string]finished // by key
}

// finished is what tables and figures need of a run.
type finished struct {
	curve                  []float64 // best score after each call, 0 first
	aligned, dissimilarity []float64 // after each batch
	ranking, plausible     float64   // NaN: not known
}

// keyColumns names what tells a run from others.
func keyColumns() []string {
	return []string{"task", "method", "profile", "transform", "seed", "budget", "batch", "top", "patience",
		"inversion_loss", "inversion_rate", "inversion_iterations", "update_rate",
		"region_length", "region_min", "region_max",
		"init", "init_sample", "init_skip", "skip_invalid", "target", "dim", "weights"}
}

func resultsHeader() []string {
	return append(keyColumns(), "init_calls", "oracle_calls", "best", "best_score", "seconds", "aligned_fraction", "ranking",
		"plausible_fraction", "plausible_top10", "alignments", "dissimilarities", "curve")
}

// keys returns the values of keyColumns.
func (s spec) keys() []string {
	return []string{
		s.task, s.method, s.profile, s.transform, strconv.FormatUint(s.seed, 10), strconv.Itoa(s.budget), strconv.Itoa(s.batch),
		strconv.Itoa(s.top), strconv.Itoa(s.patience),
		s.inversion.loss, float(s.inversion.rate), strconv.Itoa(s.inversion.iterations), float(s.updateRate),
		float(s.region.length), float(s.region.least), float(s.region.most),
		s.init, strconv.Itoa(s.initSample), strconv.Itoa(s.initSkip), strconv.FormatBool(s.skipInvalid),
		s.own.target, strconv.Itoa(s.own.dim), s.own.weights,
	}
}

func (s spec) key() string { return strings.Join(s.keys(), "\x00") }

// openResults reads a file of results, or starts it.
func openResults(name string) (*results, error) {
	r := &results{runs: map[string]finished{}}
	old, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, usagef("--results: %w", err)
	default:
		defer old.Close()
		if err := r.read(old); err != nil {
			return nil, usagef("--results %s: %w", name, err)
		}
	}
	r.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, usagef("--results: %w", err)
	}
	r.csv = csv.NewWriter(r.file)
	if old == nil {
		return r, r.write(resultsHeader())
	}
	return r, nil
}

func (r *results) close() error { return r.file.Close() }

func (r *results) read(in io.Reader) error {
	c := csv.NewReader(in)
	for first := true; ; first = false {
		record, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w; mend or remove that line", err)
		}
		if first {
			if !slices.Equal(record, resultsHeader()) {
				return errors.New("it is no file of results of this version; give another name")
			}
			continue
		}
		run, err := parseRun(record)
		if err != nil {
			line, _ := c.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
		r.runs[strings.Join(record[:len(keyColumns())], "\x00")] = run
	}
}

// parseRun reads a record.
func parseRun(record []string) (run finished, err error) {
	header := resultsHeader()
	field := func(column string) string { return record[slices.Index(header, column)] }
	budget, err := strconv.Atoi(field("budget"))
	if err != nil || budget < 1 || budget > most {
		return run, fmt.Errorf("budget %q is not a number from 1 to %d", field("budget"), most)
	}
	if run.curve, err = parseCurve(field("curve"), budget); err != nil {
		return run, fmt.Errorf("curve: %w", err)
	}
	for column, to := range map[string]*[]float64{"alignments": &run.aligned, "dissimilarities": &run.dissimilarity} {
		if *to, err = parseNumbers(field(column)); err != nil {
			return run, fmt.Errorf("%s: %w", column, err)
		}
	}
	for column, to := range map[string]*float64{"ranking": &run.ranking, "plausible_fraction": &run.plausible} {
		if *to, err = strconv.ParseFloat(field(column), 64); err != nil {
			return run, fmt.Errorf("%s: %w", column, err)
		}
	}
	return run, nil
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
	fields := []string{
		strconv.Itoa(run.InitCalls), strconv.Itoa(run.OracleCalls), run.Best, float(*run.BestScore),
		strconv.FormatFloat(run.Seconds, 'f', 2, 64), float(run.Aligned), float(ranking),
		float(plausible), float(top), formatNumbers(alignment.Aligned), formatNumbers(alignment.Dissimilarity), formatCurve(run.best()),
	}
	record := append(s.keys(), fields...)
	if err := r.write(record); err != nil {
		return err
	}
	var err error
	r.runs[s.key()], err = parseRun(record)
	return err
}

func (r *results) write(record []string) error {
	r.csv.Write(record) // its error stays until Error
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return fmt.Errorf("write %s: %w", r.file.Name(), err)
	}
	return nil
}

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
