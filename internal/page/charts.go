package page

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// charts is what web/src/charts.js draws of the trials that a filter lets through. NaN is null.
type charts struct {
	Score       string
	Minimize    bool
	Of          int // trials with a score; Progress may have fewer points
	Progress    points
	Best        line
	Failed      []int   // IDs of trials that failed
	Predictions points  // X: predicted, Y: measured
	Front       *fronts // nil: there is one objective
	Several     []series
}

// series is what is drawn of the hypervolume, the first, or of one of several objectives. Of these charts has the first
// one, too.
type series struct {
	Score       string
	Fields      []string // of the filter, for the least and the greatest value; none of the hypervolume
	Of          int
	Progress    points
	Best        line
	Predictions points
}

// points are trials in a plane.
type points struct {
	Trial []int
	X, Y  []experiment.Number
	SD    []experiment.Number `json:",omitempty"`
	Kind  []study.Kind        `json:",omitempty"`
	Bound []study.Bound       `json:",omitempty"` // the true Y lies on that side of it; absent if all are exact
	Aside []string            `json:",omitempty"` // why a trial does not count for the best, as a class with details behind a colon; empty: it does
}

// Classes of points.Aside.
const (
	violates     = "violates a constraint"
	incomplete   = "not all objectives measured"
	contradicted = "measurements contradict each other"
)

// aside says why a trial with a value does not count for the best; empty: it does, as far as constraints go.
func (b *board) aside(t *study.Trial) string {
	if t.State != study.Scored {
		return incomplete
	}
	if why := t.Violates(b.Spec.Constraints); why != "" {
		return violates + ": " + why
	}
	return ""
}

// asides returns what why says of each trial; nil if that is nothing.
func asides(trials []int, why func(id int) string) []string {
	all := make([]string, len(trials))
	for i, id := range trials {
		all[i] = why(id)
	}
	if !slices.ContainsFunc(all, func(text string) bool { return text != "" }) {
		return nil
	}
	return all
}

// point is a trial in a plane.
type point struct {
	x, y, sd float64
	bound    study.Bound // the true y lies on that side of it
}

// predicted returns the point of what was predicted, and then measured, of the score of a proposal or of the j-th of
// several objectives; ok is false if either is missing, or experiment.Compare leaves it out.
func (b *board) predicted(t *study.Trial, j int) (_ point, ok bool) {
	p, ok := t.Prediction(b.Spec.Objectives, j)
	return point{p.Mean, p.Value, p.SD, p.Bound}, ok && p.SD != 0
}

// line is a step function.
type line struct {
	X []int
	Y []experiment.Number
}

// fronts are the objectives of trials that have all of them.
type fronts struct {
	Objectives []string
	Minimize   []bool
	Trial      []int
	Values     [][]experiment.Number // (objective, trial)
	Bounds     [][]study.Bound       // of Values
	Member     []bool                // on the front of the whole study
	Aside      []string              `json:",omitempty"` // see points
}

// mostPoints is how many points a chart has: more would cover each other.
const mostPoints = 4000

func (p *Page) chartResults(w http.ResponseWriter, r *http.Request, b *board) error {
	x, err := p.results(r, b, patience)
	if err != nil {
		return err
	}
	c := charts{Score: b.Columns.Score, Minimize: b.Task.Minimize, Failed: []int{}}
	var progress, predictions []*study.Trial
	last, latest := math.NaN(), 0
	bests := b.Bests(x.matching())
	i := 0
	for t := range x.matching() {
		if !math.IsNaN(t.Score) {
			progress = append(progress, t)
		}
		if len(c.Failed) < mostPoints && (t.State == study.Failed || t.State == study.Invalid) && !t.Struck() {
			c.Failed = append(c.Failed, t.ID)
		}
		if _, ok := b.predicted(t, 0); ok {
			predictions = append(predictions, t)
		}
		if best := bests[i]; best != last && !math.IsNaN(best) {
			c.Best.X, c.Best.Y = append(c.Best.X, t.ID), append(c.Best.Y, experiment.Number(best))
			last = best
		}
		i++
		latest = t.ID
	}
	c.Of = len(progress)
	if len(c.Best.X) > 0 { // up to the latest trial
		c.Best.X, c.Best.Y = append(c.Best.X, latest), append(c.Best.Y, experiment.Number(last))
	}
	c.Progress = scatter(progress, func(t *study.Trial) point { return point{x: float64(t.ID), y: t.Score, bound: t.Bound} })
	c.Progress.Aside = asides(c.Progress.Trial, x.asideOf)
	c.Predictions = scatter(predictions, func(t *study.Trial) point {
		p, _ := b.predicted(t, 0)
		return p
	})
	if x.status.Front != nil {
		c.Front, c.Several = x.fronts(), x.several()
	}
	return writeJSON(w, c)
}

