package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/train"
	"github.com/invbo/invbo/internal/usage"
)

func modelCommand() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "model",
		Short: "Train, convert and use generative models",
		Long: `model has what concerns the models in whose latent space methods such as cobo+invbo
search: it trains them and converts published ones, turns strings into latents and
back, and draws strings. invbo bench model measures how good a model is.`,
		Example: `  invbo model train --model strings --data proteins.txt --out p.safetensors
  invbo model sample --weights p.safetensors --n 20`,
	}, trainCommand(), importCommand(), encodeCommand(), decodeCommand(), invertCommand(), sampleCommand())
}

// latentsHelp describes the files that encode, invert and sample write and decode reads.
const latentsHelp = `Latents are CSV: a header, a column x with the string (for molecules, smiles and
selfies) and columns z1, z2, … with its latent. Without FILE, or with -,
standard input is read.`

func encodeCommand() *cobra.Command {
	var f modelFlags
	c := &cobra.Command{
		Use:   "encode [FILE]",
		Short: "Turn strings into latents, by the encoder's mean",
		Long: `encode reads the strings of any table that invbo new reads, SMILES for molecules, and
writes the mean of the encoder's posterior for each. It may decode to another string:
see invbo model invert for a latent that does not.

` + latentsHelp,
		Example: `  echo '1/3+x+sin(x*x)' | invbo model encode
  invbo model encode --model molecules molecules.smi > latents.csv`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, x, mu, err := f.encode(c.Context(), args)
			if err != nil {
				return err
			}
			return task.NewLatentWriter(c.OutOrStdout(), m.Columns, m.Dim()).Write(m.Records(x), mu)
		},
	}
	f.add(c.Flags())
	return c
}

// encode returns the model, the strings of a command's FILE, and the encoder's means (n, d).
func (f modelFlags) encode(ctx context.Context, args []string) (m task.Model, x []string, mu [][]float64, err error) {
	if m, err = f.load(); err != nil {
		return m, nil, nil, err
	}
	read, err := m.Read(ctx, fileArgument(args), table.Options{}, m.Check)
	if err != nil {
		return m, nil, nil, err
	}
	say(read.Note())
	x = read.Usable()
	mu, _, err = m.Encode(ctx, x)
	return m, x, mu, err
}

func invertCommand() *cobra.Command {
	var f modelFlags
	var inversion experiment.Inversion
	c := &cobra.Command{
		Use:   "invert [FILE]",
		Short: "Find latents that decode to exactly the given strings",
		Long: `invert starts from the encoder's mean of each string and moves it down the
reconstruction loss until greedy decoding gives the string exactly (Algorithm 1
of the paper). It writes CSV: x (for molecules, smiles and selfies), exact (true
or false), iterations, moved (the distance from the start) and the latent z1, z2,
… A summary goes to standard error. FILE is any table that invbo new reads, with
SMILES for molecules.`,
		Example: `  echo '1/3+x+sin(x*x)' | invbo model invert
  invbo model invert --model molecules molecules.smi --loss hinge > latents.csv`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, x, mu, err := f.encode(c.Context(), args)
			if err != nil {
				return err
			}
			options, err := inversion.Options(m)
			if err != nil {
				return err
			}
			inverted, err := invbo.Invert(c.Context(), m, x, mu, options)
			if err != nil {
				return err
			}
			fields, z := m.Records(x), make([][]float64, len(x))
			for i, v := range inverted {
				fields[i] = append(fields[i], strconv.FormatBool(v.Exact), strconv.Itoa(v.Iterations), task.Float(v.Moved))
				z[i] = v.Z
			}
			names := slices.Concat(m.Columns, []string{"exact", "iterations", "moved"})
			if err := task.NewLatentWriter(c.OutOrStdout(), names, m.Dim()).Write(fields, z); err != nil {
				return err
			}
			fmt.Fprintln(c.ErrOrStderr(), train.InversionSummary(inverted))
			return nil
		},
	}
	g := newGroup("Flags")
	g.declare(inversion.Declare()...)
	f.add(g.FlagSet)
	return withGroups(c, g)
}

