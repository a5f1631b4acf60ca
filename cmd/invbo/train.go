package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// trainFlags are the flags of `invbo train`.
type trainFlags struct {
	out, grammar, data string
	strings            int
	resume             bool
	config             grammar.Config
	filters            []int
	training           grammar.Training
}

func trainCommand() *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train --out FILE [flags]",
		Short: "Train a model (a Grammar VAE) on strings of any context-free grammar",
		Long: `train learns a latent space for the strings of a grammar. The grammar is a text file
with a rule a line, such as

  S -> S '+' T | T
  T -> 'x' | '1' | '(' S ')'

whose first left-hand side is the start. Strings to learn from come from a file
(--data), or are drawn at random from the grammar (--strings).

After each epoch the state is saved beside FILE, as FILE.checkpoint. After Ctrl-C
or a crash, the same command with --resume goes on from there to the same weights.`,
		Example: `  invbo train --out expression.safetensors
  invbo train --out mine.safetensors --grammar mine.cfg --data mine.txt
  invbo train --out mine.safetensors --grammar mine.cfg --data mine.txt --resume`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), c.OutOrStdout()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write the model to")
	flags.StringVar(&f.grammar, "grammar", "", "`FILE` with the grammar (default: arithmetic expressions in x)")
	flags.StringVar(&f.data, "data", "", "`FILE` with the strings to learn from: one a line, or the column x of a .csv file (default: random strings)")
	flags.IntVar(&f.strings, "strings", 40000, "learn from `N` random strings, without --data")
	flags.BoolVar(&f.resume, "resume", false, "go on from FILE.checkpoint")
	flags.IntVar(&f.training.Epochs, "epochs", 50, "passes over the strings")
	flags.IntVar(&f.training.Batch, "batch", 200, "strings in a step")
	flags.Float64Var(&f.training.LR, "rate", 2e-3, "Adam's learning rate at first, from where it falls to 0")
	flags.Float64Var(&f.training.Beta, "beta", 0.05, "weight of the KL divergence, where 1 is the ELBO")
	flags.Uint64Var(&f.training.Seed, "seed", 0, "the same seed and data give the same model")
	flags.IntVar(&f.config.MaxRules, "max-rules", 15, "rules in the longest string")
	flags.IntVar(&f.config.Latent, "latent", 25, "latent dimensions")
	flags.IntVar(&f.config.Hidden, "hidden", 100, "units of each GRU layer of the decoder")
	flags.IntVar(&f.config.Dense, "dense", 100, "units of the encoder's dense layer")
	flags.IntSliceVar(&f.filters, "filters", []int{2, 3, 4}, "filters of the encoder's three convolutions")
	return c
}

// run carries out `invbo train`.
func (f *trainFlags) run(ctx context.Context, stdout io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	g, data, err := f.read()
	if err != nil {
		return err
	}
	options := grammar.TrainOptions{Training: f.training}
	if f.resume {
		if options.Resume, err = f.resumed(); err != nil {
			return err
		}
	}
	p := newProgress("epochs ", f.training.Epochs, false)
	saved := 0
	if options.Resume != nil {
		saved = options.Resume.Epoch
		p.skip(saved)
	}
	var unsaved error
	options.Checkpoint = func(c *grammar.Checkpoint) error {
		if unsaved = writeWhole(f.checkpoint(), c.Save); unsaved != nil {
			return unsaved
		}
		saved = c.Epoch
		p.set(c.Epoch, fmt.Sprintf("held-out loss %.4f nats per string", c.Model.Training().HeldOut))
		return nil
	}
	m, err := grammar.Train(ctx, g, f.config, data, options)
	p.stop()
	switch {
	case ctx.Err() != nil && saved == 0:
		return errors.New("stopped before the end of the first epoch; nothing was saved")
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %d of %d epochs, which are in %s; the same command with --resume goes on from there",
			saved, f.training.Epochs, f.checkpoint())
	case unsaved != nil:
		return unsaved
	case err != nil:
		return &usageError{err} // strings or sizes that do not fit the grammar
	}
	if err := writeWhole(f.out, m.Save); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: learned from %d strings, held-out loss %.4f nats per string; use it with --weights %[1]s\n",
		f.out, len(data), m.Training().HeldOut)
	return os.Remove(f.checkpoint())
}

