package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae"
)

func invertCommand() *cobra.Command {
	var (
		f       modelFlags
		loss    string
		options invbo.InversionOptions
	)
	c := &cobra.Command{
		Use:   "invert [FILE]",
		Short: "Find latents that decode to exactly the given strings",
		Long: `invert starts from the encoder's mean of each string and moves it down the
reconstruction loss until greedy decoding gives the string exactly (Algorithm 1
of the paper). It writes CSV: x (for molecules, smiles and selfies), exact (true
or false), iterations, moved (the distance from the start) and the latent z1, z2,
… A summary goes to standard error. Strings are read a line each (SMILES for
molecules), or from the column x or smiles of a .csv file.`,
		Example: `  echo '1/3+x+sin(x*x)' | invbo invert
  invbo invert --model molecules molecules.smi --loss hinge > latents.csv`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if options.Loss, err = lossNamed(loss); err != nil {
				return err
			}
			if !(options.Rate > 0) || options.Iterations < 1 {
				return usagef("--rate %g and --iterations %d must be above 0", options.Rate, options.Iterations)
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			x, err := readModelStrings(c, args, m)
			if err != nil {
				return err
			}
			mu, _, err := m.Encode(c.Context(), x)
			if err != nil {
				return err
			}
			inverted, err := invbo.Invert(c.Context(), m, x, mu, options)
			if err != nil {
				return err
			}
			fields, z := m.records(x), make([][]float64, len(x))
			for i, v := range inverted {
				fields[i] = append(fields[i], strconv.FormatBool(v.Exact), strconv.Itoa(v.Iterations), float(v.Moved))
				z[i] = v.Z
			}
			names := slices.Concat(m.columns, []string{"exact", "iterations", "moved"})
			if err := newLatentWriter(c.OutOrStdout(), names, m.Dim()).write(fields, z); err != nil {
				return err
			}
			fmt.Fprintln(c.ErrOrStderr(), inversionSummary(inverted))
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&loss, "loss", "cross-entropy", "what to minimize: cross-entropy (as in the paper), focal or hinge")
	c.Flags().Float64Var(&options.Rate, "rate", 0.1, "Adam's learning rate in z")
	c.Flags().IntVar(&options.Iterations, "iterations", 1000, "at most `N` steps")
	f.add(c.Flags())
	return c
}

func lossNamed(name string) (vae.Loss, error) {
	names := []string{vae.CrossEntropy: "cross-entropy", vae.Focal: "focal", vae.Hinge: "hinge"}
	i := slices.Index(names, name)
	if i < 0 {
		return 0, usagef("there is no loss %q%s", name, suggest(name, names))
	}
	return vae.Loss(i), nil
}

func inversionSummary(inverted []invbo.Inverted) string {
	exact := 0
	var iterations []int
	var moved []float64
	for _, v := range inverted {
		if v.Exact {
			exact++
		}
		iterations = append(iterations, v.Iterations)
		moved = append(moved, v.Moved)
	}
	slices.Sort(iterations)
	slices.Sort(moved)
	middle := len(inverted) / 2
	return fmt.Sprintf("%d of %d exact; median %d iterations, at most %d; median distance moved %.3g",
		exact, len(inverted), iterations[middle], iterations[len(iterations)-1], moved[middle])
}
