package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// withInputs returns a snapshot of n trials.
func withInputs(n int) *snapshot {
	s := &snapshot{trials: make([]study.Trial, n)}
	for i := range s.trials {
		s.trials[i].Input = fmt.Sprint(i)
	}
	return s
}

// Who does not wait gets what is known, while the search goes on; who waits gets all. What was asked is not asked again.
func TestQuestionIsAnsweredInParts(t *testing.T) {
	const n = 3 * atOnce
	s, q := withInputs(n), new(structures).question("sub C")
	release, asked := make(chan struct{}), make([]int, n)
	answer := func(input string) (float64, error) {
		var i int
		fmt.Sscan(input, &i)
		if i >= atOnce { // the first turn ends
			<-release
		}
		asked[i]++
		return float64(i), nil
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	part, err := q.of(impatient, s, stats.Indices(n), answer)
	if err != nil || part[n-1] != unanswered {
		t.Fatalf("the last of %d is %g at once, %v", len(part), part[n-1], err)
	}
	close(release)
	all, err := q.of(t.Context(), s, stats.Indices(n), answer)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if v != float64(i) {
			t.Fatalf("trial %d: %g", i, v)
		}
	}
	more := withInputs(n + 1)
	asked = append(asked, 0)
	if all, err = q.of(impatient, more, stats.Indices(n), answer); err != nil || slices.Contains(all[:n], unanswered) || all[n] != unanswered {
		t.Errorf("what is known takes time: %v", err)
	}
	if all, err = q.of(t.Context(), more, stats.Indices(n+1), answer); err != nil || all[n] != float64(n) {
		t.Errorf("the new trial: %g, %v", all[n], err)
	}
	if slices.Max(asked) != 1 || slices.Min(asked) != 1 {
		t.Errorf("trials were asked %d to %d times", slices.Min(asked), slices.Max(asked))
	}
}

// An answer that fails ends the search, and is an error once.
func TestQuestionFails(t *testing.T) {
	s, q, broken := withInputs(10), new(structures).question("like C"), errors.New("broken")
	fails := true
	answer := func(string) (float64, error) {
		if fails {
			return 0, broken
		}
		return 1, nil
	}
	if _, err := q.of(t.Context(), s, stats.Indices(10), answer); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	fails = false
	if all, err := q.of(t.Context(), s, stats.Indices(10), answer); err != nil || slices.Contains(all, unanswered) {
		t.Errorf("answers %v, %v", all, err)
	}
}
