package simd

import (
	"math"
	"sync"
)

// Rows is a matrix, or some columns of one: its rows begin LD apart.
type Rows struct {
	X  []float32
	LD int
}

// from returns the rows without the first ones.
func (r Rows) from(row int) Rows { return Rows{at(r.X, row*r.LD), r.LD} }

// Attention computes one head of scaled dot-product attention (Vaswani et al. 2017, §3.2.1) of n queries to m
// keys, of c columns each:
//
//	Y = D(P)V    P = softmax(S)    S = QKᵀ/√c
//
// Q and Y are (n, c), K and V are (m, c). If causal is true, query i sees only the keys up to i, and m must be at
// least n. A probability of less than exp(−87) times the largest of its row is 0. D drops elements of P, those of query
// i and key j being number j·n + i; with the zero Drop, a row of Y depends on no other row of Q.
//
// stats (2, n) receives what AttentionGrad needs of each query: the largest of its S, and 1/Σexp(S − largest).
func Attention(y Rows, stats []float32, q, k, v Rows, n, m, c int, causal bool, drop Drop) {
	mustHold("Y", y.X, y.LD, n, c, false)
	h := newHead(stats, q, k, v, n, m, c, causal)
	defer heads.Put(h)
	for first := 0; first < n; first += h.lanes {
		queries, keys := h.block(first, n)
		h.scores(q, first, queries, keys)
		softmaxColumns(h.p[:keys*h.lanes], h.stats)
		copy(stats[first:first+queries], h.stats)
		copy(stats[n+first:n+first+queries], h.stats[h.lanes:])
		h.drop(h.p[:keys*h.lanes], drop, first, n)
		out := y.from(first)
		mulPadded(queries, c, keys, tile[float32]{a: h.p, ars: 1, acs: h.lanes, c: out.X, ldc: out.LD}, h.v, h.width)
	}
}

// AttentionGrad adds to dQ, dK and dV the gradients of Attention's operands, where dY is the gradient at its result:
//
//	dV += D(P)ᵀdY    dP = D(dYVᵀ)    dS = P∘(dP − rowsum(P∘dP))/√c    dQ += dS·K    dK += dSᵀQ
//
// A gradient whose X is nil is not wanted.
func AttentionGrad(dq, dk, dv, dy Rows, stats []float32, q, k, v Rows, n, m, c int, causal bool, drop Drop) {
	mustHold("dY", dy.X, dy.LD, n, c, false)
	if dq.X != nil {
		mustHold("dQ", dq.X, dq.LD, n, c, false)
	}
	if dk.X != nil {
		mustHold("dK", dk.X, dk.LD, m, c, false)
	}
	if dv.X != nil {
		mustHold("dV", dv.X, dv.LD, m, c, false)
	}
	h := newHead(stats, q, k, v, n, m, c, causal)
	defer heads.Put(h)
	scale := rootScale(c)
	for first := 0; first < n; first += h.lanes {
		queries, keys := h.block(first, n)
		h.scores(q, first, queries, keys)
		h.turn(h.dy, dy, first, queries, 1)
		mulPadded(keys, h.lanes, c, tile[float32]{a: h.v, ars: h.width, acs: 1, c: h.dp, ldc: h.lanes}, h.turned, h.lanes)
		clear(h.stats)
		copy(h.stats, stats[first:first+queries])
		copy(h.stats[h.lanes:], stats[n+first:n+first+queries])
		h.drop(h.dp[:keys*h.lanes], drop, first, n)
		softmaxColumnsGrad(h.p[:keys*h.lanes], h.dp[:keys*h.lanes], h.stats, scale)
		if dv.X != nil {
			h.drop(h.p[:keys*h.lanes], drop, first, n)
			mulPadded(keys, c, queries, tile[float32]{a: h.p, ars: h.lanes, acs: 1, c: dv.X, ldc: dv.LD, base: dv.X, ldBase: dv.LD}, h.dy, h.width)
		}
		if dk.X != nil {
			mulPadded(keys, c, queries, tile[float32]{a: h.dp, ars: h.lanes, acs: 1, c: dk.X, ldc: dk.LD, base: dk.X, ldBase: dk.LD}, h.q, h.width)
		}
		if dq.X != nil {
			sum := dq.from(first)
			mulPadded(queries, c, keys, tile[float32]{a: h.dp, ars: 1, acs: h.lanes, c: sum.X, ldc: sum.LD, base: sum.X, ldBase: sum.LD}, h.k, h.width)
		}
	}
}