// several returns what is drawn of the hypervolume above the study's reference point, and of each objective.
func (x *results) several() []series {
	var trials []study.Trial
	var scored []*study.Trial
	for t := range x.matching() {
		trials = append(trials, *t)
	}
	for i := range trials {
		if trials[i].State == study.Scored {
			scored = append(scored, &trials[i])
		}
	}
	id := func(t *study.Trial) float64 { return float64(t.ID) }
	objectives, constraints := x.Spec.Objectives, x.Spec.Constraints
	all := []series{{Score: "hypervolume", Fields: []string{}, Predictions: scatter(nil, nil)}}
	volumes := make([]float64, len(trials))
	if x.status.Front.Reference != nil {
		volumes = study.Hypervolumes(trials, objectives, constraints, x.status.Front.Reference)
	}
	after := map[int]float64{}
	for i, t := range trials {
		after[t.ID] = volumes[i]
	}
	all[0].Best = steps(trials, volumes)
	all[0].Progress = scatter(scored, func(t *study.Trial) point { return point{x: id(t), y: after[t.ID]} })
	all[0].Progress.Aside = asides(all[0].Progress.Trial, x.asideOf)
	all[0].Of = len(scored)
	values := study.AllValues(trials, objectives, constraints)
	for j, o := range objectives {
		s := series{Score: o.Name, Fields: []string{"min." + o.Name, "max." + o.Name}}
		var known, compared []*study.Trial
		bests, best := make([]float64, len(trials)), math.NaN()
		wild := map[int]bool{}
		for i := range trials {
			t := &trials[i]
			if v, bound := o.Measured(t); !math.IsNaN(v) {
				known = append(known, t)
				wild[t.ID] = bound == study.Exact && math.IsNaN(values[i][j])
			}
			if _, ok := x.predicted(t, j); ok {
				compared = append(compared, t)
			}
			if v := values[i][j]; v > best || math.IsNaN(best) {
				best = v
			}
			bests[i] = o.Own(best)
		}
		s.Of, s.Best = len(known), steps(trials, bests)
		s.Progress = scatter(known, func(t *study.Trial) point {
			v, bound := o.Measured(t)
			return point{x: id(t), y: v, bound: bound}
		})
		s.Progress.Aside = asides(s.Progress.Trial, func(id int) string {
			if why := x.asideOf(id); why != "" || !wild[id] {
				return why
			}
			return contradicted
		})
		s.Predictions = scatter(compared, func(t *study.Trial) point {
			p, _ := x.predicted(t, j)
			return p
		})
		all = append(all, s)
	}
	return all
}

// asideOf is aside by ID.
func (x *results) asideOf(id int) string { return x.aside(&x.trials[id-1]) }

// steps returns the step function of values after trials, up to the latest trial.
func steps(trials []study.Trial, values []float64) (l line) {
	last := math.NaN()
	for i, v := range values {
		if v != last && !math.IsNaN(v) {
			l.X, l.Y, last = append(l.X, trials[i].ID), append(l.Y, experiment.Number(v)), v
		}
	}
	if len(l.X) > 0 {
		l.X, l.Y = append(l.X, trials[len(trials)-1].ID), append(l.Y, experiment.Number(last))
	}
	return l
}

func writeJSON(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(text)
	return err
}

// scatter places trials in a plane. Of more than mostPoints it has those that do not cover each other.
func scatter(trials []*study.Trial, at func(*study.Trial) point) points {
	p := points{Trial: []int{}}
	var bounds []study.Bound
	bounded := false
	for _, i := range thinned(len(trials), func(i int) (x, y float64) {
		q := at(trials[i])
		return q.x, q.y
	}) {
		t := trials[i]
		q := at(t)
		p.Trial, p.X, p.Y = append(p.Trial, t.ID), append(p.X, experiment.Number(q.x)), append(p.Y, experiment.Number(q.y))
		p.SD, p.Kind = append(p.SD, experiment.Number(q.sd)), append(p.Kind, t.Kind)
		bounds, bounded = append(bounds, q.bound), bounded || q.bound != study.Exact
	}
	if bounded {
		p.Bound = bounds
	}
	return p
}

// thinned returns the indices of points to draw: of too many, one in each cell of a grid as fine as a screen shows.
func thinned(n int, at func(i int) (x, y float64)) []int {
	all := make([]int, n)
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range all {
		all[i] = i
		x, y := at(i)
		low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
	}
	if n <= mostPoints {
		return all
	}
	const columns, rows = 250, 120
	taken := map[[2]int]bool{}
	cell := func(v, low, high float64, cells int) int {
		if high <= low {
			return 0
		}
		return min(cells-1, int((v-low)/(high-low)*float64(cells)))
	}
	kept := all[:0]
	for i := range n {
		x, y := at(i)
		c := [2]int{cell(x, low[0], high[0], columns), cell(y, low[1], high[1], rows)}
		if !taken[c] {
			taken[c] = true
			kept = append(kept, i)
		}
	}
	return kept
}

// fronts returns the objectives of trials. Those on the front are all there.
func (x *results) fronts() *fronts {
	f := &fronts{Trial: []int{}, Member: []bool{}}
	for _, o := range x.Spec.Objectives {
		f.Objectives, f.Minimize = append(f.Objectives, o.Name), append(f.Minimize, o.Minimize)
	}
	f.Values, f.Bounds = make([][]experiment.Number, len(f.Objectives)), make([][]study.Bound, len(f.Objectives))
	for _, members := range []bool{false, true} { // those on the front are drawn above others
		for t := range x.matching() {
			if x.onFront[t.ID] != members || !members && len(f.Trial) >= mostPoints {
				continue
			}
			values, bounds := make([]float64, len(f.Objectives)), make([]study.Bound, len(f.Objectives))
			complete := true
			for j, o := range x.Spec.Objectives {
				values[j], bounds[j] = o.Measured(t)
				complete = complete && !math.IsNaN(values[j])
			}
			if !complete {
				continue
			}
			f.Trial, f.Member = append(f.Trial, t.ID), append(f.Member, members)
			for j, v := range values {
				f.Values[j], f.Bounds[j] = append(f.Values[j], experiment.Number(v)), append(f.Bounds[j], bounds[j])
			}
		}
	}
	f.Aside = asides(f.Trial, x.asideOf)
	return f
}
