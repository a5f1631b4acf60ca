package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/internal/parallel"
)

// setProcs sets GOMAXPROCS for the rest of the test.
func setProcs(t *testing.T, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

func TestForChunks(t *testing.T) {
	tests := []struct {
		name     string
		n, grain int
		want     [][2]int
	}{
		{"nothing to do", 0, 4, nil},
		{"negative is nothing", -3, 4, nil},
		{"less than a chunk", 3, 4, [][2]int{{0, 3}}},
		{"one chunk", 4, 4, [][2]int{{0, 4}}},
		{"last chunk is short", 9, 4, [][2]int{{0, 4}, {4, 8}, {8, 9}}},
		{"single elements", 3, 1, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, procs := range []int{1, 2, 7} {
				setProcs(t, procs)
				var mu sync.Mutex
				var got [][2]int
				parallel.For(test.n, test.grain, func(lo, hi int) {
					mu.Lock()
					defer mu.Unlock()
					got = append(got, [2]int{lo, hi})
				})
				slices.SortFunc(got, func(a, b [2]int) int { return a[0] - b[0] })
				if !slices.Equal(got, test.want) {
					t.Errorf("GOMAXPROCS %d: chunks = %v, want %v", procs, got, test.want)
				}
			}
		})
	}
}

func TestForRunsAtOnce(t *testing.T) {
	setProcs(t, 2)
	var both sync.WaitGroup // each chunk waits for the other: one goroutine alone would never return
	both.Add(2)
	parallel.For(2, 1, func(lo, hi int) {
		both.Done()
		both.Wait()
	})
}

func TestForPanics(t *testing.T) {
	want := errors.New("chunk 5")
	for _, procs := range []int{1, 2} {
		setProcs(t, procs)
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("GOMAXPROCS %d: recovered %v, want %v", procs, got, want)
				}
			}()
			var running atomic.Int64
			defer func() {
				if n := running.Load(); n != 0 {
					t.Errorf("GOMAXPROCS %d: %d chunks still run after For", procs, n)
				}
			}()
			parallel.For(1000, 1, func(lo, hi int) {
				running.Add(1)
				defer running.Add(-1)
				if lo == 5 {
					panic(want)
				}
			})
			t.Errorf("GOMAXPROCS %d: For returned", procs)
		}()
	}
	defer func() {
		if recover() == nil {
			t.Error("grain 0 was accepted")
		}
	}()
	parallel.For(1, 0, func(lo, hi int) {})
}

// A loop whose context ends starts no more chunks, and the error is the cause.
func TestForContext(t *testing.T) {
	n := 0
	if err := parallel.ForContext(t.Context(), 100, 7, func(lo, hi int) {}); err != nil {
		t.Errorf("a whole loop: %v", err)
	}
	want := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	setProcs(t, 1)
	err := parallel.ForContext(ctx, 100, 10, func(lo, hi int) {
		if n++; lo == 30 {
			cancel(want)
		}
	})
	if err != want || n != 4 {
		t.Errorf("%d chunks, %v, want 4 and %v", n, err, want)
	}
	if err := parallel.ForContext(ctx, 5, 10, func(lo, hi int) { t.Error("a chunk of a context that is done") }); err != want {
		t.Errorf("%v, want %v", err, want)
	}
}

func TestForInlineAllocatesNothing(t *testing.T) {
	sum := 0
	f := func(lo, hi int) { sum += hi - lo }
	if n := testing.AllocsPerRun(100, func() { parallel.For(8, 8, f) }); n != 0 {
		t.Errorf("%g allocations, want 0", n)
	}
}

func BenchmarkFor(b *testing.B) {
	for b.Loop() {
		parallel.For(16, 1, func(lo, hi int) {})
	}
}
