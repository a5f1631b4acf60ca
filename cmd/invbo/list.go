package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
)

func tasksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tasks",
		Short: "List what can be searched, with the defaults of each",
		Long: `tasks lists the tasks of invbo run --task, and the default values of each for options
that are not given.`,
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
				if err := first.Available(); err != nil {
					fmt.Fprintf(out, "They cannot be run: %v.\n", err)
				}
			}
			return nil
		},
	}
}

// defaultFlags writes the defaults of a task as flags.
func defaultFlags(d task.Defaults) string {
	text := fmt.Sprintf("--method %s --init %d --budget %d --batch %d", d.Method, d.Init, d.Budget, d.Batch)
	if m, err := experiment.MethodNamed(d.Method); err == nil && d.Top > 0 && !m.Latent() {
		text += "; in a latent space"
	}
	if d.Top > 0 {
		text += fmt.Sprint(" --top ", d.Top)
	}
	if d.Transform != "" {
		text += " --transform " + d.Transform
	}
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"update-rate", d.UpdateRate}, {"region-length", d.Region.Length}, {"region-min", d.Region.Min}, {"region-max", d.Region.Max},
	} {
		if f.value != 0 {
			text += fmt.Sprintf(" --%s %g", f.name, f.value)
		}
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
gbga, gp-tanimoto and random are baselines: they have no latent space and no parts.

With +structure the surrogate sees what latents decode to (the atom environments
of molecules, runs of tokens of other strings) instead of the latents. It is
slower, since all candidates are decoded, and ranks them better.

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
			fmt.Fprintln(w, "\nTHE PAPER'S\tALIGNMENT\tANCHOR\tREGION\tUPDATES")
			for _, m := range invbo.Methods() {
				alignment, anchor, region, tuning := m.Describe()
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, alignment, anchor, region, tuning)
			}
			return w.Flush()
		},
	}
}
