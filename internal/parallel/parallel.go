// Package parallel splits a loop over the processors. What it computes never depends on how many there are.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls f for the chunks [0, grain), [grain, 2·grain), … of [0, n), from up to GOMAXPROCS goroutines,
// and returns when all calls have. The chunks depend on n and grain alone, so that a result that is
// computed per chunk is the same on every machine; their order is not fixed.
//
// If n ≤ grain, f runs in the caller's goroutine. A panic in f stops the chunks not yet begun and goes on
// in the caller, with the value of the first. For panics if grain is not positive.
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

// loop is one call of For.
type loop struct {
	n, grain int
	chunks   int64
	f        func(lo, hi int)

	next     atomic.Int64 // the first chunk that nobody has taken
	others   sync.WaitGroup
	panicked atomic.Pointer[any]
}

// work takes chunks until none is left.
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
