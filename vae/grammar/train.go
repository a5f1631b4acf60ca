package grammar

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// Training says how weights came about; a file of weights carries it. A zero field of an option takes its default.
type Training struct {
	Epochs int     `json:"epochs"`  // 50
	Batch  int     `json:"batch"`   // strings in a step; 200
	LR     float64 `json:"lr"`      // Adam's learning rate at first, from where it falls to 0 (nn.Cosine); 2·10⁻³
	Beta   float64 `json:"beta"`    // weight of the KL divergence, where 1 is the ELBO; 0.05
	EpsStd float64 `json:"eps_std"` // deviation of the sampling noise in units of q's; 1
	Seed   uint64  `json:"seed"`
	Source string  `json:"source"` // what the strings are, in words

	Strings int     `json:"strings"`  // set by Train: how many strings there were
	HeldOut float64 `json:"held_out"` // set by Train: loss of the twentieth of them that was held out, at its mean latents, nats per string
}

func (o Training) withDefaults() Training {
	o.Epochs = cmp.Or(o.Epochs, 50)
	o.Batch = cmp.Or(o.Batch, 200)
	o.LR = cmp.Or(o.LR, 2e-3)
	o.Beta = cmp.Or(o.Beta, 0.05)
	o.EpsStd = cmp.Or(o.EpsStd, 1)
	return o
}

func (o Training) check() error {
	if o.Epochs < 1 || o.Batch < 1 || !(o.LR > 0) || !(o.Beta > 0) || !(o.EpsStd > 0) {
		return fmt.Errorf("options %+v: epochs, batch, learning rate, beta and the noise's deviation must be above 0; for 0 they take their defaults", o)
	}
	return nil
}

// TrainOptions says how to train, and what to do after each epoch.
type TrainOptions struct {
	Training
	Checkpoint func(*Checkpoint) error // called after each epoch; its argument is valid during the call
	Resume     *Checkpoint             // where to go on; with the same data and options, to the same end
	Log        *slog.Logger            // nil discards
}

// Train trains a model of the strings of data, which must be of the grammar. It minimizes
//
//	CE(x, z) + beta·KL(q(z|x) ‖ N(0, I))    z ~ q(z|x)
//
// in nats per string, averaged over minibatches, with batch normalization by the batch. A twentieth of data is
// held out, to be logged. The same data, sizes and options give the same weights.
func Train(ctx context.Context, g *cfg.Grammar, c Config, data []string, opts TrainOptions) (*Model, error) {
	o := opts.Training.withDefaults()
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("grammar: train: %w", err)
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, err
	}
	all, err := m.derivations.all(data)
	if err != nil {
		return nil, fmt.Errorf("grammar: train: %w", err)
	}
	if len(all) < 20 {
		return nil, fmt.Errorf("grammar: train: %d strings are too few: a twentieth is held out, so give at least 20", len(all))
	}
	log := cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	o.Strings, o.HeldOut = len(data), 0
	m.training = o

	rng := rand.New(rand.NewPCG(o.Seed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	held, train := all[:len(all)/20], all[len(all)/20:]
	r := newTrainer(m, o)
	r.net.params.Init(rng)
	if opts.Resume != nil {
		if err := r.resume(opts.Resume); err != nil {
			return nil, fmt.Errorf("grammar: train: resume: %w", err)
		}
	}
	for r.Epoch < o.Epochs {
		loss, err := r.epoch(ctx, train)
		if err != nil {
			return nil, fmt.Errorf("grammar: train: epoch %d: %w", r.Epoch+1, err)
		}
		m.training.HeldOut = r.heldOut(held)
		r.Epoch++
		log.InfoContext(ctx, "epoch", "epoch", r.Epoch, "loss", loss, "held_out", m.training.HeldOut)
		if opts.Checkpoint != nil {
			if err := opts.Checkpoint(&r.Checkpoint); err != nil {
				return nil, fmt.Errorf("grammar: train: epoch %d: checkpoint: %w", r.Epoch, err)
			}
		}
	}
	return m, nil
}

// trainer is the state of a training run.
type trainer struct {
	Checkpoint
	opts Training
	net  *network // the model's weights, with gradients
	tape tensor.Tape
}

func newTrainer(m *Model, o Training) *trainer {
	trained, all := m.net.params.Len()
	m.net.params.Bind(make([]float32, all), nil)
	return &trainer{
		Checkpoint: Checkpoint{
			Model: m,
			Adam:  nn.NewAdam(trained, o.LR),
		},
		opts: o,
		net:  m.net.view(m.net.params.Data, make([]float32, trained)),
	}
}

// epoch takes a step on each minibatch and returns the mean loss. All its randomness comes from the seed
// and the number of the epoch, so that a checkpoint need not hold a generator.
func (r *trainer) epoch(ctx context.Context, data [][]int32) (loss float64, err error) {
	rng := rand.New(rand.NewPCG(r.opts.Seed, uint64(r.Epoch+1)))
	order := rng.Perm(len(data))
	steps := (len(data) + r.opts.Batch - 1) / r.opts.Batch * r.opts.Epochs
	for part := range slices.Chunk(order, r.opts.Batch) {
		if err := ctx.Err(); err != nil {
			return 0, context.Cause(ctx)
		}
		batch := permute(data, part)
		loss += r.pass(permute(batch, longestFirst(batch)), r.opts.EpsStd, rng, nn.BatchNorm.Batch)
		r.tape.Backward()
		r.Adam.LR = nn.Cosine(r.opts.LR, r.Adam.Steps, steps)
		if _, err := r.Adam.ClippedStep(&r.net.params, math.Inf(1)); err != nil {
			return 0, err
		}
	}
	return loss / float64(len(data)), nil
}

// heldOut returns the mean loss at the mean latents.
func (r *trainer) heldOut(data [][]int32) (loss float64) {
	for part := range slices.Chunk(permute(data, longestFirst(data)), r.opts.Batch) {
		loss += r.pass(part, 0, rand.New(rand.NewPCG(0, 0)), nn.BatchNorm.Running)
	}
	return loss / float64(len(data))
}

// pass computes the loss of a minibatch, longest first, and writes the gradients of its parts. It returns the sum over strings.
func (r *trainer) pass(batch [][]int32, epsStd float64, rng *rand.Rand, norm normalize) (loss float64) {
	r.tape.Reset()
	e := r.net.elbo(&r.tape, batch, epsStd, rng, norm)
	n := float32(len(batch))
	for i, rules := range batch {
		loss += float64(len(rules)) * float64(e.losses.Data[i])
		e.losses.Grad[i] = float32(len(rules)) / n
	}
	e.kl.Grad[0] = float32(r.opts.Beta) / n
	return loss + r.opts.Beta*float64(e.kl.Data[0])
}
