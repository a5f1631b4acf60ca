package simd

// GemmDirect is Gemm in the caller's goroutine for a B that is read where it lies: the choice where B is
// used once and still in the cache. It returns the same bits as Gemm with neither B transposed.
func GemmDirect(tA bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	mustHold("A", a, lda, m, k, tA)
	mustHold("B", b, ldb, k, n, false)
	mustHold("C", c, ldc, m, n, false)
	p := pool32.Get().(*panels[float32])
	defer func() {
		p.full = nil // it is the caller's
		pool32.Put(p)
	}()
	p.refer(k, n, b, ldb)
	p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
}
