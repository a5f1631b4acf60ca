package simd

import "github.com/invbo/invbo/internal/parallel"

// Packed is a matrix B in the memory order of products, which pays if B is used in several products. The zero value is
// ready for Pack. Products with it may run concurrently.
type Packed struct{ p panels[float32] }

// Pack copies op(B) (k, n) to p, reusing its memory. If tB is true, b stores the transpose. Stored rows are ldb apart.
func (p *Packed) Pack(tB bool, k, n int, b []float32, ldb int) {
	mustHold("B", b, ldb, k, n, tB)
	p.p.pack(false, tB, k, n, 1, b, ldb)
}

// GemmPacked is Gemm with a packed B, in the caller's goroutine. It returns the same bits as Gemm, also if called for
// blocks of rows of A.
func GemmPacked(tA bool, m int, a []float32, lda int, b *Packed, c []float32, ldc int, add bool) {
	mustHold("A", a, lda, m, b.p.k, tA)
	mustHold("C", c, ldc, m, b.p.n, false)
	b.p.mul(m, 0, b.p.n, newTile(tA, a, lda, c, ldc, add))
}

// Affine sets C (m, n) to A·B + bias, or to max(0, A·B + bias) if relu is true, in the caller's goroutine. bias (n) is
// added to each row and may be nil. Elements are sums as in Gemm, starting from the bias.
func Affine(m int, a []float32, lda int, b *Packed, bias []float32, relu bool, c []float32, ldc int) {
	mustHold("A", a, lda, m, b.p.k, false)
	mustHold("C", c, ldc, m, b.p.n, false)
	if bias != nil {
		mustMatch("Affine", b.p.n, bias)
	}
	b.p.mul(m, 0, b.p.n, tile[float32]{a: a, ars: lda, acs: 1, c: c, ldc: ldc, base: bias, relu: relu})
}

// panels is a matrix (k, n) split into panels of panelCols columns, the width of a tile of C. The last panel may be
// narrower; it is then padded with zeros to one or two vectors.
type panels[T float] struct {
	k, n int

	full         []T // panel j starts at full[j·step]
	step, stride int // distances between panels, and between rows of a panel

	last      []T // the narrower panel, if any
	lastWidth int // distance between its rows

	memory []T // of full and last
	turned []T // memory for the transpose of A
}

// pack copies alpha·op(B) into p, in the caller's goroutine if serial or little.
func (p *panels[T]) pack(serial, tB bool, k, n int, alpha T, b []T, ldb int) {
	w := panelCols[T]()
	count := n / w
	p.cut(k, n, count*k*w)
	p.full, p.step, p.stride = p.memory[:count*k*w], k*w, w
	parts := k // rows, each read sequentially, or panels if B is transposed
	if tB {
		parts = count
	}
	if serial || k*n <= packSize {
		p.packFull(0, parts, tB, alpha, b, ldb)
	} else {
		cost := k * n / max(parts, 1)
		parallel.For(parts, max(1, packSize/max(cost, 1)), func(lo, hi int) { p.packFull(lo, hi, tB, alpha, b, ldb) })
	}
	packPanel(p.last, p.lastWidth, tB, k, n%w, alpha, b, ldb, count*w)
}

// packFull packs panels [lo, hi) if B is transposed, otherwise rows [lo, hi) of each panel.
func (p *panels[T]) packFull(lo, hi int, tB bool, alpha T, b []T, ldb int) {
	if !tB {
		if lo < hi && p.n >= p.stride {
			packRows(p.full[lo*p.stride:], p.step, b[lo*ldb:], ldb, hi-lo, p.n/p.stride, alpha)
		}
		return
	}
	for j := lo; j < hi; j++ {
		packPanel(p.full[j*p.step:], p.stride, tB, p.k, p.stride, alpha, b, ldb, j*p.stride)
	}
}

// refer makes p refer to B (k, n) without a copy, except of the narrower panel.
func (p *panels[T]) refer(k, n int, b []T, ldb int) {
	w := panelCols[T]()
	count := n / w
	p.cut(k, n, 0)
	p.full, p.step, p.stride = b, w, ldb
	packPanel(p.last, p.lastWidth, false, k, n-count*w, 1, b, ldb, count*w)
}

// turn returns the transpose of a (k, m) and the distance of its rows, which are padded: at a distance of a power of two
// they would displace one another in the cache. If serial, it stays in the caller's goroutine.
func (p *panels[T]) turn(serial bool, m, k int, a []T, lda int) ([]T, int) {
	ld := k + 16
	if cap(p.turned) < m*ld {
		p.turned = make([]T, m*ld)
	}
	turned := p.turned[:m*ld]
	if serial {
		packTransposed(turned, ld, m, k, 1, a, lda)
		return turned, ld
	}
	parallel.For(k, turnRows, func(lo, hi int) {
		packTransposed(turned[lo:], ld, m, hi-lo, 1, a[lo*lda:], lda)
	})
	return turned, ld
}

