package grammar

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Training holds the options of a training run and its record, which is saved with the weights. A zero option takes
// its default.
type Training struct {
	Epochs int     `json:"epochs"` // 50
	Batch  int     `json:"batch"`  // strings per step; 200
	LR     float64 `json:"lr"`     // initial learning rate of Adam, annealed to 0 (nn.Cosine); 2·10⁻³
	Beta   float64 `json:"beta"`   // weight of the KL divergence (1 gives the ELBO); 0.05
	Seed   uint64  `json:"seed"`
	Source string  `json:"source"` // description of the strings

	Strings int     `json:"strings"`  // set by Train: number of strings
	HeldOut float64 `json:"held_out"` // set by Train: loss of the held-out twentieth at its mean latents, in nats per string
}

func (o Training) withDefaults() Training {
	o.Epochs = cmp.Or(o.Epochs, 50)
	o.Batch = cmp.Or(o.Batch, 200)
	o.LR = cmp.Or(o.LR, 2e-3)
	o.Beta = cmp.Or(o.Beta, 0.05)
	return o
}

func (o Training) check() error {
	if o.Epochs < 1 || o.Batch < 1 || !(o.LR > 0) || !(o.Beta > 0) {
		return fmt.Errorf("options %+v: epochs, batch, learning rate and beta must be positive, or 0 for the default", o)
	}
	return nil
}

// inEpoch returns the number of steps per epoch: a twentieth of the strings is held out.
func (o Training) inEpoch() int { return (o.Strings-o.Strings/20-1)/o.Batch + 1 }

// TrainOptions holds the options of Train.
type TrainOptions struct {
	Training
	Checkpoint func(*Checkpoint) error // if not nil, called after each epoch; the argument is valid during the call
	Resume     *Checkpoint             // continue from here; data and options must be the same, and so is the result
}

// Fewest is how many strings a model is trained on at least: a twentieth of them is held out.
const Fewest = 20

// Train trains a model of the strings of data, at least Fewest, which must be in the language of g. It minimizes
//
//	CE(x, z) + beta·KL(q(z|x) ‖ N(0, I))    z ~ q(z|x)
//
// in nats per string, averaged over minibatches, with Adam and with batch normalization by the batch. The weights are a
// function of data, sizes and options.
func Train(ctx context.Context, g *cfg.Grammar, c Config, data []string, opts TrainOptions) (*Model, error) {
	o := opts.Training.withDefaults()
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("grammar: train: %w", err)
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, err
	}
	all, err := m.SplitAll(data)
	if err != nil {
		return nil, fmt.Errorf("grammar: train: %w", err)
	}
	if len(all) < Fewest {
		return nil, fmt.Errorf("grammar: train: %d strings are too few: give at least %d, as a twentieth is held out", len(all), Fewest)
	}
	o.Strings, o.HeldOut = len(data), 0
	m.training = o

	rng := rand.New(rand.NewPCG(o.Seed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	held, train := all[:len(all)/20], all[len(all)/20:]
	r := &trainer{Trainer: neural.NewTrainer(&m.base, 1, whole, o.LR), model: m}
	m.Net.params.Init(rng)
	if opts.Resume != nil {
		if err := r.resume(opts.Resume); err != nil {
			return nil, fmt.Errorf("grammar: train: resume: %w", err)
		}
	}
	m.Net.params.Freeze()
	for epoch := r.Adam.Steps/o.inEpoch() + 1; epoch <= o.Epochs; epoch++ {
		if err := r.epoch(ctx, epoch, train); err != nil {
			return nil, fmt.Errorf("grammar: train: epoch %d: %w", epoch, err)
		}
		m.training.HeldOut = r.heldOut(held)
		if opts.Checkpoint != nil {
			if err := opts.Checkpoint(&Checkpoint{m, r.Adam}); err != nil {
				return nil, fmt.Errorf("grammar: train: epoch %d: checkpoint: %w", epoch, err)
			}
		}
	}
	return m, nil
}

// trainer is the state of a training run.
type trainer struct {
	*neural.Trainer[*network]
	model *Model // training is its options
}

// resume copies the state of c, whose model must have the trainer's grammar, sizes and options.
func (r *trainer) resume(c *Checkpoint) error {
	if c.Model.Net.grammar.String() != r.model.Net.grammar.String() || c.Model.Net.config != r.model.Net.config {
		return fmt.Errorf("the checkpoint has another grammar or other sizes (%+v): resume with those, or start a new run", c.Model.Net.config)
	}
	was, is := c.Model.training, r.model.training
	if was.HeldOut, is.HeldOut = 0, 0; was != is {
		return fmt.Errorf("the checkpoint is from a training with %s: resume with the same options and strings, or start a new run", fields.Differences(was, is))
	}
	r.model.training = c.Model.training
	r.Resume(c.Model.Weights(), c.Adam)
	return nil
}

// epoch takes a step on each minibatch. Its randomness is a function of the seed and the
// epoch number, so checkpoints contain no generator state.
func (r *trainer) epoch(ctx context.Context, epoch int, data [][]int32) error {
	o := r.model.training
	rng := rand.New(rand.NewPCG(o.Seed, uint64(epoch)))
	order := rng.Perm(len(data))
	for part := range slices.Chunk(order, o.Batch) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var batch [][]int32
		for _, i := range part {
			batch = append(batch, data[i])
		}
		r.gradient(batch, rng)
		r.Adam.LR = nn.Cosine(o.LR, r.Adam.Steps, o.inEpoch()*o.Epochs)
		if _, err := r.Update(math.Inf(1)); err != nil {
			return err
		}
	}
	return nil
}

// gradient adds the gradient of a minibatch.
func (r *trainer) gradient(batch [][]int32, rng *rand.Rand) {
	sorted, _ := r.model.Sorted(batch)
	r.Add(sorted, func(n *network, t *tensor.Tape, _ neural.Chunk) { r.pass(n, t, sorted, rng, nn.BatchNorm.Batch) })
}

// heldOut returns the mean loss of data at its mean latents.
func (r *trainer) heldOut(data [][]int32) (loss float64) {
	sorted, _ := r.model.Sorted(data)
	for part := range slices.Chunk(sorted, r.model.training.Batch) {
		r.model.OnTape(func(t *tensor.Tape) { loss += r.pass(r.model.Net, t, part, nil, nn.BatchNorm.Running) })
	}
	return loss / float64(len(data))
}

// pass returns the loss of a minibatch, sorted longest first, summed over strings, and sets the gradients of its parts. It
// encodes the strings, samples z ~ q(z|x), or takes the mean if rng is nil, and decodes z.
func (r *trainer) pass(n *network, t *tensor.Tape, batch [][]int32, rng *rand.Rand, norm normalize) (loss float64) {
	mu, logvar := n.encode(t, batch, norm)
	z := mu
	if rng != nil {
		eps := t.New(mu.Rows, mu.Cols, false)
		nn.Normal(1)(rng, eps)
		z = t.Sample(mu, logvar, eps)
	}
	losses, _ := n.reconstruct(t, z, batch, tensor.CrossEntropy, norm)
	kl := t.KL(mu, logvar)
	for i, rules := range batch {
		loss += float64(len(rules)) * float64(losses.Data[i])
	}
	if grad := t.Grad(losses); grad != nil {
		for i, rules := range batch {
			grad[i] = float32(len(rules)) / float32(len(batch))
		}
		t.Grad(kl)[0] = float32(r.model.training.Beta) / float32(len(batch))
	}
	return loss + r.model.training.Beta*float64(kl.Data[0])
}
