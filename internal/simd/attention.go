package simd

import (
	"fmt"
	"math"
	"slices"
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
	for first := 0; first < n; first += blockQueries {
		queries, keys := h.block(first, n)
		h.scores(q, first, queries, keys)
		softmaxColumns(h.p[:keys*blockQueries], h.stats)
		copy(stats[first:first+queries], h.stats)
		copy(stats[n+first:n+first+queries], h.stats[blockQueries:])
		h.drop(h.p[:keys*blockQueries], drop, first, n)
		out := y.from(first)
		mulPadded(queries, c, keys, tile[float32]{a: h.p, ars: 1, acs: blockQueries, c: out.X, ldc: out.LD}, h.v, h.width)
	}
}

// AttentionGrad adds the gradients of Attention to dQ, dK and dV, given the gradient dY of its result:
//
//	dV += D(P)ᵀdY    dP = D(dYVᵀ)    dS = P∘(dP − rowsum(P∘dP))/√c    dQ += dS·K    dK += dSᵀQ
func AttentionGrad(dq, dk, dv, dy Rows, stats []float32, q, k, v Rows, n, m, c int, causal bool, drop Drop) {
	mustHold("dY", dy.X, dy.LD, n, c, false)
	mustHold("dQ", dq.X, dq.LD, n, c, false)
	mustHold("dK", dk.X, dk.LD, m, c, false)
	mustHold("dV", dv.X, dv.LD, m, c, false)
	h := newHead(stats, q, k, v, n, m, c, causal)
	defer heads.Put(h)
	scale := rootScale(c)
	for first := 0; first < n; first += blockQueries {
		queries, keys := h.block(first, n)
		h.scores(q, first, queries, keys)
		h.turn(h.dy, dy, first, queries, 1)
		mulPadded(keys, blockQueries, c, tile[float32]{a: h.v, ars: h.width, acs: 1, c: h.dp, ldc: blockQueries}, h.turned, blockQueries)
		clear(h.stats)
		copy(h.stats, stats[first:first+queries])
		copy(h.stats[blockQueries:], stats[n+first:n+first+queries])
		h.drop(h.dp[:keys*blockQueries], drop, first, n)
		softmaxColumnsGrad(h.p[:keys*blockQueries], h.dp[:keys*blockQueries], h.stats, scale)
		h.drop(h.p[:keys*blockQueries], drop, first, n)
		mulPadded(keys, c, queries, tile[float32]{a: h.p, ars: blockQueries, acs: 1, c: dv.X, ldc: dv.LD, base: dv.X, ldBase: dv.LD}, h.dy, h.width)
		mulPadded(keys, c, queries, tile[float32]{a: h.dp, ars: blockQueries, acs: 1, c: dk.X, ldc: dk.LD, base: dk.X, ldBase: dk.LD}, h.q, h.width)
		sum := dq.from(first)
		mulPadded(queries, c, keys, tile[float32]{a: h.dp, ars: 1, acs: blockQueries, c: sum.X, ldc: sum.LD, base: sum.X, ldBase: sum.LD}, h.k, h.width)
	}
}

func rootScale(c int) float32 { return float32(1 / math.Sqrt(float64(c))) }

var heads = sync.Pool{New: func() any { return new(head) }}

// blockQueries is the number of queries per block: the two vectors of AVX2's products, or the one of AVX-512's.
const blockQueries = 16

// head is the memory for one head of attention. Queries are processed in blocks. The scores of a block are transposed,
// one row per key, so that no sum of the softmax is over the lanes of a vector.
//
// Rows of Q, K, V and dY are gathered and padded with zeros to whole vectors.
type head struct {
	width  int // of the padded rows of q, k, v and dy
	m, c   int
	causal bool

	k, v   []float32 // (m, width)
	q, dy  []float32 // of the block (blockQueries, width)
	turned []float32 // q/√c or dy, transposed (c, blockQueries)
	p, dp  []float32 // transposed (m, blockQueries): scores, then probabilities; gradient of probabilities, then of scores
	stats  []float32 // of the block (2, blockQueries)
	mask   []float32 // causal (blockQueries, blockQueries): −Inf where the key is after the query, else 0
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
	gather(h.k, h.width, k.X, k.LD, m, c)
	gather(h.v, h.width, v.X, v.LD, m, c)
	return h
}

