package task

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/vae"
)

// gentleRate is the learning rate of updates of a model of molecules. At the published 10⁻³, a few steps on 55 molecules
// leave a decoder that no longer reproduces any of them: the cross-entropy per token rises by more than 1.
const gentleRate = 1e-4

// smallRegion has sides that the decoder resolves. Of the moves around a molecule in a box of side 0.8 all give unrelated
// molecules; of those in 0.2, 65 in 100 are new; of those in 0.05, 30.
var smallRegion = Region{Length: 0.4, Min: 0.1, Max: 0.8}

// Molecular returns the tasks of molecules: those of package guacamol, the ones with short names first, and docking.
func Molecular() []Task {
	var known, easy, others []Task
	for _, g := range guacamol.Tasks() {
		t := moleculeTask("Molecules")
		t.Name, t.Also, t.About, t.Score, t.Minimize = g.Name, g.Title, g.About, g.Title, g.Lower
		t.Components = g.Components
		t.Oracle = func(_ context.Context, opts Options) (oracle.Oracle, error) {
			o, err := guacamol.New(g.Name)
			if err == nil && opts.Components {
				o = o.WithComponents()
			}
			return o, usage.Wrap(err)
		}
		if g.Name != "logp" { // in published tables of molecules it is penalised logP, another score
			t.Columns = append(t.Columns, g.Name)
		}
		const short = 4
		if g.Lower {
			t.Group = "Molecules that are easy to make"
			easy = append(easy, t)
		} else if len(g.Name) > short {
			t.Group = "Molecules to find again, to resemble, or to share a formula with"
			others = append(others, t)
		} else {
			known = append(known, t)
		}
	}
	own := moleculeTask("Molecules")
	own.Name, own.About, own.Score = "molecules", "molecules of your own, scored by a program: --init FILE --oracle-cmd CMD", ownScore
	own.external = true
	own.Oracle = func(context.Context, Options) (oracle.Oracle, error) {
		return nil, option.Errorf("the task molecules has no score of its own; give %s or %s", option.Name("oracle-cmd"), option.Name("oracle-url"))
	}
	return slices.Concat(known, []Task{own}, others, easy, []Task{dockingTask()})
}

// moleculeTask returns what tasks of molecules have in common.
func moleculeTask(group string) Task {
	return Task{
		Defaults: Defaults{Method: "evolve", Init: 100, Budget: 500, Batch: 5, Top: 50, Transform: "logrank", UpdateRate: gentleRate, Region: smallRegion},
		Group:    group, Columns: []string{"score"}, Model: MoleculeModel, needs: molecule.Available,
		Build: buildMolecules, Listed: 5, Draw: drawMolecules,
	}
}

// buildMolecules leaves the model out if the options name none: then the initial design is of the library.
func buildMolecules(ctx context.Context, t Task, f Options) (Parts, error) {
	list, err := readCatalogue(ctx, f.Library)
	if err != nil {
		return Parts{}, err
	}
	screen, err := newScreen(ctx, f, list, t.Minimize)
	if err != nil {
		return Parts{}, err
	}
	o, end, err := t.openMolecules(ctx, f)
	if err != nil {
		return Parts{}, err
	}
	known := corpus.Default()
	p := Parts{
		Notation: Molecules(f.Strip), Direct: Molecules(f.Strip), Oracle: o, Close: end,
		Plausible: func(smiles string) (plausible bool, err error) {
			err = molecule.Look(smiles, func(m *molecule.Molecule) { plausible = known.Plausible(m) })
			return plausible, err
		},
		Generate: func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
			xs, err := list.pool.Design(ctx, n, rng, screen.feasible)
			if err != nil && ctx.Err() != nil {
				return nil, err
			}
			if err != nil {
				return nil, usage.Errorf("%s has %w; take fewer, or give a file", list.source, err)
			}
			return xs, nil
		},
		Library: list.pool.Sample,
		Space: func(d Design) (Space, error) {
			build := func() (Space, error) { return screen.molecules(d) }
			space, why, err := screen.space(ctx, d, d, build, func(Space) error { return screen.hopeless(ctx, d.Strings()) })
			if d.Pool != nil {
				return space, cmp.Or(err, why)
			}
			return space, err // Parts.Hopeless says why nothing passes, for all methods
		},
		Limits: screen.dataSettings, Flags: screen.flags(),
	}
	p.Notes.AddText(list.note)
	switch {
	case !t.external: // benchmarks score other configurations and tautomers as other molecules
	case f.Pool.Given(): // whose molecules can be ordered, with the configurations that they have
		p.Family, p.Vaguer = flat, vaguer
	default: // a chemist who measured a molecule knows it with other configurations, as another tautomer, and with other labels, too
		p.Family, p.Vaguer = family, func(smiles, known string) bool { return family(smiles) == family(known) }
	}
	if screen.screens() {
		if p.Feasible = screen.feasible; !f.Pool.Given() {
			p.Hopeless = screen.hopeless
		}
	}
	switch {
	case f.Core != "" && f.Blocks.Given():
		return Parts{}, option.Errorf("%s and %s: give one of them", option.Name("core"), option.Name("blocks"))
	case f.Core != "":
		err = p.fixCore(ctx, f.CoreOptions, screen)
		return p, err
	case len(f.Groups) > 0:
		return Parts{}, option.Errorf("%s needs %s", option.Name("group"), option.Setting{Name: "core", Value: "SMILES"})
	case f.Blocks.Given():
		err = p.makeRoutes(ctx, f.RouteOptions, screen)
		return p, err
	case f.Reactions.Given():
		return Parts{}, option.Errorf("%s needs %s", option.Name("reactions"), option.Setting{Name: "blocks", Value: "FILE"})
	}
	if !f.Weights.Given() {
		return p, nil
	}
	m, err := LoadModel(t.Model, f.Weights)
	if err != nil {
		return Parts{}, err
	}
	if m.Translate == nil {
		return Parts{}, usage.Errorf("%s holds no model of molecules: its strings are not SELFIES", f.Weights.Path)
	}
	p.Notation, p.Model = m.Notation, m.Tunable
	p.Generate = func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		return distinctSamples(ctx, m, rng, n, molecules.Limits{Usual: known}.Feasible)
	}
	p.Features = func(x string) (gp.Counts, error) { return environments(m, x) }
	return p, nil
}

