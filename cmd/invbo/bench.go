package main

import (
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/bench"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed, methods and models",
		Long: `bench measures this program: its speed, and what its methods find. Where the time of
a run goes, phase by phase, is in its result: phase_seconds of invbo run --json.`,
		Example: `  invbo bench kernels
  invbo bench table --task expression --methods cobo,cobo+invbo --results table.jsonl`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(benchKernelsCommand(), benchPeerCommand(), benchTableCommand(), benchPMOCommand(), benchFigureCommand(), benchModelCommand())
	return c
}

func benchKernelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [KERNEL...]",
		Short: "Time the numeric kernels, and compare them with what bounds them",
		Long: `kernels times matrix product, Cholesky factorization, counts that structures have
in common, a training step of the Grammar VAE, and of the sequence VAE an iteration
of inversion, a training step and greedy decoding, on all processors. It names the
instruction set and what bounds each kernel: arithmetic, at what a loop of
multiply-adds in registers reaches on one core, times the number of processors; or
memory, at what all processors read of 16 MiB. The share is that of this bound.`,
		Example: `  invbo bench kernels
  invbo bench kernels inversion "greedy decoding"
  INVBO_SIMD=avx2 GOMAXPROCS=1 invbo bench kernels`,
		RunE: func(c *cobra.Command, args []string) error { return bench.Kernels(c.Context(), args, c.OutOrStdout()) },
	}
}

func benchPeerCommand() *cobra.Command {
	rounds := 5
	var python, script string
	c := &cobra.Command{
		Use:   "peer [KERNEL...]",
		Short: "Time the kernels side by side with PyTorch",
		Long: `peer times the kernels of invbo bench kernels here and in PyTorch, by turns in
several rounds so that both meet the same machine, and prints the median of each
and of the rounds' ratios, and the share that we reach of the bound that invbo
bench kernels shows. Both use the same number of threads. It needs
PyTorch (on Debian: apt-get install python3-torch libopenblas0-openmp) and runs
bench/peer.py of the source tree.`,
		Example: `  invbo bench peer
  invbo bench peer inversion "greedy decoding"
  GOMAXPROCS=1 invbo bench peer --rounds 9`,
		RunE: func(c *cobra.Command, args []string) error {
			if !files.Exists(script) {
				return usage.Errorf("there is no %s; run this in the source tree, or say where it is with --script", script)
			}
			return bench.Peer(c.Context(), args, python, script, rounds, c.OutOrStdout())
		},
	}
	c.Flags().SortFlags = false
	count(c.Flags(), &rounds, "rounds", "time each `N` times")
	c.Flags().StringVar(&python, "python", "/usr/bin/python3", "`FILE` of a Python with PyTorch")
	c.Flags().StringVar(&script, "script", "bench/peer.py", "`FILE` of the peer's side")
	return c
}

func benchModelCommand() *cobra.Command {
	var model modelFlags
	var inversion experiment.Inversion
	b := bench.Model{Invert: 1000, Samples: 10000}
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
