package main

import (
	"github.com/spf13/cobra"
)

func encodeCommand() *cobra.Command {
	var f modelFlags
	c := &cobra.Command{
		Use:   "encode [FILE]",
		Short: "Turn strings into latents, by the encoder's mean",
		Long: `encode reads strings (one a line, SMILES for molecules; or the column x or smiles
of a .csv file; gzip too) and writes the mean of the encoder's posterior for
each. It need not decode to the string again: see invbo invert for a latent that
does.

` + latentsHelp,
		Example: `  echo '1/3+x+sin(x*x)' | invbo encode
  invbo encode --model molecules molecules.smi > latents.csv`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
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
			return newLatentWriter(c.OutOrStdout(), m.columns, m.Dim()).write(m.records(x), mu)
		},
	}
	f.add(c.Flags())
	return c
}

// readModelStrings reads the strings of a command's file, or stdin, as m writes them.
func readModelStrings(c *cobra.Command, args []string, m model) ([]string, error) {
	list, err := readFile(fileArgument(args), c.InOrStdin(), m.notation)
	if err != nil {
		return nil, err
	}
	x := make([]string, len(list.rows))
	for i, r := range list.rows {
		if x[i], err = list.read(r, m); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// fileArgument returns the optional FILE of a command; "-" stands for standard input.
func fileArgument(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}
