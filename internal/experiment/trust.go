package experiment

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Provenance is where the oracle of a resumed run is from.
type Provenance struct {
	Recorded task.External // as the store has it
	Here     bool          // this user gave it on this machine, or trusted it
	InFolder bool          // the specification in the folder has another one
}

// Provenance returns where the oracle of an experiment is from that was opened to run.
func (e *Experiment) Provenance() Provenance {
	p := Provenance{Recorded: e.saved.Spec.External}
	p.Here = sealed(p.Recorded) == "" || e.saved.Seal != "" && hmac.Equal([]byte(e.saved.Seal), []byte(seal(p.Recorded)))
	if e.place.Folder == "" {
		return p
	}
	var spec RunSpec
	text, err := os.ReadFile(filepath.Join(e.place.Folder, specFile))
	p.InFolder = err == nil && json.Unmarshal(text, &spec) == nil && sealed(spec.External) != sealed(p.Recorded)
	return p
}

// KeepOracle has the store, and the folder, hold the oracle that the experiment was opened with, as this user's. A laboratory's study remains
// one, and its oracle is given each time.
func (e *Experiment) KeepOracle(ctx context.Context) error {
	s := e.saved
	if s.Spec.Measured {
		return nil
	}
	if now := e.Spec.External; sealed(now) != sealed(s.Spec.External) && s.Spec.External.Values() != (task.External{}) {
		s.Formers = append(slices.Clone(s.Formers), s.Spec.External)
	}
	s.Spec.External, s.Seal = e.Spec.External, seal(e.Spec.External)
	record, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := e.keeper.kept.Respecify(ctx, record); err != nil {
		return err
	}
	e.saved = s
	if e.folder == nil {
		return nil
	}
	return e.folder.json(specFile, e.Spec)
}

// Rescored is a known string with the score that the oracle gives it now.
type Rescored struct {
	study.Trial
	Now oracle.Result
}

// fewRescored is how many known strings are scored again to try an oracle.
const fewRescored = 4

// Rescore asks the oracle about a few known strings, from the best to the worst. That counts as no call, and changes nothing.
func (e *Experiment) Rescore(ctx context.Context) ([]Rescored, error) {
	if err := e.scored(ctx); err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(e.Ranked(), func(t study.Trial) bool { return t.Bound != study.Exact })
	var some []Rescored
	var inputs []string
	for i := range min(fewRescored, len(known)) {
		t := known[i*(len(known)-1)/max(1, min(fewRescored, len(known))-1)]
		some, inputs = append(some, Rescored{Trial: t}), append(inputs, t.Input)
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	results, err := oracle.Score(ctx, e.clock.Oracle, inputs)
	if err != nil {
		return nil, fmt.Errorf("score %d known strings again: %w", len(inputs), err)
	}
	for i, r := range results {
		some[i].Now = r
	}
	return some, nil
}

// Difference returns the greatest difference of the scores from the known ones; NaN if no string has a score now.
func Difference(some []Rescored) float64 {
	greatest := math.NaN()
	for _, r := range some {
		if d := math.Abs(r.Now.Score - r.Score); !(d <= greatest) && !math.IsNaN(d) {
			greatest = d
		}
	}
	return greatest
}

// String says what was known, and what is now.
func (r Rescored) String() string {
	now := Number(r.Now.Score).String()
	if math.IsNaN(r.Now.Score) {
		now = "no score"
		if r.Now.Reason != "" {
			now += " (" + r.Now.Reason + ")"
		}
	}
	return "trial " + strconv.Itoa(r.ID) + ": " + Number(r.Score).String() + " was known, and now it is " + now
}