func rootScale(c int) float32 { return float32(1 / math.Sqrt(float64(c))) }

// heads keeps the memory of heads.
var heads = sync.Pool{New: func() any { return new(head) }}

// head is what one head of attention works with. Queries are taken in blocks of as many as a vector has lanes. The scores
// of a block are transposed, a vector for each key: then the sums of a softmax go across vectors, not lanes.
//
// Columns of Q, K, V and dY lie together and are filled up with zeros to whole vectors.
type head struct {
	lanes  int
	width  int // of rows of q, k, v and dy
	m, c   int
	causal bool

	k, v   []float32 // (m, width)
	q, dy  []float32 // of the block (lanes, width)
	turned []float32 // q/√c or dy, transposed (c, lanes)
	p, dp  []float32 // transposed (m, lanes): scores, then probabilities; gradient of probabilities, then of scores
	stats  []float32 // of the block (2, lanes)
	mask   []float32 // (lanes, lanes): −Inf where a key comes after a query, else 0
	memory []float32 // of all but mask
}

// newHead returns a head with K and V loaded.
func newHead(stats []float32, q, k, v Rows, n, m, c int, causal bool) *head {
	mustHold("Q", q.X, q.LD, n, c, false)
	mustHold("K", k.X, k.LD, m, c, false)
	mustHold("V", v.X, v.LD, m, c, false)
	mustMatch("Attention", 2*n, stats)
	if m < 1 || causal && m < n {
		panic("simd: Attention: a query sees no key")
	}
	h := heads.Get().(*head)
	h.reserve(m, c)
	h.causal = causal
	gather(h.k, h.width, k, m, c)
	gather(h.v, h.width, v, m, c)
	return h
}

// reserve gets memory for m keys of c columns.
func (h *head) reserve(m, c int) {
	lanes := panelCols[float32]() / 2
	width := (c + lanes - 1) / lanes * lanes
	if need := lanes*(2*width+c+2) + m*2*(width+lanes); cap(h.memory) < need {
		h.memory = make([]float32, need)
	}
	free := h.memory[:cap(h.memory)]
	take := func(n int) []float32 {
		s := free[:n:n]
		free = free[n:]
		return s
	}
	h.q, h.dy, h.turned, h.stats = take(lanes*width), take(lanes*width), take(lanes*c), take(lanes*2)
	h.k, h.v, h.p, h.dp = take(m*width), take(m*width), take(m*lanes), take(m*lanes)
	h.width, h.m, h.c = width, m, c
	if h.lanes == lanes {
		return
	}
	h.lanes = lanes
	h.mask = make([]float32, lanes*lanes)
	for key := range lanes {
		for query := range key {
			h.mask[key*lanes+query] = float32(math.Inf(-1))
		}
	}
}

// block returns how many of n queries are in the block that begins at first, and how many keys they see.
func (h *head) block(first, n int) (queries, keys int) {
	queries = min(h.lanes, n-first)
	if h.causal {
		return queries, first + queries
	}
	return queries, h.m
}

// turn copies a block of queries, or of their dY, to block and, times alpha and transposed, to turned.
func (h *head) turn(block []float32, x Rows, first, queries int, alpha float32) {
	gather(block, h.width, x.from(first), queries, h.c)
	clear(block[queries*h.width:])
	packTransposed(h.turned, h.lanes, h.c, h.lanes, alpha, block, h.width)
}

// scores writes the scores of the block to p.
func (h *head) scores(q Rows, first, queries, keys int) {
	h.turn(h.q, q, first, queries, rootScale(h.c))
	all := keys
	if h.causal {
		all = first // keys that every query sees
	}
	t := tile[float32]{a: h.k, ars: h.width, acs: 1, c: h.p, ldc: h.lanes}
	mulPadded(all, h.lanes, h.c, t, h.turned, h.lanes)
	if all < keys {
		t = t.from(all)
		t.base, t.ldBase = h.mask, h.lanes
		mulPadded(keys-all, h.lanes, h.c, t, h.turned, h.lanes)
	}
}

