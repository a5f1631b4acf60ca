package page

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Filter is what a visitor wants to see of the trials of a study. It is the query of an address, so that a view can be
// shared. The zero value lets all trials through.
type Filter struct {
	Text          string // in name, string, mutations or reason
	Scores        span
	Trials        span
	Batches       span
	Kinds, States []string // empty: all

	Substructure string  // SMARTS
	Like         string  // a string, and how similar to it at least
	Similarity   float64 // 0 to 1

	Positions []span   // of mutations: one of these is mutated
	Mutations []string // all of these are there, such as T15I

	Outcomes    map[string]span // objectives, and other outcomes that constraints bound, by name
	Constraints []string        // of constraintStates; empty: all
}

// span is a range of numbers with both ends; NaN is open.
type span struct{ Min, Max float64 }

var everything = span{math.NaN(), math.NaN()}

// has reports whether a number lies in the span. NaN lies only in one that is open at both ends.
func (s span) has(v float64) bool {
	return !(v < s.Min) && !(v > s.Max) && (!math.IsNaN(v) || s.open())
}

func (s span) open() bool { return math.IsNaN(s.Min) && math.IsNaN(s.Max) }

// stateNames are what stateName may return.
var stateNames = []string{"pending", "scored", "partial", "failed", "invalid", "unreadable", "struck", "withdrawn"}

var kinds = []study.Kind{study.Initial, study.Acquired, study.Recentered, study.External}

// stateName returns what is known of a trial, in a word; of one without a score, experiment.Failure.
func stateName(t *study.Trial) string {
	switch t.State {
	case study.Pending:
		return "pending"
	case study.Scored:
		return "scored"
	case study.Partial:
		return "partial"
	case study.Invalid:
		return "invalid"
	case study.Failed:
		return experiment.Failure(t)
	}
	return ""
}

// constraintStates are what a trial with a score may do to the constraints.
var constraintStates = []string{"kept", "violated"}

// usualSimilarity is the least similarity to a string if none is given.
const usualSimilarity = 0.4

// parseFilter reads a Filter. Problems are sentences about fields, by their names; such a field lets all trials through.
func parseFilter(q url.Values, outcomes []string) (f Filter, problems map[string]string) {
	problems = map[string]string{}
	number := func(field string) float64 {
		text := strings.TrimSpace(q.Get(field))
		if text == "" {
			return math.NaN()
		}
		v := table.ReadValue(text)
		switch {
		case v.Reason.Code == table.TwoNumbers:
			problems[field] = sentence(v.Reason.Text)
		case v.State != table.Measured || v.Bound != 0:
			problems[field] = sentence(fmt.Sprintf("%q is no number", usage.Shorten(text, 40)))
		default:
			return v.Score
		}
		return math.NaN()
	}
	between := func(low, high string) span {
		s := span{number(low), number(high)}
		if s.Min > s.Max {
			problems[high] = "It is less than the least."
			return everything
		}
		return s
	}
	f = Filter{
		Text: strings.ToLower(strings.TrimSpace(q.Get("q"))), Scores: between("min", "max"), Trials: between("from", "to"), Batches: everything,
		Substructure: strings.TrimSpace(q.Get("sub")), Like: strings.TrimSpace(q.Get("like")), Outcomes: map[string]span{},
	}
	if text := q.Get("batch"); strings.TrimSpace(text) != "" {
		spans, err := parseSpans(text)
		if err != nil || len(spans) != 1 {
			problems["batch"] = "Give one batch, or from-to, such as 3 or 2-5."
		} else {
			f.Batches = spans[0]
		}
	}
	if text := q.Get("pos"); strings.TrimSpace(text) != "" {
		var err error
		if f.Positions, err = parseSpans(text); err != nil {
			problems["pos"] = "Give positions, such as 10-20,39."
		}
	}
	f.Mutations = strings.FieldsFunc(strings.ToUpper(q.Get("mut")), func(r rune) bool { return strings.ContainsRune(":,; ", r) })
	f.Similarity = usualSimilarity
	if v := number("sim"); v >= 0 && v <= 1 {
		f.Similarity = v
	} else if !math.IsNaN(v) {
		problems["sim"] = "Give a similarity from 0 to 1."
	}
	for _, name := range q["kind"] {
		if slices.Contains(kinds, study.Kind(name)) {
			f.Kinds = append(f.Kinds, name)
		}
	}
	for _, name := range stateNames {
		if slices.Contains(q["state"], name) {
			f.States = append(f.States, name)
		}
	}
	for _, name := range constraintStates {
		if slices.Contains(q["constraints"], name) {
			f.Constraints = append(f.Constraints, name)
		}
	}
	for _, name := range outcomes {
		if s := between("min."+name, "max."+name); !s.open() {
			f.Outcomes[name] = s
		}
	}
	return f, problems
}

// parseSpans reads whole numbers and ranges of them, such as 10-20,39.
func parseSpans(text string) (spans []span, _ error) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		low, high, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first > last {
			return nil, fmt.Errorf("%q is no number and no range", part)
		}
		spans = append(spans, span{float64(first), float64(last)})
	}
	return spans, nil
}

