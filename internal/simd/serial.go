package simd

// GemmSerial is Gemm in the caller's goroutine, with tB false, for products inside of parallel tasks. It returns the same bits.
func GemmSerial(tA bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	mustHold("A", a, lda, m, k, tA)
	mustHold("B", b, ldb, k, n, false)
	mustHold("C", c, ldc, m, n, false)
	p := pool32.Get().(*panels[float32])
	defer func() {
		p.full = nil // release the caller's memory
		pool32.Put(p)
	}()
	if m <= few {
		p.refer(k, n, b, ldb)
		p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
		return
	}
	for k0 := 0; k0 == 0 || k0 < k; k0 += serialRows {
		rows := min(serialRows, k-k0)
		p.packSerial(false, rows, n, 1, at(b, k0*ldb), ldb)
		t := newTile(tA, a, lda, c, ldc, add || k0 > 0)
		t.a = at(a, k0*t.acs)
		if tA && m > fewStrided && n > few {
			turned, ld := p.turnSerial(m, rows, t.a, lda)
			t.a, t.ars, t.acs = turned, ld, 1
		}
		p.mul(m, 0, n, t)
	}
}
