package evolve_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

const alphabet = "abcdef"

func letters(x string) []string { return strings.Split(x, "") }

// quick are options for small searches.
var quick = evolve.Options{Children: 60, Generations: 3}

// space returns words over an alphabet, all of one length, with pairs of neighbours as risks.
func space(alphabet string) evolve.Space {
	edits := tokens.Edits{Alphabet: letters(alphabet), Split: letters, Fixed: true}
	pairs, positions, neighbours := gp.TokenGaps(letters, 4), gp.TokenPositions(letters), gp.TokenGaps(letters, 1)
	return evolve.Space{
		Operators: edits.Operators(), Kernels: []gp.Term{{Kernel: gp.Overlap, Groups: []int{0}}, {Kernel: gp.Overlap, Groups: []int{1}}},
		Read: func(x string) (evolve.Description, error) {
			if strings.Trim(x, alphabet) != "" {
				return evolve.Description{}, errors.New("not over the alphabet")
			}
			return evolve.Description{Groups: []gp.Counts{pairs(x), positions(x)}, Risks: neighbours(x).IDs}, nil
		},
	}
}

func initial(x ...string) []study.Observation {
	var init []study.Observation
	for _, s := range x {
		init = append(init, study.Observation{X: s})
	}
	return init
}

// words returns n random words.
func words(n, length int, rng *rand.Rand) []string {
	x := make([]string, n)
	for i := range x {
		for range length {
			x[i] += string(alphabet[rng.IntN(len(alphabet))])
		}
	}
	return x
}

// sites scores a word by the sites that are as in a hidden one.
func sites(x string) oracle.Result {
	n := 0.0
	for i := range x {
		if x[i] == "facedbeadfab"[i] {
			n++
		}
	}
	return oracle.Result{Score: n}
}

func searcher(t *testing.T, s evolve.Space, opts evolve.Options) *evolve.Searcher {
	t.Helper()
	e, err := evolve.New(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func begin(t *testing.T, p study.Problem, s study.Searcher, opts study.Options) *study.Study {
	t.Helper()
	st, err := study.New(t.Context(), p, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func run(t *testing.T, p study.Problem, s study.Searcher, opts study.Options) *study.Study {
	t.Helper()
	st := begin(t, p, s, opts)
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return st
}

// start is a problem of words of twelve letters.
func start() study.Problem {
	return study.Problem{Oracle: oracle.Func(sites), Init: initial(words(6, 12, rand.New(rand.NewPCG(1, 1)))...)}
}

func TestSearcher(t *testing.T) {
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return start(), searcher(t, space(alphabet), quick)
	})
}

// The suite, with a search that restarts after every few strings.
func TestRestartingSearcher(t *testing.T) {
	impatient := quick
	impatient.Patience = 3
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return start(), searcher(t, space(alphabet), impatient)
	})
}

// The suite, with a search where every other batch explores.
func TestExploringSearcher(t *testing.T) {
	s := space(alphabet)
	s.Novelty = &gp.Term{Groups: []int{0, 1}}
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) { return start(), searcher(t, s, quick) })
}

// Batches that explore are less like the known words than those that do not.
func TestExploringBatches(t *testing.T) {
	alike := gp.Term{Groups: []int{0}}
	similarity := func(novelty *gp.Term) (explored, others float64) {
		s := space(alphabet)
		s.Novelty = novelty
		opts := quick
		opts.Transform = new(gp.Standardise)
		opts.Fixed = &evolve.Fixed{Weights: []float64{1e-3, 1e-3}, Noise: 1e-4} // certain of everything
		var known [][]gp.Counts
		for _, trial := range run(t, start(), searcher(t, s, opts), study.Options{Budget: 60, Batch: 5}).Trials() {
			d, err := s.Read(trial.Input)
			if err != nil {
				t.Fatal(err)
			}
			most := 0.0
			for _, k := range known {
				most = max(most, alike.Similarity(d.Groups, k))
			}
			known = append(known, d.Groups)
			switch {
			case trial.Kind == study.Acquired && trial.Batch%2 == 0:
				explored += most / 30
			case trial.Kind == study.Acquired:
				others += most / 30
			}
		}
		return explored, others
	}
	explored, others := similarity(&alike)
	if without, _ := similarity(nil); !(explored < others-0.02 && explored < without-0.02) {
		t.Errorf("the nearest known word has a similarity of %.3f on average where a batch explores, %.3f where it does not, %.3f in the same batches of a search that never does", explored, others, without)
	}
}

