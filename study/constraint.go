package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Constraint is a bound on a further outcome that the oracle reports beside the score, such as logP <= 3.5.
type Constraint struct {
	Outcome string  // name in oracle.Result.Others
	Op      string  // <=, <, >= or >
	Bound   float64 // in the outcome's own units
}

// ParseConstraint reads a constraint such as "hERG<0.3". The error says what is wrong with it.
func ParseConstraint(s string) (Constraint, error) {
	at := strings.IndexAny(s, "<>")
	if at < 0 {
		return Constraint{}, fmt.Errorf("constraint %q: it has no <=, <, >= or >; write NAME<=NUMBER", s)
	}
	if advice := rewritten(s); advice != "" {
		return Constraint{}, fmt.Errorf("constraint %q: %s", s, advice)
	}
	c := Constraint{Outcome: strings.TrimSpace(s[:at]), Op: s[at : at+1]}
	rest, equal := strings.CutPrefix(s[at+1:], "=")
	if equal {
		c.Op += "="
	}
	bound, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	c.Bound = bound
	switch {
	case c.Outcome == "":
		return c, fmt.Errorf("constraint %q: the name of an outcome is missing before %s", s, c.Op)
	case strings.ContainsAny(c.Outcome, "=!"):
		return c, fmt.Errorf("constraint %q: write NAME%s=NUMBER", s, c.Op[:1])
	case err != nil || math.IsInf(bound, 0) || math.IsNaN(bound):
		return c, fmt.Errorf("constraint %q: want a number after %s", s, c.Op)
	}
	return c, nil
}

// rewritten returns advice to write text with a number before the name, such as 1<=logP or 1<=logP<=3.5, as
// constraints; empty: it has none there.
func rewritten(s string) string {
	turned := map[byte]string{'<': ">", '>': "<"}
	first := strings.IndexAny(s, "<>")
	number := strings.TrimSpace(s[:first])
	if _, err := strconv.ParseFloat(number, 64); err != nil { // nothing, or a name
		return ""
	}
	rest, equal := strings.CutPrefix(s[first+1:], "=")
	op := turned[s[first]]
	if equal {
		op += "="
	}
	if strings.TrimSpace(rest) == "" {
		return ""
	}
	if !strings.ContainsAny(rest, "<>") {
		return fmt.Sprintf("the name comes first; write %s%s%s", strings.TrimSpace(rest), op, number)
	}
	other, err := ParseConstraint(rest)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("each constraint has one bound; give two, %s%s%s and %v", other.Outcome, op, number, other)
}

// Contradict returns the first two constraints on one outcome that no value meets both of, and whether there are any.
func Contradict(constraints []Constraint) (upper, lower Constraint, ok bool) {
	for _, upper := range constraints {
		for _, lower := range constraints {
			if upper.Outcome != lower.Outcome || upper.Op[0] != '<' || lower.Op[0] != '>' {
				continue
			}
			if upper.Bound < lower.Bound || upper.Bound == lower.Bound && (upper.Op == "<" || lower.Op == ">") {
				return upper, lower, true
			}
		}
	}
	return upper, lower, false
}

// String returns the constraint as ParseConstraint reads it.
func (c Constraint) String() string { return fmt.Sprintf("%s%s%g", c.Outcome, c.Op, c.Bound) }

