package parallel

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Ordered calls f for each of [0, n), up to workers at a time, and gives what it returns to take in order, each as soon as those
// before it are in. take runs in the caller's goroutine. Its first error is Ordered's: then no worker goes on to another i,
// and Ordered returns when they are done with those they have. Unless late is nil it is given what they return, and what
// was in before its turn, so that no work is lost.
func Ordered[T any](n, workers int, f func(i int) T, take func(i int, result T) error, late func(i int, result T)) error {
	type reply struct {
		i      int
		result T
	}
	replies := make(chan reply)
	var next atomic.Int64
	var others sync.WaitGroup
	for range min(n, workers) {
		others.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				replies <- reply{i, f(i)}
			}
		})
	}
	early := map[int]T{}
	for at := 0; at < n; {
		r := <-replies
		early[r.i] = r.result
		for result, ok := early[at]; ok; result, ok = early[at] {
			delete(early, at)
			if err := take(at, result); err != nil {
				next.Store(int64(n)) // nothing is left to go on to
				go func() {
					others.Wait()
					close(replies)
				}()
				for r := range replies {
					early[r.i] = r.result
				}
				if late != nil {
					for _, i := range slices.Sorted(maps.Keys(early)) {
						late(i, early[i])
					}
				}
				return err
			}
			at++
		}
	}
	others.Wait()
	return nil
}
