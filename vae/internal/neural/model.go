// Package neural is what the networks below vae share: all of vae.Tunable except Clone, and their files.
package neural

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
)

// Network is a VAE of strings of tokens, bound to memory for its parameters.
type Network[N any] interface {
	Params() *nn.Params

	// View returns a network with the same layers, bound to data and grad.
	View(data, grad []float32) N

	// Encode returns mean and log variance of q(z|x), (n, d) each.
	Encode(t *tensor.Tape, strings [][]int32) (mu, logvar *tensor.Var)

	// Reconstruct returns losses (n, 1) and margins (n) of strings, given latents z (n, d), as vae.Inverter does.
	Reconstruct(t *tensor.Tape, z *tensor.Var, strings [][]int32, loss tensor.Loss) (losses *tensor.Var, margin []float32)

	// Decode returns the greedy decoding of latents z (n, d), as vae.Model does. It may stop early if ctx is cancelled.
	Decode(ctx context.Context, t *tensor.Tape, z *tensor.Var) []string

	// Split returns the tokens of a string.
	Split(x string) ([]int32, error)
}

// Model implements vae.Tunable, except for Clone.
type Model[N Network[N]] struct {
	Net N // frozen
	Options
	tapes *sync.Pool
}

// Options are the differences between models.
type Options struct {
	Package string                   // for errors
	Latent  int                      // dimensions
	Sort    bool                     // whether the network takes the longest strings first
	Size    func(tokens []int32) int // of a string, for chunks
	Chunk   int                      // approximate size of a parallel task, which bounds its memory and the delay of cancellation
	Block   int                      // maximum number of latents decoded together

	TunerParts, TunerChunk int // see NewTrainer
}

// New returns the model of a network.
func New[N Network[N]](net N, opts Options) Model[N] {
	return Model[N]{net, opts, &sync.Pool{New: func() any { return new(tensor.Tape) }}}
}

// Dim implements vae.Model.
func (m *Model[N]) Dim() int { return m.Latent }

// Check implements vae.Model.
func (m *Model[N]) Check(x string) error {
	_, err := m.Net.Split(x)
	return err
}

// SplitAll returns the tokens of each string of x.
func (m *Model[N]) SplitAll(x []string) ([][]int32, error) {
	all := make([][]int32, len(x))
	for i := range x {
		var err error
		if all[i], err = m.Net.Split(x[i]); err != nil {
			return nil, fmt.Errorf("string %d: %w", i, err)
		}
	}
	return all, nil
}

// sorted returns the tokens of each string in the order of the network, which is that of x[order[0]], x[order[1]], ….
func (m *Model[N]) sorted(x []string) (strings [][]int32, order []int, err error) {
	all, err := m.SplitAll(x)
	if err == nil {
		strings, order = m.Sorted(all)
	}
	return strings, order, err
}

// Sorted returns strings in the order of the network, which is that of all[order[0]], all[order[1]], ….
func (m *Model[N]) Sorted(all [][]int32) (strings [][]int32, order []int) {
	for i := range all {
		order = append(order, i)
	}
	if m.Sort {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(all[b]), len(all[a])) })
	}
	for _, i := range order {
		strings = append(strings, all[i])
	}
	return strings, order
}

// Chunk is a range [Lo, Hi) of the strings of a batch.
type Chunk struct{ Lo, Hi int }

// chunks divides strings, in order, into chunks of nearly equal size, at most about most.
func (m *Model[N]) chunks(strings [][]int32, most int) []Chunk {
	total := 0
	for _, s := range strings {
		total += m.Size(s)
	}
	n := (total + most - 1) / most
	all := make([]Chunk, 0, n)
	lo, sum := 0, 0
	for i, s := range strings {
		sum += m.Size(s)
		if sum*n >= total*(len(all)+1) { // true at the last string
			all = append(all, Chunk{lo, i + 1})
			lo = i + 1
		}
	}
	return all
}

// Each calls f for every chunk of strings with an empty tape, in parallel. If ctx is cancelled it stops early and
// returns the cause.
func (m *Model[N]) Each(ctx context.Context, strings [][]int32, f func(t *tensor.Tape, c Chunk)) error {
	all := m.chunks(strings, m.Chunk)
	parallel.For(len(all), 1, func(k, _ int) {
		if ctx.Err() == nil {
			m.OnTape(func(t *tensor.Tape) { f(t, all[k]) })
		}
	})
	return context.Cause(ctx) // nil if it is not cancelled
}

