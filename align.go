package invbo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae"
)

// An Alignment gives strings the latents that the surrogate is trained on. The triplet (x, z, y) is
// aligned when greedy decoding of z gives exactly x.
type Alignment struct {
	Name    string
	Latents func(ctx context.Context, in Unaligned) ([]Pair, error)

	// RecentOnly: after an update of the VAE only D^t, the latest and the top k points, is aligned. All others
	// keep their latents.
	RecentOnly bool
}

// Values of the slot Method.Align.
var (
	Encoder       = Alignment{Name: "encoder", Latents: encode}
	Recenter      = Alignment{Name: "recenter", Latents: recenter, RecentOnly: true}
	RecenterKnown = Alignment{Name: "recenter-known", Latents: recenterKnown, RecentOnly: true}
	Inversion     = Alignment{Name: "inv", Latents: invert}
)

// Unaligned is what an Alignment works on: n strings.
type Unaligned struct {
	Model     vae.Model
	X         []string            // strings (n)
	Z         [][]float64         // (n, d) latents so far; a nil row where there is none
	Known     func(x string) bool // x has a score
	Inversion InversionOptions
	Rand      *rand.Rand
}

// Pair is a string and its latent. An Alignment may return a string that it was not given and that
// has no score: then the optimizer asks for it.
type Pair struct {
	X string
	Z []float64
}

// encode takes the encoder's mean as the latent, whatever it decodes to: the encoder triplet (x, z, y)
// of LS-BO and TuRBO-L.
func encode(ctx context.Context, in Unaligned) ([]Pair, error) {
	mu, _, err := in.Model.Encode(ctx, in.X)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return pairs(in.X, mu), nil
}

