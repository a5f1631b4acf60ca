package study_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// script is a searcher that proposes given strings, a batch at a time, and remembers what it observes.
type script struct {
	batches  []string // strings between spaces; an empty batch proposes nothing
	mean     float64  // of all predictions is this plus the length of the string
	fails    int      // the first so many Observes
	observed []study.Trial
	asked    []int
}

func (s *script) Propose(_ context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	s.asked = append(s.asked, n)
	if len(s.batches) == 0 {
		return nil, study.ErrExhausted
	}
	var proposals []study.Proposal
	for _, x := range strings.Fields(s.batches[0]) {
		x, wanted := strings.CutPrefix(x, "recenter:")
		p := study.Proposal{X: x, Mean: s.mean + float64(len(x)), SD: 1}
		if wanted {
			p.Kind = study.Recentered
		}
		proposals = append(proposals, p)
	}
	s.batches = s.batches[1:]
	return proposals, nil
}

var errObserve = errors.New("out of memory")

func (s *script) Observe(_ context.Context, trials ...study.Trial) error {
	if s.fails--; s.fails >= 0 {
		return errObserve
	}
	s.observed = append(s.observed, trials...)
	return nil
}

func (s *script) Check(x string) error {
	if strings.Contains(x, "?") {
		return errors.New("a question mark")
	}
	return nil
}

// lower is a Translate: strings that differ in case are one input. Those with a "!" are invalid.
func lower(x string) (string, error) {
	if strings.Contains(x, "!") {
		return "", errors.New("an exclamation mark")
	}
	return strings.ToLower(x), nil
}

// length is an oracle: it scores a string by its length, and cannot score those with an "x".
var length = oracle.Func(func(x string) oracle.Result {
	if strings.Contains(x, "x") {
		return oracle.Result{Score: math.NaN(), Reason: "contains an x"}
	}
	return oracle.Result{Score: float64(len(x))}
})

// design is an initial design; "bb=2.5" has a score.
func design(t *testing.T, xs ...string) []study.Observation {
	t.Helper()
	var init []study.Observation
	for _, x := range xs {
		x, score, scored := strings.Cut(x, "=")
		o := study.Observation{X: x}
		if scored {
			y, err := strconv.ParseFloat(score, 64)
			if err != nil {
				t.Fatal(err)
			}
			o.Measurements = study.Measured(y)
		}
		init = append(init, o)
	}
	return init
}

