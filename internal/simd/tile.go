package simd

import "unsafe"

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