// recenter is the alignment of LOL-BO and CoBO after an update of the VAE: in each of two passes it
// samples z ~ q(z|x) and decodes it, and the triplet is (x', z, f(x')) with x' = p(z). Every x' that is
// not yet known costs an oracle call. Strings without a latent, as the initial data, are encoder triplets.
func recenter(ctx context.Context, in Unaligned) ([]Pair, error) {
	mu, sigma, err := in.Model.Encode(ctx, in.X)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	var out []Pair
	var old []int
	for i, z := range in.Z {
		if z == nil {
			out = append(out, Pair{in.X[i], mu[i]})
		} else {
			old = append(old, i)
		}
	}
	for range 2 {
		z := zeros(len(old), in.Model.Dim())
		for a, i := range old {
			for k := range z[a] {
				z[a][k] = mu[i][k] + sigma[i][k]*in.Rand.NormFloat64()
			}
		}
		x, err := decode(ctx, in.Model, z)
		if err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		for a, p := range pairs(x, z) {
			if x[a] != "" {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// recenterKnown is recenter without oracle calls (the paper's appendix "Analysis on Recentering"): an x'
// whose score is not known gives no triplet, and the string keeps the latent from before the update.
func recenterKnown(ctx context.Context, in Unaligned) ([]Pair, error) {
	all, err := recenter(ctx, in)
	return slices.DeleteFunc(all, func(p Pair) bool { return !in.Known(p.X) }), err
}

// invert finds for each string a latent that decodes exactly to it, without an oracle call.
func invert(ctx context.Context, in Unaligned) ([]Pair, error) {
	m, ok := in.Model.(vae.Inverter)
	if !ok { // a model without a reconstruction loss has an exact encoder, or nothing to invert with
		return encode(ctx, in)
	}
	start, _, err := m.Encode(ctx, in.X)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	// Line 1 of Algorithm 1 starts at the encoder's mean. The latent from before the update is a start,
	// too, and mostly the nearer one.
	before := slices.Clone(in.Z)
	for i, z := range before {
		if z == nil {
			before[i] = start[i]
		}
	}
	mean, _, err := m.Reconstruct(ctx, start, in.X, in.Inversion.Loss, nil)
	var old []float64
	if err == nil {
		old, _, err = m.Reconstruct(ctx, before, in.X, in.Inversion.Loss, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("compare starts: %w", err)
	}
	for i := range start {
		if old[i] < mean[i] {
			start[i] = before[i]
		}
	}
	inverted, err := Invert(ctx, m, in.X, start, in.Inversion)
	if err != nil {
		return nil, err
	}
	for i, v := range inverted {
		start[i] = v.Z
	}
	return pairs(in.X, start), nil
}

func pairs(x []string, z [][]float64) []Pair {
	out := make([]Pair, len(x))
	for i := range out {
		out[i] = Pair{x[i], z[i]}
	}
	return out
}

// InversionOptions holds the constants of Algorithm 1. A zero field takes the paper's value.
type InversionOptions struct {
	Loss       vae.Loss // cross-entropy
	Rate       float64  // Adam's learning rate η in z
	Iterations int      // at most

	// Distance and Epsilon stop an inversion early, as line 4 of Algorithm 1: once Distance(x, p(z)) < Epsilon, with
	// values from 0 to 1; TokenDistance is the paper's. A nil Distance asks for p(z) = x, which costs no decoding.
	Distance func(x, decoded string) float64
	Epsilon  float64
}

func (o InversionOptions) check() error {
	switch {
	case !(o.Rate >= 0 && o.Iterations >= 0 && o.Epsilon >= 0):
		return fmt.Errorf("inversion at rate %g, for %d iterations, to %g: none may be negative", o.Rate, o.Iterations, o.Epsilon)
	case (o.Distance == nil) != (o.Epsilon == 0):
		return errors.New("inversion stops early at a Distance below an Epsilon; give both or neither")
	}
	return nil
}

// Inverted is the outcome of inverting one string.
type Inverted struct {
	Z          []float64
	Exact      bool    // greedy decoding of Z gives the string
	Iterations int     // steps taken
	Moved      float64 // ‖Z − start‖
}

// certified is how far the right token's logit must lie above all others for a latent to be taken:
// float32 rounds differently in differently built decoders, and must not flip an arg max.
const certified = 1e-3

// Invert is Algorithm 1: it moves each latent of start (n, d) down its string's reconstruction loss
// until it decodes exactly to the string. Strings that are done leave the batch at once. The error is
// the model's or ctx's. A string that could not be inverted is not an error: it keeps its last latent.
func Invert(ctx context.Context, m vae.Inverter, x []string, start [][]float64, opts InversionOptions) ([]Inverted, error) {
	defaults := Defaults().Inversion
	rate, iterations := cmp.Or(opts.Rate, defaults.Rate), cmp.Or(opts.Iterations, defaults.Iterations)
	d := m.Dim()
	out := make([]Inverted, len(x))
	type descent struct {
		i   int
		opt *nn.Adam64
	}
	active := make([]descent, len(x))
	for i := range x {
		out[i].Z = slices.Clone(start[i])
		active[i] = descent{i, &nn.Adam64{LearningRate: rate}}
	}
	grad := zeros(len(x), d)
	for t := 0; len(active) > 0; t++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("invert: iteration %d: %w", t, context.Cause(ctx))
		}
		zs, xs := make([][]float64, len(active)), make([]string, len(active))
		for a, s := range active {
			zs[a], xs[a] = out[s.i].Z, x[s.i]
		}
		_, margin, err := m.Reconstruct(ctx, zs, xs, opts.Loss, grad[:len(active)])
		if err != nil {
			return nil, fmt.Errorf("invert: iteration %d: %w", t, err)
		}
		var decoded []string // for line 4 with a distance other than "the same string"
		if opts.Distance != nil {
			if decoded, err = m.Decode(ctx, zs); err != nil {
				return nil, fmt.Errorf("invert: iteration %d: decode: %w", t, err)
			}
		}
		left := active[:0]
		for a, s := range active {
			r := &out[s.i]
			r.Exact, r.Iterations = margin[a] > 0, t
			near := decoded != nil && opts.Distance(xs[a], decoded[a]) < opts.Epsilon
			if margin[a] >= certified || near || t >= iterations {
				r.Moved = math.Sqrt(squaredDistance(r.Z, start[s.i]))
				continue
			}
			s.opt.Step(r.Z, grad[a])
			left = append(left, s)
		}
		active = left
	}
	return out, nil
}