// MarshalText and UnmarshalText let JSON and flags hold a Constraint.
func (c Constraint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func (c *Constraint) UnmarshalText(text []byte) (err error) {
	*c, err = ParseConstraint(string(text))
	return err
}

// AtMost reports whether the bound is an upper one.
func (c Constraint) AtMost() bool { return strings.HasPrefix(c.Op, "<") }

// Holds reports whether an outcome keeps the bound; NaN does not.
func (c Constraint) Holds(v float64) bool {
	switch c.Op {
	case "<=":
		return v <= c.Bound
	case "<":
		return v < c.Bound
	case ">=":
		return v >= c.Bound
	}
	return v > c.Bound
}

// Outcomes returns the names of the outcomes that constraints bound, each once.
func Outcomes(constraints []Constraint) []string {
	var names []string
	for _, c := range constraints {
		if !slices.Contains(names, c.Outcome) {
			names = append(names, c.Outcome)
		}
	}
	return names
}

// Outcome returns the mean of a further outcome over the measurements that have it as an exact number. Where none has,
// it is a bound on which OutcomeBound says the side; NaN if there is none either.
func (t *Trial) Outcome(name string) float64 {
	v, _ := t.readings(name).value(Above)
	return v
}

// OutcomeBound returns on which side of Outcome the true outcome lies.
func (t *Trial) OutcomeBound(name string) Bound {
	_, b := t.readings(name).value(Above)
	return b
}

func (t *Trial) readings(outcome string) readings {
	r := noReadings()
	for _, m := range t.Measurements {
		if v, ok := m.Others[outcome]; ok {
			r.add(v, m.OtherBounds[outcome])
		}
	}
	return r
}

// Violates says which of the constraints a trial with a score does not keep; it is empty if it keeps all. A constraint
// on an outcome that was not measured, or is known too little, is not kept.
func (t *Trial) Violates(constraints []Constraint) string {
	var broken []string
	for _, c := range constraints {
		if why := t.violates(c); why != "" {
			broken = append(broken, why)
		}
	}
	return strings.Join(broken, ", ")
}

func (t *Trial) violates(c Constraint) string {
	r := t.readings(c.Outcome)
	v := r.mean()
	within, beyond := Below, Above // sides of the constraint's bound
	if !c.AtMost() {
		within, beyond = beyond, within
	}
	switch {
	case c.Holds(v), math.IsNaN(v) && r.says(within, c.Bound):
		return ""
	case !math.IsNaN(v):
		return fmt.Sprintf("%s = %.4g is not %s %g", c.Outcome, v, c.Op, c.Bound)
	case r.unbounded():
		if why := t.MissingReason(); why != "" {
			return c.Outcome + " was not measured: " + why
		}
		return c.Outcome + " was not measured"
	case r.says(beyond, c.Bound):
		return fmt.Sprintf("%s %s is not %s %g", c.Outcome, r.bounds(), c.Op, c.Bound)
	}
	return fmt.Sprintf("%s %s may not be %s %g", c.Outcome, r.bounds(), c.Op, c.Bound)
}

// MissingReason returns why further outcomes of a scored trial are missing; "" if no oracle gave a reason.
func (t *Trial) MissingReason() string {
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) && m.Reason != "" {
			return m.Reason
		}
	}
	return ""
}

// Constrained is a Searcher that models the outcomes which constraints bound. It observes trials that violate
// constraints with their scores, and Partial ones. Other searchers observe trials that violate constraints as Failed,
// and Partial ones once they have a score. A Partial trial that they proposed, or whose score was struck, is Failed to
// them.
type Constrained interface {
	Constrain(constraints []Constraint) // called once, before anything else
}

// sees reports whether the searcher is told of a trial. One that does not model outcomes learns nothing from a Partial
// trial, but has to know if it has proposed it, or if it may have observed a score that was struck since.
func (s *Study) sees(t Trial) bool {
	_, models := s.searcher.(Constrained)
	proposed := t.Kind == Acquired || t.Kind == Recentered
	return models || t.State != Partial || proposed || t.Revised
}

// shown returns a trial as the searcher sees it.
func (s *Study) shown(t Trial) Trial {
	if _, models := s.searcher.(Constrained); models {
		return t
	}
	why := ""
	switch t.State {
	case Partial:
		why = "its score is yet to be measured"
	case Scored:
		why = t.Violates(s.problem.Constraints)
	}
	if why != "" {
		t.State, t.Score, t.Bound, t.Value, t.Variance, t.Reason = Failed, math.NaN(), Exact, math.NaN(), 0, why
	}
	return t
}
