package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
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

// searching returns structures whose searches end with the test.
func searching(t *testing.T) *structures {
	var searches sync.WaitGroup
	t.Cleanup(searches.Wait)
	return &structures{begin: func(search func(context.Context)) bool {
		searches.Go(func() { search(t.Context()) })
		return true
	}}
}

// Who does not wait gets what is known, while the search goes on; who waits gets all. What was asked is not asked again.
func TestQuestionIsAnsweredInParts(t *testing.T) {
	const n = 3 * atOnce
	s, q := withInputs(n), searching(t).question("sub C")
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
	s, q, broken := withInputs(10), searching(t).question("like C"), errors.New("broken")
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

// A search ends with its context, and who waits for it is told that no other begins.
func TestSearchEnds(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	var searches sync.WaitGroup
	all := &structures{begin: func(search func(context.Context)) bool {
		if ctx.Err() != nil {
			return false
		}
		searches.Go(func() { search(ctx) })
		return true
	}}
	const n = 3 * atOnce
	var asked atomic.Int64
	_, err := all.question("sub C").of(t.Context(), withInputs(n), stats.Indices(n), func(input string) (float64, error) {
		if asked.Add(1); input == "0" {
			end()
		}
		return 0, nil
	})
	if f, ok := errors.AsType[failure](err); !ok || f.status != http.StatusServiceUnavailable {
		t.Errorf("error %v", err)
	}
	searches.Wait()
	if asked.Load() >= n {
		t.Errorf("%d of %d trials were asked", asked.Load(), n)
	}
}
