package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// grammarFlags are the flags of `invbo train --model grammar`.
type grammarFlags struct {
	grammar string
	strings int
	config  grammar.Config
	filters []int
}

func (g *grammarFlags) group() flagGroup {
	group := newGroup("Grammars (--model grammar)")
	flags := group.flags
	flags.StringVar(&g.grammar, "grammar", "", "`FILE` with the grammar (default: arithmetic expressions in x)")
	flags.IntVar(&g.strings, "strings", 40000, "learn from `N` random strings, without --data")
	flags.IntVar(&g.config.MaxRules, "max-rules", 15, "rules in the longest string")
	flags.IntVar(&g.config.Latent, "latent", 25, "latent dimensions")
	flags.IntVar(&g.config.Hidden, "hidden", 100, "units of each GRU layer of the decoder")
	flags.IntVar(&g.config.Dense, "dense", 100, "units of the encoder's dense layer")
	flags.IntSliceVar(&g.filters, "filters", []int{2, 3, 4}, "filters of the encoder's three convolutions")
	return group
}

// train carries out `invbo train --model grammar`.
func (g *grammarFlags) train(ctx context.Context, f trainFlags, stdout io.Writer) error {
	if err := g.check(f); err != nil {
		return err
	}
	language, data, err := g.read(f)
	if err != nil {
		return err
	}
	options := grammar.TrainOptions{Training: grammar.Training{
		Epochs: cmp.Or(int(f.epochs), 50), Batch: cmp.Or(f.batch, 200), LR: cmp.Or(f.rate, 2e-3), Beta: cmp.Or(f.beta, 0.05), Seed: f.seed,
		Source: fmt.Sprintf("%d random strings", g.strings),
	}}
	if f.data != "" {
		options.Source = filepath.Base(f.data)
	}
	saved := 0
	if f.resume {
		if options.Resume, err = resumed(f, grammar.LoadCheckpoint); err != nil {
			return err
		}
		saved = options.Resume.Epoch
	}
	p := newProgress("epochs ", options.Epochs, false)
	p.skip(saved)
	var unsaved error
	options.Checkpoint = func(c *grammar.Checkpoint) error {
		if unsaved = writeWhole(f.checkpoint(), c.Save); unsaved != nil {
			return unsaved
		}
		saved = c.Epoch
		p.set(c.Epoch, fmt.Sprintf("held-out loss %.4f nats per string", c.Model.Training().HeldOut))
		return nil
	}
	m, err := grammar.Train(ctx, language, g.config, data, options)
	p.stop()
	if unsaved != nil {
		return unsaved
	}
	if err != nil {
		done := ""
		if saved > 0 {
			done = fmt.Sprintf("%d of %d epochs", saved, options.Epochs)
		}
		return f.ended(ctx, done, &usageError{err}) // strings or sizes that do not fit the grammar
	}
	return f.finish(stdout, m.Save, fmt.Sprintf("learned from %d strings, held-out loss %.4f nats per string", len(data), m.Training().HeldOut))
}

// check refuses sizes that mean nothing.
func (g *grammarFlags) check(f trainFlags) error {
	if g.strings < 1 || g.strings > most {
		return usagef("--strings %d: give a number from 1 to %d", g.strings, most)
	}
	if f.epochs != float64(int(f.epochs)) {
		return usagef("--epochs %g: for a grammar, give a whole number", f.epochs)
	}
	if len(g.filters) != len(g.config.Filters) {
		return usagef("--filters takes %d numbers, such as 2,3,4; got %d", len(g.config.Filters), len(g.filters))
	}
	copy(g.config.Filters[:], g.filters)
	const largest = 4096
	for _, size := range append(g.filters, g.config.MaxRules, g.config.Latent, g.config.Hidden, g.config.Dense) {
		if size < 1 || size > largest {
			return usagef("--max-rules, --latent, --hidden, --dense and --filters must be from 1 to %d; one of them is %d", largest, size)
		}
	}
	return nil
}

// read returns the grammar and the strings to learn from, each once.
func (g *grammarFlags) read(f trainFlags) (*cfg.Grammar, []string, error) {
	language, draw := cfg.Expression(), cfg.RandomExpressions
	if g.grammar != "" {
		file, err := os.Open(g.grammar)
		if err != nil {
			return nil, nil, &usageError{err}
		}
		defer file.Close()
		if language, err = cfg.Read(file); err != nil {
			return nil, nil, usagef("%s: %w", g.grammar, err)
		}
		draw = func(rng *rand.Rand, n int) ([]string, error) {
			l, err := language.Language(g.config.MaxRules)
			if err != nil {
				return nil, err
			}
			return l.Sample(rng, n)
		}
	}
	if f.data == "" {
		data, err := draw(rand.New(rand.NewPCG(f.seed, 0)), g.strings)
		if err != nil {
			return nil, nil, usagef("--strings %d: %w", g.strings, err)
		}
		return language, data, nil
	}
	list, err := readFile(f.data, os.Stdin, expressions())
	if err != nil {
		return nil, nil, err
	}
	var data []string
	seen := map[string]bool{}
	longest := language.MaxBytes(g.config.MaxRules)
	for _, r := range list.rows {
		if len(r.text) > longest { // Parse would take a kilobyte for each byte
			return nil, nil, usagef("%s, line %d: a string of %d bytes, and %d rules write at most %d; leave it out, or give more --max-rules", f.data, r.line, len(r.text), g.config.MaxRules, longest)
		}
		if _, err := language.Parse(r.text); err != nil {
			return nil, nil, usagef("%s, line %d: %q is not of the grammar: %w", f.data, r.line, r.text, err)
		}
		if !seen[r.text] {
			seen[r.text] = true
			data = append(data, r.text)
		}
	}
	return language, data, nil
}
