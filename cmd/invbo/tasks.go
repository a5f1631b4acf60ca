package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func tasksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tasks",
		Short: "List what can be searched, with the defaults of each",
		Long: `tasks lists the tasks of invbo run --task, and what each takes for the flags that
are not given.`,
		Example: "  invbo tasks",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "TASK\tMETHOD\tINIT\tBUDGET\tBATCH\tSCORE\t")
			for _, t := range tasks() {
				fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s; %s\n", t.name, t.method, t.init, t.budget, t.batch, t.score, t.sense())
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout())
			for _, t := range tasks() {
				fmt.Fprintf(w, "%s\tfinds %s\n", t.name, t.about)
			}
			return w.Flush()
		},
	}
}