func start(t *testing.T, p study.Problem, s study.Searcher, opts study.Options) *study.Study {
	t.Helper()
	st, err := study.New(t.Context(), p, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// lines describes trials, a line each: ID, X, input, kind, batch, score or reason, and "called" if they cost a call.
func lines(trials []study.Trial) []string {
	var all []string
	for _, t := range trials {
		s := fmt.Sprintf("%d %s/%s %s %d: %g%s", t.ID, t.X, t.Input, t.Kind, t.Batch, t.Score, t.Reason)
		if t.Called {
			s += " called"
		}
		all = append(all, s)
	}
	return all
}

func wantLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func ask(t *testing.T, st *study.Study, n int) []study.Proposal {
	t.Helper()
	proposals, err := st.Ask(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return proposals
}

func tell(t *testing.T, st *study.Study, x string, score float64) {
	t.Helper()
	if err := st.Tell(t.Context(), study.Answer{X: x, Result: oracle.Result{Score: score}}); err != nil {
		t.Fatal(err)
	}
}

func TestRun(t *testing.T) {
	tests := []struct {
		name    string
		init    []string
		batches []string
		budget  int
		trials  []string
		skipped string // proposals
		err     error
	}{
		{
			"the initial design comes first, known scores before unknown ones",
			[]string{"ccc", "a=7", "b!", "BB=9", "x"}, []string{"dd"}, 1,
			[]string{"1 a/a initial 0: 7", "2 b!/ initial 0: NaNan exclamation mark", "3 BB/bb initial 0: 9",
				"4 ccc/ccc initial 0: 3 called", "5 x/x initial 0: NaNcontains an x called", "6 dd/dd acquired 1: 2 called"}, "", nil,
		}, {
			"a score that is given is not asked for",
			[]string{"a", "A=1", "b=2", "B", "b=3", "c", "C"}, nil, 1,
			[]string{"1 A/a initial 0: 1", "2 b/b initial 0: 2", "3 c/c initial 0: 1 called"}, "", study.ErrExhausted,
		}, {
			"known strings are skipped",
			[]string{"a=1", "b=2"}, []string{"A cc CC", "b", "ddd cc"}, 2,
			[]string{"1 a/a initial 0: 1", "2 b/b initial 0: 2", "3 cc/cc acquired 1: 2 called", "4 ddd/ddd acquired 3: 3 called"}, "A CC b cc", nil,
		}, {
			"invalid strings are recorded once, before the others, and cost no call",
			[]string{"a=1", "b=2"}, []string{"cc d! d!", "d!", "dd"}, 2,
			[]string{"1 a/a initial 0: 1", "2 b/b initial 0: 2", "3 d!/ acquired 1: NaNan exclamation mark",
				"4 cc/cc acquired 1: 2 called", "5 dd/dd acquired 3: 2 called"}, "d! d!", nil,
		}, {
			"infeasible strings are skipped, except in the initial design",
			[]string{"a=1", "no"}, []string{"no1 cc", "No2", "d"}, 2,
			[]string{"1 a/a initial 0: 1", "2 no/no initial 0: 2 called", "3 cc/cc acquired 1: 2 called", "4 d/d acquired 3: 1 called"}, "no1 No2", nil,
		}, {
			"a failed measurement costs a call",
			[]string{"a=1", "b=2"}, []string{"x", "xx y"}, 2,
			[]string{"1 a/a initial 0: 1", "2 b/b initial 0: 2", "3 x/x acquired 1: NaNcontains an x called", "4 xx/xx acquired 2: NaNcontains an x called"}, "y", nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &script{batches: test.batches}
			asked := map[string]int{}
			var store study.Memory
			st := start(t, study.Problem{
				Init: design(t, test.init...), Oracle: length, Translate: lower,
				Feasible: func(input string) (bool, error) {
					asked[input]++
					return !strings.HasPrefix(input, "no"), nil
				},
			}, s, study.Options{Budget: test.budget, Store: &store})
			if err := st.Run(t.Context()); !errors.Is(err, test.err) {
				t.Fatalf("Run: %v, want %v", err, test.err)
			}
			wantLines(t, "trials", lines(st.Trials()), test.trials)
			var trials []study.Trial
			var skipped []string
			for _, trial := range s.observed {
				if trial.State == study.Skipped {
					skipped = append(skipped, trial.X)
				} else {
					trials = append(trials, trial)
				}
			}
			wantLines(t, "observed", lines(trials), test.trials)
			if got := strings.Join(skipped, " "); got != test.skipped {
				t.Errorf("skipped %q, want %q", got, test.skipped)
			}
			for input, n := range asked {
				if n > 1 {
					t.Errorf("Feasible was asked %d times about %q", n, input)
				}
			}
			again := start(t, study.Problem{Init: design(t, test.init...), Translate: lower}, &script{}, study.Options{Store: &store})
			wantLines(t, "trials replayed", lines(again.Trials()), test.trials)
		})
	}
}

// What an alignment asks for counts as calls, and apart.
func TestRecentering(t *testing.T) {
	s := &script{batches: []string{"recenter:cc recenter:dd", "ee ff"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}, s, study.Options{Budget: 3})
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantLines(t, "trials", lines(st.Trials())[2:], []string{"3 cc/cc recentered 0: 2 called", "4 dd/dd recentered 0: 2 called", "5 ee/ee acquired 1: 2 called"})
	if status := st.Status(); status.Calls != 3 || status.Recentering != 2 {
		t.Errorf("%d calls, %d for an alignment, want 3 and 2", status.Calls, status.Recentering)
	}
}

// The ranking is that of acquired strings that have a score.
func TestRanking(t *testing.T) {
	s := &script{batches: []string{"bbbb x cc ddd", "ffffff"}}
	st := start(t, study.Problem{Init: design(t, "a=9", "b=8"), Oracle: length}, s, study.Options{Budget: 4})
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	tell(t, st, "eeeeeeee", -1)
	if got := st.Status().Ranking; got != 1 {
		t.Errorf("ranking %g, want 1: scores are as predicted", got)
	}
}

func TestLog(t *testing.T) {
	var log strings.Builder
	s := &script{batches: []string{"aaa bb"}}
	p := study.Problem{Name: "lengths", Init: design(t, "a=1", "b=1"), Oracle: length}
	st := start(t, p, s, study.Options{Budget: 2, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "msg=batch problem=lengths batch=1 calls=2 best=3 ranking=NaN") {
		t.Errorf("log %q, want one line of the batch", got)
	}
}

func TestMinimize(t *testing.T) {
	s := &script{batches: []string{"aaaa aa", "a aaaaa"}, mean: -6} // longer strings are predicted to be better
	var watched []int
	p := study.Problem{Minimize: true, Init: design(t, "bbb=3", "cccc=4"), Oracle: length}
	st := start(t, p, s, study.Options{Budget: 4, Watch: func(s study.Status) { watched = append(watched, s.Calls) }})
	if status := st.Status(); !math.IsNaN(status.Best.Score) || !math.IsNaN(status.Ranking) || status.Batches != 0 {
		t.Errorf("status %+v before the first trial, want NaN", status)
	}
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	status := st.Status()
	if status.Best.X != "a" || status.Best.Value != -1 || status.Calls != 4 || status.Pending != 0 || status.Batches != 2 {
		t.Errorf("status %+v, want a as the best after 4 calls in 2 batches", status)
	}
	if status.Ranking != -1 {
		t.Errorf("ranking %g, want -1: what was predicted to be best is worst", status.Ranking)
	}
	if got := st.Trials()[2]; got.Mean != 2 || got.SD != 1 || got.Score != 4 || got.Value != -4 {
		t.Errorf("trial %+v, want a mean of 2 ± 1, as scores are, for a value of -2", got)
	}
	if !slices.Equal(watched, []int{2, 4}) {
		t.Errorf("Watch came after %v calls, want 2 and 4", watched)
	}
}

// Watch is called for each batch, an empty one included, once the searcher has observed all of it: in a resumed study
// also for those that the searcher goes through again.
func TestWatch(t *testing.T) {
	s := &script{batches: []string{"aa bb", "", "cc dd"}}
	var observed, batches []int
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}
	opts := study.Options{Budget: 4, Store: store, Watch: func(status study.Status) {
		observed, batches = append(observed, len(s.observed)), append(batches, status.Batches)
	}}
	if err := start(t, p, s, opts).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(observed, []int{4, 4, 6}) {
		t.Errorf("Watch came when the searcher had observed %v trials, want 4, 4 and 6", observed)
	}
	observed, s = nil, &script{batches: []string{"aa bb", "", "cc dd", "ee"}}
	opts.Budget = 5
	st := start(t, p, s, opts)
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(observed, []int{4, 4, 6, 7}) || !slices.Equal(batches, []int{1, 2, 3, 1, 2, 3, 4}) {
		t.Errorf("resumed, Watch came when the searcher had observed %v trials and batches %v had ended, want 4, 4, 6 and 7 trials, and batches 1 to 4", observed, batches[3:])
	}
}

// The searcher is asked for a batch, however many strings the initial design has.
func TestBatchSize(t *testing.T) {
	for _, init := range [][]string{{"a", "b", "c", "d", "e"}, {"a=1", "b=1", "c=1", "d=1", "e=1"}} {
		s := &script{batches: []string{"aa bb cc dd", "ee ff"}} // more than was asked for
		st := start(t, study.Problem{Init: design(t, init...), Oracle: length}, s, study.Options{Budget: 6, Batch: 2})
		if err := st.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.asked, []int{2, 2}) {
			t.Errorf("Propose was asked for %v, want two times 2", s.asked)
		}
	}
}

// Ask returns no more than it was asked for; what is proposed beyond that it returns later.
func TestAskReturnsAtMostN(t *testing.T) {
	s := &script{batches: []string{"aa bb! cc dd ee", "ff"}}
	st := start(t, study.Problem{Init: design(t, "a", "b", "c", "d=1"), Translate: lower}, s, study.Options{Budget: 5})
	var got []string
	for range 5 {
		var xs []string
		for _, p := range ask(t, st, 2) {
			xs = append(xs, fmt.Sprint(p.ID, p.X))
		}
		got = append(got, strings.Join(xs, " "))
	}
	if want := []string{"2a 3b", "4c", "6aa 7cc", "8dd 9ee", "10ff"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	if _, err := st.Ask(t.Context(), 2); !errors.Is(err, study.ErrDone) {
		t.Errorf("Ask beyond the budget, all of it pending: %v, want ErrDone", err)
	}
	if len(st.Pending()) != 8 || st.Left() != 0 {
		t.Errorf("%d pending, %d left, want 8 and 0", len(st.Pending()), st.Left())
	}
}

// Page returns trials with and without an answer.
func TestPage(t *testing.T) {
	st := start(t, study.Problem{Init: design(t, "a=1", "b")}, &script{batches: []string{"aa bb cc"}}, study.Options{Budget: 5})
	ask(t, st, 2)
	ask(t, st, 2)
	tell(t, st, "aa", 3)
	for _, test := range []struct {
		after, n int
		want     string
	}{{0, 2, "a2 b1"}, {2, 9, "aa2 bb1"}, {3, 1, "bb1"}, {4, 1, ""}, {99, 1, ""}, {-1, 1, "a2"}, {0, 0, ""}, {1, -1, ""}} {
		var got []string
		for _, trial := range st.Page(test.after, test.n) {
			got = append(got, fmt.Sprint(trial.X, int(trial.State)))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%d after %d: %q, want %s", test.n, test.after, got, test.want)
		}
	}
}

// Ask asks for a batch by default. A string of the initial design that was told before it was asked for is not asked for.
func TestToldBeforeItWasAskedFor(t *testing.T) {
	s := &script{batches: []string{"aa bb CC"}}
	st := start(t, study.Problem{Init: design(t, "a", "b", "c"), Translate: lower}, s, study.Options{Batch: 2})
	var got []string
	next := func(n int) {
		t.Helper()
		for _, p := range ask(t, st, n) {
			got = append(got, p.X)
		}
	}
	next(1)
	tell(t, st, "B", 1)
	next(0)
	next(0)
	tell(t, st, "cc", 1)
	if _, err := st.Ask(t.Context(), 0); !errors.Is(err, study.ErrExhausted) {
		t.Errorf("Ask: %v, want nothing else", err)
	}
	if want := []string{"a", "c", "aa", "bb"}; !slices.Equal(got, want) || !slices.Equal(s.asked, []int{2, 2}) {
		t.Errorf("asked for %q, by asking the searcher for %v, want %q by [2 2]", got, s.asked, want)
	}
	if status := st.Status(); status.InitCalls != 0 || status.Pending != 4 {
		t.Errorf("%d initial calls and %d pending, want 0 and 4", status.InitCalls, status.Pending)
	}
}

// The searcher observes answers in the order of trials, whatever the order in which they come.
func TestObservesInOrder(t *testing.T) {
	s := &script{batches: []string{"aa bb cc", "dd"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1")}, s, study.Options{})
	ask(t, st, 3)
	tell(t, st, "cc", 1)
	tell(t, st, "aa", 2)
	tell(t, st, "cc", 3)
	if len(s.observed) != 2 {
		t.Errorf("%d trials observed while one is pending, want the initial 2", len(s.observed))
	}
	ask(t, st, 3)
	tell(t, st, "dd", 1)
	tell(t, st, "bb", 2)
	var got []string
	for _, trial := range s.observed[2:] {
		got = append(got, fmt.Sprint(trial.ID, " ", trial.Score, " ", trial.Revised))
	}
	if want := []string{"3 2 false", "5 1 false", "5 2 true", "4 2 false", "6 1 false"}; !slices.Equal(got, want) {
		t.Errorf("observed %q, want %q", got, want)
	}
}

func TestTell(t *testing.T) {
	const nan = "NaN"
	logP := map[string]float64{"logP": 2}
	tests := []struct {
		name    string
		answers []study.Answer // after "aa" was proposed as trial 3
		scores  string         // of trials 3 and on
		calls   int
		sd      float64 // √Variance of the last trial
		errs    int
	}{
		{"an answer by ID", []study.Answer{{ID: 3, Result: oracle.Result{Score: 5}}}, "5", 1, 0, 0},
		{"an answer by another spelling", []study.Answer{{X: "AA", Result: oracle.Result{Score: 5}}}, "5", 1, 0, 0},
		{"replicates", []study.Answer{{ID: 3, Result: oracle.Result{Score: 5}}, {ID: 3, Result: oracle.Result{Score: 7}}}, "6", 1, 1, 0},
		{"replicates with standard errors", []study.Answer{
			{ID: 3, Result: oracle.Result{Score: 5}, SE: 3}, {X: "aA", Result: oracle.Result{Score: 7}, SE: 4},
		}, "6", 1, 2.5, 0},
		{"one standard error is not known", []study.Answer{
			{ID: 3, Result: oracle.Result{Score: 5}, SE: 30}, {ID: 3, Result: oracle.Result{Score: 7}},
		}, "6", 1, 1, 0},
		{"a failure, repeated", []study.Answer{{ID: 3, Result: oracle.Result{Score: math.NaN(), Reason: "power cut"}}, {ID: 3, Result: oracle.Result{Score: 7}}}, "7", 1, 0, 0},
		{"a failed replicate", []study.Answer{{ID: 3, Result: oracle.Result{Score: 7}}, {ID: 3, Result: oracle.Result{Score: math.Inf(1)}}}, "7", 1, 0, 0},
		{"a correction", []study.Answer{
			{ID: 3, Result: oracle.Result{Score: 5}}, {ID: 3, Result: oracle.Result{Score: 7}}, {ID: 3, Measurement: 3, Result: oracle.Result{Score: 9}},
		}, "8", 1, 1, 0},
		{"a correction to a failure", []study.Answer{{ID: 3, Result: oracle.Result{Score: 5}}, {X: "aa", Measurement: 3, Result: oracle.Result{Score: math.NaN()}}}, nan, 1, 0, 0},
		{"an external string", []study.Answer{{X: "BB", Result: oracle.Result{Score: 5}}, {X: "bb", Result: oracle.Result{Score: 6}}}, "5.5", 0, 0.5, 0},
		{"a known score, measured again", []study.Answer{{ID: 1, Result: oracle.Result{Score: 5}}}, "", 0, 0, 0},
		{"a part of the outcomes", []study.Answer{{ID: 3, Result: oracle.Result{Others: logP}, Partial: true}}, "", 0, 0, 0},
		{"and the rest", []study.Answer{{X: "aa", Result: oracle.Result{Others: logP}, Partial: true}, {ID: 3, Measurement: 3, Result: oracle.Result{Score: 5}}}, "5", 1, 0, 0},
		{"a part after the score", []study.Answer{{ID: 3, Result: oracle.Result{Score: 5}}, {ID: 3, Result: oracle.Result{Others: logP}, Partial: true}}, "5", 1, 0, 0},
		{"a part of an external string", []study.Answer{{X: "bb", Result: oracle.Result{Others: logP}, Partial: true}}, nan, 0, 0, 0},
		{"and its rest", []study.Answer{{X: "bb", Result: oracle.Result{Others: logP}, Partial: true}, {X: "BB", Measurement: 3, Result: oracle.Result{Score: 5}}}, "5", 0, 0, 0},
		{"a part of nothing", []study.Answer{{ID: 3, Partial: true}, {X: "bb", Partial: true}}, "", 0, 0, 2},
		{"a part after a failure", []study.Answer{{ID: 3, Result: oracle.Result{Score: math.NaN()}}, {ID: 3, Result: oracle.Result{Others: logP}, Partial: true}}, nan, 1, 0, 1},
		{"a part after one that was struck", []study.Answer{{ID: 3, Result: study.Strike("mixed up")}, {ID: 3, Result: oracle.Result{Others: logP}, Partial: true}}, nan, 1, 0, 0},
		{"a measurement of another trial", []study.Answer{{ID: 3, Measurement: 1, Result: oracle.Result{Score: 5}}}, "", 0, 0, 1},
		{"no such trial", []study.Answer{{ID: 4, Result: oracle.Result{Score: 5}}, {ID: -1, Result: oracle.Result{Score: 5}}}, "", 0, 0, 2},
		{"a negative standard error", []study.Answer{{ID: 3, Result: oracle.Result{Score: 5}, SE: -1}}, "", 0, 0, 1},
		{"an invalid string", []study.Answer{{X: "b!", Result: oracle.Result{Score: 5}}}, "", 0, 0, 1},
		{"a string that the searcher cannot use", []study.Answer{{X: "b?", Result: oracle.Result{Score: 5}}}, "", 0, 0, 1},
		{"good answers among bad ones", []study.Answer{
			{X: "b!", Result: oracle.Result{Score: 5}}, {ID: 3, Result: oracle.Result{Score: 6}}, {ID: 9}, {X: "bb", Result: oracle.Result{Score: 7}},
		}, "6 7", 1, 0, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &script{batches: []string{"aa"}}
			var store study.Memory
			p := study.Problem{Init: design(t, "a=1", "b=1"), Translate: lower}
			st := start(t, p, s, study.Options{Store: &store})
			ask(t, st, 1)
			err := st.Tell(t.Context(), test.answers...)
			if lines := strings.Count(fmt.Sprint(err), "\n") + 1; (err == nil) != (test.errs == 0) || err != nil && lines != test.errs {
				t.Errorf("error %v, want %d of them", err, test.errs)
			}
			trials := st.Trials()
			var scores []string
			for _, trial := range trials[2:] {
				scores = append(scores, fmt.Sprint(trial.Score))
			}
			if got := strings.Join(scores, " "); got != test.scores {
				t.Errorf("scores %q, want %q", got, test.scores)
			}
			if got := st.Status(); got.Calls != test.calls || got.InitCalls != 0 {
				t.Errorf("%d calls and %d initial ones, want %d and 0", got.Calls, got.InitCalls, test.calls)
			}
			last := trials[len(trials)-1]
			if !(math.Abs(last.Variance-test.sd*test.sd) <= 1e-12) {
				t.Errorf("variance %g, want %g", last.Variance, test.sd*test.sd)
			}
			if again := start(t, p, &script{}, study.Options{Store: &store}); fmt.Sprint(again.Page(0, 9)) != fmt.Sprint(st.Page(0, 9)) {
				t.Errorf("replayed: %v, want %v", again.Page(0, 9), st.Page(0, 9))
			}
			if slices.ContainsFunc(s.observed, func(t study.Trial) bool { return t.State == study.Pending }) {
				t.Errorf("the searcher observes a proposal that waits: %v", s.observed)
			}
		})
	}
}

// A string that many tell of at once is one trial.
func TestConcurrentTells(t *testing.T) {
	const tellers = 16
	st := start(t, study.Problem{Init: design(t, "a", "b"), Translate: lower}, &climber{}, study.Options{})
	var wg sync.WaitGroup
	for i := range tellers {
		wg.Go(func() {
			x := []string{"ccc", "CCC", "cCc"}[i%3]
			if err := st.Tell(t.Context(), study.Answer{X: x, Result: oracle.Result{Score: 1}}); err != nil {
				t.Error(err)
			}
			if _, err := st.Ask(t.Context(), 1); err != nil {
				t.Error(err)
			}
			st.Status()
		})
	}
	wg.Wait()
	n, inputs := 0, map[string]bool{}
	for _, trial := range st.Trials() {
		n += len(trial.Measurements)
		inputs[trial.Input] = true
	}
	for _, p := range st.Pending() {
		if inputs[p.Input] {
			t.Errorf("%q is pending twice, or known", p.Input)
		}
		inputs[p.Input] = true
	}
	if trials := len(st.Trials()); trials != 1 || n != tellers || len(st.Pending()) != tellers {
		t.Errorf("%d trials of %d measurements and %d pending, want 1 of %d and as many", trials, n, len(st.Pending()), tellers)
	}
}

// full is a store whose Save of some trials fails, each once.
type full struct {
	study.Memory
	fails []string // X
}

var errFull = errors.New("the disk is full")

func (f *full) Save(ctx context.Context, e study.Event) error {
	for _, t := range e.Trials {
		if i := slices.Index(f.fails, t.X); i >= 0 && t.State != study.Pending {
			f.fails = slices.Delete(f.fails, i, i+1)
			return errFull
		}
	}
	return f.Memory.Save(ctx, e)
}

// A Save that fails ends the run. Another Run loses nothing and asks for nothing that was stored.
func TestFailedSave(t *testing.T) {
	tests := []struct {
		name, fails string // X of the trials whose Save fails
		perCall     int
		errs        []string // of the first Runs
		calls       int      // of the oracle in all
	}{
		{"an initial score", "b", 1, []string{`record 3 known strings`}, 7},
		{"an invalid initial string", "c!", 1, []string{`record 3 known strings`}, 7},
		{"an initial answer", "d", 1, []string{`trial 4, "d" with score 1`}, 8},
		{"an invalid proposal", "ff!", 1, []string{`store 4 proposals`}, 7},
		{"an answer", "gg", 1, []string{`trial 8, "gg" with score 2`}, 8},
		{"one after the other", "a d jjj", 1, []string{`known strings`, `"d"`, `"jjj"`}, 9},
		{"one answer of a call", "gg", 3, []string{`trial 8, "gg" with score 2`}, 8},
		{"two answers of a call", "ee hh", 3, []string{`trial 7, "ee" with score 2`}, 9},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var calls atomic.Int64
			store := &full{fails: strings.Fields(test.fails)}
			p := study.Problem{
				Init: design(t, "a=1", "b=2", "c!", "d", "e"), Translate: lower,
				Oracle: oracle.Func(func(x string) oracle.Result {
					calls.Add(1)
					return length(x)
				}),
			}
			s := &script{batches: []string{"ee gg hh ff!", "iii jjj"}}
			st := start(t, p, s, study.Options{Budget: 5, Workers: 1, PerCall: test.perCall, Store: store})
			for _, want := range test.errs {
				if err := st.Run(t.Context()); !errors.Is(err, errFull) || !strings.Contains(err.Error(), want) {
					t.Errorf("Run: %v, want one of %s that wraps %v", err, want, errFull)
				}
				again := start(t, p, &script{}, study.Options{Store: &store.Memory})
				wantLines(t, "stored", lines(again.Trials()), lines(st.Trials()))
			}
			if err := st.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			whole := start(t, p, &script{batches: []string{"ee gg hh ff!", "iii jjj"}}, study.Options{Budget: 5})
			if err := whole.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantLines(t, "trials", lines(st.Trials()), lines(whole.Trials()))
			wantLines(t, "observed", lines(s.observed), lines(whole.Trials()))
			if got := int(calls.Load()) - 7; got != test.calls {
				t.Errorf("%d calls of the oracle, want %d", got, test.calls)
			}
		})
	}
}

// What the searcher failed to observe it observes in the next Ask.
func TestFailedObserve(t *testing.T) {
	s := &script{batches: []string{"aa bb!"}, fails: 3}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length, Translate: lower}, s, study.Options{Budget: 1})
	for range 3 {
		if err := st.Run(t.Context()); !errors.Is(err, errObserve) || !strings.Contains(err.Error(), "observe trial 1") {
			t.Errorf("Run: %v, want %v", err, errObserve)
		}
	}
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantLines(t, "observed", lines(s.observed), lines(st.Trials()))
}