// cut sets the shape and allocates memory for full elements and the narrower panel.
func (p *panels[T]) cut(k, n, full int) {
	w := panelCols[T]()
	p.k, p.n, p.lastWidth = k, n, 0
	if rest := n % w; rest > w/2 {
		p.lastWidth = w
	} else if rest > 0 {
		p.lastWidth = w / 2
	}
	if need := full + k*p.lastWidth; cap(p.memory) < need {
		p.memory = make([]T, need)
	}
	p.memory = p.memory[:cap(p.memory)]
	p.last = p.memory[full : full+k*p.lastWidth]
}

// packPanel copies columns [col, col+cols) of alpha·op(B) to dst, whose rows are width long.
func packPanel[T float](dst []T, width int, tB bool, k, cols int, alpha T, b []T, ldb, col int) {
	if k == 0 || cols == 0 {
		return
	}
	if tB {
		packTransposed(dst, width, k, cols, alpha, b[col*ldb:], ldb)
	} else {
		for i := range k {
			packRow(dst[i*width:][:cols], alpha, b[i*ldb+col:])
		}
	}
	for i := range k {
		clear(dst[i*width+cols:][:width-cols])
	}
}

// packRows splits k rows of b, times alpha, into full panels of dst, which are step apart. It goes by rows of b, because by
// panels each read would be from another page.
func packRows[T float](dst []T, step int, b []T, ldb, k, panels int, alpha T) {
	if isa == portable {
		w := panelCols[T]()
		for i := range k {
			for j := range panels {
				packRow(dst[j*step+i*w:][:w], alpha, b[i*ldb+j*w:])
			}
		}
		return
	}
	switch dst := any(&dst[0]).(type) {
	case *float32:
		pack32(dst, step, any(&b[0]).(*float32), ldb, k, panels, float32(alpha))
	case *float64:
		pack64(dst, step, any(&b[0]).(*float64), ldb, k, panels, float64(alpha))
	}
}

// packRow sets dst to the first elements of alpha·b.
func packRow[T float](dst []T, alpha T, b []T) {
	copy(dst, b)
	if alpha != 1 {
		for j := range dst {
			dst[j] *= alpha
		}
	}
}

// packTransposed copies cols rows of b of length k, times alpha, to the columns of dst.
func packTransposed[T float](dst []T, width, k, cols int, alpha T, b []T, ldb int) {
	side := 32 / size[T]() // of the squares that assembly transposes
	j := 0
	if squares := k / side; isa != portable && squares > 0 {
		for ; j+side <= cols; j += side {
			transpose(dst[j:], width, b[j*ldb:], ldb, squares, alpha)
			for r := range side {
				for i := squares * side; i < k; i++ {
					dst[i*width+j+r] = alpha * b[(j+r)*ldb+i]
				}
			}
		}
	}
	for ; j < cols; j++ {
		for i, v := range b[j*ldb:][:k] {
			dst[i*width+j] = alpha * v
		}
	}
}

// transpose calls the assembly function for T.
func transpose[T float](dst []T, width int, src []T, ld, n int, alpha T) {
	switch dst := any(&dst[0]).(type) {
	case *float32:
		transpose32(dst, width, any(&src[0]).(*float32), ld, n, float32(alpha))
	case *float64:
		transpose64(dst, width, any(&src[0]).(*float64), ld, n, float64(alpha))
	}
}

// mul computes columns [from, to) of C (m, n); of holds A, C and what is added. from is a multiple of panelCols.
func (p *panels[T]) mul(m, from, to int, of tile[T]) {
	if m == 0 || from == to {
		return
	}
	w := panelCols[T]()
	for k0 := 0; k0 == 0 || k0 < p.k; k0 += kBlock {
		t := of
		t.rows, t.k = m, min(kBlock, p.k-k0)
		t.relu = of.relu && k0+t.k == p.k
		if k0 > 0 {
			of.base, t.ldBase = of.c, of.ldc
		}
		for j := from; j < to; j += w {
			t.cols = min(w, to-j)
			if t.cols == w {
				t.b, t.bs = at(p.full, j/w*p.step+k0*p.stride), p.stride
			} else {
				t.b, t.bs = at(p.last, k0*p.lastWidth), p.lastWidth
			}
			t.a, t.c, t.base = at(of.a, k0*of.acs), of.c[j:], at(of.base, j)
			t.mul()
		}
	}
}
