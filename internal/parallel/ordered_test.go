package parallel_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/internal/parallel"
)

func TestOrdered(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		for _, workers := range []int{1, 3, 200} {
			var at, most atomic.Int64
			var got []int
			err := parallel.Ordered(n, workers, func(i int) int {
				now := at.Add(1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				defer at.Add(-1)
				return i * i
			}, func(i, square int) error {
				if square != i*i {
					return fmt.Errorf("got %d for %d", square, i)
				}
				got = append(got, i)
				return nil
			})
			if err != nil || len(got) != n || !slices.IsSorted(got) {
				t.Errorf("n=%d, %d workers: took %v, %v", n, workers, got, err)
			}
			if most.Load() > int64(workers) {
				t.Errorf("n=%d: %d at a time, want at most %d", n, most.Load(), workers)
			}
		}
	}
}

// A result is taken as soon as the earlier ones are complete, while later ones are running.
func TestOrderedDoesNotWait(t *testing.T) {
	taken := make(chan struct{})
	var order []int
	err := parallel.Ordered(2, 2, func(i int) int {
		if i == 1 {
			<-taken
		}
		return i
	}, func(i, _ int) error {
		if order = append(order, i); i == 0 {
			close(taken)
		}
		return nil
	})
	if err != nil || !slices.Equal(order, []int{0, 1}) {
		t.Errorf("took %v, %v", order, err)
	}
}

// After an error no result is taken and no call is started. Later calls wait for the failing one, so at most the earlier
// ones, itself and one per worker have been started.
func TestOrderedEndsWithAnError(t *testing.T) {
	const n, workers, fails = 1000, 4, 10
	broken, failed := errors.New("broken"), make(chan struct{})
	var begun atomic.Int64
	taken := 0
	err := parallel.Ordered(n, workers, func(i int) int {
		begun.Add(1)
		if i > fails {
			<-failed
		}
		return i
	}, func(i, _ int) error {
		taken++
		if i == fails {
			close(failed)
			return broken
		}
		return nil
	})
	if err != broken || taken != fails+1 {
		t.Errorf("%v after %d, want broken after %d", err, taken, fails+1)
	}
	if most := int64(fails + 1 + workers); begun.Load() > most {
		t.Errorf("%d calls were started, want at most %d", begun.Load(), most)
	}
}
