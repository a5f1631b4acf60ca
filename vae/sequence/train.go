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
	HeldOut *Strings    // for Training.HeldOut; may be nil

	// Step, if not nil, is called after each step and may save the checkpoint, which is valid during the call.
	Step func(*Checkpoint, StepResult) error
}

// StepResult is the quality on the minibatch of a step before its update, with sampled latents and dropout.
type StepResult struct {
	Step, Steps int     // number of this step, and of all steps
	GradNorm    float64 // before clipping
	Quality
}

// Train trains a model of strings with Adam. It minimizes
//
//	CE(x, z) + kl·KL(q(z|x) ‖ N(0, I))    z ~ q(z|x)
//
// with CE averaged over the tokens of a batch, KL over its strings and dimensions, and gradients clipped to norm 1.
// The weights are a function of strings, sizes and options.
func Train(ctx context.Context, data *Strings, c Config, opts TrainOptions) (*Model, error) {
	m, err := train(ctx, data, c, opts)
	if err != nil {
		return nil, fmt.Errorf("sequence: train: %w", err)
	}
	return m, nil
}

func train(ctx context.Context, data *Strings, c Config, opts TrainOptions) (*Model, error) {
	r, err := newTrainer(data, c, opts)
	if err != nil {
		return nil, err
	}
	for r.Adam.Steps < r.opts.Steps {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("step %d: %w", r.Adam.Steps+1, context.Cause(ctx))
		}
		result, err := r.step()
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", r.Adam.Steps+1, err)
		}
		if opts.Step == nil {
			continue
		}
		if err := opts.Step(&r.Checkpoint, result); err != nil {
			return nil, fmt.Errorf("step %d: %w", r.Adam.Steps, err)
		}
	}
	if opts.HeldOut != nil {
		q, err := r.Model.evaluate(ctx, opts.HeldOut)
		if err != nil {
			return nil, fmt.Errorf("held out: %w", err)
		}
		r.Model.training.HeldOut = &q
	}
	return r.Model, nil
}

// fits returns an error if the model cannot encode all of data.
func (m *Model) fits(data *Strings) error {
	if !slices.Equal(data.alphabet.symbols, m.alphabet.symbols) {
		return errors.New("the strings have another alphabet than the model: tokenize them with the model's Alphabet")
	}
	if i := data.longest(); data.length(i) > m.Net.config.MaxTokens {
		return fmt.Errorf("string %d has %d symbols, more than the model's maximum of %d: leave it out, or use a larger MaxTokens",
			i, data.length(i)-1, m.Net.config.MaxTokens-1)
	}
	return nil
}

// trainer is the state of a training run.
type trainer struct {
	Checkpoint
	opts Training
	data *Strings
	grad *neural.Gradient[*network]

	pass  int     // current pass over the strings
	order []int32 // of the strings in this pass
}

func newTrainer(data *Strings, c Config, opts TrainOptions) (*trainer, error) {
	o := opts.Training.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	m, err := newModel(data.alphabet, c)
	if err != nil {
		return nil, err
	}
	if err := m.fits(data); err != nil {
		return nil, err
	}
	if opts.HeldOut != nil {
		if err := m.fits(opts.HeldOut); err != nil {
			return nil, fmt.Errorf("held out: %w", err)
		}
	}
	trained, all := m.Net.params.Len()
	m.Net.params.Bind(make([]float32, all), nil)
	r := &trainer{
		Checkpoint: Checkpoint{Model: m, Adam: nn.NewAdam(trained, o.LR)},
		opts:       o,
		data:       data,
		grad:       neural.NewGradient(&m.base, trainingParts, trainingChunkTokens),
		pass:       -1,
	}
	r.Adam.Beta2 = 0.98 // usual for transformers (Vaswani et al. 2017, §5.3)
	var before *Training
	switch {
	case opts.Resume != nil:
		err, before = r.resume(opts.Resume), opts.Resume.Model.training.Before
	case opts.Begin != nil:
		err, before = r.begin(opts.Begin), &opts.Begin.training
	default:
		m.Net.params.Init(rand.New(rand.NewPCG(o.Seed, 0)))
	}
	if err != nil {
		return nil, err
	}
	r.opts.Strings, r.opts.HeldOut, r.opts.Before = data.Len(), nil, before
	r.opts.Steps = max(1, int(math.Round(o.Passes*float64(r.inPass()))))
	if opts.Warmup == 0 { // the default is less in short runs
		r.opts.Warmup = max(1, min(r.opts.Warmup, r.opts.Steps/10))
	}
	m.training = r.opts
	m.Net.params.Freeze()
	if opts.Resume != nil {
		was, is := opts.Resume.Model.training, m.training
		if was.Before, is.Before = nil, nil; was != is {
			return nil, fmt.Errorf("resume: the checkpoint is from a training with %s: resume with the same options and strings, or start a new training from its weights", fields.Differences(was, is))
		}
	}
	return r, nil
}

