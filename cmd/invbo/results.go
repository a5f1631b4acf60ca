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
	runs map[string][]float64 // best score after each call, 0 first, by key
}

var (
	keyColumns = []string{"task", "method", "profile", "transform", "seed", "budget", "batch", "top", "patience",
		"init", "init_sample", "init_skip", "target", "dim", "weights"}
	resultColumns = []string{"init_calls", "oracle_calls", "best", "best_score", "seconds", "aligned_fraction", "curve"}
)

// keys returns what tells a run from others, in the order of keyColumns.
func (s spec) keys() []string {
	return []string{s.task, s.method, s.profile, s.transform, strconv.FormatUint(s.seed, 10), strconv.Itoa(s.budget), strconv.Itoa(s.batch),
		strconv.Itoa(s.top), strconv.Itoa(s.patience), s.init, strconv.Itoa(s.initSample), strconv.Itoa(s.initSkip),
		s.own.target, strconv.Itoa(s.own.dim), s.own.weights}
}

func (s spec) key() string { return strings.Join(s.keys(), "\x00") }

// openResults reads a file of results, or starts it.
func openResults(name string) (*results, error) {
	r := &results{runs: map[string][]float64{}}
	header := slices.Concat(keyColumns, resultColumns)
	old, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, usagef("--results: %w", err)
	default:
		defer old.Close()
		if err := r.read(old, header); err != nil {
			return nil, usagef("--results %s: %w", name, err)
		}
	}
	r.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, usagef("--results: %w", err)
	}
	r.csv = csv.NewWriter(r.file)
	if old == nil {
		return r, r.write(header)
	}
	return r, nil
}

func (r *results) close() error { return r.file.Close() }

func (r *results) read(in io.Reader, header []string) error {
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
			if !slices.Equal(record, header) {
				return errors.New("it is no file of results of this version; give another name")
			}
			continue
		}
		budget, err := strconv.Atoi(record[slices.Index(header, "budget")])
		if err != nil || budget < 1 || budget > most {
			return fmt.Errorf("budget %q is not a number from 1 to %d", record[slices.Index(header, "budget")], most)
		}
		curve, err := parseCurve(record[len(record)-1], budget)
		if err != nil {
			line, _ := c.FieldPos(len(record) - 1)
			return fmt.Errorf("line %d: curve: %w", line, err)
		}
		r.runs[strings.Join(record[:len(keyColumns)], "\x00")] = curve
	}
}

// add appends a finished run.
func (r *results) add(s spec, run result) error {
	curve := formatCurve(run.best())
	err := r.write(append(s.keys(), strconv.Itoa(run.InitCalls), strconv.Itoa(run.OracleCalls), run.Best, float(*run.BestScore),
		strconv.FormatFloat(run.Seconds, 'f', 2, 64), float(run.Aligned), curve))
	if err != nil {
		return err
	}
	r.runs[s.key()], err = parseCurve(curve, s.budget)
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
