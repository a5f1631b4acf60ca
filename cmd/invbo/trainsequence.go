package main

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

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/vae/sequence"
)

// sequenceFlags are the flags of `invbo train --model molecules` and strings.
type sequenceFlags struct {
	from, alphabet, heldOut string
	skipInvalid, compact    bool
	half                    bool
	dropout                 float64
	warmup                  int
	config                  sequence.Config
	layers                  int
	flags                   *pflag.FlagSet // which of them were given
}

func (s *sequenceFlags) group() flagGroup {
	group := newGroup("Transformers (--model molecules or strings)")
	flags := group.flags
	s.flags = flags
	flags.StringVar(&s.from, "from", "", "start from the weights of a `FILE`, with its alphabet and sizes")
	flags.StringVar(&s.alphabet, "alphabet", "", "`FILE` with a symbol a line (default: the paper's SELFIES for molecules; for strings, the characters and [bracketed] symbols that they have)")
	flags.StringVar(&s.heldOut, "held-out", "", "measure the end result on the strings of this `FILE` (default: every hundredth of --data, which is then not learned from)")
	flags.BoolVar(&s.skipInvalid, "skip-invalid", false, "leave out lines that are no SMILES or leave the alphabet, and say how many")
	flags.Float64Var(&s.dropout, "dropout", 0, "`SHARE` of units dropped in training")
	flags.IntVar(&s.warmup, "warmup", 0, "`N` steps in which the learning rate rises (default 500, or a tenth of all)")
	flags.BoolVar(&s.compact, "compact", false, "a smaller encoder (3 layers of width 128), which trains faster")
	flags.IntVar(&s.config.Vectors, "vectors", 2, "latent vectors of a string")
	flags.IntVar(&s.config.Width, "width", 128, "width of each, and of the decoder")
	flags.IntVar(&s.layers, "layers", 6, "layers of encoder and decoder")
	flags.IntVar(&s.config.MaxTokens, "max-tokens", 0, "symbols of the longest string and its stop: `N` (default 400, or those of --from)")
	flags.BoolVar(&s.half, "half", false, "write the weights in half precision: half the size, three digits")
	return group
}

// train carries out `invbo train --model molecules` and strings.
func (s *sequenceFlags) train(ctx context.Context, f trainFlags, stdout io.Writer) error {
	options := sequence.TrainOptions{Training: sequence.Training{
		Passes: f.epochs, Batch: f.batch, LR: f.rate, Warmup: s.warmup, KL: f.beta, Dropout: s.dropout, Seed: f.seed, Source: filepath.Base(f.data),
	}}
	config, alphabet, err := s.begin(&options)
	if err != nil {
		return err
	}
	data, err := s.read(f, &options, alphabet, cmp.Or(config.MaxTokens, sequence.DefaultMaxTokens))
	if err != nil {
		return err
	}
	t := training{trainFlags: f, began: time.Now()}
	if f.resume {
		if options.Resume, err = resumed(f, sequence.LoadCheckpoint); err != nil {
			return err
		}
		t.saved, t.steps = options.Resume.Adam.Steps, options.Resume.Model.Training().Steps
	}
	options.Step = func(c *sequence.Checkpoint, r sequence.StepResult) error { return t.step(ctx, c, r) }
	m, err := sequence.Train(ctx, data, config, options)
	t.stop()
	if t.unsaved != nil {
		return t.unsaved
	}
	if err != nil {
		done := ""
		if t.saved > 0 {
			done = fmt.Sprintf("%d of %d steps", t.saved, t.steps)
		}
		return f.ended(ctx, done, &usageError{err}) // strings or sizes that do not fit
	}
	learned := fmt.Sprintf("learned from %d strings", data.Len())
	if q := m.Training().HeldOut; q != nil {
		learned += fmt.Sprintf("; of %d held out, %.1f %% decode exactly from the encoder's mean, and %.2f %% of tokens are right", q.Strings, 100*q.Exact, 100*q.TokenAccuracy)
	}
	save := m.Save
	if s.half {
		save = m.SaveHalf
	}
	return f.finish(stdout, save, learned)
}

// training is what is seen and kept of a training while it goes on.
type training struct {
	trainFlags
	progress *progress // nil before the first step
	began    time.Time
	strings  int       // seen since then
	last     time.Time // that it was saved
	saved    int       // steps in the checkpoint
	steps    int       // in all
	unsaved  error
}

// step shows a step, and saves every few minutes and when ctx ends.
func (t *training) step(ctx context.Context, c *sequence.Checkpoint, r sequence.StepResult) error {
	const every = 3 * time.Minute
	if t.progress == nil {
		t.progress = newProgress("steps ", r.Steps, false)
		t.progress.skip(r.Step - 1)
		t.last, t.steps = t.began, r.Steps
	}
	t.strings += r.Strings
	t.progress.set(r.Step, fmt.Sprintf("%.2f %% of tokens right, %.3f nats a token, KL %.3f a dimension, %.0f strings/s",
		100*r.TokenAccuracy, r.CrossEntropy, r.KL, float64(t.strings)/time.Since(t.began).Seconds()))
	if ctx.Err() == nil && time.Since(t.last) < every {
		return nil
	}
	if t.unsaved = writeWhole(t.checkpoint(), c.Save); t.unsaved != nil {
		return t.unsaved
	}
	t.last, t.saved = time.Now(), r.Step
	return nil
}