// begin copies the weights of m, which must have the trainer's alphabet and sizes.
func (r *trainer) begin(m *Model) error {
	was := m.Net.config
	was.MaxTokens = r.Model.Net.config.MaxTokens // no weights depend on it
	if !slices.Equal(m.alphabet.symbols, r.Model.alphabet.symbols) || was != r.Model.Net.config {
		return fmt.Errorf("the initial weights have another alphabet or other sizes (%+v): use that alphabet and those sizes, or start from random weights", m.Net.config)
	}
	copy(r.Model.Net.params.Data, m.Net.params.Data)
	return nil
}

// resume copies the state of c.
func (r *trainer) resume(c *Checkpoint) error {
	if err := r.begin(c.Model); err != nil {
		return err
	}
	r.Adam.Steps = c.Adam.Steps
	copy(r.Adam.M, c.Adam.M)
	copy(r.Adam.V, c.Adam.V)
	return nil
}

// step takes the next step. Its randomness is a function of the seed and the step number, so checkpoints contain no
// generator state.
func (r *trainer) step() (StepResult, error) {
	step := r.Adam.Steps
	strings := r.batch(step)
	tokens := 0
	for _, s := range strings {
		tokens += len(s)
	}
	seed := rand.NewPCG(r.opts.Seed, 1<<63|uint64(step)).Uint64()
	passes := make([]tally, len(strings)) // each at the first string of its chunk
	r.grad.Add(strings, func(n *network, t *tensor.Tape, c neural.Chunk) {
		rng := rand.New(rand.NewPCG(seed, uint64(c.Lo)))
		x := strings[c.Lo:c.Hi]
		eps := t.New(len(x), r.Model.Dim(), false)
		nn.Normal(1)(rng, eps)
		e := n.elbo(t, x, eps, nn.Dropout{P: float32(r.opts.Dropout), Rand: rng})
		grad := t.Grad(e.losses)
		for i := range x {
			grad[i] = float32(len(x[i])) / float32(tokens)
		}
		t.Grad(e.kl)[0] = float32(r.opts.KL / float64(len(strings)*r.Model.Dim()))
		passes[c.Lo] = e.tally(x)
	})
	r.Adam.LR = nn.Cosine(r.opts.LR, step, r.opts.Steps) * min(1, float64(step+1)/float64(r.opts.Warmup))
	norm, err := r.grad.Step(r.Adam, 1)
	return StepResult{Step: r.Adam.Steps, Steps: r.opts.Steps, GradNorm: norm, Quality: quality(passes)}, err
}

// inPass returns the number of batches per pass over the strings.
func (r *trainer) inPass() int { return (r.data.Len()-1)/r.opts.Batch + 1 }

// batch returns the strings of a step.
func (r *trainer) batch(step int) [][]int32 {
	if pass := step / r.inPass(); pass != r.pass {
		r.pass, r.order = pass, r.data.all()
		rng := rand.New(rand.NewPCG(r.opts.Seed, uint64(pass)+1))
		rng.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	}
	lo := step % r.inPass() * r.opts.Batch
	return r.data.at(r.order[lo:min(lo+r.opts.Batch, len(r.order))])
}