// reserve allocates memory for m keys of c columns.
func (h *head) reserve(m, c int) {
	vector := panelCols[float32]() / 2
	width := (c + vector - 1) / vector * vector
	if need := blockQueries*(2*width+c+2) + m*2*(width+blockQueries); cap(h.memory) < need {
		h.memory = make([]float32, need)
	}
	free := h.memory[:cap(h.memory)]
	take := func(n int) []float32 {
		s := free[:n:n]
		free = free[n:]
		return s
	}
	h.q, h.dy, h.turned, h.stats = take(blockQueries*width), take(blockQueries*width), take(blockQueries*c), take(blockQueries*2)
	h.k, h.v, h.p, h.dp = take(m*width), take(m*width), take(m*blockQueries), take(m*blockQueries)
	h.width, h.m, h.c = width, m, c
	if h.mask != nil {
		return
	}
	h.mask = make([]float32, blockQueries*blockQueries)
	for key := range blockQueries {
		for query := range key {
			h.mask[key*blockQueries+query] = float32(math.Inf(-1))
		}
	}
}

// block returns the numbers of queries and keys in the block of n queries that starts at first.
func (h *head) block(first, n int) (queries, keys int) {
	queries = min(blockQueries, n-first)
	if h.causal {
		return queries, first + queries
	}
	return queries, h.m
}

// turn copies rows of Q or dY to block, and their transpose times alpha to turned.
func (h *head) turn(block []float32, x Rows, first, queries int, alpha float32) {
	gather(block, h.width, at(x.X, first*x.LD), x.LD, queries, h.c)
	clear(block[queries*h.width:])
	packTransposed(h.turned, blockQueries, h.c, blockQueries, alpha, block, h.width)
}

// scores writes the scores of the block to p.
func (h *head) scores(q Rows, first, queries, keys int) {
	h.turn(h.q, q, first, queries, rootScale(h.c))
	all := keys
	if h.causal {
		all = first // keys visible to every query
	}
	t := tile[float32]{a: h.k, ars: h.width, acs: 1, c: h.p, ldc: blockQueries}
	mulPadded(all, blockQueries, h.c, t, h.turned, blockQueries)
	if all < keys {
		t = t.from(all)
		t.base, t.ldBase = h.mask, blockQueries
		mulPadded(keys-all, blockQueries, h.c, t, h.turned, blockQueries)
	}
}

// drop applies dropout to p (keys, blockQueries): the probabilities, or their gradient, of the block that starts at first.
func (h *head) drop(p []float32, d Drop, first, n int) {
	if d == (Drop{}) {
		return
	}
	for key := range len(p) / blockQueries {
		row := p[key*blockQueries:][:blockQueries]
		d.apply(row, row, uint32(key*n+first))
	}
}

// mulPadded is panels.mul for a B (k, n) with rows ldb apart that are padded to whole vectors, with any values.
func mulPadded(m, n, k int, t tile[float32], b []float32, ldb int) {
	w := panelCols[float32]()
	if n <= w && k <= kBlock { // the heads of most models
		if m > 0 {
			t.rows, t.cols, t.k, t.b, t.bs = m, n, k, b, ldb
			t.mul()
		}
		return
	}
	p := panels[float32]{k: k, n: n, full: b, step: w, stride: ldb, last: at(b, n/w*w), lastWidth: ldb}
	p.mul(m, 0, n, t)
}

// gatherGo copies (rows, cols) of src, whose rows are ld apart, to dst, with rows padded with zeros to width, a
// multiple of a vector.
func gatherGo(dst []float32, width int, src []float32, ld, rows, cols int) {
	for i := range rows {
		row := dst[i*width:][:width]
		clear(row[copy(row, src[i*ld:][:cols]):])
	}
}

// softmaxColumnsGo replaces the columns of p (keys, blockQueries) by their softmax, and sets stats (2, blockQueries) to
// the maximum of each and 1/Σexp(p − maximum).
func softmaxColumnsGo(p, stats []float32) {
	largest, reciprocal := stats[:blockQueries], stats[blockQueries:]
	copy(largest, p)
	for i, x := range p {
		largest[i%blockQueries] = max(largest[i%blockQueries], x)
	}
	clear(reciprocal)
	for i, x := range p {
		p[i] = expOrZero(x - largest[i%blockQueries])
		reciprocal[i%blockQueries] += p[i]
	}
	for i, sum := range reciprocal {
		reciprocal[i] = 1 / sum
	}
	for i := range p {
		p[i] *= reciprocal[i%blockQueries]
	}
}

