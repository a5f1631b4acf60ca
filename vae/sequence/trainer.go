package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// trainingParts is how many goroutines may share the work of a step; each has memory for a gradient.
const trainingParts = 8

// trainer is the state of a training run.
type trainer struct {
	Checkpoint
	opts Training
	data *Strings
	grad *gradient

	pass  int     // whose order is at hand
	order []int32 // of the strings
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
	trained, all := m.net.params.Len()
	m.net.params.Bind(make([]float32, all), nil)
	r := &trainer{
		Checkpoint: Checkpoint{Model: m, Adam: nn.NewAdam(trained, o.LR)},
		opts:       o,
		data:       data,
		grad:       newGradient(m, trainingParts),
		pass:       -1,
	}
	r.Adam.Beta2 = 0.98 // as is usual for transformers (Vaswani et al. 2017, §5.3)
	var before *Training
	switch {
	case opts.Resume != nil:
		err, before = r.resume(opts.Resume), opts.Resume.Model.training.Before
	case opts.Begin != nil:
		err, before = r.begin(opts.Begin), &opts.Begin.training
	default:
		r.grad.params.Init(rand.New(rand.NewPCG(o.Seed, 0)))
	}
	if err != nil {
		return nil, err
	}
	r.opts.Strings, r.opts.HeldOut, r.opts.Before = data.Len(), nil, before
	r.opts.Steps = max(1, int(math.Round(o.Passes*float64(r.inPass()))))
	if opts.Warmup == 0 { // a short training has no 500 steps to spare
		r.opts.Warmup = max(1, min(r.opts.Warmup, r.opts.Steps/10))
	}
	m.training = r.opts
	m.net.params.Freeze()
	if opts.Resume != nil {
		was, is := opts.Resume.Model.training, m.training
		if was.Before, is.Before = nil, nil; was != is {
			return nil, fmt.Errorf("resume: the checkpoint is of a training with %s: resume with the same options and strings, or begin a new one with its weights", fields.Differences(was, is))
		}
	}
	return r, nil
}

// begin copies the weights of m, which must have the trainer's alphabet and sizes.
func (r *trainer) begin(m *Model) error {
	was := m.net.config
	was.MaxTokens = r.Model.net.config.MaxTokens // which no weight depends on
	if !m.alphabet.equal(r.Model.alphabet) || was != r.Model.net.config {
		return fmt.Errorf("the weights to begin with are of another alphabet or of other sizes (%+v): use that alphabet and those sizes, or begin without", m.net.config)
	}
	copy(r.Model.net.params.Data, m.net.params.Data)
	return nil
}

// resume goes on from c.
func (r *trainer) resume(c *Checkpoint) error {
	if err := r.begin(c.Model); err != nil {
		return err
	}
	r.Adam.Steps = c.Adam.Steps
	copy(r.Adam.M, c.Adam.M)
	copy(r.Adam.V, c.Adam.V)
	return nil
}

// step takes the next step. All its randomness comes from the seed and its number, so that a checkpoint need not hold
// a generator.
func (r *trainer) step() (StepResult, error) {
	step := r.Adam.Steps
	strings := r.batch(step)
	tokens := 0
	for _, s := range strings {
		tokens += len(s)
	}
	seed := rand.NewPCG(r.opts.Seed, 1<<63|uint64(step)).Uint64()
	sum := r.grad.add(strings, func(n *network, t *tensor.Tape, c chunk) tally {
		rng := rand.New(rand.NewPCG(seed, uint64(c.lo)))
		x := strings[c.lo:c.hi]
		eps := t.New(len(x), r.Model.Dim(), false)
		fillNormal(eps.Data, rng)
		e := n.elbo(t, x, eps, nn.Dropout{P: float32(r.opts.Dropout), Rand: rng})
		grad := t.Grad(e.losses)
		for i := range x {
			grad[i] = float32(len(x[i])) / float32(tokens)
		}
		t.Grad(e.kl)[0] = float32(r.opts.KL / float64(len(strings)*r.Model.Dim()))
		return e.tally(x)
	})
	r.Adam.LR = nn.Cosine(r.opts.LR, step, r.opts.Steps) * min(1, float64(step+1)/float64(r.opts.Warmup))
	norm, err := r.grad.step(r.Adam)
	return StepResult{Step: r.Adam.Steps, Steps: r.opts.Steps, GradNorm: norm, Quality: sum.quality()}, err
}

// inPass returns how many batches a pass over the strings has.
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