// A Feasible that fails ends the run, and no proposal is lost.
func TestFailedFeasible(t *testing.T) {
	broken, fails := errors.New("broken"), true
	s := &script{batches: []string{"aa bb"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length, Feasible: func(input string) (bool, error) {
		if input == "bb" && fails {
			fails = false
			return false, broken
		}
		return true, nil
	}}, s, study.Options{Budget: 2})
	if err := st.Run(t.Context()); !errors.Is(err, broken) || !strings.Contains(err.Error(), `trial 3: ask: is "bb" feasible`) {
		t.Errorf("Run: %v, want that of Feasible", err)
	}
	if err := st.Run(t.Context()); err != nil || len(st.Trials()) != 4 {
		t.Errorf("Run: %v, %d trials, want 4", err, len(st.Trials()))
	}
}

// An oracle that breaks down ends the run. A call that is under way goes on, its answer is stored, and no other call begins.
func TestFailedOracle(t *testing.T) {
	gone := errors.New("the licence server is gone")
	var begun atomic.Int64
	underWay, failed := make(chan struct{}), make(chan struct{})
	broken := true
	breaks := oracle.Each(1, func(ctx context.Context, x string) (oracle.Result, error) {
		begun.Add(1)
		switch {
		case !broken:
		case x == "a":
			<-underWay
			return oracle.Result{}, gone
		default:
			close(underWay)
			<-failed
			return oracle.Result{Score: 1}, ctx.Err()
		}
		return oracle.Result{Score: 1}, nil
	})
	var store study.Memory
	p := study.Problem{Init: design(t, "a", "b", "c", "d"), Oracle: breaks}
	st := start(t, p, &script{}, study.Options{Workers: 2, Store: &store, Logger: slog.New(signal{slog.DiscardHandler, failed})})
	err := st.Run(t.Context())
	if !errors.Is(err, gone) || !strings.Contains(err.Error(), `trial 1: score "a"`) {
		t.Errorf("Run: %v, want one of trial 1 that wraps %v", err, gone)
	}
	wantLines(t, "trials", lines(st.Trials()), []string{"2 b/b initial 0: 1 called"})
	if begun.Load() != 2 {
		t.Errorf("%d calls, want 2", begun.Load())
	}

	broken = false
	resumed := start(t, p, &script{}, study.Options{Store: &store})
	if err := resumed.Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
		t.Fatal(err)
	}
	if begun.Load() != 5 || len(resumed.Trials()) != 4 {
		t.Errorf("%d calls for %d trials with the resume, want 3 more for the 4", begun.Load(), len(resumed.Trials()))
	}
}

