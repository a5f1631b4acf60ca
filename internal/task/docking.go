package task

import (
	"context"
	"time"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
)

// dockingTask is any of dockstring's targets, or a protein of the user's: the files tell.
func dockingTask() Task {
	t := moleculeTask("Molecules to dock")
	t.Name, t.Also, t.About = "docking", "drd3", "bind tightly to a protein: docking:receptor=FILE,box=FILE; also called drd3, as in the paper"
	t.Score, t.Minimize = "affinity by AutoDock Vina, kcal/mol", true
	t.Columns = append(t.Columns, "docking", "drd3", "affinity")
	t.Defaults.Top = 10
	t.Oracle = newDocking
	return t
}

// newDocking returns an oracle that docks, after it has docked one atom as a test.
func newDocking(ctx context.Context, o Options) (oracle.Oracle, error) {
	if !o.Receptor.Given() || !o.Box.Given() {
		return nil, option.Errorf("docking needs a protein and a search box: %s; docs/docking.md says where to get them", option.Setting{Name: "task", Value: "docking:receptor=FILE.pdbqt,box=FILE"})
	}
	d, err := docking.New(ctx, docking.Options{
		Receptor: o.Receptor.Path, Box: o.Box.Path, Exhaustiveness: o.Exhaustiveness, Timeout: time.Duration(o.DockTimeout),
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return d, nil
}
