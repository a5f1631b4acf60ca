package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
)

func methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods",
		Short: "List how to search: the methods of the paper",
		Long: `methods lists the names that --method takes. A part after + replaces a part of the
method before it: inv, its alignment by inversion; pas, its choice of the trust
region's centre by potential-aware selection; invbo, both.

With +structure at the end, the surrogate looks at what latents decode to (the atom
environments of molecules, runs of symbols of other strings) and not at the latents.
It takes longer, since all candidates are decoded, and ranks them better.`,
		Example: "  invbo methods",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "METHOD\tWHAT IT IS")
			for _, m := range invbo.Methods() {
				fmt.Fprintf(w, "%s\t%s\n", m.Name, m.About)
			}
			return w.Flush()
		},
	}
}
