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
			out := c.OutOrStdout()
			for i, group := range taskGroups() {
				if i > 0 {
					fmt.Fprintln(out)
				}
				first := group[0]
				fmt.Fprintf(out, "%s; %s\n", first.group, first.sense())
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				for _, t := range group {
					fmt.Fprintf(w, "  %s\t%s\n", t.name, t.about)
				}
				if err := w.Flush(); err != nil {
					return err
				}
				fmt.Fprintf(out, "Defaults: %s\n", first.defaults)
				if first.needs == nil {
					continue
				}
				if err := first.needs(); err != nil {
					fmt.Fprintf(out, "They cannot be run: %v.\n", err)
				}
			}
			return nil
		},
	}
}

// taskGroups returns the tasks group by group, in their order.
func taskGroups() [][]task {
	var groups [][]task
	for _, t := range tasks() {
		if last := len(groups) - 1; last >= 0 && groups[last][0].group == t.group {
			groups[last] = append(groups[last], t)
			continue
		}
		groups = append(groups, []task{t})
	}
	return groups
}

// String writes the defaults as flags.
func (d defaults) String() string {
	text := fmt.Sprintf("--method %s --init %d --budget %d --batch %d --top %d", d.method, d.init, d.budget, d.batch, d.top)
	if d.transform != "" {
		text += " --transform " + d.transform
	}
	flag := func(name string, value float64) {
		if value != 0 {
			text += fmt.Sprintf(" --%s %g", name, value)
		}
	}
	flag("update-rate", d.updateRate)
	flag("region-length", d.region.length)
	flag("region-min", d.region.least)
	flag("region-max", d.region.most)
	return text
}
