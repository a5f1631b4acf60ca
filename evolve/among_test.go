package evolve_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// Of strings that may be proposed, the search finds the best ones, no other string, and no string twice; then they are
// exhausted.
func TestOnly(t *testing.T) {
	var only, names []string
	for i := range 200 {
		x := fmt.Sprintf("%b", 256+i)
		only, names = append(only, x), append(names, fmt.Sprint("clone ", i))
	}
	ones := func(x string) oracle.Result { return oracle.Result{Score: float64(strings.Count(x, "1"))} }
	init := []study.Observation{{X: only[0]}, {X: only[7]}, {X: only[64]}, {X: "000000001"}}
	space, err := tokens.New([]string{only[0], "000000001"}, tokens.Options{})
	if err != nil {
		t.Fatal(err)
	}
	space.Only, space.Names = only, names
	s, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(t.Context(), study.Problem{Oracle: oracle.Func(ones), Init: init}, s, study.Options{Budget: 300, Batch: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) || !strings.Contains(err.Error(), "of the 200 strings that may be proposed") {
		t.Errorf("error %v, want that the strings are exhausted", err)
	}
	seen := map[string]bool{}
	best, at := 0.0, 0
	for i, trial := range st.Trials()[len(init):] {
		k := slices.Index(only, trial.Input)
		if k < 0 || seen[trial.Input] || trial.Name != names[k] {
			t.Errorf("%s, called %q, is proposed", trial.Input, trial.Name)
		}
		seen[trial.Input] = true
		if trial.Score > best {
			best, at = trial.Score, i
		}
	}
	if len(seen) != len(only)-3 || best != 8 || at >= 20 {
		t.Errorf("%d of 197 are proposed, and the best, %g, after %d; want all, and 8 within 20", len(seen), best, at)
	}
}

// Strings that are not feasible take no places, however good they look.
func TestOnlyFeasible(t *testing.T) {
	var only []string
	for i := range 1 << 12 {
		only = append(only, fmt.Sprintf("%012b", i))
	}
	ones := func(x string) int { return strings.Count(x, "1") }
	var init []study.Observation
	for i := range 40 {
		x := only[i*97]
		init = append(init, study.Observation{X: x, Measurements: study.Measured(float64(ones(x)))})
	}
	space, err := tokens.New(only, tokens.Options{})
	if err != nil {
		t.Fatal(err)
	}
	space.Only = only
	s, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feasible := func(x string) (bool, error) { return ones(x) <= 2, nil }
	st, err := study.New(t.Context(), study.Problem{Init: init, Feasible: feasible}, s, study.Options{Budget: 5})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := st.Ask(t.Context(), 5)
	if err != nil || len(batch) != 5 {
		t.Fatalf("%d proposals, %v", len(batch), err)
	}
	for _, p := range batch {
		if ones(p.X) > 2 {
			t.Errorf("%s is not feasible", p.X)
		}
	}
}

// A reference that is not measured is expected to be about as good as the best tenth, and does not matter once it is.
func TestReference(t *testing.T) {
	const wildType = "aaaaaaaa"
	var init []study.Observation
	for i := range 20 {
		x := []byte(wildType)
		x[i%8] = "bcde"[i/8]
		init = append(init, study.Observation{X: string(x), Measurements: study.Measured(-float64(i) / 10)})
	}
	predicted := func(reference string, init []study.Observation, window int) float64 {
		var xs []string
		for _, o := range init {
			xs = append(xs, o.X)
		}
		space, err := tokens.New(xs, tokens.Options{})
		if err != nil {
			t.Fatal(err)
		}
		space.Reference, space.Only = reference, []string{"aaaaaaad"}
		s, err := evolve.New(space, evolve.Options{Window: window})
		if err != nil {
			t.Fatal(err)
		}
		st, err := study.New(t.Context(), study.Problem{Init: init}, s, study.Options{Budget: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, err := st.Ask(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := evolve.New(space, evolve.Options{Window: window}) // as of a study that was opened again
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Observe(t.Context(), st.Trials()[:len(init)]...); err != nil {
			t.Fatal(err)
		}
		state, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		expected := func(s *evolve.Searcher) float64 {
			mean, _, err := s.Predict(t.Context(), space.Only)
			if err != nil {
				t.Fatal(err)
			}
			return mean[0]
		}
		if a, b := expected(s), expected(again); a != b {
			t.Errorf("reference %q: a variant is expected to have %g, and %g when the study is opened again", reference, a, b)
		}
		return p[0].Mean
	}
	without, with := predicted("", init, 0), predicted(wildType, init, 0)
	if without == with {
		t.Errorf("a variant is predicted %g with a reference or without, want the reference to count", with)
	}
	measured := append([]study.Observation{{X: wildType, Measurements: study.Measured(-5)}}, init...)
	for _, window := range []int{0, 8} { // of 8, the reference is not among what the surrogate sees
		if a, b := predicted("", measured, window), predicted(wildType, measured, window); a != b {
			t.Errorf("window %d: a variant is predicted %g, and %g with a reference that is measured; want the same", window, a, b)
		}
	}
}

// The mean follows a trend, with a slope that the data fit.
func TestTrend(t *testing.T) {
	var init []study.Observation
	prior := map[string]float64{}
	var only []string
	for i := range 60 {
		x := fmt.Sprintf("%b", 64+i)
		prior[x] = float64((i*37)%60) / 10 // has nothing to do with the letters
		only = append(only, x)
		if i%3 > 0 {
			init = append(init, study.Observation{X: x, Measurements: study.Measured(5 - 2*prior[x])})
		}
	}
	space, err := tokens.New(only, tokens.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := space.Read
	space.Only = only
	space.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Trend = []float64{prior[x]}
		return d, err
	}
	s, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(t.Context(), study.Problem{Init: init}, s, study.Options{Budget: 5})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := st.Ask(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range batch {
		if want := 5 - 2*prior[p.Input]; p.Mean < want-1 || p.Mean > want+1 {
			t.Errorf("%s: predicted %.2f, want about %.2f", p.Input, p.Mean, want)
		}
	}
}