// plateau scores a word by the sites that are as in the hidden one, and counts most of them at most.
func plateau(x string) oracle.Result { return oracle.Result{Score: min(most, sites(x).Score)} }

const most = 9 // sites, of 12

// A search that is stuck begins again from the initial design: the next batch is predicted as if nothing else were
// known, whatever the batch holds in which patience ended.
func TestRestart(t *testing.T) {
	p := start()
	p.Oracle = oracle.Func(plateau)
	for _, test := range []struct {
		patience int
		restarts bool
	}{{20, true}, {21, true}, {23, true}, {-1, false}} {
		opts := quick
		opts.Patience = test.patience
		e := searcher(t, space(alphabet), opts)
		st := run(t, p, e, study.Options{Budget: 120})
		if best := st.Best().Score; best != most {
			t.Fatalf("patience %d: the best of 120 words has %g sites, want %d", test.patience, best, most)
		}
		expected := map[int]float64{} // the greatest score that a batch expects, after one that scored the most
		found := false
		for _, trial := range st.Trials() {
			if found {
				expected[trial.Batch] = max(expected[trial.Batch], trial.Mean)
			}
			found = found || trial.Score == most
		}
		anew := slices.Min(slices.Collect(maps.Values(expected))) < most-2
		if got := e.Report().Gauge(evolve.Restarts); got > 0 != test.restarts || anew != test.restarts {
			t.Errorf("patience %d: %g restarts, a batch that expects much less than the best: %v; want %v", test.patience, got, anew, test.restarts)
		}
	}
}

// A restart that finds nothing new ends: all that is known may lead to more.
func TestRestartWithoutChildren(t *testing.T) {
	s := space(alphabet)
	replace := s.Operators[0].Make
	s.Operators = []evolve.Operator{{Name: "of b", Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		for i, pair := range pairs { // only words with a b have children
			if !strings.Contains(pair[0], "b") {
				pairs[i] = [2]string{}
			}
		}
		return replace(ctx, pairs, rng)
	}}}
	pool := []string{"bbbbbbbbbbbb"} // which the initial design lacks
	s.Pool = func(int, *rand.Rand) (once []string) {
		once, pool = pool, nil
		return once
	}
	p := study.Problem{Oracle: oracle.Func(plateau), Init: initial("cccccccccccc", "dddddddddddd")}
	opts := quick
	opts.Patience = 10
	e := searcher(t, s, opts)
	if n := len(run(t, p, e, study.Options{Budget: 60}).Trials()); n != 62 {
		t.Errorf("%d trials, want 62", n)
	}
	if n := e.Report().Gauge(evolve.Restarts); n == 0 {
		t.Error("no restart: the test needs one")
	}
}

