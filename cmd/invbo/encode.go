package main

import (
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/vae"
)

// modelColumns names the columns of a CSV file that may hold a model's strings.
var modelColumns = columns{strings: []string{"x", "expression", "string"}}

const weightsHelp = "model `FILE` from invbo train (default: the built-in model of expressions)"

func encodeCommand() *cobra.Command {
	var weights string
	c := &cobra.Command{
		Use:   "encode [FILE]",
		Short: "Turn strings into latents, by the encoder's mean",
		Long: `encode reads strings (a string a line, or the column x of a .csv file; gzip too)
and writes the mean of the encoder's posterior for each. It need not decode to
the string again: see invbo invert for a latent that does.

` + latentsHelp,
		Example: `  echo '1/3+x+sin(x*x)' | invbo encode
  invbo encode expressions.txt > latents.csv`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(weights)
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
			return writeLatents(c.OutOrStdout(), nil, alone(x), mu)
		},
	}
	c.Flags().StringVar(&weights, "weights", "", weightsHelp)
	return c
}

// readModelStrings reads the strings of a command's file, or stdin, and checks that m can write them.
func readModelStrings(c *cobra.Command, args []string, m vae.Model) ([]string, error) {
	rows, err := readFile(fileArgument(args), c.InOrStdin(), modelColumns)
	if err != nil {
		return nil, err
	}
	x := make([]string, len(rows))
	for i, r := range rows {
		if err := m.Check(r.X); err != nil {
			return nil, usagef("line %d: %w", r.line, err)
		}
		x[i] = r.X
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
