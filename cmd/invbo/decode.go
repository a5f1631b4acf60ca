package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"
)

func decodeCommand() *cobra.Command {
	var f modelFlags
	c := &cobra.Command{
		Use:   "decode [FILE]",
		Short: "Turn latents into strings, greedily",
		Long: `decode writes the string that each latent decodes to, one a line: SMILES for
molecules. The line is empty where the decoder does not come to an end, or
writes what is no molecule.

` + latentsHelp,
		Example: `  invbo sample --n 3 --latents | invbo decode
  invbo invert --model molecules molecules.smi | invbo decode --model molecules`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			z, err := readLatents(fileArgument(args), c.InOrStdin(), m.Dim())
			if err != nil {
				return err
			}
			x, err := m.Decode(c.Context(), z)
			if err != nil {
				return &usageError{err} // a latent that is not finite
			}
			w := bufio.NewWriter(c.OutOrStdout())
			for _, x := range x {
				fmt.Fprintln(w, m.show(x))
			}
			return w.Flush()
		},
	}
	f.add(c.Flags())
	return c
}
