package evolve_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// motifs counts two motifs that compete for letters.
func motifs(x string) oracle.Result {
	one, two := 0.0, 0.0
	for i := range len(x) - 1 {
		switch x[i : i+2] {
		case "ab":
			one++
		case "cd":
			two++
		}
	}
	return oracle.Result{Score: one, Others: map[string]float64{"one": one, "two": two}}
}

// twoMotifs is the problem of as many of both motifs as fit in words of eight letters.
func twoMotifs(seed uint64) study.Problem {
	return study.Problem{
		Oracle: oracle.Func(motifs), Init: initial(words(20, 8, rand.New(rand.NewPCG(seed, 1)))...),
		Objectives: []study.Objective{{Name: "one"}, {Name: "two"}},
	}
}

// wholeFront returns the values on the front of all words of eight letters, each once.
func wholeFront() (front [][]float64) {
	x := make([]byte, 8)
	seen := map[[2]float64]bool{}
	for i := range 1 << 16 { // of the letters a to d, as the motifs have no others
		for j := range x {
			x[j] = "abcd"[i>>(2*j)&3]
		}
		r := motifs(string(x))
		if v := [2]float64{r.Others["one"], r.Others["two"]}; !seen[v] {
			seen[v] = true
			front = append(front, v[:])
		}
	}
	var best [][]float64
	for _, i := range pareto.Front(front) {
		best = append(best, front[i])
	}
	return best
}

func TestFrontSearcher(t *testing.T) {
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return twoMotifs(1), searcher(t, space(alphabet), quick)
	})
}

// The whole front is found, which brute force over all words knows.
func TestWholeFront(t *testing.T) {
	want := wholeFront()
	if len(want) < 4 {
		t.Fatalf("the front has %d points; want a trade-off", len(want))
	}
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	found := uint64(0)
	for seed := range seeds {
		p := twoMotifs(seed + 1)
		st := run(t, p, searcher(t, space(alphabet), evolve.Options{Children: 60, Generations: 3, Seed: seed + 1}), study.Options{Budget: 300 - len(p.Init)})
		f := study.FrontOf(st.Trials(), p.Objectives, nil)
		missing := slices.DeleteFunc(slices.Clone(want), func(v []float64) bool {
			return slices.ContainsFunc(f.Values, func(w []float64) bool { return slices.Equal(v, w) })
		})
		if len(missing) == 0 {
			found++
		} else {
			t.Logf("seed %d misses %v", seed+1, missing)
		}
	}
	if found < seeds-seeds/5 {
		t.Errorf("the whole front of %d points was found with %d of %d seeds, want four fifths", len(want), found, seeds)
	}
}

// Lower values are better where an objective says so: the front of what is to be minimized mirrors that of what is to
// be maximized, trial by trial.
func TestMinimizedObjectives(t *testing.T) {
	up := twoMotifs(2)
	down := twoMotifs(2)
	down.Minimize, down.Objectives = true, []study.Objective{{Name: "one", Minimize: true}, {Name: "two", Minimize: true}}
	down.Oracle = oracle.Func(func(x string) oracle.Result {
		r := motifs(x)
		return oracle.Result{Score: -r.Score, Others: map[string]float64{"one": -r.Others["one"], "two": -r.Others["two"]}}
	})
	options := study.Options{Budget: 30}
	one := run(t, up, searcher(t, space(alphabet), quick), options).Trials()
	other := run(t, down, searcher(t, space(alphabet), quick), options).Trials()
	for i := range one {
		if one[i].X != other[i].X {
			t.Fatalf("trial %d is %s where both are maximized, and %s where both are minimized", i+1, one[i].X, other[i].X)
		}
	}
}

// A forecast has a mean and deviation of each objective, as the score's prediction is, and tells which proposals are
// likely to be on the front.
func TestForecast(t *testing.T) {
	p := twoMotifs(3)
	st := run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 60})
	var on, off []float64
	for _, trial := range st.Trials() {
		if trial.Kind != study.Acquired {
			continue
		}
		f := trial.Forecast
		if len(f.Mean) != 2 || len(f.SD) != 2 || !(f.SD[0] > 0 && f.SD[1] > 0) || f.Chance < 0 || f.Chance > 1+1e-9 {
			t.Fatalf("forecast %+v", f)
		}
		if math.Abs(f.Mean[0]-trial.Mean) > 1e-9 || math.Abs(f.SD[0]-trial.SD) > 1e-9 {
			t.Errorf("trial %d: the score is predicted to be %g ± %g, the first objective %g ± %g", trial.ID, trial.Mean, trial.SD, f.Mean[0], f.SD[0])
		}
		all := study.FrontOf(st.Page(0, trial.ID), p.Objectives, nil)
		if slices.ContainsFunc(all.Trials, func(on study.Trial) bool { return on.ID == trial.ID }) {
			on = append(on, f.Chance)
		} else {
			off = append(off, f.Chance)
		}
	}
	if len(on) < 5 || len(off) < 5 || stat.Mean(on, nil) <= stat.Mean(off, nil) {
		t.Errorf("of %d proposals that came to be on the front the mean chance was %g, of %d others %g", len(on), stat.Mean(on, nil), len(off), stat.Mean(off, nil))
	}
}