// Wherever a search with restarts is interrupted, it goes on as if it had not been.
func TestResumedInAnyPhase(t *testing.T) {
	p := start()
	p.Oracle = oracle.Func(plateau)
	opts := quick
	opts.Patience = 13
	begin := func(store study.Store) (*study.Study, *evolve.Searcher) {
		e := searcher(t, space(alphabet), opts)
		return begin(t, p, e, study.Options{Budget: 90, Store: store}), e
	}
	all := &study.Memory{}
	whole, e := begin(all)
	if err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := e.Report().Gauge(evolve.Restarts); n < 2 {
		t.Fatalf("%g restarts, want 2: the test needs phases to resume in", n)
	}
	events, err := all.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < len(events); cut += 5 {
		store := &study.Memory{}
		for _, e := range events[:cut] {
			if err := store.Save(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		again, _ := begin(store)
		if err := again.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, want := again.Trials(), whole.Trials()
		if !slices.EqualFunc(got, want, func(a, b study.Trial) bool { return a.X == b.X }) {
			t.Errorf("resumed after %d of %d events, the search goes on in another way", cut, len(events))
		}
	}
}

// Trials do not depend on the number of processors, and do on the seed.
func TestReproducible(t *testing.T) {
	trials := func(procs int, seed uint64) (x []string, mean []float64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		opts := quick
		opts.Seed = seed
		p := start()
		p.Oracle = oracle.Func(func(x string) oracle.Result {
			if strings.Contains(x, "ab") {
				return oracle.Result{Score: math.NaN(), Reason: "ab"}
			}
			return sites(x)
		})
		s := space(alphabet)
		s.Novelty = &gp.Term{}
		for _, t := range run(t, p, searcher(t, s, opts), study.Options{Budget: 30}).Trials() {
			x = append(x, t.Input)
			if !math.IsNaN(t.Mean) {
				mean = append(mean, t.Mean)
			}
		}
		return x, mean
	}
	x, mean := trials(1, 1)
	for _, procs := range []int{1, 3} {
		if again, predicted := trials(procs, 1); !slices.Equal(again, x) || !slices.Equal(predicted, mean) {
			t.Errorf("on %d processors %v %v\nwant %v %v", procs, again, predicted, x, mean)
		}
	}
	if others, _ := trials(1, 2); slices.Equal(others, x) {
		t.Error("the same trials from another seed")
	}
}

// A hidden word of twelve letters is all but found in 80 calls; pairs of neighbours that cannot be scored are avoided.
func TestFinds(t *testing.T) {
	banned := []string{"aa", "bf", "cc", "dd", "ff", "ec"}
	for _, test := range []struct {
		name   string
		banned []string
	}{{"all scored", nil}, {"some banned", banned}} {
		p := start()
		p.Oracle = oracle.Func(func(x string) oracle.Result {
			if slices.ContainsFunc(test.banned, func(pair string) bool { return strings.Contains(x, pair) }) {
				return oracle.Result{Score: math.NaN(), Reason: "banned"}
			}
			return sites(x)
		})
		p.Init = initial(words(12, 12, rand.New(rand.NewPCG(2, 2)))...)
		st := run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 80})
		if best := st.Best(); best.Score < 11 { // chance alone finds 6
			t.Errorf("%s: the best of 80 words is %q, %g of 12 sites", test.name, best.X, best.Score)
		}
		random, failed := 0, 0 // failures of random words, and of the search
		for _, x := range words(80, 12, rand.New(rand.NewPCG(3, 3))) {
			if math.IsNaN(p.Oracle.(oracle.Func)(x).Score) {
				random++
			}
		}
		for _, trial := range st.Trials() {
			if trial.Kind == study.Acquired && trial.State == study.Failed {
				failed++
			}
		}
		if failed > random/4 {
			t.Errorf("%s: %d failures in 80 calls, %d of random words", test.name, failed, random)
		}
	}
}

// Where most scores are equal, the surrogate models their ranks and the search finds what little differs.
func TestMostlyEqualScores(t *testing.T) {
	p := start()
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		return oracle.Result{Score: math.Pow(10, min(0, 2*(sites(x).Score-8)))} // all but 0 below 6 sites
	})
	st := run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 60})
	if n := sites(st.Best().X).Score; n < 7 {
		t.Errorf("the best word is %q with %g sites", st.Best().X, n)
	}
}

func TestNoScore(t *testing.T) {
	p := start()
	p.Oracle = oracle.Func(func(string) oracle.Result { return oracle.Result{Score: math.NaN(), Reason: "the pump is off"} })
	st := begin(t, p, searcher(t, space(alphabet), quick), study.Options{})
	err := st.Run(t.Context())
	if !errors.Is(err, study.ErrNoScore) || !strings.Contains(err.Error(), "the pump is off") {
		t.Errorf("error %v, want one that says that nothing has a score, and why", err)
	}
}

func TestExhausted(t *testing.T) {
	p := start()
	p.Oracle = oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(strings.Count(x, "a"))} })
	p.Init = initial("aa", "ab")
	st := begin(t, p, searcher(t, space("ab"), quick), study.Options{Budget: 10})
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) || st.Status().Calls != 2 {
		t.Errorf("error %v after %d calls, want ErrExhausted after 2", err, st.Status().Calls)
	}
}

// A batch is as large as asked for, as far as there are children.
func TestLargeBatch(t *testing.T) {
	for _, test := range []struct{ children, ask, least, most int }{
		{1000, 400, 400, 400},
		{200, 400, 100, 200}, // many children are alike
	} {
		p := start()
		for i := range p.Init {
			p.Init[i].Measurements = study.Measured(sites(p.Init[i].X).Score)
		}
		st := begin(t, p, searcher(t, space(alphabet), evolve.Options{Children: test.children, Generations: 1}), study.Options{})
		asked, err := st.Ask(t.Context(), test.ask)
		if n := len(asked); err != nil || n < test.least || n > test.most {
			t.Errorf("%d strings of %d children and error %v, asked for %d; want %d to %d", n, test.children, err, test.ask, test.least, test.most)
		}
	}
}

