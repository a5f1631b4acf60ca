package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/sequence"
)

// Sequence trains a transformer VAE.
type Sequence struct {
	Molecules bool   // the strings are SMILES, and the model's SELFIES
	From      string // file of weights to start from
	Alphabet  string // file; empty: the paper's SELFIES for molecules, otherwise that of the strings
	HeldOut   task.File
	Compact   bool // a smaller encoder
	Half      bool // write half precision
	Dropout   float64
	Warmup    int
	Config    sequence.Config
	Layers    int // of encoder and decoder
}

// Train trains the model and writes it to j.Out.
func (s Sequence) Train(ctx context.Context, j Job, stdout io.Writer) error {
	options := sequence.TrainOptions{Training: sequence.Training{
		Passes: j.Epochs, Batch: j.Batch, LR: j.Rate, Warmup: s.Warmup, KL: j.Beta, Dropout: s.Dropout, Seed: j.Seed, Source: filepath.Base(j.Data.Path),
	}}
	config, alphabet, err := s.begin(&options)
	if err != nil {
		return err
	}
	alphabet, data, err := s.read(ctx, j, &options, alphabet, cmp.Or(config.MaxTokens, sequence.DefaultMaxTokens))
	if err != nil {
		return err
	}
	t := session{Job: j, unit: "steps"}
	if j.Resume {
		if options.Resume, err = resumed(j, sequence.LoadCheckpoint); err != nil {
			return err
		}
		t.saved, t.total = options.Resume.Adam.Steps, options.Resume.Model.Training().Steps
	}
	began, seen := time.Now(), 0
	last := began
	options.Step = func(c *sequence.Checkpoint, q sequence.Quality) error {
		seen += q.Strings
		t.show(c.Adam.Steps, c.Model.Training().Steps, fmt.Sprintf("%.2f %% of tokens right, %.3f nats a token, KL %.3f a dimension, %.0f strings/s",
			100*q.TokenAccuracy, q.CrossEntropy, q.KL, float64(seen)/time.Since(began).Seconds()))
		const every = 3 * time.Minute
		if ctx.Err() == nil && time.Since(last) < every {
			return nil
		}
		last = time.Now()
		return t.save(c.Adam.Steps, c.Save)
	}
	m, err := sequence.Train(ctx, alphabet, config, data, options)
	if err := t.end(ctx, err); err != nil {
		return err
	}
	learned := fmt.Sprintf("learned from %d strings", len(data))
	if q := m.Training().HeldOut; q != nil {
		learned += fmt.Sprintf("; of %d held out, %.1f %% decode exactly from the encoder's mean, and %.2f %% of tokens are right", q.Strings, 100*q.Exact, 100*q.TokenAccuracy)
	}
	save := m.Save
	if s.Half {
		save = m.SaveHalf
	}
	return j.finish(stdout, save, learned)
}

// begin returns sizes and alphabet, those of From if it is given. A nil alphabet is to be taken from the training strings.
func (s Sequence) begin(options *sequence.TrainOptions) (sequence.Config, *sequence.Alphabet, error) {
	if s.From != "" {
		weights, err := os.Open(s.From)
		if err != nil {
			return sequence.Config{}, nil, option.Errorf("%s: %w", option.Name("from"), err)
		}
		defer weights.Close()
		if options.Begin, err = task.ReadSequence(weights); err != nil {
			return sequence.Config{}, nil, option.Errorf("%s: %w", option.Setting{Name: "from", Value: s.From}, err)
		}
		config := options.Begin.Config()
		config.MaxTokens = cmp.Or(s.Config.MaxTokens, config.MaxTokens) // no weight depends on it
		return config, options.Begin.Alphabet(), nil
	}
	config := s.Config
	config.EncoderLayers, config.DecoderLayers = s.Layers, s.Layers
	if s.Compact {
		compact := sequence.Compact()
		config.EncoderWidth, config.EncoderLayers = compact.EncoderWidth, compact.EncoderLayers
	}
	if s.Alphabet == "" && !s.Molecules {
		return config, nil, nil
	}
	a, err := task.ReadAlphabet(s.Alphabet)
	if err != nil {
		return config, nil, usage.Wrap(err)
	}
	return config, a, nil
}

// read returns the training strings, of at most so many tokens, and their alphabet, which replaces a nil one. It sets
// the held-out ones in options.
func (s Sequence) read(ctx context.Context, j Job, options *sequence.TrainOptions, a *sequence.Alphabet, tokens int) (*sequence.Alphabet, []string, error) {
	if j.Data.Path == "" {
		return nil, nil, option.Errorf("give the strings to learn from: %s", option.Setting{Name: "data", Value: "FILE"})
	}
	data, err := s.strings(ctx, j, j.Data, a, tokens)
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		if a, err = sequence.AlphabetOf(slices.Values(data)); err != nil {
			return nil, nil, usage.Errorf("%s: %w", j.Data.Path, err)
		}
	}
	if s.HeldOut.Path != "" {
		options.HeldOut, err = s.strings(ctx, j, s.HeldOut, a, tokens)
		return a, data, err
	}
	var train []string
	for i, x := range data {
		if i%100 == 99 {
			options.HeldOut = append(options.HeldOut, x)
		} else {
			train = append(train, x)
		}
	}
	return a, train, nil
}

// fits returns an error if a model of at most so many tokens cannot encode x. A nil alphabet is that of x.
func fits(x string, a *sequence.Alphabet, tokens int) (err error) {
	if a == nil {
		a, err = sequence.AlphabetOf(slices.Values([]string{x}))
	}
	var symbols []string
	if err == nil {
		symbols, err = a.Tokens(x)
	}
	if err != nil {
		return cmp.Or(errors.Unwrap(err), err) // without the position of the only string
	}
	if n := len(symbols); n >= tokens { // the stop is a token, too
		return fmt.Errorf("it has %d symbols, and the model encodes at most %d; max-tokens %d is enough", n, tokens-1, n+1)
	}
	return nil
}

// strings reads a file's strings. Those that a model of at most so many tokens cannot encode are left out. A nil
// alphabet encodes all.
func (s Sequence) strings(ctx context.Context, j Job, f task.File, a *sequence.Alphabet, tokens int) ([]string, error) {
	n := task.Verbatim("x")
	if s.Molecules {
		n = task.Spelled()
	}
	read, err := n.Read(ctx, f, table.Options{}, func(x string) error { return fits(x, a, tokens) })
	if err != nil {
		return nil, err
	}
	j.Say(read.Note())
	return read.Usable(), nil
}
