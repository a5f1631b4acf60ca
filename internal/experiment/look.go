package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Naming returns Name as it is now, for many trials.
func (e *Experiment) Naming() func(study.Proposal) string {
	prefix := e.prefix()
	return func(p study.Proposal) string { return name(p, prefix) }
}

// LastChange returns when the latest event was stored; the zero time if that is not known.
func (e *Experiment) LastChange(ctx context.Context) (time.Time, error) {
	return e.keeper.kept.Latest(ctx)
}

// History returns all that was stored of the measurements of a trial, the oldest first, corrected and struck ones included.
func (e *Experiment) History(ctx context.Context, trial int) ([]sqlite.Change, error) {
	return e.keeper.kept.History(ctx, trial)
}

// Operators returns what each operator of an evolution contributed so far; none for other methods. An experiment that
// was opened anew knows it again when its search goes on, or from the folder of its run.
func (e *Experiment) Operators() []Operator {
	now := operators(e.Study.Status().Report)
	made := slices.ContainsFunc(now, func(o Operator) bool { return o.Made > 0 })
	if batches := e.endedBatches(); !made && len(batches) > 0 {
		return operators(batches[len(batches)-1].Report)
	}
	return now
}

// BestAfterCalls returns the best score after 0, 1, … oracle calls, which figures of runs show; NaN before the first score.
func (e *Experiment) BestAfterCalls() []float64 {
	o := Outcome{Spec: e.Spec, Trials: e.Trials()}
	return o.history().BestAfter(e.Study.Status().Calls)
}

// HypervolumeAfterCalls returns the hypervolume above a reference point after 0, 1, … oracle calls. The coordinates of
// the reference are values for which larger is better.
func (e *Experiment) HypervolumeAfterCalls(reference []float64) []float64 {
	o := Outcome{Spec: e.Spec, Trials: e.Trials()}
	return o.hypervolumes(reference)
}

// Measures tells scores apart that cannot be compared: those of other tasks, oracles, columns or objectives.
func (e *Experiment) Measures() string {
	text, err := json.Marshal([]any{e.Task.Name, e.Task.Minimize, e.Columns.Score, e.Columns.Unit, e.Columns.Scale, e.Spec.External.Values(), e.Spec.Objectives, e.Spec.Properties, e.Spec.Product})
	if err != nil {
		panic(err) // texts and finite numbers
	}
	return string(text)
}

// DiffersBySeed reports whether specifications differ at most by their seeds.
func (s RunSpec) DiffersBySeed(other RunSpec) bool {
	s.Seed, other.Seed = 0, 0
	a, errA := json.Marshal(s)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && string(a) == string(b)
}

// Relative is a string with a score that is like another one.
type Relative struct {
	study.Trial
	Similarity float64
}

// Relatives returns the n strings with a score that are most like an input, the most similar first, without the input
// itself.
func (e *Experiment) Relatives(input string, n int) ([]Relative, error) {
	like, err := e.Like(input)
	if err != nil {
		return nil, err
	}
	var all []Relative
	for _, t := range e.Trials() {
		if t.State != study.Scored || t.Input == input {
			continue
		}
		v, err := like(t.Input)
		if err != nil {
			return nil, err
		}
		all = append(all, Relative{t, v})
	}
	slices.SortStableFunc(all, func(a, b Relative) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return all[:min(n, len(all))], nil
}

// Like returns the similarity to a string as tables of proposals have it. The error is that of a user's string that
// cannot be read.
func (e *Experiment) Like(text string) (func(input string) (float64, error), error) {
	e.compared.Do(func() { e.alike = e.likeness() })
	if e.Molecules() {
		if _, err := molecule.Parse(text); err != nil {
			return nil, usage.Errorf("%q is no molecule: %w", usage.Shorten(text, 40), err)
		}
	}
	return func(input string) (float64, error) { return e.alike(text, input) }, nil
}

// Contains returns whether molecules have a substructure, a SMARTS. The error says what is wrong with it.
func (e *Experiment) Contains(smarts string) (func(input string) (bool, error), error) {
	pattern, err := molecule.CompilePattern(smarts)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return func(input string) (bool, error) {
		m, err := molecule.Parse(input)
		if err != nil {
			return false, fmt.Errorf("%s: %w", input, err)
		}
		defer m.Close()
		return pattern.In(m), nil
	}, nil
}

// Picture draws a molecule as SVG, in a square of size pixels.
func Picture(smiles string, size int) ([]byte, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return nil, usage.Errorf("%q is no molecule: %w", usage.Shorten(smiles, 40), err)
	}
	defer m.Close()
	return molecule.Draw([]molecule.Drawing{{Molecule: m}}, 1, size)
}

// Describe says what tables of proposals say of a molecule: weight, synthetic accessibility and alerts. It is empty for
// other strings.
func (e *Experiment) Describe(input string) (string, error) {
	if !e.Molecules() {
		return "", nil
	}
	p, err := e.properties(input)
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{p.String()}, p.alerts...), "; "), nil
}

// PredictedOutcome is what was predicted of an outcome of a proposal.
type PredictedOutcome struct {
	Of       string // the name of the score, of one of several objectives, or of another outcome that constraints bound
	Mean, SD float64
}

// PredictedOutcomes returns what was predicted of a proposal: first of the score, or of each of several objectives, and
// then of other outcomes that constraints bound. What was not predicted is left out.
func (e *Experiment) PredictedOutcomes(p study.Proposal) (all []PredictedOutcome) {
	several := len(e.Spec.Objectives) > 1
	if !several && !math.IsNaN(p.Mean) {
		all = append(all, PredictedOutcome{e.Columns.Score, p.Mean, p.SD})
	}
	for j, name := range e.Spec.forecast() {
		switch {
		case e.isScore(name):
		case p.Forecast != nil && j < len(p.Forecast.Mean):
			all = append(all, PredictedOutcome{name, p.Forecast.Mean[j], p.Forecast.SD[j]})
		case j == 0 && several && !math.IsNaN(p.Mean): // by an earlier version
			all = append(all, PredictedOutcome{name, p.Mean, p.SD})
		}
	}
	return all
}

// Predicted returns the outcomes that PredictedOutcomes may name, in their order, without those that the program computes.
func (e *Experiment) Predicted() (names []string) {
	if len(e.Spec.Objectives) < 2 {
		names = append(names, e.Columns.Score)
	}
	for _, name := range e.Spec.forecast() {
		if !e.isScore(name) && !slices.Contains(e.Spec.Computed, name) {
			names = append(names, name)
		}
	}
	return names
}

// Bests returns the best score up to each of some trials in their order; NaN before the first one that counts.
func (e *Experiment) Bests(trials iter.Seq[*study.Trial]) (bests []float64) {
	best := &study.Trial{Score: math.NaN(), Value: math.NaN()}
	for t := range trials {
		if t.Counts(e.Spec.Constraints) && t.Better(best) {
			best = t
		}
		bests = append(bests, best.Score)
	}
	return bests
}

// Figures returns the names of the figures in the folder of a run; none for other experiments.
func (e *Experiment) Figures() (names []string) {
	if e.place.Folder == "" {
		return nil
	}
	for _, name := range runFiles {
		if info, err := os.Stat(filepath.Join(e.place.Folder, name)); filepath.Ext(name) == ".svg" && err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	return names
}

// WriteFigure writes one of Figures.
func (e *Experiment) WriteFigure(w io.Writer, name string) error {
	if !slices.Contains(e.Figures(), name) {
		return usage.Errorf("the run has no figure %q", name)
	}
	f, err := os.Open(filepath.Join(e.place.Folder, name))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