func TestInfeasibleChildren(t *testing.T) {
	s := space(alphabet)
	read := s.Read
	s.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Infeasible = strings.Contains(x, "e")
		return d, err
	}
	for _, trial := range run(t, start(), searcher(t, s, quick), study.Options{Budget: 20}).Trials() {
		if trial.Kind == study.Acquired && strings.Contains(trial.X, "e") {
			t.Errorf("trial %d proposes %q", trial.ID, trial.X)
		}
	}
}

// A search does not end because one population has no new feasible string.
func TestRareFeasibleStrings(t *testing.T) {
	s := space(alphabet)
	s.Operators = []evolve.Operator{{Name: "barren", Make: func(_ context.Context, pairs [][2]string, _ *rand.Rand) ([]evolve.Child, error) {
		return make([]evolve.Child, len(pairs)), nil
	}}}
	draws := 0
	s.Pool = func(_ int, rng *rand.Rand) []string {
		if draws++; draws%5 > 0 {
			return nil
		}
		return words(1, 12, rng)
	}
	if n := run(t, start(), searcher(t, s, quick), study.Options{Budget: 4}).Status().Calls; n != 4 || draws != 20 {
		t.Errorf("%d calls after %d draws, want 4 after 20", n, draws)
	}
}

// A string that the Space cannot read is named, with what is wrong with it.
func TestUnreadable(t *testing.T) {
	p := start()
	p.Init = initial("facedbeadfab", "facedbeadfaz")
	_, err := study.New(t.Context(), p, searcher(t, space(alphabet), quick), study.Options{})
	if err == nil || !strings.Contains(err.Error(), `"facedbeadfaz": not over the alphabet`) {
		t.Errorf("error %v, want one that names the string", err)
	}
}

// What Translate returns must be of the space, too. That is said before the oracle is called.
func TestTranslationUnreadable(t *testing.T) {
	p := start()
	p.Translate = func(x string) (string, error) { return strings.ToUpper(x), nil }
	_, err := study.New(t.Context(), p, searcher(t, space(alphabet), quick), study.Options{})
	if err == nil || !strings.Contains(err.Error(), `not over the alphabet`) || !strings.Contains(err.Error(), "translated to") {
		t.Errorf("error %v, want one that names a translation", err)
	}
	p.Translate = func(x string) (string, error) { return strings.ReplaceAll(x, "a", "b"), nil }
	run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 5})
}

// Pooled strings are members of the population: with an operator that makes nothing, all proposals are of the pool.
func TestPool(t *testing.T) {
	s := space(alphabet)
	s.Operators = []evolve.Operator{{Name: "barren", Make: func(_ context.Context, pairs [][2]string, _ *rand.Rand) ([]evolve.Child, error) {
		return make([]evolve.Child, len(pairs)), nil
	}}}
	var library []string
	asked := 0
	s.Pool = func(n int, rng *rand.Rand) []string {
		asked = n
		library = append(library, words(n, 12, rng)...)
		return append(library[len(library)-n:], "not a word", library[0])
	}
	opts := quick
	opts.Pool = 30
	e := searcher(t, s, opts)
	st := run(t, start(), e, study.Options{Budget: 10})
	for _, trial := range st.Trials() {
		if trial.Kind == study.Acquired && !slices.Contains(library, trial.X) {
			t.Errorf("trial %d, %q, is not of the pool", trial.ID, trial.X)
		}
	}
	if r := e.Records(); asked != 30 || r[0].Made != 0 || r[1].Operator != "library" || r[1].Chosen != 10 {
		t.Errorf("asked for %d, records %+v", asked, r)
	}
	opts.Pool = -1
	if err := begin(t, start(), searcher(t, s, opts), study.Options{}).Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
		t.Errorf("error %v without a pool, want ErrExhausted", err)
	}
}

