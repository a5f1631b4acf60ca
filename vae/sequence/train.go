package sequence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Training holds the options of a training run and its record, which is saved with the weights. A zero option takes
// its default.
type Training struct {
	Passes  float64 `json:"passes"`            // over the strings; 10
	Batch   int     `json:"batch"`             // strings per step; 256
	LR      float64 `json:"lr"`                // peak learning rate of Adam; 10⁻³
	Warmup  int     `json:"warmup"`            // steps of linear warm-up, multiplied with nn.Cosine over all steps; 500, or a tenth of all steps if that is less
	KL      float64 `json:"kl"`                // weight of the KL divergence averaged over batch and dimensions; 0.1
	Dropout float64 `json:"dropout,omitempty"` // probability, also for attention weights; 0 (the published weights: 0.1)
	Seed    uint64  `json:"seed"`
	Source  string  `json:"source"` // description of the strings

	Strings int       `json:"strings"`            // set by Train: number of strings
	Steps   int       `json:"steps"`              // set by Train: total number of steps
	HeldOut *Quality  `json:"held_out,omitempty"` // set by Train: final quality on TrainOptions.HeldOut
	Before  *Training `json:"before,omitempty"`   // set by Train: record of the initial weights
}

func (o Training) withDefaults() Training {
	o.Passes = cmp.Or(o.Passes, 10)
	o.Batch = cmp.Or(o.Batch, 256)
	o.LR = cmp.Or(o.LR, 1e-3)
	o.Warmup = cmp.Or(o.Warmup, 500)
	o.KL = cmp.Or(o.KL, 0.1)
	return o
}

func (o Training) check() error {
	if !(o.Passes > 0 && o.Passes < 1e6) || o.Batch < 1 || !(o.LR > 0) || o.Warmup < 1 || !(o.KL > 0) || !(o.Dropout >= 0 && o.Dropout < 1) {
		return fmt.Errorf("options %+v: passes, batch, learning rate, warm-up and KL weight must be positive, or 0 for the default; dropout must be in [0, 1)", o)
	}
	return nil
}

// TrainOptions holds the options of Train.
type TrainOptions struct {
	Training
	Begin   *Model      // initial weights, with the same alphabet and sizes; nil for random ones
	Resume  *Checkpoint // continue from here; data and options must be the same, and so is the result
	HeldOut []string    // for Training.HeldOut; may be empty

	// Step, if not nil, is called after each step and may save the checkpoint, which is valid during the call. The
	// quality is that of the minibatch before the step, with sampled latents and dropout. After the end of the context
	// it is called once more.
	Step func(*Checkpoint, Quality) error
}

// Train trains a model of the strings of data, over alphabet a, with Adam. It minimizes
//
//	CE(x, z) + kl·KL(q(z|x) ‖ N(0, I))    z ~ q(z|x)
//
// with CE averaged over the tokens of a batch, KL over its strings and dimensions, and gradients clipped to norm 1.
// The weights are a function of strings, sizes and options.
func Train(ctx context.Context, a *Alphabet, c Config, data []string, opts TrainOptions) (*Model, error) {
	m, err := train(ctx, a, c, data, opts)
	if err != nil {
		return nil, fmt.Errorf("sequence: train: %w", err)
	}
	return m, nil
}

func train(ctx context.Context, a *Alphabet, c Config, data []string, opts TrainOptions) (*Model, error) {
	r, err := newTrainer(a, c, data, opts)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for step := r.Adam.Steps + 1; step <= r.Model.training.Steps; step++ {
		stopped := context.Cause(ctx) // before this step: the call of Step has to see it
		q, err := r.step()
		if err == nil && opts.Step != nil {
			err = opts.Step(&Checkpoint{r.Model, r.Adam}, q)
		}
		if err = cmp.Or(err, stopped); err != nil {
			return nil, fmt.Errorf("step %d: %w", step, err)
		}
	}
	if len(opts.HeldOut) > 0 {
		q, err := r.Model.evaluate(ctx, opts.HeldOut)
		if err != nil {
			return nil, fmt.Errorf("held out: %w", err)
		}
		r.Model.training.HeldOut = &q
	}
	return r.Model, nil
}

// trainer is the state of a training run.
type trainer struct {
	*neural.Trainer[*network]
	Model *Model // training is its options
	data  [][]int32

	pass  int   // current pass over the strings
	order []int // of the strings in this pass
}