// apply returns the indices of the trials that the filter lets through, in their order, and how many trials' structures
// have not been looked at when the context patient ends. Problems are added by field.
func (f Filter) apply(patient context.Context, b *board, s *snapshot, problems map[string]string) (kept []int, unseen int, _ error) {
	kept = []int{} // not nil, which would be all
	var words []string
	if f.Text != "" {
		words = s.words()
	}
	for i := range s.trials {
		t := &s.trials[i]
		switch {
		case f.Text != "" && !strings.Contains(words[i], f.Text),
			!f.Scores.has(t.Score), !f.Trials.has(float64(t.ID)), !f.Batches.has(float64(t.Batch)),
			len(f.Kinds) > 0 && !slices.Contains(f.Kinds, string(t.Kind)),
			len(f.States) > 0 && !slices.Contains(f.States, stateName(t)),
			!f.within(t), !f.constrained(t, b.Spec.Constraints), !f.mutated(b.Mutant, t.Input):
			continue
		}
		kept = append(kept, i)
	}
	return f.structures(patient, b, s, kept, problems)
}

// constrained reports whether a trial keeps or violates the constraints, as is wanted. One without a score does neither.
func (f Filter) constrained(t *study.Trial, constraints []study.Constraint) bool {
	if len(f.Constraints) == 0 {
		return true
	}
	is := "kept"
	if t.Violates(constraints) != "" {
		is = "violated"
	}
	return t.State == study.Scored && slices.Contains(f.Constraints, is)
}

// within reports whether the outcomes of a trial lie in their ranges.
func (f Filter) within(t *study.Trial) bool {
	for name, s := range f.Outcomes {
		if !s.has(t.Outcome(name)) {
			return false
		}
	}
	return true
}

// mutated reports whether a string has the mutations that are wanted.
func (f Filter) mutated(mutant func(string) string, input string) bool {
	if len(f.Positions) == 0 && len(f.Mutations) == 0 {
		return true
	}
	all := strings.Split(mutant(input), ":")
	for _, wanted := range f.Mutations {
		if !slices.Contains(all, wanted) {
			return false
		}
	}
	return len(f.Positions) == 0 || slices.ContainsFunc(all, func(m string) bool {
		at, err := strconv.Atoi(strings.Trim(m, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*"))
		return err == nil && slices.ContainsFunc(f.Positions, func(s span) bool { return s.has(float64(at)) })
	})
}

// order is how a table is sorted.
type order struct {
	Column  string
	Reverse bool
}

// sortColumns are the columns that the tables of all studies are sorted by.
var sortColumns = []string{"score", "trial", "name", "string", "state", "kind", "batch", "reason"}

// order reads how the table of a study is sorted: by a column of sortColumns, an outcome (o.NAME) or its prediction
// (p.NAME); otherwise by score.
func (b *board) order(q url.Values) order {
	o := order{Column: q.Get("sort"), Reverse: q.Get("desc") == "1"}
	outcome, measured := strings.CutPrefix(o.Column, "o.")
	prediction, predicted := strings.CutPrefix(o.Column, "p.")
	if slices.Contains(sortColumns, o.Column) || measured && slices.Contains(b.outcomes(), outcome) || predicted && slices.Contains(b.Predicted(), prediction) {
		return o
	}
	return order{Column: "score"}
}

// of returns the indices of all trials in an order: by score the best first, and what has no value last.
func (o order) of(s *snapshot) []int {
	s.sorting.Lock()
	defer s.sorting.Unlock()
	if all, ok := s.sorted[o]; ok {
		return all
	}
	all := make([]int, len(s.trials))
	for i := range all {
		all[i] = i
	}
	compare := func(i, j int) int { return o.compare(s, &s.trials[i], &s.trials[j]) }
	if outcome, ok := strings.CutPrefix(o.Column, "p."); ok {
		predicted := make([]float64, len(s.trials))
		for i, t := range s.trials {
			predicted[i] = s.predict(t.Proposal, outcome).Value
		}
		compare = func(i, j int) int { return o.numbers(predicted[i], predicted[j]) }
	}
	slices.SortStableFunc(all, compare)
	s.sorted[o] = all
	return all
}

// sort returns indices of trials, which are in the order of trials, in another one.
func (o order) sort(s *snapshot, kept []int) []int {
	all := o.of(s)
	if len(kept) == len(all) {
		return all
	}
	there := make([]bool, len(all))
	for _, i := range kept {
		there[i] = true
	}
	sorted := make([]int, 0, len(kept))
	for _, i := range all {
		if there[i] {
			sorted = append(sorted, i)
		}
	}
	return sorted
}

func (o order) compare(s *snapshot, a, b *study.Trial) int {
	sign := 1
	if o.Reverse {
		sign = -1
	}
	switch o.Column {
	case "trial":
		return sign * cmp.Compare(a.ID, b.ID)
	case "name":
		return sign * cmp.Compare(s.name(a.Proposal), s.name(b.Proposal))
	case "string":
		return sign * cmp.Compare(a.Input, b.Input)
	case "state":
		return sign * cmp.Or(cmp.Compare(a.State, b.State), cmp.Compare(stateName(a), stateName(b)))
	case "kind":
		return sign * cmp.Compare(a.Kind, b.Kind)
	case "batch":
		return sign * cmp.Compare(a.Batch, b.Batch)
	case "reason":
		return sign * cmp.Compare(a.Reason, b.Reason)
	case "score":
		return o.numbers(-a.Value, -b.Value)
	}
	outcome := strings.TrimPrefix(o.Column, "o.")
	return o.numbers(a.Outcome(outcome), b.Outcome(outcome))
}

// numbers compares numbers; what is not known comes last, whatever the direction.
func (o order) numbers(x, y float64) int {
	if math.IsNaN(x) || math.IsNaN(y) {
		return cmp.Compare(boolean(math.IsNaN(x)), boolean(math.IsNaN(y)))
	}
	if o.Reverse {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
