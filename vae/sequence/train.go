package sequence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Training says how weights came about; a file of weights carries it. A zero field of an option takes its default.
type Training struct {
	Passes  float64 `json:"passes"`            // over the strings; 10
	Batch   int     `json:"batch"`             // strings in a step; 256
	LR      float64 `json:"lr"`                // Adam's learning rate at its highest; 10⁻³
	Warmup  int     `json:"warmup"`            // steps in which it rises to that, while it falls to 0 by the last step (nn.Cosine); 500, or a tenth of all steps if that is less
	KL      float64 `json:"kl"`                // weight of the KL divergence averaged over batch and dimensions; 0.1
	Dropout float64 `json:"dropout,omitempty"` // share of values, those of attention among them; 0, where the published weights were trained with 0.1
	Seed    uint64  `json:"seed"`
	Source  string  `json:"source"` // what the strings are, in words

	Strings int       `json:"strings"`            // set by Train: how many strings there were
	Steps   int       `json:"steps"`              // set by Train: in all
	HeldOut *Quality  `json:"held_out,omitempty"` // set by Train: on TrainOptions.HeldOut, at the end
	Before  *Training `json:"before,omitempty"`   // set by Train: of the model that it began with
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
		return fmt.Errorf("options %+v: passes, batch, learning rate, warm-up and the weight of the KL divergence must be above 0, and take their defaults for 0; dropout must be from 0 to below 1", o)
	}
	return nil
}

// TrainOptions says how to train, and what to do after each step.
type TrainOptions struct {
	Training
	Begin   *Model      // weights to begin with, of the same alphabet and sizes; nil begins with random ones
	Resume  *Checkpoint // where to go on; with the same data and options, to the same end
	HeldOut *Strings    // to measure the end result; may be nil

	// Step is called after each step, and may save the checkpoint, which is valid during the call; nil does nothing.
	Step func(*Checkpoint, StepResult) error
}

// StepResult is what a step of training saw before it changed the weights, with sampled latents and with dropout.
type StepResult struct {
	Step, Steps int     // taken, and in all
	GradNorm    float64 // before clipping
	Quality
}

// Train trains a model of strings. It minimizes
//
//	CE(x, z) + kl·KL(q(z|x) ‖ N(0, I))    z ~ q(z|x)
//
// with CE averaged over the tokens of a batch, KL over its strings and dimensions, and gradients clipped to norm 1. The
// same strings, sizes and options give the same weights.
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

// fits says why data are not strings that the model can write.
func (m *Model) fits(data *Strings) error {
	if !data.alphabet.equal(m.alphabet) {
		return errors.New("the strings' alphabet is not the model's: make them with the model's Alphabet")
	}
	if i := data.longest(); data.length(i) > m.net.config.MaxTokens {
		return fmt.Errorf("string %d has %d symbols, and the model writes at most %d: leave it out, or use a larger MaxTokens",
			i, data.length(i)-1, m.net.config.MaxTokens-1)
	}
	return nil
}
