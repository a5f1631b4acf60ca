package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"
)

func sampleCommand() *cobra.Command {
	var (
		f       modelFlags
		n       int
		seed    uint64
		latents bool
	)
	c := &cobra.Command{
		Use:   "sample",
		Short: "Draw strings from a model",
		Long: `sample draws latents from the prior N(0, I) and writes what they decode to, one a
line: SMILES for molecules. The line is empty where the decoder does not come to
an end, or writes what is no molecule.`,
		Example: `  invbo sample --n 20
  invbo sample --n 1000 --model molecules --latents > samples.csv`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 || n > most {
				return usagef("--n %d: give a number from 1 to %d", n, most)
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(seed, 0))
			out := bufio.NewWriter(c.OutOrStdout())
			write := func(x []string, _ [][]float64) error {
				for _, x := range x {
					fmt.Fprintln(out, m.show(x)) // its error stays until Flush
				}
				return nil
			}
			if latents {
				w := newLatentWriter(out, m.columns, m.Dim())
				write = func(x []string, z [][]float64) error { return w.write(m.records(x), z) }
			}
			const chunk = 1000 // latents in memory
			for drawn := 0; drawn < n; drawn += chunk {
				z := prior(rng, min(chunk, n-drawn), m)
				x, err := m.Decode(c.Context(), z)
				if err != nil {
					return err
				}
				if err := write(x, z); err != nil {
					return err
				}
			}
			return out.Flush()
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&n, "n", 10, "draw `N` strings")
	c.Flags().Uint64Var(&seed, "seed", 0, "the same `N` draws the same")
	c.Flags().BoolVar(&latents, "latents", false, "write CSV with the latents, for invbo decode")
	f.add(c.Flags())
	return c
}
