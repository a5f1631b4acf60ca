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
	} else {
		p.packSerial(false, k, n, 1, b, ldb)
		if tA && m > 2*few && n > few {
			a, lda = p.turnSerial(m, k, a, lda)
			tA = false
		}
	}
	p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
}