// Where all scores are equal, strings are drawn from the population, not chosen for being unlike all others.
func TestEqualScores(t *testing.T) {
	s := space(alphabet)
	s.Operators = []evolve.Operator{{Name: "barren", Make: func(_ context.Context, pairs [][2]string, _ *rand.Rand) ([]evolve.Child, error) {
		return make([]evolve.Child, len(pairs)), nil
	}}}
	usual := func(n int, seed uint64) []string {
		x := words(n, 12, rand.New(rand.NewPCG(seed, seed)))
		for i := range x {
			x[i] = strings.NewReplacer("d", "a", "e", "b", "f", "c").Replace(x[i])
		}
		return x
	}
	strange := []string{"fffffffffffe", "dddddddddddd", "eeeeeeeeeeee", "defdefdefdef", "ddddddffffff"}
	s.Pool = func(int, *rand.Rand) []string { return append(usual(100, 2), strange...) }
	for _, test := range []struct {
		name        string
		score       func(x string) float64
		least, most int // strange strings among ten proposals; ten draws have more than two once in a hundred times
	}{
		{"equal", func(string) float64 { return 7 }, 0, 2},
		{"better where strange", func(x string) float64 { return float64(strings.Count(x, "d")) - float64(strings.Count(x, "a")) }, 1, 10},
	} {
		p := study.Problem{Init: initial(usual(8, 1)...), Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: test.score(x)} })}
		n := 0
		for _, trial := range run(t, p, searcher(t, s, quick), study.Options{Budget: 10}).Trials() {
			if slices.Contains(strange, trial.X) {
				n++
			}
		}
		if n < test.least || n > test.most {
			t.Errorf("%s scores: %d strange strings of 10, want %d to %d", test.name, n, test.least, test.most)
		}
	}
}

// Blind has the strings that are tried while all scores are equal, and only these.
func TestBlind(t *testing.T) {
	s := space(alphabet)
	rng := rand.New(rand.NewPCG(3, 3))
	blind := map[string]bool{}
	s.Blind = func(n int, rng *rand.Rand) []string {
		some := words(n, 12, rng)
		for _, x := range append(some, some[0]) {
			blind[x] = true
		}
		return append(some, some[0])
	}
	const equal = 15
	var calls atomic.Int64 // of several goroutines
	p := study.Problem{Init: initial(words(8, 12, rng)...), Oracle: oracle.Func(func(x string) oracle.Result {
		if calls.Add(1) <= equal+8 {
			return oracle.Result{Score: 0}
		}
		return oracle.Result{Score: float64(strings.Count(x, "a"))}
	})}
	for _, trial := range run(t, p, searcher(t, s, quick), study.Options{Budget: equal + 8 + 10, Batch: 5}).Trials() {
		if want := trial.Kind == study.Acquired && trial.Batch <= equal/5+1; trial.Kind == study.Acquired && blind[trial.X] != want {
			t.Errorf("batch %d: %s is of Blind: %t, want %t", trial.Batch, trial.X, blind[trial.X], want)
		}
	}
}

// Where no string of Blind may be proposed, children of known ones are.
func TestBlindWithinLimits(t *testing.T) {
	s := space(alphabet)
	s.Blind = func(n int, rng *rand.Rand) []string { return slices.Repeat([]string{"zzzz"}, n) }
	p := study.Problem{Init: initial(words(8, 12, rand.New(rand.NewPCG(3, 3)))...), Oracle: oracle.Func(func(string) oracle.Result { return oracle.Result{Score: 5} })}
	if trials := run(t, p, searcher(t, s, quick), study.Options{Budget: 10, Batch: 5}).Trials(); len(trials) != 18 {
		t.Errorf("%d trials of 8 known strings and a budget of 10", len(trials))
	}
}

// Strings of a batch are no more similar than Similarity allows.
func TestSimilarity(t *testing.T) {
	opts := quick
	opts.Similarity = 0.5
	s := space(alphabet)
	st := run(t, start(), searcher(t, s, opts), study.Options{Budget: 40})
	tanimoto := gp.Term{Kernel: gp.Tanimoto}
	batches := map[int][]gp.Counts{}
	for _, trial := range st.Trials() {
		if trial.Kind != study.Acquired {
			continue
		}
		d, err := s.Read(trial.X)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range batches[trial.Batch] {
			if k := tanimoto.Similarity(d.Groups[:1], []gp.Counts{other}); k > 0.5 {
				t.Errorf("batch %d: similarity %g of %q to another string", trial.Batch, k, trial.X)
			}
		}
		batches[trial.Batch] = append(batches[trial.Batch], d.Groups[0])
	}
	if len(batches) < 8 {
		t.Errorf("%d batches of 40 strings, 5 each at most", len(batches))
	}
}

