package simd

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/invbo/invbo/internal/parallel"
)

// Gemm sets the matrix C (m, n) to op(A)·op(B), or adds it to C if add is true. op(A) is (m, k) and op(B) is (k, n);
// op transposes if tA or tB is true. Matrices are row-major, with stored rows lda, ldb and ldc apart. C may not overlap
// A or B. Gemm panics if a slice is too short.
//
// Each element of C is a sequential sum over p = 0, 1, …, k−1, starting from 0 or the old element:
//
//	c ← c + a[p]·b[p]
//
// Results therefore do not depend on the number of processors or the division into blocks, and the error is at most
// k·eps·(|c| + Σ|a[p]·b[p]|), barring underflow. In assembly each step is a fused multiply-add, rounded once, so
// AVX-512, AVX2 and NEON give the same bits.
func Gemm(tA, tB bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	gemm(&pool32, false, tA, tB, m, n, k, 1, a, lda, b, ldb, c, ldc, add)
}

// Gemm64 is Gemm in float64 with a factor: it sets C to op(A)·(alpha·op(B)), or adds it to C.
func Gemm64(tA, tB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int, add bool) {
	gemm(&pool64, false, tA, tB, m, n, k, alpha, a, lda, b, ldb, c, ldc, add)
}

// Square64 adds alpha·A·Aᵀ, for A (n, k), to the lower triangle of C (n, n), with the sums of Gemm64. Elements above
// the diagonal become undefined.
func Square64(n, k int, alpha float64, a []float64, lda int, c []float64, ldc int) {
	mustHold("A", a, lda, n, k, false)
	mustHold("C", c, ldc, n, n, false)
	if n == 0 {
		return
	}
	p := pool64.Get().(*panels[float64])
	defer pool64.Put(p)
	p.pack(false, true, k, n, alpha, a, lda)
	t := newTile(false, a, lda, c, ldc, true)
	blocks := (n-1)/squareRows + 1
	each := func(block, _ int) {
		from := (blocks - 1 - block) * squareRows // the longest rows first
		to := min(from+squareRows, n)
		p.mul(to-from, 0, min(even(to, to, panelCols[float64]()), n), t.from(from))
	}
	if n*n*k <= 2*minTask {
		for block := range blocks {
			each(block, 0)
		}
		return
	}
	parallel.For(blocks, 1, each)
}

// pool32 and pool64 reuse the memory of packed matrices.
var (
	pool32 = sync.Pool{New: func() any { return new(panels[float32]) }}
	pool64 = sync.Pool{New: func() any { return new(panels[float64]) }}
)

const (
	kBlock      = 1024    // rows of a panel used at a time: more would leave the cache with the strips of A, fewer would reload C more often
	minTask     = 1 << 21 // minimum multiplications per task
	maxTask     = 1 << 23 // maximum multiplications per task, which amortize loading the rows of A
	enoughTasks = 16      // number of tasks beyond which they grow larger than minTask
	taskRows    = 24      // preferred rows per task: fewer rows leave more columns, for which they are loaded once
	serialRows  = 256     // rows of B that mulPacking packs at a time, to stay in the cache
	squareRows  = 48      // rows per task of Square64, whose panels go on to the end of the diagonal block
	packSize    = 1 << 17 // minimum elements of B per packing task
	few         = 96      // rows of C up to which packing B does not pay, and columns up to which transposing A does not
	fewStrided  = 192     // rows of C up to which mulPacking does not transpose A
	turnSize    = 1 << 17 // elements of A above which reading it by column leaves the cache
	turnRows    = 32      // stored rows per transposing task
)