// openMolecules returns the oracle of a task of molecules, and how to end what it starts. There is none if scores are told.
func (t Task) openMolecules(ctx context.Context, o Options) (scores oracle.Oracle, end func(), err error) {
	switch {
	case t.external:
		return o.open("smiles")
	case !o.Measured:
		scores, err = t.Oracle(ctx, o)
	}
	return scores, func() {}, err
}

// family is molecule.Family of a molecule of the usual isotopes.
func family(smiles string) string {
	if usual, err := molecule.Unlabelled(smiles); err == nil {
		smiles = usual
	}
	return molecule.Family(smiles)
}

// flat returns what molecules have in common that differ in stereochemistry and isotopes alone.
func flat(smiles string) string {
	usual, err := molecule.Unlabelled(smiles)
	if err == nil {
		usual, err = molecule.Flat(usual)
	}
	if err != nil {
		return smiles
	}
	return usual
}

// vaguer reports whether a molecule is a known one with less stereochemistry, as far as that can be told, or with other
// isotopes.
func vaguer(smiles, known string) bool {
	a, errA := molecule.Unlabelled(smiles)
	b, errB := molecule.Unlabelled(known)
	if errA != nil || errB != nil {
		return false
	}
	if a == b {
		return smiles != known
	}
	less, err := molecule.Vaguer(a, b)
	return err == nil && less
}

// environments returns the atom environments up to radius 3, with their counts, of the molecule of x;
// none if x is invalid.
func environments(m Model, x string) (counts gp.Counts, _ error) {
	smiles, err := m.Translate(x)
	if err != nil {
		return counts, nil
	}
	err = molecule.Look(smiles, func(m *molecule.Molecule) { counts = gp.Counts(m.ECFP(3)) })
	return counts, err
}

// distinctSamples draws n different molecules that pass good from the model's prior. Much of the prior is far from the
// training data and decodes to valid molecules that no chemist would make.
func distinctSamples(ctx context.Context, m Model, rng *rand.Rand, n int, good func(string) (bool, error)) ([]string, error) {
	const (
		chunk = 64  // latents decoded at a time
		tries = 100 // draws for each string that is wanted
	)
	var found []string
	seen := map[string]bool{}
	for drawn := 0; len(found) < n; drawn += chunk {
		if drawn >= tries*n+chunk {
			return nil, fmt.Errorf("%d draws of the model's prior gave only %d different molecules like those of the training corpus; take fewer, train the model further, or give a file", drawn, len(found))
		}
		xs, err := m.Decode(ctx, vae.Prior(m, chunk, rng))
		if err != nil {
			return nil, err
		}
		for _, x := range xs {
			shown := m.Show(x)
			if shown == "" || seen[shown] || m.Check(x) != nil || len(found) == n {
				continue
			}
			seen[shown] = true
			ok, err := good(shown)
			if err != nil {
				return nil, err
			}
			if ok {
				found = append(found, x)
			}
		}
	}
	return found, nil
}

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
	named := map[string]File{o.Receptor.Path: o.Receptor, o.Box.Path: o.Box}
	d, err := docking.New(ctx, docking.Options{
		Receptor: o.Receptor.Path, Box: o.Box.Path, Exhaustiveness: o.Exhaustiveness, Timeout: time.Duration(o.DockTimeout),
		ReadFile: func(path string) ([]byte, error) { return named[path].ReadAll() },
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return d, nil
}
