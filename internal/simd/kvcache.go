package simd

import (
	"fmt"
	"slices"
	"sync"
)

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
		block := c.width * c.lanes
		c.keys = grow(c.keys, block)[:len(c.keys)+block]
		c.values = grow(c.values, block)
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

// grow returns x with capacity for n more elements, at least doubling it if x must move.
func grow(x []float32, n int) []float32 {
	if cap(x)-len(x) >= n {
		return x
	}
	return slices.Grow(x, max(n, len(x)))
}

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
	if isa == portable {
		c.attendGo(y, q, p, heads, columns, stride, scale)
		return
	}
	attend(&y[0], &q[0], &p[0], &c.keys[0], &c.values[0], heads, columns, c.n, c.lanes, stride, scale)
}

// scorePool reuses the memory of scores.
var scorePool = sync.Pool{New: func() any { return new([]float32) }}

// attendGo is Attend. Row h of p (heads, stride) receives the scores of head h.
func (c *KVCache) attendGo(y, q, p []float32, heads, columns, stride int, scale float32) {
	clear(p)
	clear(y)
	for h := range heads {
		scores, from, to := p[h*stride:][:c.n], h*columns, (h+1)*columns
		for first := 0; first < c.n; first += c.lanes {
			block, s := c.keys[first*c.width:], scores[first:min(first+c.lanes, c.n)]
			for j := from; j < to; j++ {
				axpyGo(q[j], block[j*c.lanes:][:len(s)], s)
			}
		}
		scaleGo(scale, scores)
		most, sum := slices.Max(scores), float32(0)
		for i, s := range scores {
			scores[i] = expOrZero(s - most)
			sum += scores[i]
		}
		for i, s := range scores {
			axpyGo(s/sum, c.values[i*c.width:][from:to], y[from:to])
		}
	}
}
