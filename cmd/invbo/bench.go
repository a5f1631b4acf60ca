package main

import (
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/train"
	"github.com/invbo/invbo/internal/usage"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure methods and models",
		Long: `bench measures what methods find, and how good models are. Where the time of a run
goes, phase by phase, is in its result: phase_seconds of invbo run --json.`,
		Example: `  invbo bench table --task expression --methods cobo,cobo+invbo --results table.jsonl`,
		Args:    noCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(benchTableCommand(), benchPMOCommand(), benchFigureCommand(), benchModelCommand())
	return c
}

func benchModelCommand() *cobra.Command {
	var model modelFlags
	var inversion experiment.Inversion
	b := train.Measurement{Invert: 1000, Samples: 10000}
	c := &cobra.Command{
		Use:   "model FILE",
		Short: "Measure how good a model is, on held-out strings and on samples of its prior",
		Long: `model reads strings that the model was not trained on (SMILES for molecules) and
reports how many the encoder's mean decodes to exactly, how many inversion makes
exact and in how many steps, and whether the certificate agrees with greedy
decoding on all of them. For samples of the prior it reports how many are valid,
how many are different, and, with --known, how many are not among those strings.`,
		Example: `  invbo bench model held-out.smi.gz --model molecules --known training.smi.gz`,
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return usage.Errorf("give a file of strings that the model was not trained on")
			}
			if b.Model, err = model.load(); err != nil {
				return err
			}
			if b.Inversion, err = inversion.Options(b.Model); err != nil {
				return err
			}
			b.Data.Path = args[0]
			return b.Run(c.Context(), c.OutOrStdout())
		},
	}
	g := newGroup("Flags")
	f := g.FlagSet
	model.add(f)
	f.Var(&b.Known, "known", "`FILE` of the strings that the model was trained on")
	count(f, &b.Invert, "invert", "invert the first `N` strings of FILE")
	count(f, &b.Samples, "samples", "draw `N` samples of the prior")
	f.Uint64Var(&b.Seed, "seed", 0, "random seed `N` of the samples")
	g.declare(inversion.Declare()...)
	addGroups(c, g)
	return c
}
