package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/train"
	"github.com/invbo/invbo/internal/usage"
)

func trainCommand() *cobra.Command {
	var (
		j        = train.Job{Say: say}
		model    string
		sequence train.Sequence
		grammar  train.Grammar
		filters  []int
	)
	ofSequence, ofGrammar := sequenceGroup(&sequence), grammarGroup(&grammar, &filters)
	kinds := []string{"grammar", "molecules", "strings"}
	c := &cobra.Command{
		Use:   "train --out FILE [flags]",
		Short: "Train a model on molecules, on any strings, or on strings of a grammar",
		Long: `train learns a latent space of strings, which invbo run then searches.

--model molecules  A transformer VAE over the paper's SELFIES alphabet, from a file
                   of SMILES, one per line. It needs no RDKit.
--model strings    A transformer VAE over any alphabet: proteins, for example.
--model grammar    A Grammar VAE for the strings of a context-free grammar, a text
                   file with a rule per line, such as
                     S -> S '+' T | T
                     T -> 'x' | '1' | '(' S ')'
                   whose first left-hand side is the start symbol. Without --data
                   it learns from random strings of the grammar.

A checkpoint is saved as FILE.checkpoint every few minutes or after each epoch.
After Ctrl-C or a crash, the same command with --resume continues from there to
the same weights.`,
		Example: `  invbo model train --model molecules --data molecules.smi.gz --compact --out m.safetensors
  invbo model train --model molecules --data mine.smi --from m.safetensors --out mine.safetensors
  invbo model train --model strings --data proteins.txt --out p.safetensors
  invbo model train --grammar mine.cfg --data mine.txt --out g.safetensors --resume`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := usage.Find("model", model, kinds, func(kind string) string { return kind }); err != nil {
				return err
			}
			others := ofGrammar
			if model == "grammar" {
				others = ofSequence
			}
			if names := others.given(); len(names) > 0 {
				return usage.Errorf("--%s is not for --model %s; leave it out", names[0], model)
			}
			for _, name := range ofSequence.given() {
				if sequence.From != "" && slices.Contains([]string{"alphabet", "compact", "vectors", "width", "layers"}, name) {
					return usage.Errorf("--from %s has its own alphabet and sizes; leave out --%s", sequence.From, name)
				}
			}
			if err := j.Check(); err != nil {
				return err
			}
			if model != "grammar" {
				sequence.Molecules = model == "molecules"
				return sequence.Train(c.Context(), j, c.OutOrStdout())
			}
			if len(filters) != len(grammar.Config.Filters) {
				return usage.Errorf("--filters takes %d numbers, such as 2,3,4; got %d", len(grammar.Config.Filters), len(filters))
			}
			copy(grammar.Config.Filters[:], filters)
			return grammar.Train(c.Context(), j, c.OutOrStdout())
		},
	}
	what := newGroup("Model and data")
	what.StringVarP(&j.Out, "out", "o", "", "`FILE` to write the model to")
	what.StringVar(&model, "model", "grammar", "`KIND` of model: molecules, strings or grammar")
	what.Var(&j.Data, "data", "`FILE` with the training strings: any table that invbo new reads")
	what.BoolVar(&j.Resume, "resume", false, "continue from FILE.checkpoint")
	how := newGroup("Training")
	how.Var(option.Number(&j.Epochs, usage.Most), "epochs", "`N` passes over the strings (default 10; 50 for grammar)")
	how.Var(option.Count(&j.Batch), "batch", "`N` strings per step (default 256; 200 for grammar)")
	how.Var(option.Number(&j.Rate, usage.Most), "rate", "Adam's highest learning `RATE` (default 0.001; 0.002 for grammar)")
	how.Var(option.Number(&j.Beta, usage.Most), "beta", "`WEIGHT` of the KL divergence: averaged over latent dimensions (default 0.1); for grammar summed, where 1 is the ELBO (default 0.05)")
	how.Uint64Var(&j.Seed, "seed", 0, "random seed `N`")
	return withGroups(c, what, how, ofSequence, ofGrammar)
}

// sequenceGroup returns the flags of --model molecules and strings.
func sequenceGroup(s *train.Sequence) flagGroup {
	s.Config.Vectors, s.Config.Width, s.Layers = 2, 128, 6
	g := newGroup("Transformers (--model molecules or strings)")
	g.StringVar(&s.From, "from", "", "start from the weights of a `FILE`, with its alphabet and sizes")
	g.StringVar(&s.Alphabet, "alphabet", "", "`FILE` with one symbol per line (default: the paper's SELFIES for molecules; for strings, their characters and [bracketed] symbols)")
	g.Var(&s.HeldOut, "held-out", "evaluate the final model on the strings of this `FILE` (default: every hundredth of --data, which is then not trained on)")
	g.declare(&option.Option{Name: "skip-invalid", Value: option.Dropped(experiment.AlwaysSkipped)})
	g.Float64Var(&s.Dropout, "dropout", 0, "`SHARE` of units dropped in training")
	g.Var(option.Count(&s.Warmup), "warmup", "`N` steps in which the learning rate rises (default 500, or a tenth of all)")
	g.BoolVar(&s.Compact, "compact", false, "a smaller encoder (3 layers of width 128), which trains faster")
	g.Var(option.Count(&s.Config.Vectors), "vectors", "`N` latent vectors of a string")
	g.Var(option.Count(&s.Config.Width), "width", "width `N` of each, and of the decoder")
	g.Var(option.Count(&s.Layers), "layers", "`N` layers of encoder and decoder")
	g.Var(option.Count(&s.Config.MaxTokens), "max-tokens", "symbols of the longest string, its stop included: `N` (default 400, or those of --from)")
	g.BoolVar(&s.Half, "half", false, "write the weights in half precision: half the size, three digits")
	return g
}

// grammarGroup returns the flags of --model grammar.
func grammarGroup(g *train.Grammar, filters *[]int) flagGroup {
	g.Config.MaxRules, g.Config.Latent, g.Config.Hidden, g.Config.Dense = 15, 25, 100, 100
	group := newGroup("Grammars (--model grammar)")
	group.StringVar(&g.Grammar, "grammar", "", "`FILE` with the grammar (default: arithmetic expressions in x)")
	group.Var(option.Count(&g.Strings), "strings", "learn from `N` random strings, without --data (default 40000, or all that the grammar writes)")
	const largest = 4096
	group.Var(option.UpTo(&g.Config.MaxRules, largest), "max-rules", "rules in the longest string")
	group.Var(option.UpTo(&g.Config.Latent, largest), "latent", "latent dimensions")
	group.Var(option.UpTo(&g.Config.Hidden, largest), "hidden", "units of each GRU layer of the decoder")
	group.Var(option.UpTo(&g.Config.Dense, largest), "dense", "units of the encoder's dense layer")
	group.IntSliceVar(filters, "filters", []int{2, 3, 4}, "filters of the encoder's three convolutions")
	return group
}