func (t *training) stop() {
	if t.progress != nil {
		t.progress.stop()
	}
}

// begin returns sizes and alphabet, those of --from if it is given. The alphabet is nil where the strings have to say
// it.
func (s *sequenceFlags) begin(options *sequence.TrainOptions) (sequence.Config, *sequence.Alphabet, error) {
	if s.from != "" {
		for _, name := range []string{"alphabet", "compact", "vectors", "width", "layers"} {
			if s.flags.Changed(name) {
				return sequence.Config{}, nil, usagef("--from %s has its own alphabet and sizes; leave out --%s", s.from, name)
			}
		}
		data, err := os.ReadFile(s.from)
		if err != nil {
			return sequence.Config{}, nil, usagef("--from: %w", err)
		}
		if options.Begin, err = parseSequence(data); err != nil {
			return sequence.Config{}, nil, usagef("--from %s: %w", s.from, err)
		}
		config := options.Begin.Config()
		config.MaxTokens = cmp.Or(s.config.MaxTokens, config.MaxTokens) // no weight depends on it
		return config, options.Begin.Alphabet(), nil
	}
	config := s.config
	config.EncoderLayers, config.DecoderLayers = s.layers, s.layers
	if s.compact {
		compact := sequence.Compact()
		config.EncoderWidth, config.EncoderLayers = compact.EncoderWidth, compact.EncoderLayers
	}
	if s.alphabet == "" {
		return config, nil, nil
	}
	a, err := readAlphabet(s.alphabet)
	if err != nil {
		return config, nil, &usageError{err}
	}
	return config, a, nil
}

// read returns the strings to learn from, of at most so many tokens, and puts those to measure the end result on into options. The
// alphabet is the paper's for molecules and the strings' own otherwise, if it is nil.
func (s *sequenceFlags) read(f trainFlags, options *sequence.TrainOptions, a *sequence.Alphabet, tokens int) (*sequence.Strings, error) {
	if f.data == "" {
		return nil, usagef("give the strings to learn from: --data FILE")
	}
	n := sequences()
	if f.model == "molecules" {
		n = spelled()
		if a == nil {
			var err error
			if a, err = readAlphabet(""); err != nil {
				return nil, err
			}
		}
	}
	data, err := s.strings(f.data, n, a, tokens)
	if err != nil {
		return nil, err
	}
	if a == nil {
		if a, err = sequence.AlphabetOf(slices.Values(data)); err != nil {
			return nil, usagef("%s: %w", f.data, err)
		}
	}
	var heldOut []string
	switch {
	case s.heldOut != "":
		if heldOut, err = s.strings(s.heldOut, n, a, tokens); err != nil {
			return nil, err
		}
	default:
		data, heldOut = split(data)
	}
	if len(heldOut) > 0 {
		if options.HeldOut, err = sequence.NewStrings(a, slices.Values(heldOut)); err != nil {
			return nil, err
		}
	}
	return sequence.NewStrings(a, slices.Values(data))
}

// split keeps every hundredth string back.
func split(data []string) (learned, heldOut []string) {
	for i, x := range data {
		if i%100 == 99 {
			heldOut = append(heldOut, x)
		} else {
			learned = append(learned, x)
		}
	}
	return learned, heldOut
}

// fits says why a model of at most so many tokens cannot write x. A nil alphabet is that of x.
func fits(x string, a *sequence.Alphabet, tokens int) (err error) {
	if a == nil {
		if a, err = sequence.AlphabetOf(slices.Values([]string{x})); err != nil {
			return cmp.Or(errors.Unwrap(err), err) // which string of how many is no news
		}
	}
	one, err := sequence.NewStrings(a, slices.Values([]string{x}))
	if err != nil {
		return cmp.Or(errors.Unwrap(err), err)
	}
	if n := one.Longest(); n > tokens {
		return fmt.Errorf("it has %d symbols, and the model writes at most %d: give --max-tokens %d, or more", n-1, tokens-1, n)
	}
	return nil
}

// strings reads a file's strings as models of at most so many tokens write them. Those that they cannot write are an error, unless they
// are to be left out; a nil alphabet writes all.
func (s *sequenceFlags) strings(name string, n notation, a *sequence.Alphabet, tokens int) ([]string, error) {
	list, err := readFile(name, os.Stdin, n)
	if err != nil {
		return nil, err
	}
	var all []string
	var invalid []error
	for _, r := range list.rows {
		x, err := list.form.parse(r.text)
		if err == nil {
			err = fits(x, a, tokens)
		}
		switch {
		case err == nil:
			all = append(all, x)
		case s.skipInvalid:
			invalid = append(invalid, usagef("%s, line %d: %w", list.source, r.line, err))
		default:
			return nil, usagef("%s, line %d: %w; --skip-invalid leaves such lines out", list.source, r.line, err)
		}
	}
	if note := skipped(invalid); note != "" {
		fmt.Fprintln(os.Stderr, "invbo:", note)
	}
	if len(all) == 0 {
		return nil, usagef("%s: no string is left", list.source)
	}
	return all, nil
}
