package sequence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