// OnTape calls f with an empty tape.
func (m *Model[N]) OnTape(f func(t *tensor.Tape)) {
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	t.Reset()
	f(t)
}

// Encode implements vae.Model.
func (m *Model[N]) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	strings, order, err := m.sorted(x)
	if err == nil {
		mu, sigma = make([][]float64, len(x)), make([][]float64, len(x))
		err = m.Each(ctx, strings, func(t *tensor.Tape, c Chunk) {
			mean, logvar := m.Net.Encode(t, strings[c.Lo:c.Hi])
			for row, i := range order[c.Lo:c.Hi] {
				mu[i], sigma[i] = widen(mean.Row(row)), widen(logvar.Row(row))
				for j, lv := range sigma[i] {
					sigma[i][j] = math.Exp(0.5 * lv)
				}
			}
		})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: encode: %w", m.Package, err)
	}
	return mu, sigma, nil
}

// Decode implements vae.Model.
func (m *Model[N]) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	latents, err := m.narrow(z)
	if err != nil {
		return nil, fmt.Errorf("%s: decode: %w", m.Package, err)
	}
	x := make([]string, len(z))
	parallel.For(len(z), decodeGrain(len(z), m.Block), func(lo, hi int) {
		m.OnTape(func(t *tensor.Tape) {
			part := tensor.Var{Data: latents[lo*m.Latent : hi*m.Latent], Rows: hi - lo, Cols: m.Latent}
			copy(x[lo:hi], m.Net.Decode(ctx, t, &part))
		})
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: decode: %w", m.Package, context.Cause(ctx))
	}
	return x, nil
}

// decodeGrain returns the number of latents per task, at most block, that balances n latents over the processors.
func decodeGrain(n, block int) int {
	procs := runtime.GOMAXPROCS(0)
	rounds := (n-1)/(procs*block) + 1
	return max(1, (n-1)/(procs*rounds)+1)
}

// Reconstruct implements vae.Inverter.
func (m *Model[N]) Reconstruct(ctx context.Context, z [][]float64, x []string, loss vae.Loss, grad [][]float64) (losses, margin []float64, err error) {
	if len(z) != len(x) || (grad != nil && len(grad) != len(x)) {
		panic(fmt.Sprintf("%s: Reconstruct: %d latents, %d strings, %d gradients", m.Package, len(z), len(x), len(grad)))
	}
	var latents []float32
	strings, order, err := m.sorted(x)
	if err == nil {
		latents, err = m.narrow(z)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: reconstruct: %w", m.Package, err)
	}
	losses, margin = make([]float64, len(x)), make([]float64, len(x))
	err = m.Each(ctx, strings, func(t *tensor.Tape, c Chunk) {
		rows := order[c.Lo:c.Hi]
		latent := t.New(len(rows), m.Latent, grad != nil)
		for row, i := range rows {
			copy(latent.Row(row), latents[i*m.Latent:])
		}
		l, least := m.Net.Reconstruct(t, latent, strings[c.Lo:c.Hi], tensor.Loss(loss))
		for row, i := range rows {
			losses[i], margin[i] = float64(l.Data[row]), float64(least[row])
		}
		if grad == nil {
			return
		}
		dl := t.Grad(l)
		for row := range dl {
			dl[row] = 1
		}
		t.Backward()
		for row, i := range rows {
			for j, g := range latent.Grad[row*m.Latent:][:m.Latent] {
				grad[i][j] = float64(g)
			}
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: reconstruct: %w", m.Package, err)
	}
	return losses, margin, nil
}

// narrow returns latents as float32, concatenated. The error says what makes a latent unusable: its length, or a value
// that is not finite in float32.
func (m *Model[N]) narrow(z [][]float64) ([]float32, error) {
	narrow := make([]float32, 0, len(z)*m.Latent)
	for i := range z {
		if len(z[i]) != m.Latent {
			return nil, fmt.Errorf("latent %d: %d values, want %d", i, len(z[i]), m.Latent)
		}
		for j, v := range z[i] {
			if !finite(float32(v)) {
				return nil, fmt.Errorf("latent %d: value %d is %g, which is not finite in single precision", i, j, v)
			}
			narrow = append(narrow, float32(v))
		}
	}
	return narrow, nil
}

// widen returns row as float64.
func widen(row []float32) []float64 {
	wide := make([]float64, len(row))
	for j, v := range row {
		wide[j] = float64(v)
	}
	return wide
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
