package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// trainFlags are the flags of `invbo train` that all models share.
type trainFlags struct {
	out, model, data string
	resume           bool
	epochs           float64 // 0: the model's default, as for the others
	batch            int
	rate, beta       float64
	seed             uint64
}

// trainable is a kind of model that can be trained.
type trainable struct {
	name  string
	flags []string // of trainFlags and its own, those that not every kind has
	train func(ctx context.Context, f trainFlags, stdout io.Writer) error
}

func trainCommand() *cobra.Command {
	var (
		f        trainFlags
		grammar  grammarFlags
		sequence sequenceFlags
	)
	ofGrammar, ofSequence := grammar.group(), sequence.group()
	kinds := []trainable{
		{"grammar", names(ofGrammar.flags), grammar.train},
		{"molecules", names(ofSequence.flags), sequence.train},
		{"strings", names(ofSequence.flags), sequence.train},
	}
	c := &cobra.Command{
		Use:   "train --out FILE [flags]",
		Short: "Train a model on molecules, on any strings, or on strings of a grammar",
		Long: `train learns a latent space for strings, which a search then goes through.

--model molecules  SMILES, a line each, are turned into SELFIES; a transformer VAE
                   over the paper's alphabet learns from them. It needs no RDKit.
--model strings    A transformer VAE over any alphabet: proteins, for example.
--model grammar    A Grammar VAE for the strings of a context-free grammar, a text
                   file with a rule a line, such as
                     S -> S '+' T | T
                     T -> 'x' | '1' | '(' S ')'
                   whose first left-hand side is the start. Without --data it learns
                   from random strings of the grammar.

The state is saved as FILE.checkpoint every few minutes or after each epoch. After
Ctrl-C or a crash, the same command with --resume goes on from there to the same
weights.`,
		Example: `  invbo train --model molecules --data molecules.smi.gz --compact --out m.safetensors
  invbo train --model molecules --data mine.smi --from m.safetensors --out mine.safetensors
  invbo train --model strings --data proteins.txt --out p.safetensors
  invbo train --grammar mine.cfg --data mine.txt --out g.safetensors --resume`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			i := slices.IndexFunc(kinds, func(k trainable) bool { return k.name == f.model })
			if i < 0 {
				return usagef("there is no model %q%s", f.model, suggest(f.model, []string{"grammar", "molecules", "strings"}))
			}
			for _, k := range kinds {
				for _, name := range k.flags {
					if c.Flags().Changed(name) && !slices.Contains(kinds[i].flags, name) {
						return usagef("--%s is not for --model %s; leave it out", name, f.model)
					}
				}
			}
			if err := f.check(c.Flags()); err != nil {
				return err
			}
			return kinds[i].train(c.Context(), f, c.OutOrStdout())
		},
	}
	what := newGroup("What to learn")
	flags := what.flags
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write the model to")
	flags.StringVar(&f.model, "model", "grammar", "`KIND` of model: molecules, strings or grammar")
	flags.StringVar(&f.data, "data", "", "`FILE` with the strings to learn from: one a line, or a column x or smiles of .csv; gzip too")
	flags.BoolVar(&f.resume, "resume", false, "go on from FILE.checkpoint")
	how := newGroup("How")
	flags = how.flags
	flags.Float64Var(&f.epochs, "epochs", 0, "`N` passes over the strings (default 10; 50 for grammar)")
	flags.IntVar(&f.batch, "batch", 0, "`N` strings in a step (default 256; 200 for grammar)")
	flags.Float64Var(&f.rate, "rate", 0, "Adam's learning `RATE` at its highest (default 0.001; 0.002 for grammar)")
	flags.Float64Var(&f.beta, "beta", 0, "`WEIGHT` of the KL divergence: averaged over latent dimensions (default 0.1); for grammar summed, where 1 is the ELBO (default 0.05)")
	flags.Uint64Var(&f.seed, "seed", 0, "the same `N` and data give the same model")
	addGroups(c, what, how, ofSequence, ofGrammar)
	return c
}

// names returns the names of flags.
func names(flags *pflag.FlagSet) []string {
	var all []string
	flags.VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}

// checkpoint returns the name of the file that an unfinished training is kept in.
func (f trainFlags) checkpoint() string { return f.out + ".checkpoint" }

// check refuses flags that mean nothing, and to write over what took long to make.
func (f trainFlags) check(flags *pflag.FlagSet) error {
	if f.out == "" {
		return usagef("give a file to write the model to: --out FILE")
	}
	for _, name := range []string{"epochs", "rate", "beta"} {
		if value, _ := flags.GetFloat64(name); flags.Changed(name) && !(value > 0 && value <= most) {
			return usagef("--%s %g: give a number above 0 and up to %d", name, value, most)
		}
	}
	for _, name := range []string{"batch", "warmup", "vectors", "width", "layers", "max-tokens"} {
		if value, _ := flags.GetInt(name); flags.Changed(name) && (value < 1 || value > most) {
			return usagef("--%s %d: give a number from 1 to %d", name, value, most)
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
	} else if err := mayWrite(dir); err != nil {
		return err
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// resumed reads the unfinished training by load, which a package of models offers.
func resumed[C any](f trainFlags, load func(io.Reader) (C, error)) (c C, err error) {
	file, err := os.Open(f.checkpoint())
	if err != nil {
		return c, usagef("--resume: %w; start without it", err)
	}
	defer file.Close()
	if c, err = load(file); err != nil {
		return c, usagef("%s: %w", f.checkpoint(), err)
	}
	return c, nil
}

// ended returns the error of a training that did not come to its end; saved says what of it is on disk, in words.
func (f trainFlags) ended(ctx context.Context, saved string, err error) error {
	switch {
	case ctx.Err() != nil && saved == "":
		return errors.New("stopped early; nothing was saved")
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %s, which are in %s; the same command with --resume goes on from there", saved, f.checkpoint())
	}
	return err
}

// finish writes the model and removes the checkpoint.
func (f trainFlags) finish(stdout io.Writer, save func(io.Writer) error, learned string) error {
	if err := writeWhole(f.out, save); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s; use it with --weights %[1]s\n", f.out, learned)
	if err := os.Remove(f.checkpoint()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
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
	if err := errors.Join(fill(f), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}
