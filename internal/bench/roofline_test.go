package bench

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// machine is what bounds kernels here: the roofline model (Williams et al. 2009).
type machine struct {
	peak32, peak64 float64 // operations per second of all processors
	bandwidth      float64 // bytes per second that all processors read of an array of arraySize
}

// arraySize in bytes is beyond the caches of single cores, as weights, counts and Gram matrices are.
const arraySize = 16 << 20

// measureMachine measures the machine once.
var measureMachine = sync.OnceValue(func() machine {
	peak32, peak64 := simd.PeakFlops(400 * time.Millisecond)
	procs := float64(runtime.GOMAXPROCS(0))
	return machine{procs * peak32, procs * peak64, bandwidthOf(arraySize, 200*time.Millisecond)}
})

// bandwidthOf measures, for about d, the bytes per second that all processors together read of an array of the given
// size in bytes, each a part of its own again and again.
func bandwidthOf(size int, d time.Duration) (best float64) {
	const rounds = 4
	x := make([]float32, size/4)
	for i := range x { // pages never written to are all the same page of zeros
		x[i] = 1
	}
	part := max(1, len(x)/runtime.GOMAXPROCS(0))
	for end := time.Now().Add(d); ; {
		start := time.Now()
		parallel.For(len(x), part, func(lo, hi int) {
			for range rounds {
				simd.Max(x[lo:hi])
			}
		})
		best = max(best, float64(4*len(x)*rounds)/time.Since(start).Seconds())
		if time.Now().After(end) {
			return best
		}
	}
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d processors; peak %.0f GFLOP/s in float32, %.0f in float64; %.0f GB/s of %d MiB", simd.ISA(), runtime.GOMAXPROCS(0),
		m.peak32/1e9, m.peak64/1e9, m.bandwidth/1e9, arraySize>>20)
}

// arithmetic returns the seconds that the arithmetic of k takes at the peak.
func (m machine) arithmetic(k kernel) float64 {
	if k.wide {
		return k.flops / m.peak64
	}
	return k.flops / m.peak32
}

// bound returns which of arithmetic and memory takes longer for k at the best, and its seconds.
func (m machine) bound(k kernel) (what string, seconds float64) {
	arithmetic, memory := m.arithmetic(k), k.bytes/m.bandwidth
	if memory > arithmetic {
		return "memory", memory
	}
	return "arithmetic", arithmetic
}

func TestBandwidth(t *testing.T) {
	if b := bandwidthOf(1<<12, time.Millisecond); !(b > 0) {
		t.Errorf("bandwidth = %g", b)
	}
}

func TestBound(t *testing.T) {
	m := machine{peak32: 100, peak64: 50, bandwidth: 10}
	tests := []struct {
		name    string
		k       kernel
		what    string
		seconds float64
	}{
		{"many operations", kernel{flops: 1000, bytes: 50}, "arithmetic", 10},
		{"many bytes", kernel{flops: 100, bytes: 50}, "memory", 5},
		{"float64 takes longer", kernel{flops: 300, bytes: 50, wide: true}, "arithmetic", 6},
		{"bytes only", kernel{bytes: 20}, "memory", 2},
	}
	for _, tt := range tests {
		if what, seconds := m.bound(tt.k); what != tt.what || seconds != tt.seconds {
			t.Errorf("%s: %s, %g s, want %s, %g s", tt.name, what, seconds, tt.what, tt.seconds)
		}
	}
}
