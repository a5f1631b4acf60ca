package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func benchRunCommand() *cobra.Command {
	var s spec
	c := &cobra.Command{
		Use:   "run --task NAME [flags]",
		Short: "Show where the time of a run goes, phase by phase",
		Long: `run carries out a run like invbo run, writes nothing, and prints how long each phase
took. The oracle's time is summed over its calls, which may overlap.`,
		Example: `  invbo bench run --task expression
  invbo bench run --task med2 --budget 100`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.check(c.Flags()); err != nil {
				return err
			}
			e, err := s.experiment(c.Context())
			if err != nil {
				return err
			}
			v := e.show(false)
			r, err := e.run(c.Context())
			v.stop()
			if err != nil {
				return err
			}
			return r.printPhases(c)
		},
	}
	groups := s.groups()
	s.addOne(groups)
	addGroups(c, groups...)
	return c
}

// printPhases writes a table of where the time went.
func (r result) printPhases(c *cobra.Command) error {
	rest := r.Seconds
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "seconds\tshare\tphase\t")
	line := func(name string, seconds float64) {
		fmt.Fprintf(w, "%.3f\t%.1f %%\t%s\t\n", seconds, 100*seconds/r.Seconds, name)
	}
	for _, phase := range []struct {
		name    string
		seconds float64
	}{
		{"align", r.Phases.Align}, {"tune the VAE", r.Phases.Tune}, {"fit the surrogate", r.Phases.Fit},
		{"choose anchors", r.Phases.Anchor}, {"draw and acquire", r.Phases.Acquire}, {"decode", r.Phases.Decode},
		{"oracle", r.Phases.Oracle},
	} {
		line(phase.name, phase.seconds)
		rest -= phase.seconds
	}
	line("the rest", max(0, rest))
	line("all", r.Seconds)
	return w.Flush()
}