// softmaxColumnsGradGo replaces the scores p by probabilities, given stats, and the gradient dp of the probabilities by
// the gradient of the scores, times scale:
//
//	dp ← p·(dp − Σ p·dp)·scale    with the sum over the column
func softmaxColumnsGradGo(p, dp, stats []float32, scale float32) {
	largest, reciprocal := stats[:blockQueries], stats[blockQueries:]
	for lane := range blockQueries {
		var sum float32
		for i := lane; i < len(p); i += blockQueries {
			p[i] = expOrZero(p[i]-largest[lane]) * reciprocal[lane]
			sum += p[i] * dp[i]
		}
		for i := lane; i < len(p); i += blockQueries {
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

// KVCache stores the keys and values of the tokens so far, for attention of later tokens in autoregressive decoding.
// Heads are side by side in the columns.
type KVCache struct {
	width, most int
	lanes, n    int       // tokens per block of keys; tokens so far
	keys        []float32 // blocks of tokens, each transposed (width, lanes): the scores of a block are one vector
	values      []float32 // (n, width)
}

// NewKVCache returns an empty cache for at most the given number of tokens, with keys and values of width elements
// each. Memory grows with the tokens, to less than twice the need.
func NewKVCache(width, tokens int) *KVCache {
	if width < 1 || tokens < 1 {
		panic(fmt.Sprintf("simd: KVCache: %d tokens of width %d", tokens, width))
	}
	return &KVCache{width: width, most: tokens, lanes: min(vectorLanes(), tokens)}
}

// vectorLanes returns the number of float32s per vector; 16 in plain Go.
func vectorLanes() int {
	if isa == avx2 || isa == neon {
		return 8
	}
	return 16
}

// Append adds a token. It panics if the cache is full.
func (c *KVCache) Append(key, value []float32) {
	mustMatch("KVCache", c.width, key, value)
	if c.n == c.most {
		panic(fmt.Sprintf("simd: KVCache: more than %d tokens", c.most))
	}
	lane := c.n % c.lanes
	if lane == 0 {
		c.keys = append(c.keys, make([]float32, c.width*c.lanes)...)
	}
	last := c.keys[len(c.keys)-c.width*c.lanes:]
	for j, k := range key {
		last[j*c.lanes+lane] = k
	}
	c.values = append(c.values, value...)
	c.n++
}

// Reset removes all tokens and keeps the memory.
func (c *KVCache) Reset() { c.keys, c.values, c.n = c.keys[:0], c.values[:0], 0 }

// Attend computes the attention (Vaswani et al. 2017, §3.2) of one query q to the n tokens so far. For each head, with
// its c = width/heads columns of q, y, keys K and values V (n, c),
//
//	y = Vᵀp    p = softmax(Kq/√c)
//
// Probabilities below exp(−87) times the largest are 0. Attend is safe for concurrent use.
func (c *KVCache) Attend(y, q []float32, heads int) {
	mustMatch("KVCache", c.width, y, q)
	if c.n == 0 || heads < 1 || c.width%heads != 0 {
		panic(fmt.Sprintf("simd: KVCache: attention to %d tokens with %d heads in %d columns", c.n, heads, c.width))
	}
	columns, stride := c.width/heads, (c.n+vectorLanes()-1)/vectorLanes()*vectorLanes()
	scores := scorePool.Get().(*[]float32)
	defer scorePool.Put(scores)
	*scores = slices.Grow((*scores)[:0], heads*stride)
	p, scale := (*scores)[:heads*stride], rootScale(columns)
	attend(y, q, p, c.keys, c.values, heads, columns, c.n, c.lanes, stride, scale)
}

// scorePool reuses the memory of scores.
var scorePool = sync.Pool{New: func() any { return new([]float32) }}

// attendGo is Attend, given a KVCache's n tokens with keys in blocks of lanes. Row h of p (heads, stride) receives the
// scores of head h.
func attendGo(y, q, p, keys, values []float32, heads, columns, n, lanes, stride int, scale float32) {
	clear(p)
	clear(y)
	width := heads * columns
	for h := range heads {
		scores, from, to := p[h*stride:][:n], h*columns, (h+1)*columns
		for first := 0; first < n; first += lanes {
			block, s := keys[first*width:], scores[first:min(first+lanes, n)]
			for j := from; j < to; j++ {
				axpyGo(q[j], block[j*lanes:][:len(s)], s)
			}
		}
		scaleGo(scale, scores)
		most, sum := slices.Max(scores), float32(0)
		for i, s := range scores {
			scores[i] = expOrZero(s - most)
			sum += scores[i]
		}
		for i, s := range scores {
			axpyGo(s/sum, values[i*width:][from:to], y[from:to])
		}
	}
}