// drop drops from p (keys, lanes), probabilities or their gradient of the block that begins at first, of n queries.
func (h *head) drop(p []float32, d Drop, first, n int) {
	if d == (Drop{}) {
		return
	}
	for key := range len(p) / h.lanes {
		row := p[key*h.lanes:][:h.lanes]
		d.apply(row, row, uint32(key*n+first))
	}
}

// mulPadded is panels.mul for a B (k, n) whose rows are ldb apart and go on with zeros, or values of no meaning, to the
// end of a vector.
func mulPadded(m, n, k int, t tile[float32], b []float32, ldb int) {
	w := panelCols[float32]()
	p := panels[float32]{k: k, n: n, full: b, step: w, stride: ldb, last: at(b, n/w*w), lastWidth: ldb}
	p.mul(m, 0, n, t)
}

// gather copies rows and cols of src to the rows of dst, which are width long, a multiple of a vector, and zero beyond.
func gather(dst []float32, width int, src Rows, rows, cols int) {
	switch isa {
	case avx512:
		gatherAVX512(&dst[0], width, &src.X[0], src.LD, rows, cols)
	case avx2:
		gatherAVX2(&dst[0], width, &src.X[0], src.LD, rows, cols)
	default:
		for i := range rows {
			row := dst[i*width:][:width]
			clear(row[copy(row, src.X[i*src.LD:][:cols]):])
		}
	}
}

// softmaxColumns turns the columns of p (keys, lanes) into their softmax, and sets stats (2, lanes) to the largest
// element of each, and to one over the sum of exponentials of the distances from it.
func softmaxColumns(p, stats []float32) {
	switch isa {
	case avx512:
		softmaxColumnsAVX512(p, stats)
	case avx2:
		softmaxColumnsAVX2(p, stats)
	default:
		softmaxColumnsGo(p, stats)
	}
}

func softmaxColumnsGo(p, stats []float32) {
	lanes := len(stats) / 2
	largest, reciprocal := stats[:lanes], stats[lanes:]
	copy(largest, p)
	for i, x := range p {
		largest[i%lanes] = max(largest[i%lanes], x)
	}
	clear(reciprocal)
	for i, x := range p {
		p[i] = expOrZero(x - largest[i%lanes])
		reciprocal[i%lanes] += p[i]
	}
	for i, sum := range reciprocal {
		reciprocal[i] = 1 / sum
	}
	for i := range p {
		p[i] *= reciprocal[i%lanes]
	}
}

// softmaxColumnsGrad turns p from scores into probabilities, given stats, and dp from the gradient of probabilities
// into that of scores, times scale:
//
//	dp ← p·(dp − Σ p·dp)·scale    the sum over the column
func softmaxColumnsGrad(p, dp, stats []float32, scale float32) {
	switch isa {
	case avx512:
		softmaxColumnsGradAVX512(p, dp, stats, scale)
	case avx2:
		softmaxColumnsGradAVX2(p, dp, stats, scale)
	default:
		softmaxColumnsGradGo(p, dp, stats, scale)
	}
}

func softmaxColumnsGradGo(p, dp, stats []float32, scale float32) {
	lanes := len(stats) / 2
	largest, reciprocal := stats[:lanes], stats[lanes:]
	for lane := range lanes {
		var sum float32
		for i := lane; i < len(p); i += lanes {
			p[i] = expOrZero(p[i]-largest[lane]) * reciprocal[lane]
			sum += p[i] * dp[i]
		}
		for i := lane; i < len(p); i += lanes {
			dp[i] = p[i] * (dp[i] - sum) * scale
		}
	}
}

// expOrZero returns eˣ, or 0 below −87: so no denormal is computed with.
func expOrZero(x float32) float32 {
	if x <= -87 {
		return 0
	}
	q, scale := expm1(float64(x))
	return float32((1 + q) * scale)
}