// signal is a log that closes a channel with the first warning.
type signal struct {
	slog.Handler
	warned chan struct{}
}

func (s signal) Enabled(context.Context, slog.Level) bool { return true }

func (s signal) Handle(_ context.Context, r slog.Record) error {
	if r.Level == slog.LevelWarn {
		close(s.warned)
	}
	return nil
}

func (s signal) WithAttrs([]slog.Attr) slog.Handler { return s }

// A run that is cancelled within a batch begins no other call, and the searcher observes the batch when it is complete.
func TestCancelWithinABatch(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var calls atomic.Int64
	deaf := oracle.Func(func(x string) oracle.Result {
		if calls.Add(1); x == "bb" {
			cancel(enough)
		}
		return length(x)
	})
	s := &script{batches: []string{"aa bb cc dd"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: deaf}, s, study.Options{Budget: 4, Workers: 1})
	if err := st.Run(ctx); !errors.Is(err, enough) || calls.Load() != 2 || len(st.Trials()) != 4 || len(s.observed) != 2 {
		t.Errorf("Run: %v after %d calls, %d trials, %d observed, want the cause after 2, 4, 2", err, calls.Load(), len(st.Trials()), len(s.observed))
	}
	if err := st.Run(t.Context()); err != nil || calls.Load() != 4 {
		t.Errorf("Run again: %v after %d calls, want 4", err, calls.Load())
	}
	wantLines(t, "observed", lines(s.observed), lines(st.Trials()))
}