// Strings of a batch are more similar than Copies only where nothing else is left, and batches are as large as without.
func TestCopies(t *testing.T) {
	alike := func(opts evolve.Options) (pairs int, sizes []int) {
		s := space(alphabet)
		tanimoto := gp.Term{Kernel: gp.Tanimoto}
		batches := map[int][]gp.Counts{}
		for _, trial := range run(t, start(), searcher(t, s, opts), study.Options{Budget: 40}).Trials() {
			d, err := s.Read(trial.X)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Kind != study.Acquired {
				continue
			}
			for _, other := range batches[trial.Batch] {
				if tanimoto.Similarity(d.Groups[:1], []gp.Counts{other}) > 0.5 {
					pairs++
				}
			}
			batches[trial.Batch] = append(batches[trial.Batch], d.Groups[0])
		}
		for _, b := range slices.Sorted(maps.Keys(batches)) {
			sizes = append(sizes, len(batches[b]))
		}
		return pairs, sizes
	}
	without, sizes := alike(quick)
	opts := quick
	opts.Copies = 0.5
	with, left := alike(opts)
	if with >= without/2 || !slices.Equal(left, sizes) {
		t.Errorf("%d similar pairs in batches of %d, and without Copies %d in batches of %d", with, left, without, sizes)
	}
	opts.Copies = 1e-9 // nothing else is ever left
	if _, left := alike(opts); !slices.Equal(left, sizes) {
		t.Errorf("batches of %d, want %d", left, sizes)
	}
}

// What the operators' records count adds up to the trials, and is what the gauges say.
func TestRecords(t *testing.T) {
	e := searcher(t, space(alphabet), quick)
	st := run(t, start(), e, study.Options{Budget: 40})
	var chosen, improved, bests int
	report := e.Report()
	for _, r := range e.Records() {
		chosen, improved = chosen+r.Chosen, improved+r.Improved
		if r.Improved > r.Chosen || r.Chosen > r.Made {
			t.Errorf("record %+v does not add up", r)
		}
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(r.Operator)
		for gauge, want := range map[string]int{"made_": r.Made, "chosen_": r.Chosen, "improved_": r.Improved} {
			if got := report.Gauge(gauge + name); got != float64(want) {
				t.Errorf("gauge %s%s is %g, want %d", gauge, name, got, want)
			}
		}
	}
	best := math.Inf(-1)
	for _, trial := range st.Trials() {
		if trial.Score > best {
			best = trial.Score
			if trial.Kind == study.Acquired {
				bests++
			}
		}
	}
	if chosen != 40 || improved != bests || bests == 0 {
		t.Errorf("%d chosen and %d improved, want 40 and %d", chosen, improved, bests)
	}
	if len(report.Phases) != 4 {
		t.Errorf("phases %v, want 4", report.Phases)
	}
}

// A search survives corrections: of a score, of a score to a failure, of all to failures, and back.
func TestCorrections(t *testing.T) {
	st := begin(t, start(), searcher(t, space(alphabet), quick), study.Options{Budget: 40})
	ask := func() []study.Proposal {
		t.Helper()
		asked, err := st.Ask(t.Context(), 5)
		if err != nil {
			t.Fatal(err)
		}
		return asked
	}
	tell := func(a ...study.Answer) {
		t.Helper()
		if err := st.Tell(t.Context(), a...); err != nil {
			t.Fatal(err)
		}
	}
	answer := func(asked []study.Proposal) {
		t.Helper()
		for _, p := range asked {
			tell(study.Answer{ID: p.ID, Result: sites(p.Input)})
		}
	}
	correct := func(score func(x string) float64) {
		t.Helper()
		for _, trial := range st.Trials() {
			if trial.State != study.Pending {
				tell(study.Answer{ID: trial.ID, Measurement: trial.Measurements[0].ID, Result: oracle.Result{Score: score(trial.X)}})
			}
		}
	}
	answer(ask())
	answer(ask())
	first := st.Trials()[0]
	tell(study.Answer{ID: first.ID, Measurement: first.Measurements[0].ID, Result: oracle.Result{Score: math.NaN(), Reason: "mixed up"}})
	answer(ask())
	correct(func(string) float64 { return math.NaN() })
	if _, err := st.Ask(t.Context(), 5); !errors.Is(err, study.ErrNoScore) {
		t.Errorf("error %v where all scores were corrected to failures", err)
	}
	correct(func(x string) float64 { return 1000 - sites(x).Score })
	for _, p := range ask() { // predictions follow the corrected scores
		if !(p.Mean > 900 && p.Mean < 1100) {
			t.Errorf("%q: predicted %g, want about 1000", p.X, p.Mean)
		}
	}
}

