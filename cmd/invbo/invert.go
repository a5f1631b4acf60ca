package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae"
)

func invertCommand() *cobra.Command {
	var (
		f         modelFlags
		inversion inversionFlags
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
			m, err := f.load()
			if err != nil {
				return err
			}
			options, err := inversion.options(m, m.notation)
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
	inversion.add(c.Flags(), "")
	f.add(c.Flags())
	return c
}

// inversionFlags are the constants of Algorithm 1.
type inversionFlags struct {
	loss       string
	rate       float64
	iterations int
	distance   string  // empty: exact, or levenshtein with an epsilon
	epsilon    float64 // 0: none
}

// add adds flags whose names begin with prefix. The defaults are the paper's.
func (f *inversionFlags) add(flags *pflag.FlagSet, prefix string) {
	flags.StringVar(&f.loss, prefix+"loss", "cross-entropy", "what inversion minimizes: `LOSS` is cross-entropy, focal or hinge")
	flags.Float64Var(&f.rate, prefix+"rate", 0.1, "Adam's learning `RATE` in z")
	flags.IntVar(&f.iterations, prefix+"iterations", 1000, "at most `N` steps")
	flags.StringVar(&f.distance, prefix+"distance", "", "when a latent is good enough: exact, or by the `DISTANCE` of what it decodes to, levenshtein or (for molecules) tanimoto, which takes longer (default exact, or levenshtein with an epsilon)")
	flags.Float64Var(&f.epsilon, prefix+"epsilon", 0, "the distance, from 0 to 1, below which it is: `E` as in the paper's Algorithm 1")
}

// options checks the flags, for a model and how people write its strings.
func (f inversionFlags) options(m vae.Model, n notation) (invbo.InversionOptions, error) {
	loss, err := lossNamed(f.loss)
	if err != nil {
		return invbo.InversionOptions{}, err
	}
	if !(f.rate > 0) || f.iterations < 1 {
		return invbo.InversionOptions{}, usagef("an inversion's rate %g and iterations %d must be above 0", f.rate, f.iterations)
	}
	distance, err := f.distanceOf(m, n)
	if err != nil {
		return invbo.InversionOptions{}, err
	}
	return invbo.InversionOptions{Loss: loss, Rate: f.rate, Iterations: f.iterations, Distance: distance, Epsilon: f.epsilon}, nil
}

// distanceOf returns the distance between strings that the flags name; nil asks for exact ones.
func (f inversionFlags) distanceOf(m vae.Model, n notation) (func(x, decoded string) float64, error) {
	const exact, levenshtein, tanimoto = "exact", "levenshtein", "tanimoto"
	name := cmp.Or(f.distance, exact)
	if f.distance == "" && f.epsilon != 0 {
		name = levenshtein
	}
	var distance func(x, decoded string) float64
	switch name {
	case exact:
		if f.epsilon != 0 {
			return nil, usagef("an inversion's epsilon is for a distance: levenshtein or tanimoto, not exact")
		}
		return nil, nil
	case levenshtein:
		distance = invbo.TokenDistance(m)
	case tanimoto:
		if n.translate == nil {
			return nil, usagef("tanimoto is a distance of molecules; of these strings take levenshtein")
		}
		distance = dissimilarity(n)
	default:
		return nil, usagef("there is no distance %q%s", name, suggest(name, []string{exact, levenshtein, tanimoto}))
	}
	if !(f.epsilon > 0 && f.epsilon <= 1) {
		return nil, usagef("an inversion's epsilon %g: give a number above 0 and up to 1 with the distance %s", f.epsilon, name)
	}
	return distance, nil
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
