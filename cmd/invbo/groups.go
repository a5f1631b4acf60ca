package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is a part of a command's flags with a title in its help, which would be a long list otherwise.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

func newGroup(title string) flagGroup {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return flagGroup{title, f}
}

// addGroups adds flags to a command, whose help shows them group by group.
func addGroups(c *cobra.Command, groups ...flagGroup) {
	for _, g := range groups {
		c.Flags().AddFlagSet(g.flags)
	}
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", c.UseLine(), c.Example)
		for _, g := range groups {
			if _, err := fmt.Fprintf(w, "\n%s:\n%s", g.title, g.flags.FlagUsagesWrapped(80)); err != nil {
				return err
			}
		}
		return nil
	})
}
