// Package parallel runs loops on all processors, with results that do not depend on their number.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls f for the chunks [0, grain), [grain, 2·grain), … of [0, n) in up to GOMAXPROCS goroutines, and returns
// when all calls have returned. The chunks depend on n and grain only, so results per chunk are the same on every
// machine; the order of the calls is not fixed.
//
// If n ≤ grain, f runs in the caller's goroutine. After a panic in f no more chunks are started, and For panics with
// the first value. For panics if grain is not positive.
func For(n, grain int, f func(lo, hi int)) {
	if grain <= 0 {
		panic("parallel: For: grain is not positive")
	}
	if n <= grain {
		if n > 0 {
			f(0, n)
		}
		return
	}
	chunks := (n-1)/grain + 1
	l := loop{n: n, grain: grain, chunks: int64(chunks), f: f}
	for range min(chunks, runtime.GOMAXPROCS(0)) - 1 {
		l.others.Go(l.work)
	}
	l.work()
	l.others.Wait()
	if p := l.panicked.Load(); p != nil {
		panic(*p)
	}
}

// ForContext is For that starts no more calls once ctx is done. The error is then ctx's cause, and some chunks may be
// missing.
func ForContext(ctx context.Context, n, grain int, f func(lo, hi int)) error {
	For(n, grain, func(lo, hi int) {
		if ctx.Err() == nil {
			f(lo, hi)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// loop is one call of For.
type loop struct {
	n, grain int
	chunks   int64
	f        func(lo, hi int)

	next     atomic.Int64 // the next chunk to process
	others   sync.WaitGroup
	panicked atomic.Pointer[any]
}

// work processes chunks until none is left.
func (l *loop) work() {
	defer func() {
		if v := recover(); v != nil {
			l.panicked.CompareAndSwap(nil, &v)
			l.next.Store(l.chunks)
		}
	}()
	for {
		i := l.next.Add(1) - 1
		if i >= l.chunks {
			return
		}
		lo := int(i) * l.grain
		l.f(lo, min(lo+l.grain, l.n))
	}
}

// Ordered calls f for each i in [0, n), up to workers at a time, and passes the results to take in order of i, each as
// soon as the earlier ones are complete. take runs in the caller's goroutine.
//
// If take fails, no more calls of f are started, and Ordered waits for the running ones and returns the error.
func Ordered[T any](n, workers int, f func(i int) T, take func(i int, result T) error) error {
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1) // nobody waits to send
	}
	var next atomic.Int64
	var others sync.WaitGroup
	defer others.Wait()
	for range min(n, workers) {
		others.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				results[i] <- f(i)
			}
		})
	}
	for i, result := range results {
		if err := take(i, <-result); err != nil {
			next.Store(int64(n)) // start no more calls
			return err
		}
	}
	return nil
}
