package main

import "github.com/spf13/cobra"

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure: where time goes, how fast kernels are, how good methods are",
		Long:  `bench measures this program: its speed, and what its methods find.`,
		Example: `  invbo bench run --task expression
  invbo bench kernels
  invbo bench table --task expression --methods cobo,cobo+invbo --results table.csv`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(benchRunCommand(), benchKernelsCommand(), benchPeerCommand(), benchTableCommand(), benchFigureCommand(), benchModelCommand())
	return c
}
