package main

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
)

// dockingFlags say what molecules are docked to. Zero fields are package docking's defaults.
type dockingFlags struct {
	receptor, box  string
	exhaustiveness int
	timeout        time.Duration
}

func (d *dockingFlags) add(f *pflag.FlagSet) {
	f.StringVar(&d.receptor, "receptor", "", "docking: PDBQT `FILE` of the protein, such as dockstring's DRD3_target.pdbqt")
	f.StringVar(&d.box, "box", "", "docking: `FILE` of where to look in it, such as dockstring's DRD3_conf.txt")
	f.IntVar(&d.exhaustiveness, "exhaustiveness", 0, "docking: Vina's effort `N`, which its time grows with (default 8)")
	f.DurationVar(&d.timeout, "dock-timeout", 0, "docking: a molecule that takes longer than `TIME` has no score (default 30m)")
}

// names returns the names of the flags.
func (dockingFlags) names() []string {
	return []string{"receptor", "box", "exhaustiveness", "dock-timeout"}
}

func (d dockingFlags) check(f *pflag.FlagSet) error {
	if f.Changed("exhaustiveness") && (d.exhaustiveness < 1 || d.exhaustiveness > most) {
		return usagef("--exhaustiveness %d: give a number from 1 to %d", d.exhaustiveness, most)
	}
	if f.Changed("dock-timeout") && d.timeout <= 0 {
		return usagef("--dock-timeout %v: give a time above 0, such as 10m", d.timeout)
	}
	return nil
}

// oracle returns what docks, once it has docked an atom.
func (d dockingFlags) oracle(ctx context.Context) (oracle.Oracle, error) {
	if d.receptor == "" || d.box == "" {
		return nil, usagef("docking takes a protein and where to look in it: --receptor FILE.pdbqt --box FILE; docs/docking.md says where to get them")
	}
	o, err := docking.New(ctx, docking.Options{Receptor: d.receptor, Box: d.box, Exhaustiveness: d.exhaustiveness, Timeout: d.timeout})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &usageError{err}
	}
	return o, nil
}

// dockingTask is any of dockstring's targets, or a protein of the user's: the files tell.
func dockingTask() task {
	t := moleculeTask("Molecules to dock")
	t.name, t.also, t.about = "docking", "drd3", "bind tightly to a protein, in its --receptor and --box; also called drd3, after the paper's"
	t.score, t.minimize = "affinity by AutoDock Vina, kcal/mol", true
	t.scores = append(t.scores, "docking", "drd3", "affinity")
	t.flags = append(t.flags, dockingFlags{}.names()...)
	t.defaults.top = 10
	t.oracle = func(ctx context.Context, f taskFlags) (oracle.Oracle, error) { return f.docking.oracle(ctx) }
	return t
}
