package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/internal/neural"
)

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
