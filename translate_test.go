package invbo_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
)

// coarse makes the oracle of a bowl read its strings rounded to quarters, so that many strings are one
// thing, and refuse those with a negative first number.
func coarse(p invbo.Problem, reads map[string]int) invbo.Problem {
	p.Translate = func(x string) (string, error) {
		fields := strings.Fields(x)
		for i, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return "", err
			}
			if i == 0 && v < 0 {
				return "", errors.New("the first number is negative")
			}
			fields[i] = strconv.FormatFloat(math.Round(4*v)/4, 'g', -1, 64)
		}
		return strings.Join(fields, " "), nil
	}
	bowl := p.Oracle.(oracle.Func)
	var lock sync.Mutex
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		lock.Lock()
		defer lock.Unlock()
		reads[x]++
		return bowl(x)
	})
	return p
}

func TestStringsOfOneTranslationAreScoredOnce(t *testing.T) {
	for _, profile := range []string{"fitted", "published"} {
		t.Run(profile, func(t *testing.T) {
			reads := map[string]int{}
			p := coarse(bowl(t, 2), reads)
			opts := turbo(t, 40)
			if profile == "published" {
				opts.Profile = invbo.Published()
				opts.Profile.Candidates = 200
			}
			o, err := invbo.Run(t.Context(), p, opts)
			if err != nil && !errors.Is(err, invbo.ErrDry) {
				t.Fatal(err)
			}
			calls, invalid := 0, 0
			for _, trial := range o.Trials() {
				switch {
				case trial.Called:
					calls++
				case trial.Reason == "the first number is negative" && math.IsNaN(trial.Score) && trial.Input == "":
					invalid++
				default:
					t.Errorf("trial %+v is neither called nor refused", trial)
				}
			}
			for input, n := range reads {
				if n > 1 {
					t.Errorf("%q was scored %d times", input, n)
				}
			}
			if s := o.Status(); calls != s.InitCalls+s.OracleCalls || calls != len(reads) {
				t.Errorf("%d trials called, %d + %d calls, %d different inputs; want all equal", calls, s.InitCalls, s.OracleCalls, len(reads))
			}
			if invalid == 0 {
				t.Error("no string was refused; the test is not about anything")
			}
		})
	}
}

func TestTellKnowsATranslationAgain(t *testing.T) {
	o, err := invbo.New(coarse(bowl(t, 1), map[string]int{}), turbo(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	tell := func(x string, y float64) error {
		a := invbo.Answer{X: x}
		a.Score = y
		return o.Tell(t.Context(), a)
	}
	if err := tell("1.01", 3); err != nil {
		t.Fatal(err)
	}
	if err := tell("0.99", 4); err != nil {
		t.Fatal(err)
	}
	if trials := o.Trials(); len(trials) != 1 || trials[0].Input != "1" || trials[0].X != "1.01" {
		t.Errorf("trials %+v, want one, of 1.01 read as 1", trials)
	}
	if err := tell("-1", 3); err == nil || !strings.Contains(err.Error(), "negative") {
		t.Errorf("telling what stands for nothing: error %v, want the reason", err)
	}
	if err := tell("-1", math.NaN()); err != nil || len(o.Trials()) != 1 {
		t.Errorf("telling that what stands for nothing has no score: error %v, %d trials, want none and 1", err, len(o.Trials()))
	}
}

// Told all of a run's trials in their order, refused ones included, another Optimizer makes the same run.
func TestARunIsMadeAgainFromItsTrials(t *testing.T) {
	opts := turbo(t, 20)
	o, err := invbo.Run(t.Context(), coarse(bowl(t, 2), map[string]int{}), opts)
	if err != nil {
		t.Fatal(err)
	}
	again, err := invbo.New(coarse(bowl(t, 2), map[string]int{}), opts)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, trial := range o.Trials() {
		if _, err := again.Ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		a := invbo.Answer{X: trial.X}
		a.Score, a.Reason = trial.Score, trial.Reason
		if err := again.Tell(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(trial.Score) {
			refused++
		}
	}
	if got, want := fmt.Sprint(again.Trials()), fmt.Sprint(o.Trials()); got != want {
		t.Errorf("trials\n%s\nwant\n%s", got, want)
	}
	if refused == 0 {
		t.Error("the run holds no refused string, and shows nothing of them")
	}
}

// What was refused may be scored later, and what was asked for may be told under another spelling.
func TestTellMendsAndAnswers(t *testing.T) {
	o, err := invbo.New(coarse(bowl(t, 1), map[string]int{}), turbo(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	tell := func(x string, y float64) {
		t.Helper()
		a := invbo.Answer{X: x}
		a.Score = y
		if err := o.Tell(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	tell("0.01", math.NaN()) // a measurement that failed
	tell("0.03", math.NaN())
	tell("0.02", 5)
	if best := o.Best(); len(o.Trials()) != 2 || best.X != "0.02" || best.Score != 5 {
		t.Errorf("best %+v of %d trials, want the score that came later", best, len(o.Trials()))
	}

	asked, err := o.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := asked[0]
	v, err := strconv.ParseFloat(p.Input, 64)
	if err != nil {
		t.Fatal(err)
	}
	tell(strconv.FormatFloat(v+0.03, 'g', -1, 64), 7)
	if last := o.Trials()[len(o.Trials())-1]; last.X != p.X || last.Kind != p.Kind || !last.Called || last.Score != 7 {
		t.Errorf("trial %+v, want the answer to %+v", last, p)
	}
	left, err := o.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range left {
		if again.Input == p.Input {
			t.Errorf("%q is asked for again, as %q", p.Input, again.X)
		}
	}
}