// While no string keeps a constraint there is no front, and proposals are predicted all the same, with the chance that
// they keep it.
func TestForecastWithoutFront(t *testing.T) {
	p := twoMotifs(3)
	p.Constraints = []study.Constraint{{Outcome: "z", Op: ">", Bound: 100}}
	rng := rand.New(rand.NewPCG(2, 2))
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		r := motifs(x)
		r.Others["z"] = float64(strings.Count(x, "e"))
		return r
	})
	p.Init = initial(words(20, 8, rng)...)
	for _, trial := range run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 10}).Trials() {
		if f := trial.Forecast; trial.Kind == study.Acquired && (f == nil || len(f.Mean) != 3 || len(f.SD) != 3 || !(f.Kept > 0 && f.Kept < 0.1) || !(f.Chance <= f.Kept)) {
			t.Errorf("trial %d: forecast %+v, want means of two objectives and of the bounded outcome, and hardly any chance", trial.ID, f)
		}
	}
}

// What is known of strings without a score teaches the surrogates of the objectives that are known, and such strings
// are proposed where the score is worth measuring.
func TestPartsOfObjectives(t *testing.T) {
	const promising, poor = "cdcdcdcd", "dddddddd"
	p := twoMotifs(4)
	for _, x := range []string{promising, poor, "cdcdcdaa", "aacdcdcd", "bbbbbbbb"} {
		p.Init = append(p.Init, study.Observation{X: x, Measurements: []study.Measurement{{Score: math.NaN(), Others: map[string]float64{"two": motifs(x).Others["two"]}}}})
	}
	for _, only := range [][]string{nil, {promising, poor, "abababab", "aaaaaaaa", "bcbcbcbc", "ddddaaaa"}} {
		s := space(alphabet)
		s.Only = only
		st := begin(t, p, searcher(t, s, quick), study.Options{Budget: 30})
		for st.Status().Calls < 4 {
			asked, err := st.Ask(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := st.Tell(t.Context(), study.Answer{ID: asked[0].ID, Result: motifs(asked[0].X)}); err != nil {
				t.Fatal(err)
			}
		}
		got := st.Lookup(promising)
		if got.State != study.Scored || got.Kind != study.Acquired || got.ID > len(p.Init) {
			t.Fatalf("%s is the best string that is known in part, and was not proposed: %+v", promising, got)
		}
		if f := got.Forecast; math.Abs(f.Mean[1]-4) > 0.5 || f.SD[1] > f.SD[0] {
			t.Errorf("forecast %+v for %s; its second objective was known to be 4", *f, promising)
		}
		if got := st.Lookup(poor); only == nil && got.State != study.Partial {
			t.Errorf("%s was proposed, although nothing can be expected of it: %+v", poor, got)
		}
	}
}

// Replicates of an objective tell how noisy it is, whichever it is, and those that contradict each other are left out.
func TestReplicatesOfObjectives(t *testing.T) {
	forecast := func(objective string, strings int, replicates ...float64) (mean, sd float64) { // that the first few strings have
		p := twoMotifs(3)
		j := slices.IndexFunc(p.Objectives, func(o study.Objective) bool { return o.Name == objective })
		for i, o := range p.Init {
			r := motifs(o.X)
			offs := replicates
			if i >= strings {
				offs = []float64{0}
			}
			for _, off := range offs {
				m := study.Measurement{Score: r.Score, Others: maps.Clone(r.Others)}
				m.Others[objective] += off
				if objective == "one" {
					m.Score += off
				}
				p.Init[i].Measurements = append(p.Init[i].Measurements, m)
			}
		}
		asked, err := begin(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 10}).Ask(t.Context(), 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range asked {
			mean, sd = mean+a.Forecast.Mean[j]/5, sd+a.Forecast.SD[j]/5
		}
		return mean, sd
	}
	for _, objective := range []string{"one", "two"} {
		_, quiet := forecast(objective, 8, 0, 0)
		if _, sd := forecast(objective, 8, -0.7, 0.7); sd < 0.99 || sd < 1.5*quiet {
			t.Errorf("%s: deviation %.2f of a measurement whose replicates deviate by 0.99, and %.2f where they are equal", objective, sd, quiet)
		}
		if mean, sd := forecast(objective, 1, 0, 1e6); math.Abs(mean) > 10 || sd > 10 {
			t.Errorf("%s: %.3g ± %.3g is expected beside replicates that contradict each other", objective, mean, sd)
		}
	}
}

// knowing returns the space of words whose motifs need no measurement, those of these names.
func knowing(names ...string) evolve.Space {
	s := space(alphabet)
	read := s.Read
	s.Knows = names
	s.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		for _, name := range names {
			d.Known = append(d.Known, motifs(x).Others[name])
		}
		return d, err
	}
	return s
}

// Objectives that the space knows are predicted as they are, whichever they are and whatever their sense.
func TestKnownObjectives(t *testing.T) {
	for _, known := range [][]string{{"two"}, {"one"}, {"two", "one"}} {
		p := twoMotifs(3)
		p.Minimize = true
		p.Objectives[0].Minimize = true
		s := searcher(t, knowing(known...), quick)
		st := run(t, p, s, study.Options{Budget: 10})
		for _, trial := range st.Trials() {
			if trial.Kind == study.Acquired && slices.Contains(known, "one") && (trial.Mean != trial.Score || trial.SD != 0) {
				t.Errorf("known %v: %s has %g, predicted %g ± %g", known, trial.X, trial.Score, trial.Mean, trial.SD)
			}
		}
		last := st.Page(st.Len()-1, 1)[0]
		for j, o := range p.Objectives {
			exact := last.Forecast.SD[j] == 0 && last.Forecast.Mean[j] == motifs(last.Input).Others[o.Name]
			if exact != slices.Contains(known, o.Name) {
				t.Errorf("known %v: %s is %g ± %g", known, o.Name, last.Forecast.Mean[j], last.Forecast.SD[j])
			}
		}
	}
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return twoMotifs(1), searcher(t, knowing("two"), quick)
	})
}
