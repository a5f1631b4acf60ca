package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
)

func tasksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tasks",
		Short: "List what can be searched, with the defaults of each",
		Long: `tasks lists the tasks of invbo run --task, the default values of each for options that
are not given, and the parameters that a task has: --task ehrlich:length=64,motifs=8.`,
		Example: "  invbo tasks",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			for i, group := range task.Groups() {
				if i > 0 {
					fmt.Fprintln(out)
				}
				first := group[0]
				fmt.Fprintf(out, "%s; %s\n", first.Group, first.Sense())
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				for _, t := range group {
					fmt.Fprintf(w, "  %s\t%s\n", t.Name, t.About)
				}
				if err := w.Flush(); err != nil {
					return err
				}
				fmt.Fprintf(out, "Defaults: %s\n", defaultFlags(first.Defaults))
				if err := printParameters(out, group); err != nil {
					return err
				}
				if err := first.Available(); err != nil {
					fmt.Fprintf(out, "They cannot be run: %v.\n", err)
				}
			}
			return nil
		},
	}
}

// printParameters lists the parameters of tasks, with their defaults.
func printParameters(out io.Writer, tasks []task.Task) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	title := "PARAMETER\tDEFAULT\tWHAT IT IS\n"
	for _, p := range new(task.Options).TaskValue(new(string)).Parameters {
		var takes []string
		for _, t := range tasks {
			if slices.Contains(p.Tasks, task.KindMolecules) && t.Name != task.OwnMolecules {
				continue // they all take it
			}
			if t.Takes(p) {
				takes = append(takes, t.Name)
			}
		}
		if takes != nil {
			fmt.Fprintf(w, "%s%s:%s\t%s\t%s\n", title, strings.Join(takes, "|"), p.Name, p.Without(), p.Meaning())
			title = ""
		}
	}
	return w.Flush()
}

// defaultFlags writes the defaults of a task as flags, and those of methods in a latent space as their parameters.
func defaultFlags(d task.Defaults) string {
	text := fmt.Sprintf("--method %s --init %d --budget %d --batch %d", d.Method, d.Init, d.Budget, d.Batch)
	var latent []string
	for _, p := range []struct{ name, value string }{
		{"top", fmt.Sprint(d.Top)}, {"transform", cmp.Or(d.Transform, "0")}, {"update_rate", fmt.Sprint(d.UpdateRate)},
		{"region_length", fmt.Sprint(d.Region.Length)}, {"region_min", fmt.Sprint(d.Region.Min)}, {"region_max", fmt.Sprint(d.Region.Max)},
	} {
		if p.value != "0" {
			latent = append(latent, p.name+"="+p.value)
		}
	}
	if len(latent) > 0 {
		text += "; in a latent space " + strings.Join(latent, ",")
	}
	return text
}

func methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods",
		Short: "List methods and the parts that they are made of",
		Long: `methods lists the names that --method takes, and the parts that may follow a name,
each after a + and in place of the method's own: cobo+inv+random is CoBO with
inversion and random anchors. evolve searches strings themselves, and ga,
gbga, gp-tanimoto, nsga2 and random are baselines: they have no latent space and no parts.

With +structure the surrogate sees what latents decode to (the atom environments
of molecules, runs of tokens of other strings) instead of the latents. It is
slower, since all candidates are decoded, and ranks them better.

Parameters follow a method's name: --method cobo+invbo:update_rate=1e-3,top=20.

For ablations, parts of evolve can be left out, each after a -: evolve-library is
evolve without the library.

Last come the paper's methods and what each is made of: how strings get their
latents, how the trust region's centre is chosen, the region's side as a share of
the search box and the number of bad batches after which it is halved, and the
loss that the VAE is updated with. The side is as published; tasks may have
another default: see invbo tasks.`,
		Example: "  invbo methods",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "METHOD\tWHAT IT IS")
			for _, m := range experiment.Methods() {
				fmt.Fprintf(w, "%s\t%s\n", m.Name, m.About)
			}
			fmt.Fprintln(w, "\nPART\tREPLACES\tBY")
			for _, p := range invbo.Parts() {
				fmt.Fprintf(w, "+%s\t%s\t%s\n", p.Name, strings.Join(p.Of, ", "), p.About)
			}
			fmt.Fprintln(w, "\nEVOLVE WITHOUT\tLEAVES OUT")
			for _, a := range experiment.Ablations() {
				fmt.Fprintf(w, "evolve-%s\t%s\n", a.Name, a.About)
			}
			of := ""
			for _, p := range experiment.MethodParameters() {
				if kinds := strings.Join(p.Methods, ", "); kinds != of {
					of = kinds
					fmt.Fprintf(w, "\nPARAMETER\tOF %s\n", strings.ToUpper(of))
				}
				fmt.Fprintf(w, "%s=%s\t%s (default: %s)\n", p.Name, cmp.Or(p.Takes(), "true"), p.Meaning(), p.Without())
			}
			fmt.Fprintln(w, "\nTHE PAPER'S\tALIGNMENT\tANCHOR\tREGION\tUPDATES")
			for _, m := range invbo.Methods() {
				alignment, anchor, region, tuning := m.Describe()
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, alignment, anchor, region, tuning)
			}
			return w.Flush()
		},
	}
}

func reactionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reactions",
		Short: "List the built-in reactions that make molecules from building blocks",
		Long: `reactions prints the reactions of --blocks as a file that --reactions takes: remove
some, change them, or add your own. Each has an example, its SMARTS, a name, and the
functional groups beside which it is not carried out, since they would react, too.`,
		Example: `  invbo reactions > own.rxn
  invbo new lab.db --data assay.csv --maximize --blocks blocks.csv --reactions own.rxn`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error { return reaction.WriteBuiltIn(c.OutOrStdout()) },
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, Go, platform, RDKit and the CPU instructions in use",
		Long: `version prints what is running, for bug reports: the version, the Go compiler,
the platform, RDKit's version, and the CPU instructions that the numeric kernels
use. The environment variable INVBO_SIMD (avx512, avx2, neon or go) selects others.`,
		Example: `  invbo version
  INVBO_SIMD=avx2 invbo version`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := c.OutOrStdout()
			fmt.Fprintf(w, "invbo      %s\n", experiment.Version())
			fmt.Fprintf(w, "go         %s\n", runtime.Version())
			fmt.Fprintf(w, "platform   %s/%s, %d processors\n", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
			fmt.Fprintf(w, "kernels    %s\n", simd.ISA())
			fmt.Fprintf(w, "rdkit      %s\n", cmp.Or(molecule.Version(), "none"))
			return nil
		},
	}
}
