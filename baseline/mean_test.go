package baseline_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// vowelsAndEnds counts vowels and says how late in the alphabet a word ends; the score is the first, so that it alone
// would be maximized.
var vowelsAndEnds = oracle.Func(func(x string) oracle.Result {
	a := float64(strings.Count(x, "a"))
	return oracle.Result{Score: a, Others: map[string]float64{"a": a, "z": 2 * float64(strings.Count(x, "z"))}}
})

func meanProblem() study.Problem {
	return study.Problem{Oracle: vowelsAndEnds, Init: initial("stone", "brick", "glass", "steel", "zebra", "pizza"), Objectives: []study.Objective{{Name: "a"}, {Name: "z"}}}
}

func newMean(t *testing.T) *baseline.Mean {
	space := letters()
	read := space.Read
	space.Kernels = []gp.Term{{Kernel: gp.Overlap, Groups: []int{0}}}
	space.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		var c gp.Counts
		for i := range len(x) { // in ascending order
			c.IDs, c.N = append(c.IDs, uint64(i)<<8|uint64(x[i])), append(c.N, 1)
		}
		d.Groups = []gp.Counts{c}
		return d, err
	}
	s, err := evolve.New(space, evolve.Options{Children: 20, Generations: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &baseline.Mean{Searcher: s}
}

// The mean of two objectives is made large. The second objective is the larger one.
func TestMean(t *testing.T) {
	st := run(t, meanProblem(), newMean(t), study.Options{Budget: 60})
	best := 0.0
	for _, trial := range st.Trials() {
		best = max(best, trial.Outcome("z"))
	}
	if best < 8 {
		t.Errorf("no word has more than %g times 2 z", best/2)
	}
	// Standardised, the one that varies less among the first words counts more.
	m := newMean(t)
	m.Standardise = true
	p := meanProblem()
	p.Init = initial("stone", "brick", "glass", "steel", "zebra", "aaaaa")
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		a := float64(strings.Count(x, "a"))
		return oracle.Result{Score: a, Others: map[string]float64{"a": a, "z": 1e-6 * float64(strings.Count(x, "z"))}}
	})
	best = 0
	for _, trial := range run(t, p, m, study.Options{Budget: 60}).Trials() {
		best = max(best, 1e6*trial.Outcome("z"))
	}
	if best < 3 {
		t.Errorf("no word has more than %g times z", best)
	}
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) { return meanProblem(), newMean(t) })
}