// An operator's error ends Propose and names it.
func TestOperatorError(t *testing.T) {
	broken := errors.New("broken")
	s := space(alphabet)
	s.Operators = []evolve.Operator{{Name: "saw", Make: func(context.Context, [][2]string, *rand.Rand) ([]evolve.Child, error) { return nil, broken }}}
	err := begin(t, start(), searcher(t, s, quick), study.Options{}).Run(t.Context())
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "saw") {
		t.Errorf("error %v, want the operator's with its name", err)
	}
}

// Features that kernels cannot use are an error of Check, before anything is scored.
func TestCheckFeatures(t *testing.T) {
	for _, test := range []struct {
		counts gp.Counts
		want   string
	}{
		{gp.Counts{IDs: []uint64{1, 2}, N: []uint32{1, 1}}, ""},
		{gp.Counts{IDs: []uint64{1, 2}, N: []uint32{1}}, "2 IDs of features and 1 numbers"},
		{gp.Counts{IDs: []uint64{2, 1}, N: []uint32{1, 1}}, "ascending"},
		{gp.Counts{IDs: []uint64{1, 1}, N: []uint32{1, 1}}, "distinct"},
	} {
		for _, groups := range [][]gp.Counts{{test.counts, {}}, {test.counts}} {
			s := space(alphabet)
			s.Kernels = []gp.Term{{}, {Groups: []int{1}}}
			s.Read = func(string) (evolve.Description, error) { return evolve.Description{Groups: groups}, nil }
			want := test.want
			if len(groups) == 1 {
				want = "1 groups of features, and the kernels name 2"
			}
			e, err := evolve.New(s, evolve.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Check("a"); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%+v: %v, want %q", groups, err, want)
			}
		}
	}
}

func TestNewErrors(t *testing.T) {
	good := space(alphabet)
	for _, test := range []struct {
		name  string
		space evolve.Space
		opts  evolve.Options
		want  string
	}{
		{"children", good, evolve.Options{Children: -1}, "children -1"},
		{"generations", good, evolve.Options{Generations: -1}, "generations -1"},
		{"pool", good, evolve.Options{Pool: -2}, "pool -2"},
		{"window", good, evolve.Options{Window: -1}, "window -1"},
		{"similarity", good, evolve.Options{Similarity: 1.5}, "similarity 1.5"},
		{"similarity, no number", good, evolve.Options{Similarity: math.NaN()}, "similarity NaN"},
		{"beta descends", good, evolve.Options{Beta: [2]float64{2, 1}}, "beta from 2 to 1"},
		{"beta of 0", good, evolve.Options{Beta: [2]float64{0, 1}}, "beta from 0 to 1"},
		{"beta, no number", good, evolve.Options{Beta: [2]float64{math.NaN(), 1}}, "beta from NaN to 1"},
		{"no operators", evolve.Space{Read: good.Read, Kernels: good.Kernels}, evolve.Options{}, "operators"},
		{"no Read", evolve.Space{Operators: good.Operators, Kernels: good.Kernels}, evolve.Options{}, "Read"},
		{"an operator without Make", evolve.Space{Operators: []evolve.Operator{{Name: "mine"}}, Read: good.Read, Kernels: good.Kernels}, evolve.Options{}, `operator "mine" makes nothing`},
		{"no such transform", good, evolve.Options{Transform: new(gp.Transform(77))}, "no transform 77"},
		{"a negative weight", good, evolve.Options{Fixed: &evolve.Fixed{Weights: append(make([]float64, len(good.Kernels)-1), -1), Noise: 1}}, "a weight of at least 0"},
		{"noise, no number", good, evolve.Options{Fixed: &evolve.Fixed{Weights: make([]float64, len(good.Kernels)), Noise: math.NaN()}}, "noise above 0"},
		{"a negative margin", evolve.Space{Operators: good.Operators, Read: good.Read, Kernels: good.Kernels, Far: -1}, evolve.Options{}, "Far is -1"},
		{"novelty of no group", evolve.Space{Operators: good.Operators, Read: good.Read, Kernels: good.Kernels, Novelty: &gp.Term{Groups: []int{2}}}, evolve.Options{}, "group 2"},
		{"no kernels", evolve.Space{Operators: good.Operators, Read: good.Read}, evolve.Options{}, "kernel"},
	} {
		if _, err := evolve.New(test.space, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