func gemm[T float](pool *sync.Pool, serial, tA, tB bool, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, c []T, ldc int, add bool) {
	mustHold("A", a, lda, m, k, tA)
	mustHold("B", b, ldb, k, n, tB)
	mustHold("C", c, ldc, m, n, false)
	if m == 0 || n == 0 {
		return
	}
	p := pool.Get().(*panels[T])
	defer func() {
		p.full = nil // release the caller's memory
		pool.Put(p)
	}()
	switch {
	case m <= few && !tB && alpha == 1:
		p.refer(k, n, b, ldb)
	case serial:
		p.mulPacking(tA, m, n, k, a, lda, b, ldb, c, ldc, add)
		return
	default:
		p.pack(false, tB, k, n, alpha, b, ldb)
	}
	if !serial && tA && m*k > turnSize && n > few {
		a, lda = p.turn(false, m, k, a, lda)
		tA = false
	}
	if serial || m*n*k <= minTask {
		p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
		return
	}
	t := newTile(tA, a, lda, c, ldc, add)
	// Consecutive tasks share columns of B.
	rows := even(m, max(taskRows, minTask/max(n*k, 1)), tileRows())
	work := min(max(minTask, m*n*k/enoughTasks), maxTask)
	cols := even(n, work/max(rows*k, 1), panelCols[T]())
	down, across := (m-1)/rows+1, (n-1)/cols+1
	parallel.For(down*across, 1, func(task, _ int) {
		i, j := task%down*rows, task/down*cols
		p.mul(min(rows, m-i), j, min(j+cols, n), t.from(i))
	})
}

// even divides n into equal parts (the last may be smaller) of at most about size, and returns their size, a multiple of
// unit.
func even(n, size, unit int) int {
	parts := (n-1)/max(size, unit) + 1
	return ((n-1)/parts/unit + 1) * unit
}

// at returns x[i:], or nil if x is empty, as operands with k = 0 are.
func at[T float](x []T, i int) []T {
	if len(x) == 0 {
		return nil
	}
	return x[i:]
}

// mustHold panics unless x contains a matrix (rows, cols), or its transpose, with rows ld apart.
func mustHold[T float](name string, x []T, ld, rows, cols int, transposed bool) {
	if transposed {
		rows, cols = cols, rows
	}
	switch {
	case rows < 0 || cols < 0:
		panic(fmt.Sprintf("simd: matrix %s: negative shape (%d, %d)", name, rows, cols))
	case ld < cols:
		panic(fmt.Sprintf("simd: matrix %s: rows of %d elements are %d apart", name, cols, ld))
	case rows > 0 && cols > 0 && len(x) < (rows-1)*ld+cols:
		panic(fmt.Sprintf("simd: matrix %s: %d elements are too few for (%d, %d) with rows %d apart", name, len(x), rows, cols, ld))
	}
}

// size returns the size of a T in bytes.
func size[T float]() int {
	var t T
	return int(unsafe.Sizeof(t))
}

// GemmSerial is Gemm in the caller's goroutine, with tB false, for products inside of parallel tasks. It returns the
// same bits.
func GemmSerial(tA bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	gemm(&pool32, true, tA, false, m, n, k, 1, a, lda, b, ldb, c, ldc, add)
}

// mulPacking computes C, packing some rows of B at a time.
func (p *panels[T]) mulPacking(tA bool, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int, add bool) {
	for k0 := 0; k0 == 0 || k0 < k; k0 += serialRows {
		rows := min(serialRows, k-k0)
		p.pack(true, false, rows, n, 1, at(b, k0*ldb), ldb)
		t := newTile(tA, a, lda, c, ldc, add || k0 > 0)
		t.a = at(a, k0*t.acs)
		if tA && m > fewStrided && n > few {
			t.a, t.ars = p.turn(true, m, rows, t.a, lda)
			t.acs = 1
		}
		p.mul(m, 0, n, t)
	}
}

// float is the element type of a matrix product.
type float interface{ float32 | float64 }

// tile is the product of rows of A (rows, k) and a panel of B (k, cols). It is computed in blocks of rows whose sums stay
// in registers.
type tile[T float] struct {
	rows, cols, k int

	a        []T
	ars, acs int // element (i, p) is a[i·ars + p·acs]
	b        []T
	bs       int // row p is b[p·bs:]; a panel narrower than its vectors is padded with zeros
	c        []T
	ldc      int
	base     []T // added to the product, element (i, j) at i·ldBase + j: C itself, one row for all, or nil for none
	ldBase   int
	relu     bool // C is max(0, sum)
}

// newTile returns the tile for C = op(A)·B, or C += op(A)·B.
func newTile[T float](tA bool, a []T, lda int, c []T, ldc int, add bool) tile[T] {
	t := tile[T]{a: a, ars: lda, acs: 1, c: c, ldc: ldc}
	if tA {
		t.ars, t.acs = 1, lda
	}
	if add {
		t.base, t.ldBase = c, ldc
	}
	return t
}

