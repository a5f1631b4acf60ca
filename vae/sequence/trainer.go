package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// trainTokens is about how many tokens a worker computes at once: with fewer, adding up gradients takes longer.
const trainTokens = 512

// maxWorkers bounds the memory for gradients and tapes.
const maxWorkers = 8

// trainer is the state of a training run.
type trainer struct {
	Checkpoint
	opts    Training
	data    *Strings
	params  nn.Params // the model's, with gradients
	workers []*worker

	sum   tally   // of the batch at hand
	pass  int     // whose order is at hand
	order []int32 // of the strings
}

// worker computes gradients of its own.
type worker struct {
	net  *network // the model's weights
	tape tensor.Tape
	rng  *rand.Rand
	tally
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
	trained, all := m.net.params.Len()
	m.net.params.Bind(make([]float32, all), nil)
	r := &trainer{
		Checkpoint: Checkpoint{Model: m, Adam: nn.NewAdam(trained, o.LR)},
		opts:       o,
		data:       data,
		params:     m.net.view(m.net.params.Data, make([]float32, trained)).params,
		pass:       -1,
	}
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		r.workers = append(r.workers, &worker{net: m.net.view(m.net.params.Data, make([]float32, trained))})
	}
	r.Adam.Beta2 = 0.98 // as is usual for transformers (Vaswani et al. 2017, §5.3)
	var before *Training
	switch {
	case opts.Resume != nil:
		err, before = r.resume(opts.Resume), opts.Resume.Model.training.Before
	case opts.Begin != nil:
		err, before = r.begin(opts.Begin), &opts.Begin.training
	default:
		r.params.Init(rand.New(rand.NewPCG(o.Seed, 0)))
	}
	if err != nil {
		return nil, err
	}
	m.net.params.Freeze()
	r.opts.Strings, r.opts.HeldOut, r.opts.Before = data.Len(), nil, before
	r.opts.Steps = max(1, int(math.Round(o.Passes*float64(r.inPass()))))
	m.training = r.opts
	return r, nil
}

// begin copies the weights of m, which must have the trainer's alphabet and sizes.
func (r *trainer) begin(m *Model) error {
	if !m.alphabet.equal(r.Model.alphabet) || m.net.config != r.Model.net.config {
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
// a generator. The gradients of the chunks are added in their order, whoever computed them.
func (r *trainer) step() StepResult {
	step := r.Adam.Steps
	strings := r.batch(step)
	tokens := 0
	for _, s := range strings {
		tokens += len(s)
	}
	rng := rand.New(rand.NewPCG(r.opts.Seed, 1<<63|uint64(step)))
	r.sum = tally{}
	for part := range slices.Chunk(chunks(strings, trainTokens), len(r.workers)) {
		for k := range part {
			r.workers[k].rng = rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
		}
		parallel.For(len(part), 1, func(k, _ int) {
			r.workers[k].pass(strings[part[k].lo:part[k].hi], r.opts, tokens, len(strings))
		})
		for _, w := range r.workers[:len(part)] {
			r.collect(w)
		}
	}
	norm := nn.ClipNorm(r.params.Grad, 1)
	r.Adam.LR = nn.Cosine(r.opts.LR, step, r.opts.Steps) * min(1, float64(step+1)/float64(r.opts.Warmup))
	r.Adam.Step(&r.params)
	r.Model.net.params.Freeze() // at their new values
	return StepResult{Step: r.Adam.Steps, Steps: r.opts.Steps, GradNorm: norm, Quality: r.sum.quality()}
}

// pass computes the gradient that strings give, in a batch of so many tokens and strings.
func (w *worker) pass(strings [][]int32, o Training, tokens, n int) {
	w.tape.Reset()
	eps := w.net.normal(&w.tape, len(strings), w.rng)
	e := w.net.elbo(&w.tape, strings, eps, nn.Dropout{P: float32(o.Dropout), Rand: w.rng})
	for i, s := range strings {
		e.losses.Grad[i] = float32(len(s)) / float32(tokens)
	}
	e.kl.Grad[0] = float32(o.KL / float64(n*e.z.Cols))
	w.tally = e.tally(strings)
	w.tape.Backward()
}

// collect adds a worker's gradient, and what it saw, to the batch's.
func (r *trainer) collect(w *worker) {
	r.sum.add(w.tally)
	parallel.For(len(r.params.Grad), 1<<16, func(lo, hi int) {
		grad, part := r.params.Grad[lo:hi], w.net.params.Grad[lo:hi]
		simd.Add(grad, grad, part)
		clear(part)
	})
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