func newTrainer(a *Alphabet, c Config, data []string, opts TrainOptions) (*trainer, error) {
	o := opts.Training.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if a == nil {
		return nil, errors.New("no alphabet: give that of the strings, such as AlphabetOf returns")
	}
	m, err := newModel(a, c)
	if err != nil {
		return nil, err
	}
	strings, err := m.SplitAll(data)
	if err != nil {
		return nil, err
	}
	if len(strings) == 0 {
		return nil, errors.New("no strings: give at least one")
	}
	if _, err := m.SplitAll(opts.HeldOut); err != nil {
		return nil, fmt.Errorf("held out: %w", err)
	}
	r := &trainer{Trainer: neural.NewTrainer(&m.base, trainingParts, trainingChunkTokens, o.LR), Model: m, data: strings, pass: -1}
	r.Adam.Beta2 = 0.98 // usual for transformers (Vaswani et al. 2017, §5.3)

	o.Strings, o.HeldOut, o.Before = len(data), nil, nil
	o.Steps = max(1, int(math.Round(o.Passes*float64(inPass(o)))))
	if opts.Warmup == 0 { // the default is less in short runs
		o.Warmup = max(1, min(o.Warmup, o.Steps/10))
	}
	m.training = o
	switch {
	case opts.Resume != nil:
		err = r.resume(opts.Resume)
	case opts.Begin != nil:
		err = r.begin(opts.Begin)
	default:
		m.Net.params.Init(rand.New(rand.NewPCG(o.Seed, 0)))
	}
	m.Net.params.Freeze()
	return r, err
}

// inPass returns the number of batches per pass over the strings.
func inPass(o Training) int { return (o.Strings-1)/o.Batch + 1 }

// begin copies the weights of m, which must have the trainer's alphabet and sizes.
func (r *trainer) begin(m *Model) error {
	was := m.Net.config
	was.MaxTokens = r.Model.Net.config.MaxTokens // no weights depend on it
	if !slices.Equal(m.Net.alphabet.symbols, r.Model.Net.alphabet.symbols) || was != r.Model.Net.config {
		return fmt.Errorf("the initial weights have another alphabet or other sizes (%+v): use that alphabet and those sizes, or start from random weights", m.Net.config)
	}
	copy(r.Model.Weights(), m.Weights())
	r.Model.training.Before = &m.training
	return nil
}

// resume copies the state of c, which must have the trainer's options, too.
func (r *trainer) resume(c *Checkpoint) error {
	if err := r.begin(c.Model); err != nil {
		return err
	}
	was, is := c.Model.training, r.Model.training
	r.Model.training.Before = was.Before
	if was.Before, is.Before = nil, nil; was != is {
		return fmt.Errorf("resume: the checkpoint is from a training with %s: resume with the same options and strings, or start a new training from its weights", fields.Differences(was, is))
	}
	r.Resume(c.Model.Weights(), c.Adam)
	return nil
}

// step takes the next step. Its randomness is a function of the seed and the step number, so checkpoints contain no
// generator state.
func (r *trainer) step() (Quality, error) {
	o, step := r.Model.training, r.Adam.Steps
	strings := r.batch(step)
	tokens := 0
	for _, s := range strings {
		tokens += len(s)
	}
	seed := rand.NewPCG(o.Seed, 1<<63|uint64(step)).Uint64()
	passes := make([]tally, len(strings)) // each at the first string of its chunk
	r.Add(strings, func(n *network, t *tensor.Tape, c neural.Chunk) {
		rng := rand.New(rand.NewPCG(seed, uint64(c.Lo)))
		x := strings[c.Lo:c.Hi]
		eps := t.New(len(x), r.Model.Dim(), false)
		nn.Normal(1)(rng, eps)
		e := n.elbo(t, x, eps, nn.Dropout{P: float32(o.Dropout), Rand: rng})
		grad := t.Grad(e.losses)
		for i := range x {
			grad[i] = float32(len(x[i])) / float32(tokens)
		}
		t.Grad(e.kl)[0] = float32(o.KL / float64(len(strings)*r.Model.Dim()))
		passes[c.Lo] = e.tally
	})
	r.Adam.LR = nn.Cosine(o.LR, step, o.Steps) * min(1, float64(step+1)/float64(o.Warmup))
	_, err := r.Update(1)
	return quality(passes), err
}

// batch returns the strings of a step.
func (r *trainer) batch(step int) (strings [][]int32) {
	o := r.Model.training
	if pass := step / inPass(o); pass != r.pass {
		r.pass, r.order = pass, rand.New(rand.NewPCG(o.Seed, uint64(pass)+1)).Perm(len(r.data))
	}
	lo := step % inPass(o) * o.Batch
	for _, i := range r.order[lo:min(lo+o.Batch, len(r.order))] {
		strings = append(strings, r.data[i])
	}
	return strings
}