// fixed is an oracle that answers every batch with so many results.
type fixed int

func (f fixed) Score(context.Context, []string) ([]oracle.Result, error) {
	return make([]oracle.Result, f), nil
}

func TestNumberOfResults(t *testing.T) {
	for _, n := range []fixed{0, 2, 4} {
		st := start(t, study.Problem{Init: design(t, "a", "b", "c"), Oracle: n}, &script{}, study.Options{PerCall: 3})
		err := st.Run(t.Context())
		if want := fmt.Sprintf(`trial 1: score "a" and 2 more: oracle: %d results for 3 strings`, n); err == nil || err.Error() != want {
			t.Errorf("Run: %v, want %s", err, want)
		}
		if len(st.Trials()) > 0 || len(st.Pending()) != 3 {
			t.Errorf("%d trials and %d pending, want 0 and 3", len(st.Trials()), len(st.Pending()))
		}
	}
}

func TestWorkers(t *testing.T) {
	const workers = 3
	var at, most atomic.Int64
	together := make(chan struct{}) // closed by the last of three
	meet := oracle.Func(func(string) oracle.Result {
		n := at.Add(1)
		defer at.Add(-1)
		if n > most.Load() {
			most.Store(n)
		}
		if n == workers {
			close(together)
		}
		<-together
		return oracle.Result{Score: 1}
	})
	st := start(t, study.Problem{Init: design(t, "a", "b", "c"), Oracle: meet}, &script{}, study.Options{Workers: workers})
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) || most.Load() != workers {
		t.Errorf("%v, %d calls at a time, want %d", err, most.Load(), workers)
	}
}

