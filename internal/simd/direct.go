package simd

// GemmDirect is Gemm in the caller's goroutine without packing B: the choice if B is used once and in the cache. It
// returns the same bits as Gemm with tB false.
func GemmDirect(tA bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, add bool) {
	mustHold("A", a, lda, m, k, tA)
	mustHold("B", b, ldb, k, n, false)
	mustHold("C", c, ldc, m, n, false)
	p := pool32.Get().(*panels[float32])
	defer func() {
		p.full = nil // release the caller's memory
		pool32.Put(p)
	}()
	p.refer(k, n, b, ldb)
	p.mul(m, 0, n, newTile(tA, a, lda, c, ldc, add))
}
