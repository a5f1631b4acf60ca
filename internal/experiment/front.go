package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/study"
)

// Front returns the Pareto front of trials; nil if there is one objective.
func (s RunSpec) Front(trials []study.Trial) *study.Front {
	if len(s.Objectives) < 2 {
		return nil
	}
	f := study.FrontOf(trials, s.Objectives, s.Constraints)
	return &f
}

// FrontMember is a string on the Pareto front.
type FrontMember struct {
	Input  string    `json:"input"`
	Values []float64 `json:"values"` // of the objectives, in their order, in the user's units
}

// FrontMembers returns the strings on a front.
func FrontMembers(f *study.Front, objectives []study.Objective) []FrontMember {
	members := make([]FrontMember, len(f.Trials))
	for i, t := range f.Trials {
		members[i] = FrontMember{t.Input, Owns(f.Values[i], objectives)}
	}
	return members
}

// Owns converts values for which larger is better to the user's units. No values, as of an empty front, stay none.
func Owns(values []float64, objectives []study.Objective) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = objectives[i].Own(v)
	}
	return all
}

// longestName is how much is shown of the name of an objective, such as the similarity to a large molecule.
const longestName = 30

// FrontText describes a front for people: a line for each of the first most strings, with their objectives' values and
// what show has of them, and the hypervolume.
func FrontText(f *study.Front, objectives []study.Objective, most int, show func(study.Trial) string) string {
	var b strings.Builder
	if len(f.Trials) == 0 {
		return "Front       no string has all objectives, and keeps the constraints\n"
	}
	rows := [][]string{nil}
	for _, o := range objectives {
		rows[0] = append(rows[0], usage.Shorten(o.Name, longestName)+" "+o.Sense())
	}
	for i := range f.Trials[:min(most, len(f.Trials))] {
		var row []string
		for _, o := range objectives {
			v, bound := o.Measured(&f.Trials[i])
			row = append(row, bound.String()+short(v))
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		label, shown := "Front", ""
		if i > 0 {
			label, shown = "", show(f.Trials[i-1])
		}
		line := fmt.Sprintf("%-11s ", label)
		for j, cell := range row {
			line += fmt.Sprintf("%*s  ", max(len(rows[0][j]), digits+len("-.e+00")), cell)
		}
		fmt.Fprintln(&b, usage.Visible(strings.TrimRight(line+shown, " ")))
	}
	if n := len(f.Trials) - most; n > 0 {
		fmt.Fprintf(&b, "%-11s and %d more\n", "", n)
	}
	none := ""
	if f.Hypervolume == 0 {
		none = ", which no string exceeds in all objectives"
	}
	fmt.Fprintf(&b, "%-11s %s, above the reference point %s%s\n", "Hypervolume", short(f.Hypervolume), strings.Join(point(Owns(f.Reference, objectives), objectives), ", "), none)
	return b.String()
}

// growth says how the hypervolume grew with the proposals that were measured, at up to five points; nothing before
// there are some.
func growth(trials []study.Trial, objectives []study.Objective, constraints []study.Constraint, reference []float64) string {
	const most = 5
	if reference == nil {
		return ""
	}
	after := []float64{0} // 0, 1, … proposals
	for i, v := range study.Hypervolumes(trials, objectives, constraints, reference) {
		if trials[i].Kind == study.Initial {
			after[len(after)-1] = v
		} else {
			after = append(after, v)
		}
	}
	n := len(after) - 1
	if n == 0 {
		return ""
	}
	text := short(after[0]) + " at first"
	for k := range min(most, n) {
		at := (k + 1) * n / min(most, n)
		text += fmt.Sprintf(", %s after %d", short(after[at]), at)
	}
	return text
}

// remarks says of objectives what a user may not know: that one was never measured, is the same for all, or is bounded, too.
func remarks(trials []study.Trial, objectives []study.Objective, constraints []study.Constraint) (all []string) {
	for _, o := range objectives {
		values, bounds := map[float64]int{}, false
		for i := range trials {
			if v := o.Value(&trials[i]); !math.IsNaN(v) {
				values[o.Own(v)]++
			}
			bounds = bounds || trials[i].OutcomeBound(o.Name) != study.Exact
		}
		for v, n := range values {
			if len(values) == 1 && n > 1 && !bounds {
				all = append(all, fmt.Sprintf("%s is %s for all %d strings: the search can learn nothing about it", o.Name, short(v), n))
			}
		}
		if len(values) == 0 {
			all = append(all, o.Name+" was never measured: the search begins when at least three strings have it")
		}
		for _, c := range constraints {
			if c.Outcome == o.Name {
				all = append(all, fmt.Sprintf("%s is bounded, too: strings that violate %s are not on the front", o.Name, c))
			}
		}
	}
	return all
}

// point writes a point of the objectives' values, such as pIC50 5.2 and hERG 6.
func point(values []float64, objectives []study.Objective) (all []string) {
	for i, o := range objectives {
		if !math.IsNaN(values[i]) {
			all = append(all, usage.Shorten(o.Name, longestName)+" "+short(values[i]))
		}
	}
	return all
}

// forecast returns the outcomes that proposals have forecasts of, in their order: several objectives, and further ones
// that constraints bound.
func (s RunSpec) forecast() (names []string) {
	if len(s.Objectives) > 1 {
		for _, o := range s.Objectives {
			names = append(names, o.Name)
		}
	}
	for _, name := range study.Outcomes(s.Constraints) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// forecasts returns the names of the columns of what expected returns.
func (e *Experiment) forecasts() (names []string) {
	for _, name := range e.Spec.forecast() {
		if e.isScore(name) {
			continue
		}
		if names = append(names, "predicted_"+name); !slices.Contains(e.Spec.Computed, name) {
			names = append(names, "predicted_"+name+"_sd")
		}
	}
	several := len(e.Spec.Objectives) > 1
	if !several || len(e.Spec.Constraints) > 0 {
		names = append(names, "constraints_chance")
	}
	if several {
		names = append(names, "front_chance")
	}
	return names
}

// isScore reports whether an outcome that a constraint bounds is the score, which has a prediction of its own.
func (e *Experiment) isScore(name string) bool {
	return e.Objective == nil && strings.EqualFold(name, e.Columns.Score)
}

// expected returns what a proposal is expected to reach: mean and deviation of each outcome, without the deviation of
// one that the program computes, and the chances to keep the constraints and to be on the front; empty cells where
// nothing is predicted, as of a proposal by an earlier version.
func (e *Experiment) expected(p study.Proposal) (cells []sheet.Cell) {
	for j, name := range e.Spec.forecast() {
		if e.isScore(name) {
			continue
		}
		var mean, sd sheet.Cell
		if p.Forecast != nil && j < len(p.Forecast.Mean) {
			mean, sd = sheet.Number(p.Forecast.Mean[j], digits), sheet.Number(p.Forecast.SD[j], digits)
		}
		if cells = append(cells, mean); !slices.Contains(e.Spec.Computed, name) {
			cells = append(cells, sd)
		}
	}
	var kept, chance sheet.Cell
	if f := p.Forecast; f != nil {
		chance = sheet.Number(f.Chance, 2)
		if f.Kept > 0 {
			kept = sheet.Number(f.Kept, 2)
		}
	}
	if len(e.Spec.Objectives) > 1 && len(e.Spec.Constraints) > 0 {
		cells = append(cells, kept)
	}
	return append(cells, chance)
}

// onFront returns the IDs of the trials on a front, which may be nil.
func onFront(f *study.Front) map[int]bool {
	on := map[int]bool{}
	if f != nil {
		for _, t := range f.Trials {
			on[t.ID] = true
		}
	}
	return on
}

// frontFigure returns the figure of a front among all trials.
func (r Outcome) frontFigure(title string, f *study.Front) report.Front {
	figure := report.Front{Title: title, Reference: Owns(f.Reference, r.Spec.Objectives)}
	for _, o := range r.Spec.Objectives {
		figure.Objectives = append(figure.Objectives, report.Objective{Name: o.Name, Minimize: o.Minimize})
	}
	on := onFront(f)
	for i, values := range study.AllValues(r.Trials, r.Spec.Objectives, r.Spec.Constraints) {
		t := &r.Trials[i]
		if slices.ContainsFunc(values, math.IsNaN) {
			continue
		}
		if on[t.ID] {
			figure.Members = append(figure.Members, len(figure.Points))
		}
		figure.Labels = append(figure.Labels, t.Input)
		figure.Points = append(figure.Points, Owns(values, r.Spec.Objectives))
	}
	return figure
}

// hypervolumes returns the hypervolume above a reference point after 0, 1, … calls.
func (r Outcome) hypervolumes(reference []float64) []float64 {
	volumes := []float64{0}
	for i, v := range study.Hypervolumes(r.Trials, r.Spec.Objectives, r.Spec.Constraints, reference) {
		if t := &r.Trials[i]; t.Kind != study.Initial && t.Called {
			volumes = append(volumes, v)
		} else {
			volumes[len(volumes)-1] = v
		}
	}
	return volumes
}
