package parallel

import (
	"sync"
	"sync/atomic"
)

// Ordered calls f for each i in [0, n), up to workers at a time, and passes the results to take in order of i, each as
// soon as the earlier ones are complete. take runs in the caller's goroutine.
//
// If take fails, no more calls of f are started, and Ordered waits for the running ones and returns the error.
func Ordered[T any](n, workers int, f func(i int) T, take func(i int, result T) error) error {
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
				next.Store(int64(n)) // start no more calls
				go func() {
					others.Wait()
					close(replies)
				}()
				for range replies { // let the running calls end
				}
				return err
			}
			at++
		}
	}
	others.Wait()
	return nil
}