// from returns the tile from row onwards.
func (t tile[T]) from(row int) tile[T] {
	t.a, t.c, t.base = at(t.a, row*t.ars), t.c[row*t.ldc:], at(t.base, row*t.ldBase)
	return t
}

// panelCols returns the columns per panel: two vectors, or 8 in plain Go.
func panelCols[T float]() int {
	switch isa {
	case avx512:
		return 128 / size[T]()
	case avx2, neon:
		return 64 / size[T]()
	}
	return 8
}

// tileRows returns the maximum number of rows computed at a time.
func tileRows() int {
	switch isa {
	case avx512:
		return 12
	case avx2, neon:
		return 6
	}
	return 4
}

// mul computes the tile.
func (t *tile[T]) mul() {
	if isa == portable {
		t.mulGo()
		return
	}
	switch t := any(t).(type) {
	case *tile[float32]:
		tile32(t.rows, t.cols, t.k, unsafe.SliceData(t.a), t.ars, t.acs, unsafe.SliceData(t.b), t.bs, unsafe.SliceData(t.c), t.ldc, unsafe.SliceData(t.base), t.ldBase, t.relu)
	case *tile[float64]:
		tile64(t.rows, t.cols, t.k, unsafe.SliceData(t.a), t.ars, t.acs, unsafe.SliceData(t.b), t.bs, unsafe.SliceData(t.c), t.ldc, unsafe.SliceData(t.base), t.ldBase, t.relu)
	}
}

// mulGo computes four rows by four columns at a time, whose sums stay in registers.
func (t *tile[T]) mulGo() {
	for i := 0; i < t.rows; i += 4 {
		for j := 0; j < t.cols; j += 4 {
			t.mulGo4(i, j)
		}
	}
}

// mulGo4 computes up to four rows and columns of the tile, starting at (i, j). Padding makes four columns of B always
// readable; missing rows repeat the last.
func (t *tile[T]) mulGo4(i, j int) {
	rows, cols := min(4, t.rows-i), min(4, t.cols-j)
	var c [4][4]T
	if t.base != nil {
		for r := range rows {
			copy(c[r][:], t.base[(i+r)*t.ldBase+j:][:cols])
		}
	}
	c00, c01, c02, c03 := c[0][0], c[0][1], c[0][2], c[0][3] // the compiler keeps no array in registers
	c10, c11, c12, c13 := c[1][0], c[1][1], c[1][2], c[1][3]
	c20, c21, c22, c23 := c[2][0], c[2][1], c[2][2], c[2][3]
	c30, c31, c32, c33 := c[3][0], c[3][1], c[3][2], c[3][3]
	i0 := i * t.ars
	i1, i2, i3 := i0+min(1, rows-1)*t.ars, i0+min(2, rows-1)*t.ars, i0+(rows-1)*t.ars
	for p := range t.k {
		b := t.b[p*t.bs+j:][:4:4]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		a := t.a[i0]
		c00, c01, c02, c03 = c00+a*b0, c01+a*b1, c02+a*b2, c03+a*b3
		a = t.a[i1]
		c10, c11, c12, c13 = c10+a*b0, c11+a*b1, c12+a*b2, c13+a*b3
		a = t.a[i2]
		c20, c21, c22, c23 = c20+a*b0, c21+a*b1, c22+a*b2, c23+a*b3
		a = t.a[i3]
		c30, c31, c32, c33 = c30+a*b0, c31+a*b1, c32+a*b2, c33+a*b3
		i0, i1, i2, i3 = i0+t.acs, i1+t.acs, i2+t.acs, i3+t.acs
	}
	c = [4][4]T{{c00, c01, c02, c03}, {c10, c11, c12, c13}, {c20, c21, c22, c23}, {c30, c31, c32, c33}}
	for r := range rows {
		if t.relu {
			for j, v := range c[r] {
				c[r][j] = max(v, 0)
			}
		}
		copy(t.c[(i+r)*t.ldc+j:][:cols], c[r][:])
	}
}
