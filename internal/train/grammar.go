package train

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// Grammar trains a Grammar VAE.
type Grammar struct {
	Grammar string // file; empty: arithmetic expressions in x
	Strings int    // random strings to learn from, without Job.Data; 0: 40,000, or all of a language that has fewer
	Config  grammar.Config
}

// Train trains the model and writes it to j.Out.
func (g Grammar) Train(ctx context.Context, j Job, stdout io.Writer) error {
	if j.Epochs != float64(int(j.Epochs)) {
		return option.Errorf("%s: for a grammar, give a whole number", option.Setting{Name: "epochs", Value: fmt.Sprint(j.Epochs)})
	}
	language, data, err := g.read(ctx, j)
	if err != nil {
		return err
	}
	options := grammar.TrainOptions{Training: grammar.Training{
		Epochs: int(j.Epochs), Batch: j.Batch, LR: j.Rate, Beta: j.Beta, Seed: j.Seed,
		Source: fmt.Sprintf("%d random strings", len(data)),
	}}
	if j.Data.Path != "" {
		options.Source = filepath.Base(j.Data.Path)
	}
	t := session{Job: j, unit: "epochs"}
	if j.Resume {
		if options.Resume, err = resumed(j, grammar.LoadCheckpoint); err != nil {
			return err
		}
		t.saved, t.total = options.Resume.Epoch(), options.Resume.Model.Training().Epochs
	}
	options.Checkpoint = func(c *grammar.Checkpoint) error {
		t.show(c.Epoch(), c.Model.Training().Epochs, fmt.Sprintf("held-out loss %.4f nats per string", c.Model.Training().HeldOut))
		return t.save(c.Epoch(), c.Save)
	}
	m, err := grammar.Train(ctx, language, g.Config, data, options)
	if err := t.end(ctx, err); err != nil {
		return err
	}
	return j.finish(stdout, m.Save, fmt.Sprintf("learned from %d strings, held-out loss %.4f nats per string", len(data), m.Training().HeldOut))
}

// read returns the grammar and the strings to learn from, each once.
func (g Grammar) read(ctx context.Context, j Job) (*cfg.Grammar, []string, error) {
	language, draw := cfg.Expression(), cfg.RandomExpressions
	if g.Grammar != "" {
		file, err := os.Open(g.Grammar)
		if err != nil {
			return nil, nil, usage.Wrap(err)
		}
		defer file.Close()
		if language, err = cfg.Read(file); err != nil {
			return nil, nil, usage.Errorf("%s: %w", g.Grammar, err)
		}
		draw = func(rng *rand.Rand, n int) ([]string, error) {
			l, err := language.Language(g.Config.MaxRules)
			if err != nil {
				return nil, err
			}
			return l.Sample(rng, n)
		}
	}
	if j.Data.Path == "" {
		data, err := draw(rand.New(rand.NewPCG(j.Seed, 0)), cmp.Or(g.Strings, 40_000))
		most := option.Setting{Name: "max-rules", Value: strconv.Itoa(g.Config.MaxRules)}
		switch {
		case err != nil && g.Strings > 0:
			return nil, nil, option.Errorf("%s, of at most %d rules (%s): %w", option.Setting{Name: "strings", Value: strconv.Itoa(g.Strings)}, g.Config.MaxRules, option.Name("max-rules"), err)
		case err != nil && len(data) == 0:
			return nil, nil, option.Errorf("%s: %w", most, err)
		case len(data) < grammar.Fewest:
			return nil, nil, option.Errorf("%s: the grammar writes %d strings with so many rules, and a model learns from %d or more; give more rules", most, len(data), grammar.Fewest)
		}
		return language, data, nil
	}
	longest := language.MaxBytes(g.Config.MaxRules)
	inGrammar := func(x string) error {
		if len(x) > longest { // Parse would take a kilobyte for each byte
			return fmt.Errorf("a string of %d bytes, and %d rules write at most %d", len(x), g.Config.MaxRules, longest)
		}
		if _, err := language.Parse(x); err != nil {
			return fmt.Errorf("%q is not of the grammar: %w", x, err)
		}
		return nil
	}
	read, err := task.Verbatim("x").Read(ctx, j.Data, table.Options{}, inGrammar)
	if err != nil {
		return nil, nil, err
	}
	j.Say(read.Note())
	seen := map[string]bool{}
	data := slices.DeleteFunc(read.Usable(), func(x string) bool {
		twice := seen[x]
		seen[x] = true
		return twice
	})
	return language, data, nil
}
