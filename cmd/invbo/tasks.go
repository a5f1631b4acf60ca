package main

import (
	"fmt"
	"strings"
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
			fmt.Fprintln(w, "TASK\tFINDS")
			for _, t := range tasks() {
				fmt.Fprintf(w, "%s\t%s\n", t.name, t.about)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout())
			fmt.Fprintln(w, "TASK\tMETHOD\tINIT\tBUDGET\tBATCH\tTOP\tSCORE")
			missing := map[error][]string{}
			for _, t := range tasks() {
				fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s; %s\n", t.name, t.method, t.init, t.budget, t.batch, t.top, t.score, t.sense())
				if t.needs == nil {
					continue
				}
				if err := t.needs(); err != nil {
					missing[err] = append(missing[err], t.name)
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			for err, names := range missing {
				fmt.Fprintf(c.OutOrStdout(), "\nNot here: %s. %v\n", strings.Join(names, ", "), err)
			}
			return nil
		},
	}
}