// invalidHelp says what decode and sample write for latents without a string.
const invalidHelp = `SMILES for molecules. The line is empty where decoding does not stop, or gives an
invalid molecule.`

func decodeCommand() *cobra.Command {
	var f modelFlags
	c := &cobra.Command{
		Use:   "decode [FILE]",
		Short: "Turn latents into strings, greedily",
		Long: `decode writes the string that each latent decodes to, one per line:
` + invalidHelp + "\n\n" + latentsHelp,
		Example: `  invbo model sample --n 3 --latents | invbo model decode
  invbo model invert --model molecules molecules.smi | invbo model decode --model molecules`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			z, err := task.ReadLatents(fileArgument(args), m.Dim())
			if err != nil {
				return err
			}
			x, err := m.Decode(c.Context(), z)
			if err != nil {
				return usage.Wrap(err) // a latent that is not finite
			}
			w := bufio.NewWriter(c.OutOrStdout())
			for _, x := range x {
				fmt.Fprintln(w, m.Show(x))
			}
			return w.Flush()
		},
	}
	f.add(c.Flags())
	return c
}

func sampleCommand() *cobra.Command {
	var (
		f       modelFlags
		n       = 10
		seed    uint64
		latents bool
	)
	c := &cobra.Command{
		Use:   "sample",
		Short: "Draw strings from a model",
		Long: `sample draws latents from the prior N(0, I) and writes what they decode to, one per
line: ` + invalidHelp,
		Example: `  invbo model sample --n 20
  invbo model sample --n 1000 --model molecules --latents > samples.csv`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			out := bufio.NewWriter(c.OutOrStdout())
			write := func(x []string, _ [][]float64) error {
				for _, x := range x {
					fmt.Fprintln(out, m.Show(x)) // bufio.Writer keeps its error until Flush
				}
				return nil
			}
			if latents {
				w := task.NewLatentWriter(out, m.Columns, m.Dim())
				write = func(x []string, z [][]float64) error { return w.Write(m.Records(x), z) }
			}
			if err := train.Sample(c.Context(), m, n, seed, write); err != nil {
				return err
			}
			return out.Flush()
		},
	}
	c.Flags().SortFlags = false
	c.Flags().Var(option.Count(&n), "n", "draw `N` strings")
	c.Flags().Uint64Var(&seed, "seed", 0, "random seed `N`")
	c.Flags().BoolVar(&latents, "latents", false, "write CSV with the latents, for invbo model decode")
	f.add(c.Flags())
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
		Args:    exactly(1, "a file of strings that the model was not trained on"),
		RunE: func(c *cobra.Command, args []string) (err error) {
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
	f.Var(option.Count(&b.Invert), "invert", "invert the first `N` strings of FILE")
	f.Var(option.Count(&b.Samples), "samples", "draw `N` samples of the prior")
	f.Uint64Var(&b.Seed, "seed", 0, "random seed `N` of the samples")
	g.declare(inversion.Declare()...)
	return withGroups(c, g)
}

func importCommand() *cobra.Command {
	var out, alphabet string
	c := &cobra.Command{
		Use:   "import FILE.pt --out FILE [flags]",
		Short: "Convert the published PyTorch weights of a sequence VAE",
		Long: `import reads the weights of an InfoTransformerVAE (that of LOL-BO, CoBO and InvBO)
from a file that torch.save wrote, and writes them as a model that methods take as
weights. The file may hold the state dict or a checkpoint around it. Nothing in it is
executed.

Tensors do not say what the tokens mean. Without --alphabet they are the SELFIES
tokens of the published models.`,
		Example: `  invbo model import SELFIES-VAE-state-dict.pt --out selfies.safetensors
  invbo model import proteins.pt --out proteins.safetensors --alphabet letters.txt`,
		Args: exactly(1, "a file to import"),
		RunE: func(c *cobra.Command, args []string) error {
			symbols, err := train.Import(args[0], out, alphabet)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: a model over %d symbols; use it with --method cobo+invbo:weights=%[1]s\n", out, symbols)
			return err
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write the model to")
	c.Flags().StringVar(&alphabet, "alphabet", "", "`FILE` with the symbols, one per line, in the order of their token ids; start and stop, 0 and 1, are left out")
	return c
}
