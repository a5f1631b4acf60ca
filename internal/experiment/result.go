package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Line is a run as a line of JSON: what --json prints, and what files of results hold.
type Line struct {
	Spec   RunSpec `json:"spec"`
	Result Result  `json:"result"`
}

// ParseLine reads a Line. A text that is cut off is a *json.SyntaxError. Fields and versions that this program does not
// know are errors: a newer program may mean something by them.
func ParseLine(text []byte) (l Line, err error) {
	if err := unmarshalStrictly(text, &l); err != nil {
		return l, err
	}
	if l.Spec.Version != specVersion {
		return l, fmt.Errorf("version %d of specifications, and this program knows %d", l.Spec.Version, specVersion)
	}
	if l.Spec.Budget < 1 || l.Spec.Budget > usage.Most {
		return l, fmt.Errorf("budget %d is not from 1 to %d", l.Spec.Budget, usage.Most)
	}
	l.Spec.stored = true
	return l, nil
}

func unmarshalStrictly(text []byte, v any) error {
	if !json.Valid(text) {
		return json.Unmarshal(text, v) // the syntax error, also of text that is cut off
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// Result is what is kept of a run.
type Result struct {
	Summary
	History
}

// Summary is a run in numbers. Those that it does not have are NaN, in JSON null, as are those that are too large.
type Summary struct {
	Complete    bool   `json:"complete"`       // its budget is spent, or the search has come to an end before
	Ended       Ending `json:"ended,omitzero"` // why it ended, unless it was stopped or failed
	InitCalls   int    `json:"init_calls"`
	OracleCalls int    `json:"oracle_calls"`       // after the initial design
	Recentering int    `json:"recentering_calls"`  // those of oracle_calls that recentering took
	Failed      int    `json:"failed"`             // evaluations without a score
	Violating   int    `json:"violating,omitzero"` // evaluations with a score that violate a constraint
	Best        string `json:"best"`
	BestScore   Number `json:"best_score"`
	BestBound   string `json:"best_bound,omitzero"` // > or < where the true score is only known to be above or below BestScore

	// Of several objectives: the strings that no other dominates, and the hypervolume that they dominate above a
	// reference point.
	Front       []FrontMember `json:"front,omitzero"`
	Hypervolume Number        `json:"hypervolume,omitzero"`
	Reference   []float64     `json:"reference,omitzero"`

	// Where measurements are noisy: the string with the best expected score, and that score.
	Expected     string `json:"expected_best,omitzero"`
	ExpectedMean Number `json:"expected_score,omitzero"`
	ExpectedSD   Number `json:"expected_sd,omitzero"`

	// Of a landscape: the best score there is, how many of the ten best strings were found, how many of the hundred
	// best scores (of 1,000 strings or more), and the mean of the ten best.
	Optimum      Number `json:"optimum,omitzero"`
	TopFound     int    `json:"top10_found,omitzero"`
	HundredFound int    `json:"top100_found,omitzero"`
	TopMean      Number `json:"top10_mean,omitzero"`

	// Shares of the scores of proposals that lie within one and two predicted deviations of the prediction.
	Within1 Number `json:"within_sd,omitzero"`
	Within2 Number `json:"within_2sd,omitzero"`

	AUC            Number  `json:"auc_top10,omitzero"` // PMO's score of a run from the library, set by package paper; 0 for others
	Seconds        float64 `json:"seconds"`
	Aligned        Number  `json:"aligned_fraction"`
	Ranking        Number  `json:"ranking"`            // mean over the batches of the rank correlation of predictions and scores
	Plausible      Number  `json:"plausible_fraction"` // of the molecules scored after the initial design
	PlausibleTop   Number  `json:"plausible_top10"`    // of the best ten of these
	Updates        int     `json:"vae_updates"`
	Restarts       int     `json:"region_restarts"`
	EvolveRestarts int     `json:"evolve_restarts,omitzero"`
	// Phases is where the time of a run went, in seconds by the name of the phase. That of the oracle is summed over calls,
	// which may overlap.
	Phases map[string]float64 `json:"phase_seconds,omitzero"`
}

// Ending is why a run ended without an error.
type Ending string

const (
	OutOfBudget Ending = "budget"
	OutOfTime   Ending = "time"
	Exhausted   Ending = "exhausted" // it found no new string
	Settled     Ending = "stale"     // none of its latest calls was among the ten best
)

// Number is a float64 whose NaN is null in JSON.
type Number float64

var nan = Number(math.NaN())

func (n Number) known() bool { return n == n }

func (n Number) MarshalJSON() ([]byte, error) {
	if !n.known() || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = nan
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// History is a run's course: what the curves of figures show.
type History struct {
	ImprovedByAcquisition int       `json:"improved_by_acquisition"` // calls that brought a new best
	ImprovedByRecentering int       `json:"improved_by_recentering"`
	Curve                 []Step    `json:"curve"`                    // of the best score
	Alignments            []float64 `json:"alignments,omitempty"`     // after each batch, where there are latents
	Dissimilarities       []float64 `json:"dissimilarities,omitzero"` // likewise
	NewStrings            []float64 `json:"new_strings,omitempty"`    // scored in each batch
}

// Step is an oracle call, from 0 for the initial design, and the best score since then.
type Step [2]float64

// BestAfter returns the best score after 0 to budget calls; NaN before the first score.
func (h History) BestAfter(budget int) []float64 {
	best := make([]float64, budget+1)
	at := math.NaN()
	next := 0
	for call := range best {
		for ; next < len(h.Curve) && int(h.Curve[next][0]) <= call; next++ {
			at = h.Curve[next][1]
		}
		best[call] = at
	}
	return best
}

// history computes the course of a run from its trials and batches.
func (r Outcome) history() History {
	var h History
	var best *study.Trial
	calls := 0
	h.NewStrings = make([]float64, len(r.Batches))
	for i := range r.Trials {
		t := &r.Trials[i]
		called := t.Kind != study.Initial && t.Called
		if called {
			calls++
		}
		if called && t.Kind == study.Acquired && t.Batch <= len(h.NewStrings) {
			h.NewStrings[t.Batch-1]++
		}
		if !t.Counts(r.Spec.Constraints) || best != nil && !t.Better(best) {
			continue
		}
		best = t
		if n := len(h.Curve); n > 0 && h.Curve[n-1][0] == float64(calls) {
			h.Curve = h.Curve[:n-1]
		}
		h.Curve = append(h.Curve, Step{float64(calls), best.Score})
		switch {
		case called && t.Kind == study.Acquired:
			h.ImprovedByAcquisition++
		case called && t.Kind == study.Recentered:
			h.ImprovedByRecentering++
		}
	}
	for _, s := range r.Batches {
		aligned := s.Gauge(invbo.Aligned)
		if math.IsNaN(aligned) {
			continue
		}
		h.Alignments = append(h.Alignments, fourDigits(aligned))
		h.Dissimilarities = append(h.Dissimilarities, fourDigits(s.Gauge(invbo.Dissimilarity)))
	}
	return h
}

// fourDigits rounds a share: figures show no more.
func fourDigits(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return rounded
}

// String formats a score for people.
func (n Number) String() string {
	if !n.known() {
		return "–"
	}
	return fmt.Sprintf("%.6g", float64(n))
}

const mostLeaders = 10

// Leaders are the ten best scores of a run. RunSpec.Stale counts calls by them, and PMO's score is made of their mean.
type Leaders struct {
	Calls int // oracle calls, those for the initial design included

	top   []float64 // ascending; larger is better
	least float64   // of all scores; where it is the greatest, too, nothing was found yet
	batch int       // of the trials that are taken
	fresh bool      // it has one of the ten
	last  int       // Calls at the end of the latest batch that had one
}

// Take counts a trial, and keeps its score if it is among the ten best. Trials are taken batch by batch, in any order
// within one.
func (l *Leaders) Take(t study.Trial) {
	if t.Batch != l.batch {
		l.end()
		l.batch = t.Batch
	}
	if t.Called {
		l.Calls++
	}
	if t.Counts(nil) && (len(l.top) < mostLeaders || t.Value > l.top[0]) {
		if len(l.top) == 0 {
			l.least = t.Value
		}
		at, _ := slices.BinarySearch(l.top, t.Value)
		l.top = slices.Insert(l.top, at, t.Value)
		l.top = l.top[max(0, len(l.top)-mostLeaders):]
		l.fresh = true
	}
	if t.Counts(nil) {
		l.least = min(l.least, t.Value)
	}
}

// Stale returns the number of calls since a batch had one of the ten best; 0 while all scores are equal, since a search
// that has found nothing is not at its end. It is called at the end of a batch.
func (l *Leaders) Stale() int {
	l.end()
	return l.Calls - l.last
}

// end ends a batch: what it has found counts from its end, so that the order of answers within it does not matter.
func (l *Leaders) end() {
	if l.fresh || len(l.top) > 0 && l.top[len(l.top)-1] == l.least {
		l.fresh, l.last = false, l.Calls
	}
}

// Mean returns the mean of the ten best; 0 without a score.
func (l *Leaders) Mean() float64 {
	if len(l.top) == 0 {
		return 0
	}
	m, _ := stats.MeanStdErr(l.top)
	return m
}
