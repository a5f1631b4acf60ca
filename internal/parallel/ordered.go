package parallel

import (
	"sync"
	"sync/atomic"
)

// Ordered calls f for each of [0, n), up to workers at a time, and gives what it returns to take in order, each as soon as those
// before it are in. take runs in the caller's goroutine. Its first error is Ordered's: then no worker goes on to another i,
// and Ordered returns when they are done with those they have.
func Ordered[T any](n, workers int, f func(i int) T, take func(i int, result T) error) error {
	type reply struct {
		i      int
		result T
	}
	replies, stop := make(chan reply), make(chan struct{})
	var next atomic.Int64
	var others sync.WaitGroup
	defer others.Wait()
	defer func() {
		next.Store(int64(n)) // first: who sees stop, or has just handed in a result, finds nothing left
		close(stop)
	}()
	for range min(n, workers) {
		others.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				select {
				case replies <- reply{i, f(i)}:
				case <-stop:
					return
				}
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
				return err
			}
			at++
		}
	}
	return nil
}
