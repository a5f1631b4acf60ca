package simd

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/invbo/invbo/internal/parallel"
)

// Gemm sets the matrix C (m, n) to op(A)·op(B), or adds that to C if add is true. op(A) is (m, k) and
// op(B) is (k, n); op transposes if tA or tB is true. Matrices are row-major; consecutive rows as stored
// are lda, ldb and ldc apart. C may not overlap A or B. Gemm panics if a slice is too short.
//
// Each element of C is one chain over p = 0, 1, …, k−1, begun at 0 or at the old element:
//
//	c ← c + a[p]·b[p]
//
// so that no number of processors and no division into blocks changes it, and its error is at most
// k·eps·(|c| + Σ|a[p]·b[p]|), barring underflow. The step is a fused multiply-add in assembly, rounded once:
// AVX-512 and AVX2 agree in every bit.
func Gemm(tA, tB bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	gemm(&pool32, tA, tB, m, n, k, 1, a, lda, b, ldb, c, ldc, add)
}

// Gemm64 is Gemm in float64, with a factor: it sets C to op(A)·(alpha·op(B)), or adds that to C.
func Gemm64(tA, tB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int, add bool) {
	gemm(&pool64, tA, tB, m, n, k, alpha, a, lda, b, ldb, c, ldc, add)
}

// pool32 and pool64 keep the memory of packed matrices.
var (
	pool32 = sync.Pool{New: func() any { return new(panels[float32]) }}
	pool64 = sync.Pool{New: func() any { return new(panels[float64]) }}
)

const (
	kBlock      = 1024    // rows of a panel that are used at a time: longer, it and strips of A leave the cache; shorter, C comes and goes
	minTask     = 1 << 21 // multiplications that are worth a goroutine's while
	maxTask     = 1 << 23 // multiplications after which A's rows have repaid their way into the cache
	enoughTasks = 16      // before they grow beyond minTask
	taskRows    = 24      // rows of a task, if there are as many: fewer rows are more columns, for which they are fetched once
	packSize    = 1 << 17 // elements of B that are worth a goroutine's while
	few         = 96      // up to so many rows of C, packing B costs more than it gains; of columns, turning A
	turnSize    = 1 << 17 // elements of A from which the tiles' way down its columns leaves the cache
	turnRows    = 32      // stored rows that are worth a goroutine's while
)

func gemm[T float](pool *sync.Pool, tA, tB bool, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, c []T, ldc int, add bool) {
	mustHold("A", a, lda, m, k, tA)
	mustHold("B", b, ldb, k, n, tB)
	mustHold("C", c, ldc, m, n, false)
	if m == 0 || n == 0 {
		return
	}
	p := pool.Get().(*panels[T])
	defer func() {
		p.full = nil // it may be B, which is the caller's
		pool.Put(p)
	}()
	if m <= few && !tB && alpha == 1 {
		p.refer(k, n, b, ldb)
	} else {
		p.pack(tB, k, n, alpha, b, ldb)
	}
	if tA && m*k > turnSize && n > few {
		a, lda = p.turn(m, k, a, lda)
		tA = false
	}
	if m*n*k <= minTask {
		p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
		return
	}
	t := newTile(tA, a, lda, c, ldc, add)
	// Tasks that follow each other share columns of B.
	rows := even(m, max(taskRows, minTask/max(n*k, 1)), tileRows())
	work := min(max(minTask, m*n*k/enoughTasks), maxTask)
	cols := even(n, work/max(rows*k, 1), panelCols[T]())
	down, across := (m-1)/rows+1, (n-1)/cols+1
	parallel.For(down*across, 1, func(task, _ int) {
		i, j := task%down*rows, task/down*cols
		p.mul(min(rows, m-i), j, min(j+cols, n), t.from(i))
	})
}

// even divides n into parts of about size or less, equal but for the last, and returns what they hold: a multiple of unit.
func even(n, size, unit int) int {
	parts := (n-1)/max(size, unit) + 1
	return ((n-1)/parts/unit + 1) * unit
}

// at returns x[i:], or nothing if x is empty, as an operand with k = 0 is.
func at[T float](x []T, i int) []T {
	if len(x) == 0 {
		return nil
	}
	return x[i:]
}

// mustHold panics unless x holds a matrix of rows and cols, or its transpose, with rows ld apart.
func mustHold[T float](name string, x []T, ld, rows, cols int, transposed bool) {
	if transposed {
		rows, cols = cols, rows
	}
	switch {
	case rows < 0 || cols < 0:
		panic(fmt.Sprintf("simd: matrix %s: (%d, %d) is no shape", name, rows, cols))
	case ld < cols:
		panic(fmt.Sprintf("simd: matrix %s: rows of %d are %d apart", name, cols, ld))
	case rows > 0 && cols > 0 && len(x) < (rows-1)*ld+cols:
		panic(fmt.Sprintf("simd: matrix %s: %d elements cannot hold (%d, %d), rows %d apart", name, len(x), rows, cols, ld))
	}
}

// size returns the bytes of a T.
func size[T float]() int {
	var t T
	return int(unsafe.Sizeof(t))
}