// Some programs report huge numbers for what they could not score.
func TestHugeScores(t *testing.T) {
	for _, huge := range []float64{1e200, -1e300, math.Inf(1), math.MaxFloat64} {
		o := oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: huge} })
		st := start(t, study.Problem{Init: design(t, "a", "b"), Oracle: o}, &script{}, study.Options{})
		if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
			t.Fatal(err)
		}
		trial := st.Trials()[1]
		if want := fmt.Sprintf("the oracle answered %g", huge); trial.State != study.Failed || !math.IsNaN(trial.Score) || trial.Reason != want {
			t.Errorf("trial %+v, want none, for %q", trial, want)
		}
	}
}

// A search that found nothing to ask for goes on when it is told something new.
func TestExhausted(t *testing.T) {
	batches := make([]string, 1000)
	batches[250] = "aa"
	s := &script{batches: batches}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}, s, study.Options{Budget: 1})
	for range 2 { // the same as long as nothing is told
		err := st.Run(t.Context())
		if !errors.Is(err, study.ErrExhausted) || !strings.Contains(err.Error(), "200 proposals in a row") || len(s.asked) != 200 {
			t.Errorf("after %d proposals: %v, want ErrExhausted after 200", len(s.asked), err)
		}
	}
	tell(t, st, "c", 3)
	if err := st.Run(t.Context()); err != nil || st.Status().Calls != 1 {
		t.Errorf("Run: %v, %d calls, want the one that is left", err, st.Status().Calls)
	}
}

func TestCancel(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &script{batches: []string{"aa bb", "cc dd", "ee ff"}}
	st := start(t, study.Problem{Init: design(t, "a", "b"), Oracle: length}, s, study.Options{Watch: func(s study.Status) {
		if s.Calls == 4 {
			cancel(enough)
		}
	}})
	if err := st.Run(ctx); !errors.Is(err, enough) || st.Status().Calls != 4 {
		t.Errorf("Run: %v after %d calls, want the cause after 4", err, st.Status().Calls)
	}
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) || st.Status().Calls != 6 {
		t.Errorf("Run again: %v after %d calls, want all 6", err, st.Status().Calls)
	}
}