// checkpoint returns the name of the file that an unfinished training is kept in.
func (f *trainFlags) checkpoint() string { return f.out + ".checkpoint" }

// check refuses flags that mean nothing, and to write over what took long to make.
func (f *trainFlags) check() error {
	if f.out == "" {
		return usagef("give a file to write the model to: --out FILE")
	}
	for _, n := range []int{f.strings, f.training.Epochs, f.training.Batch} {
		if n < 1 || n > most {
			return usagef("--strings, --epochs and --batch must be from 1 to %d; one of them is %d", most, n)
		}
	}
	if !(f.training.LR > 0) || !(f.training.Beta > 0) {
		return usagef("--rate %g and --beta %g must be above 0", f.training.LR, f.training.Beta)
	}
	if len(f.filters) != len(f.config.Filters) {
		return usagef("--filters takes %d numbers, such as 2,3,4; got %d", len(f.config.Filters), len(f.filters))
	}
	copy(f.config.Filters[:], f.filters)
	const largest = 4096
	for _, size := range append(f.filters, f.config.MaxRules, f.config.Latent, f.config.Hidden, f.config.Dense) {
		if size < 1 || size > largest {
			return usagef("--max-rules, --latent, --hidden, --dense and --filters must be from 1 to %d; one of them is %d", largest, size)
		}
	}
	if exists(f.out) {
		return usagef("%s exists; give another --out, or delete it", f.out)
	}
	if exists(f.checkpoint()) && !f.resume {
		return usagef("%s holds an unfinished training; go on from it with --resume, or delete it", f.checkpoint())
	}
	if dir := filepath.Dir(f.out); !exists(dir) {
		return usagef("--out: there is no folder %s", dir)
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// read returns the grammar and the strings to learn from.
func (f *trainFlags) read() (*cfg.Grammar, []string, error) {
	g, draw := cfg.Expression(), cfg.RandomExpressions
	if f.grammar != "" {
		file, err := os.Open(f.grammar)
		if err != nil {
			return nil, nil, &usageError{err}
		}
		defer file.Close()
		if g, err = cfg.Read(file); err != nil {
			return nil, nil, usagef("%s: %w", f.grammar, err)
		}
		draw = func(rng *rand.Rand, n int) ([]string, error) {
			l, err := g.Language(f.config.MaxRules)
			if err != nil {
				return nil, err
			}
			return l.Sample(rng, n)
		}
	}
	if f.data == "" {
		data, err := draw(rand.New(rand.NewPCG(f.training.Seed, 0)), f.strings)
		if err != nil {
			return nil, nil, usagef("--strings %d: %w", f.strings, err)
		}
		f.training.Source = fmt.Sprintf("%d random strings", f.strings)
		return g, data, nil
	}
	f.training.Source = filepath.Base(f.data)
	rows, err := readFile(f.data, os.Stdin, modelColumns)
	if err != nil {
		return nil, nil, err
	}
	var data []string
	seen := map[string]bool{}
	for _, r := range rows {
		if _, err := g.Parse(r.X); err != nil {
			return nil, nil, usagef("%s, line %d: %q is not of the grammar: %w", f.data, r.line, r.X, err)
		}
		if !seen[r.X] {
			seen[r.X] = true
			data = append(data, r.X)
		}
	}
	return g, data, nil
}

// resumed reads the unfinished training.
func (f *trainFlags) resumed() (*grammar.Checkpoint, error) {
	file, err := os.Open(f.checkpoint())
	if err != nil {
		return nil, usagef("--resume: %w; start without it", err)
	}
	defer file.Close()
	c, err := grammar.LoadCheckpoint(file)
	if err != nil {
		return nil, usagef("%s: %w", f.checkpoint(), err)
	}
	return c, nil
}

// writeWhole writes a file so that it is there whole or, after a crash, as it was before.
func writeWhole(name string, fill func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}
