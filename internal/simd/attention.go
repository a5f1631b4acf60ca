package simd

import (
	"math"
	"sync"
)

// Rows is a matrix or a block of columns of one. Its rows start LD apart.
type Rows struct {
	X  []float32
	LD int
}

// from returns the rows from row onwards.
func (r Rows) from(row int) Rows { return Rows{at(r.X, row*r.LD), r.LD} }

// Attention computes one head of scaled dot-product attention (Vaswani et al. 2017, §3.2.1) of n queries to m
// keys with c columns each:
//
//	Y = D(P)V    P = softmax(S)    S = QKᵀ/√c
//
// Q and Y are (n, c), K and V are (m, c). If causal, query i attends to keys 0 to i, and m must be at least n.
// Probabilities below exp(−87) times the largest of a row are 0. D is dropout, with number j·n + i for query i and
// key j; without it, a row of Y is independent of the other rows of Q.
//
// stats (2, n) receives the maximum of each row of S and 1/Σexp(S − maximum), for AttentionGrad.
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

// AttentionGrad adds the gradients of Attention to dQ, dK and dV, given the gradient dY of its result:
//
//	dV += D(P)ᵀdY    dP = D(dYVᵀ)    dS = P∘(dP − rowsum(P∘dP))/√c    dQ += dS·K    dK += dSᵀQ
//
// Gradients with a nil X are not computed.
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

var heads = sync.Pool{New: func() any { return new(head) }}

// head is the memory for one head of attention. Queries are processed in blocks of one vector's lanes. The scores of a
// block are transposed, one vector per key, so that the sums of the softmax are over vectors, not lanes.
//
// Rows of Q, K, V and dY are gathered and padded with zeros to whole vectors.
type head struct {
	lanes  int
	width  int // of the padded rows of q, k, v and dy
	m, c   int
	causal bool

	k, v   []float32 // (m, width)
	q, dy  []float32 // of the block (lanes, width)
	turned []float32 // q/√c or dy, transposed (c, lanes)
	p, dp  []float32 // transposed (m, lanes): scores, then probabilities; gradient of probabilities, then of scores
	stats  []float32 // of the block (2, lanes)
	mask   []float32 // causal (lanes, lanes): −Inf where the key is after the query, else 0
	memory []float32 // of all slices but mask
}

// newHead returns a head with K and V gathered.
func newHead(stats []float32, q, k, v Rows, n, m, c int, causal bool) *head {
	mustHold("Q", q.X, q.LD, n, c, false)
	mustHold("K", k.X, k.LD, m, c, false)
	mustHold("V", v.X, v.LD, m, c, false)
	mustMatch("Attention", 2*n, stats)
	if m < 1 || causal && m < n {
		panic("simd: Attention: a query without keys")
	}
	h := heads.Get().(*head)
	h.reserve(m, c)
	h.causal = causal
	gather(h.k, h.width, k, m, c)
	gather(h.v, h.width, v, m, c)
	return h
}

// reserve allocates memory for m keys of c columns.
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

// block returns the numbers of queries and keys in the block of n queries that starts at first.
func (h *head) block(first, n int) (queries, keys int) {
	queries = min(h.lanes, n-first)
	if h.causal {
		return queries, first + queries
	}
	return queries, h.m
}

// turn copies rows of Q or dY to block, and their transpose times alpha to turned.
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
		all = first // keys visible to every query
	}
	t := tile[float32]{a: h.k, ars: h.width, acs: 1, c: h.p, ldc: h.lanes}
	mulPadded(all, h.lanes, h.c, t, h.turned, h.lanes)
	if all < keys {
		t = t.from(all)
		t.base, t.ldBase = h.mask, h.lanes
		mulPadded(keys-all, h.lanes, h.c, t, h.turned, h.lanes)
	}
}

// drop applies dropout to p (keys, lanes): the probabilities, or their gradient, of the block that starts at first.
func (h *head) drop(p []float32, d Drop, first, n int) {
	if d == (Drop{}) {
		return
	}
	for key := range len(p) / h.lanes {
		row := p[key*h.lanes:][:h.lanes]
		d.apply(row, row, uint32(key*n+first))
	}
}

// mulPadded is panels.mul for a B (k, n) with rows ldb apart that are padded to whole vectors, with any values.
func mulPadded(m, n, k int, t tile[float32], b []float32, ldb int) {
	w := panelCols[float32]()
	p := panels[float32]{k: k, n: n, full: b, step: w, stride: ldb, last: at(b, n/w*w), lastWidth: ldb}
	p.mul(m, 0, n, t)
}

// gather copies (rows, cols) of src to dst, with rows padded with zeros to width, a multiple of a vector.
func gather(dst []float32, width int, src Rows, rows, cols int) {
	if isa != portable {
		gatherRows(&dst[0], width, &src.X[0], src.LD, rows, cols)
		return
	}
	for i := range rows {
		row := dst[i*width:][:width]
		clear(row[copy(row, src.X[i*src.LD:][:cols]):])
	}
}

// softmaxColumnsGo replaces the columns of p (keys, lanes) by their softmax, and sets stats (2, lanes) to the maximum of
// each and 1/Σexp(p − maximum).
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

// softmaxColumnsGradGo replaces the scores p by probabilities, given stats, and the gradient dp of the probabilities by
// the gradient of the scores, times scale:
//
//	dp ← p·(dp − Σ p·dp)·scale    with the sum over the column
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

// expOrZero returns eˣ, or 0 for x ≤ −87, to avoid denormals.
func expOrZero(x float32) float32 {
	if x <= -87 {
		return 0
	}
	q, scale := expm1(float64(x))
	return float32((1 + q) * scale)
}
