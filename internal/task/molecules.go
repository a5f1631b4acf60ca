package task

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/study"
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
	foreign := map[string]bool{"logp": true} // in published tables of molecules it is penalised logP, another score
	var known, others []Task
	for _, g := range guacamol.Tasks() {
		t := moleculeTask("Molecules")
		t.Name, t.Also, t.About, t.Score = g.Name, g.Title, g.About, g.Title
		t.Oracle = func(context.Context, Options) (oracle.Oracle, error) {
			o, err := guacamol.New(g.Name)
			if err != nil {
				return nil, usage.Wrap(err)
			}
			return o, nil
		}
		if !foreign[g.Name] {
			t.Columns = append(t.Columns, g.Name)
		}
		const short = 4
		if len(g.Name) > short {
			t.Group = "Molecules to find again, to resemble, or to share a formula with"
			others = append(others, t)
		} else {
			known = append(known, t)
		}
	}
	return slices.Concat(known, others, []Task{dockingTask()})
}

// moleculeTask returns what tasks of molecules have in common.
func moleculeTask(group string) Task {
	return Task{
		Defaults: Defaults{Method: "cobo+invbo", Init: 100, Budget: 500, Batch: 5, Top: 50, Transform: "logrank", UpdateRate: gentleRate, Region: smallRegion},
		Group:    group, Columns: []string{"score"}, Options: []string{"weights", "plausible"}, Model: MoleculeModel, needs: molecule.Available,
		Build: buildMolecules, Listed: 5, Draw: drawMolecules,
	}
}

func buildMolecules(ctx context.Context, t Task, f Options) (Parts, error) {
	o, err := t.Oracle(ctx, f)
	if err != nil {
		return Parts{}, err
	}
	m, err := LoadModel(t.Model, f.Weights)
	if err != nil {
		return Parts{}, err
	}
	if m.Translate == nil {
		return Parts{}, usage.Errorf("%s holds no model of molecules: its strings are not SELFIES", f.Weights.Path)
	}
	known, err := corpus.Default()
	if err != nil {
		return Parts{}, err
	}
	usual := ofSMILES(known.Usual)
	list, err := library.SMILES()
	if err != nil {
		return Parts{}, err
	}
	pool := func(n int, rng *rand.Rand) []string { return sample(list, n, rng) }
	return Parts{
		Notation: m.Notation, Model: m.Tunable, Oracle: o, Plausible: ofSMILES(known.Plausible), Feasible: usual,
		Generate: func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
			return distinctSamples(ctx, m, rng, n, usual)
		},
		Features: func(x string) (gp.Counts, error) { return environments(m, x) },
		Library:  pool,
		Space: func([]study.Observation) (evolve.Space, error) {
			if !f.Plausible {
				return moleculeSpace(pool, nil)
			}
			return moleculeSpace(pool, known)
		},
	}, nil
}

// ofSMILES makes a test of molecules one of SMILES.
func ofSMILES(holds func(*molecule.Molecule) bool) func(smiles string) (bool, error) {
	return func(smiles string) (bool, error) {
		mol, err := molecule.Parse(smiles)
		if err != nil {
			return false, err
		}
		defer mol.Close()
		return holds(mol), nil
	}
}

// environments returns the atom environments up to radius 3, with their counts, of the molecule of x;
// none if x is invalid.
func environments(m Model, x string) (gp.Counts, error) {
	smiles, err := m.Translate(x)
	if err != nil {
		return gp.Counts{}, nil
	}
	mol, err := molecule.Parse(smiles)
	if err != nil {
		return gp.Counts{}, fmt.Errorf("environments of %s: %w", smiles, err)
	}
	defer mol.Close()
	c := mol.ECFP(3)
	return gp.Counts{IDs: c.IDs, N: c.N}, nil
}

// distinctSamples draws n different molecules that pass good from the model's prior. Much of the prior is far from the training
// data and decodes to valid molecules that no chemist would make.
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

// bestMolecules is a picture of molecules with their scores, and a list of them.
type bestMolecules struct {
	best []study.Trial
	svg  []byte
}

func drawMolecules(_ Options, best []study.Trial) (string, Figure, error) {
	const (
		columns = 4
		size    = 250
	)
	drawings := make([]molecule.Drawing, len(best))
	for i, t := range best {
		m, err := molecule.Parse(t.Input)
		if err != nil {
			return "", nil, fmt.Errorf("draw %s: %w", t.Input, err)
		}
		defer m.Close()
		drawings[i] = molecule.Drawing{Molecule: m, Legend: fmt.Sprintf("%.4f", t.Score)}
		if t.Kind == study.Initial {
			drawings[i].Legend += ", initial"
		}
	}
	svg, err := molecule.Draw(drawings, columns, size)
	if err != nil {
		return "", nil, fmt.Errorf("draw molecules: %w", err)
	}
	return "molecules", bestMolecules{best, svg}, nil
}

// WriteSVG writes the picture.
func (b bestMolecules) WriteSVG(w io.Writer) error {
	_, err := w.Write(b.svg)
	return err
}

// WriteCSV writes the list.
func (b bestMolecules) WriteCSV(w io.Writer) error {
	rows := [][]string{{"smiles", "score", "trial", "kind"}}
	for _, t := range b.best {
		rows = append(rows, []string{t.Input, Float(t.Score), strconv.Itoa(t.ID), string(t.Kind)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
