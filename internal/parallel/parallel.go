// Package parallel runs loops on all processors, with results that do not depend on their number.
package parallel

import (
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
