package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
)

func methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods",
		Short: "List how to search: the methods of the paper, and their parts",
		Long: `methods lists the names that --method takes, and the parts that may follow a name,
each after a +, in place of its own: cobo+inv+random is CoBO with inversion, and
with anchors chosen by chance. gbga and gp-tanimoto have no latent space and no
parts: they are what a search in one has to beat.

With +structure the surrogate looks at what latents decode to (the atom
environments of molecules, runs of symbols of other strings) and not at the
latents. It takes longer, since all candidates are decoded, and ranks them better.
With +reencoded it looks at where the encoder puts what latents decode to, which
takes as long. With +active it looks at latents, but at each dimension only as far
as the encoder uses it.

Last come the paper's methods and what each is made of: how strings get their
latents, how the trust region's centre is chosen, the region's side as a share of
the search box and after how many bad batches it is halved, and the loss that the
VAE is updated with. The side is as published; tasks may take another: see invbo
tasks.`,
		Example: "  invbo methods",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "METHOD\tWHAT IT IS")
			for _, m := range bases() {
				fmt.Fprintf(w, "%s\t%s\n", m.Name, m.About)
			}
			for _, c := range controls() {
				fmt.Fprintf(w, "%s\t%s\n", c.name, c.about)
			}
			fmt.Fprintln(w, "\nPART\tREPLACES\tBY")
			for _, p := range invbo.Parts() {
				fmt.Fprintf(w, "+%s\t%s\t%s\n", p.Name, strings.Join(p.Of, ", "), p.About)
			}
			fmt.Fprintln(w, "\nTHE PAPER'S\tALIGNMENT\tANCHOR\tREGION\tTUNING")
			for _, m := range invbo.Methods() {
				alignment, anchor, region, tuning := m.Describe()
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, alignment, anchor, region, tuning)
			}
			return w.Flush()
		},
	}
}

// bases returns the methods that other parts may be added to.
func bases() []invbo.Method {
	return slices.DeleteFunc(invbo.Methods(), func(m invbo.Method) bool { return strings.Contains(m.Name, "+") })
}

// methodNamed is invbo.MethodNamed, with the nearest name when there is none.
func methodNamed(name string) (invbo.Method, error) {
	m, err := invbo.MethodNamed(name)
	if err == nil {
		return m, nil
	}
	if err := noParts(name); err != nil {
		return invbo.Method{}, err
	}
	names, parts := methodNames(), []string{}
	for _, p := range invbo.Parts() {
		parts = append(parts, p.Name)
	}
	base, rest, _ := strings.Cut(name, "+")
	if !slices.Contains(names, base) {
		return invbo.Method{}, usagef("there is no method %q%s", base, suggest(base, names))
	}
	for part := range strings.SplitSeq(rest, "+") {
		if !slices.Contains(parts, part) {
			return invbo.Method{}, usagef("there is no part %q of a method%s", part, suggest(part, parts))
		}
	}
	return invbo.Method{}, &usageError{err}
}