func TestLookup(t *testing.T) {
	s := &script{batches: []string{"aa bb! xx cc"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=2"), Oracle: length, Translate: lower, Minimize: true}, s, study.Options{})
	for _, p := range ask(t, st, 9)[:2] {
		r, err := oracle.One(t.Context(), length, p.Input)
		if err != nil {
			t.Fatal(err)
		}
		tell(t, st, p.X, r.Score)
	}
	for x, want := range map[string]string{
		"A": "2 1 a -1", "AA": "2 4 aa -2", "xx": "3 5 xx NaN", "cc": "1 6 cc NaN", "new": "0 0 new NaN",
		"bb!": "4 3  NaN an exclamation mark", "BB!": "4 0  NaN an exclamation mark",
	} {
		e := st.Lookup(x)
		got := fmt.Sprintf("%d %d %s %g", e.State, e.ID, e.Input, e.Value)
		if e.State == study.Invalid {
			got += " " + e.Reason
		}
		if got != want {
			t.Errorf("Lookup(%q): %s, want %s", x, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	good := study.Problem{Init: design(t, "a=1", "b=1")}
	broken := errors.New("broken")
	if _, err := study.New(t.Context(), good, &script{}, study.Options{Store: unreadable{err: broken}}); !errors.Is(err, broken) {
		t.Errorf("a store that cannot be read: %v", err)
	}
	tests := []struct {
		name    string
		problem study.Problem
		opts    study.Options
		want    string
	}{
		{"one string", study.Problem{Init: design(t, "a", "A"), Translate: lower}, study.Options{}, "1 different initial strings; give at least 2"},
		{"a string that the searcher cannot use", study.Problem{Init: design(t, "a", "b?")}, study.Options{}, `initial string 2, "b?": a question mark`},
		{"no number", study.Problem{Init: design(t, "a=1", "b=NaN")}, study.Options{}, `initial string 2, "b": score NaN; leave it unscored or out`},
		{"a huge number", study.Problem{Init: design(t, "a=1e200", "b")}, study.Options{}, `initial string 1, "a": score 1e+200; leave it unscored`},
		{"budget", good, study.Options{Budget: -1}, "budget -1"},
		{"batch", good, study.Options{Batch: -2}, "batch -2"},
		{"workers", good, study.Options{Workers: -3}, "workers -3"},
		{"strings per call", good, study.Options{PerCall: -4}, "strings per call -4"},
		{"an event is missing", good, study.Options{Store: stored{trialEvent(1), trialEvent(3)}},
			"replay the store: event 2 is about trial 3 of 1"},
		{"no ID", good, study.Options{Store: stored{trialEvent(0)}}, "event 1 is about trial 0 of 0"},
	}
	for _, test := range tests {
		if _, err := study.New(t.Context(), test.problem, &script{}, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want one that says %q", test.name, err, test.want)
		}
	}
	if _, err := study.New(t.Context(), good, nil, study.Options{}); err == nil || err.Error() != "study: New needs a Searcher" {
		t.Errorf("New without a searcher: %v", err)
	}
	if err := start(t, good, &script{}, study.Options{}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "needs an Oracle") {
		t.Errorf("Run without an oracle: %v", err)
	}
}

// unreadable is a store that has no events to give.
type unreadable struct {
	study.Store
	err error
}

func (u unreadable) Events(context.Context) ([]study.Event, error) { return nil, u.err }

// Trials carry the user's names, those of answers from outside too, and an answer may rename a trial.
func TestNames(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: []study.Observation{{X: "a", Name: "CMP-1", Measurements: study.Measured(1)}, {X: "b", Name: "CMP-2"}}}
	st := start(t, p, &script{batches: []string{"c"}}, study.Options{Store: store})
	tell := func(a study.Answer) {
		t.Helper()
		if err := st.Tell(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the initial design, and a proposal
		asked, err := st.Ask(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		tell(study.Answer{ID: asked[0].ID, Result: oracle.Result{Score: 2}})
	}
	tell(study.Answer{X: "d", Name: "CMP-4", Result: oracle.Result{Score: 4}})
	tell(study.Answer{X: "c", Name: "CMP-3", Result: oracle.Result{Score: 3}})
	for _, st := range []*study.Study{st, start(t, p, &script{batches: []string{"c"}}, study.Options{Store: store})} {
		var names []string
		for _, trial := range st.Trials() {
			names = append(names, trial.X+trial.Name)
		}
		if got := strings.Join(names, " "); got != "aCMP-1 bCMP-2 cCMP-3 dCMP-4" {
			t.Errorf("trials %s", got)
		}
	}
}

func TestGauge(t *testing.T) {
	r := study.Report{Gauges: []study.Gauge{{Name: "side", Value: 0.8}, {Name: "restarts", Value: 2}}}
	if r.Gauge("restarts") != 2 || !math.IsNaN(r.Gauge("best")) {
		t.Errorf("gauges %g and %g, want 2 and NaN", r.Gauge("restarts"), r.Gauge("best"))
	}
}

func trialEvent(id int) study.Event {
	return study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: id, X: "a"}, State: study.Scored}}}
}

// stored is a store that holds events.
type stored []study.Event

func (stored) Save(context.Context, study.Event) error         { return nil }
func (s stored) Events(context.Context) ([]study.Event, error) { return s, nil }

// What is left of an initial design without scores is asked for by the process that goes on with the study.
func TestResumedWithinTheInitialDesign(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a", "b", "c", "d", "e"), Oracle: length}
	opts := study.Options{Budget: 2, Batch: 2, Store: store}
	ask(t, start(t, p, &script{}, opts), 2)
	again := start(t, p, &script{}, opts)
	tell(t, again, "a", 1)
	var got []string
	for _, proposal := range ask(t, again, 9) {
		got = append(got, proposal.X)
	}
	if want := []string{"c", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}

	run := start(t, p, &script{batches: []string{"aa bbb"}}, opts)
	if err := run.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantLines(t, "trials", lines(run.Trials())[4:], []string{"5 e/e initial 0: 1 called", "6 aa/aa acquired 1: 2 called", "7 bbb/bbb acquired 1: 3 called"})
}

// durable is a script with snapshots.
type durable struct{ *script }

func (d durable) Snapshot() ([]byte, error) { return []byte(strings.Join(d.batches, ";")), nil }

func (d durable) Restore(snapshot []byte) error {
	d.batches = strings.Split(string(snapshot), ";")
	return nil
}

// A study that is resumed after hundreds of batches has not lost patience if each batch brought something new.
func TestResumedAfterManyBatches(t *testing.T) {
	var batches []string
	for i := range 250 {
		batches = append(batches, fmt.Sprint("s", i))
	}
	p := study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}
	for name, searcher := range map[string]func() study.Searcher{
		"asked again": func() study.Searcher { return &script{batches: batches} },
		"restored":    func() study.Searcher { return durable{&script{batches: batches}} },
	} {
		store := &study.Memory{}
		if err := start(t, p, searcher(), study.Options{Budget: 230, Batch: 1, Store: store}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		st := start(t, p, searcher(), study.Options{Budget: 250, Batch: 1, Store: store})
		if err := st.Run(t.Context()); err != nil || len(st.Trials()) != 252 {
			t.Errorf("%s: %d trials and %v, want 252", name, len(st.Trials()), err)
		}
	}
}

// newer is a searcher of a later version, which cannot use the snapshots of earlier ones.
type newer struct{ *script }

func (newer) Snapshot() ([]byte, error) { return []byte("new"), nil }

func (newer) Restore(snapshot []byte) error { return fmt.Errorf("%s: %w", snapshot, study.ErrForeign) }

// A study goes on where the searcher cannot use a snapshot: what was measured is what counts.
func TestResumedByAnotherSearch(t *testing.T) {
	p, store := study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}, &study.Memory{}
	if err := start(t, p, durable{&script{batches: []string{"cc", "ddd"}}}, study.Options{Budget: 2, Batch: 1, Store: store}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	st := start(t, p, newer{&script{batches: []string{"eeee"}}}, study.Options{Budget: 3, Batch: 1, Store: store})
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := st.Trials(); len(got) != 5 || got[4].X != "eeee" {
		t.Errorf("trials %v, want those of before, and then eeee", lines(got))
	}
}

// A study that is resumed observes answers to its initial design in the order in which it had, between one Ask and the next.
func TestResumedObservesInOrder(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a", "b", "c", "d")}
	whole, resumed := &script{batches: []string{"aa"}}, &script{batches: []string{"aa"}}
	st := start(t, p, whole, study.Options{Store: store})
	ask(t, st, 2)
	tell(t, st, "b", 1)
	ask(t, st, 2)
	for _, x := range []string{"a", "c", "d"} {
		tell(t, st, x, 1)
	}
	events, err := store.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again := start(t, p, resumed, study.Options{Store: stored(events)})
	ask(t, st, 1)
	ask(t, again, 1)
	wantLines(t, "observed", lines(resumed.observed), lines(whole.observed))
	if first := whole.observed[0].X; first != "b" {
		t.Errorf("%s was observed first, want b", first)
	}
}

// meddled is a durable script; during its first snapshot something else happens.
type meddled struct {
	durable
	once *sync.Once
	also func()
}

func (m meddled) Snapshot() ([]byte, error) {
	m.once.Do(m.also)
	return m.durable.Snapshot()
}

// A proposal that is told before it is stored is observed as skipped, once, even if that Save fails.
func TestToldBeforeItWasStored(t *testing.T) {
	s := &script{batches: []string{"aa bb cc!", "dd"}}
	var st *study.Study
	m := meddled{durable{s}, new(sync.Once), func() { tell(t, st, "aa", 7) }}
	st = start(t, study.Problem{Init: design(t, "a=1", "b=1"), Translate: lower}, m, study.Options{Store: &full{fails: []string{"cc!"}}})
	if _, err := st.Ask(t.Context(), 2); !errors.Is(err, errFull) {
		t.Fatalf("Ask: %v, want %v", err, errFull)
	}
	for _, want := range []string{"bb", "dd"} {
		if got := ask(t, st, 1); got[0].X != want {
			t.Errorf("asked for %q, want %q", got[0].X, want)
		}
	}
	var aa []study.State
	for _, o := range s.observed {
		if o.X == "aa" {
			aa = append(aa, o.State)
		}
	}
	slices.Sort(aa)
	if want := []study.State{study.Scored, study.Skipped}; !slices.Equal(aa, want) {
		t.Errorf("aa was observed as %v, want %v", aa, want)
	}
}

// A study that is resumed from a snapshot has counted batches where nothing became a trial.
func TestResumedAfterEmptyBatches(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}
	batches := []string{"", "aa bb", "b a", "cc dd", "", "ee ff"}
	opts := study.Options{Budget: 6, Batch: 2, Store: store}
	whole := start(t, p, durable{&script{batches: batches}}, opts)
	if err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	events, err := store.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < len(events); cut++ {
		if last := events[cut-1]; last.Taken > 0 && len(last.Trials) == 0 {
			continue // all strings were skipped, and only the next batch's number tells that they were a batch
		}
		part := &study.Memory{}
		for _, e := range events[:cut] {
			if err := part.Save(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		opts.Store = part
		st := start(t, p, durable{&script{batches: batches}}, opts)
		if err := st.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantLines(t, fmt.Sprintf("trials after %d of %d events", cut, len(events)), lines(st.Trials()), lines(whole.Trials()))
		if got, want := st.Status().Batches, whole.Status().Batches; got != want {
			t.Errorf("%d batches have ended after %d of %d events and the rest, want %d", got, cut, len(events), want)
		}
	}
}

// A name stands for the latest trial that has it, also after that has got another.
func TestCalled(t *testing.T) {
	measured := study.Measured(1)
	p := study.Problem{Init: []study.Observation{
		{X: "A", Name: "first", Measurements: measured}, {X: "B", Name: "twin", Measurements: measured}, {X: "C", Name: "twin", Measurements: measured},
	}}
	s, err := study.New(t.Context(), p, &chain{}, study.Options{Budget: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	check := func(want map[string]string) {
		t.Helper()
		for name, x := range want {
			if got := s.Called(name); got.X != x || x == "" && got.State != study.Unseen {
				t.Errorf("%q is %q, %v; want %q", name, got.X, got.State, x)
			}
		}
	}
	check(map[string]string{"first": "A", "twin": "C", "": "", "other": ""})
	if err := s.Tell(t.Context(), study.Answer{X: "C", Name: "other", Result: oracle.Result{Score: 2}}); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{"first": "A", "twin": "B", "other": "C"})
	if got := slices.Sorted(slices.Values(s.Names())); !slices.Equal(got, []string{"first", "other", "twin"}) || s.Len() != 3 {
		t.Errorf("names %v of %d trials", got, s.Len())
	}
}

// A second Run would pay for the calls of the first again.
func TestRunTwiceAtOnce(t *testing.T) {
	started, answer := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	slow := oracle.Func(func(x string) oracle.Result {
		if calls.Add(1) == 1 {
			close(started)
			<-answer
		}
		return oracle.Result{Score: float64(len(x))}
	})
	st := start(t, study.Problem{Init: design(t, "a", "b=1"), Oracle: slow}, &script{batches: []string{"aa bbb"}}, study.Options{Budget: 2, Batch: 2})
	first := make(chan error)
	go func() { first <- st.Run(t.Context()) }()
	<-started
	if err := st.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "running already") {
		t.Errorf("a second Run: %v, want that the first is running", err)
	}
	close(answer)
	if err := <-first; err != nil || calls.Load() != 3 {
		t.Errorf("%d calls, %v; want 3", calls.Load(), err)
	}
	if err := st.Run(t.Context()); err != nil {
		t.Errorf("Run after the first: %v", err)
	}
}

// A searcher is asked for no more than the budget has calls.
func TestAskBeyondTheBudget(t *testing.T) {
	s := &script{batches: []string{"aa bbb cccc"}}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=1"), Oracle: length}, s, study.Options{Budget: 3, Batch: 2})
	if got := ask(t, st, 1_000_000); len(got) != 3 || !slices.Equal(s.asked, []int{3}) {
		t.Errorf("%d proposals of a searcher that was asked for %v, want 3", len(got), s.asked)
	}
}
