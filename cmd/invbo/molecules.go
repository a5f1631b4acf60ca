package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/vae"
)

// gentle is the learning rate of updates of a model of molecules. At the published 10⁻³, a few steps on 55
// molecules leave a decoder that no longer writes any of them: the cross-entropy per token rises by more than 1.
const gentle = 1e-4

// resolved are regions that the decoder tells apart. Around a molecule, moves in the box of side 0.8 give others
// altogether; of those in 0.2, 65 in 100 are new; of those in 0.05, 30.
var resolved = regionFlags{length: 0.4, least: 0.1, most: 0.8}

// moleculeTasks returns a task for each of package guacamol, those that the literature has short names for first, and docking.
func moleculeTasks() []task {
	// Published tables of initial molecules have a column that is named like a task of ours and holds another score.
	foreign := map[string]bool{"logp": true} // penalised logP
	var known, others []task
	for _, g := range guacamol.Tasks() {
		t := moleculeTask("Molecules")
		t.name, t.also, t.about, t.score = g.Name, g.Title, g.About, g.Title
		t.oracle = func(context.Context, taskFlags) (oracle.Oracle, error) {
			o, err := guacamol.New(g.Name)
			if err != nil {
				return nil, &usageError{err}
			}
			return o, nil
		}
		if !foreign[g.Name] {
			t.scores = append(t.scores, g.Name)
		}
		const short = 4
		if len(g.Name) > short {
			t.group = "Molecules to find again, to resemble, or to share a formula with"
			others = append(others, t)
		} else {
			known = append(known, t)
		}
	}
	return slices.Concat(known, others, []task{dockingTask()})
}

// moleculeTask returns what tasks of molecules have in common.
func moleculeTask(group string) task {
	return task{
		defaults: defaults{method: "cobo+invbo", init: 100, budget: 500, batch: 5, top: 50, transform: "logrank", updateRate: gentle, region: resolved},
		group:    group, scores: []string{"score"}, flags: []string{"weights", "plausible"}, model: "molecules", needs: molecule.Available,
		build: buildMolecules, listed: 5, draw: drawMolecules,
	}
}

func buildMolecules(ctx context.Context, t task, f taskFlags) (parts, error) {
	o, err := t.oracle(ctx, f)
	if err != nil {
		return parts{}, err
	}
	m, err := loadModel(t.model, f.weights)
	if err != nil {
		return parts{}, err
	}
	if m.translate == nil {
		return parts{}, usagef("%s holds no model of molecules: its strings are not SELFIES", f.weights)
	}
	known, err := corpus.Default()
	if err != nil {
		return parts{}, err
	}
	usual := ofSMILES(known.Usual)
	return parts{
		notation: m.notation, model: m.Tunable, oracle: o, plausible: ofSMILES(known.Plausible), feasible: usual,
		generate: func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
			return distinctSamples(ctx, m, rng, n, usual)
		},
		features: func(x string) (gp.Counts, error) { return environments(m, x) },
	}, nil
}

// ofSMILES returns what holds of the molecule of a SMILES.
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

// environments returns the atom environments up to radius 3, with their counts, of the molecule that x
// stands for; none if it stands for none.
func environments(m model, x string) (gp.Counts, error) {
	smiles, err := m.translate(x)
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

// dissimilarity returns 1 − the Tanimoto similarity of the molecules that two strings of a model stand for, by the
// counts of their atom environments up to radius 2 (ECFP4); 1 if one stands for none.
func dissimilarity(n notation) func(x, decoded string) float64 {
	environments := func(x string) (molecule.Counts, error) {
		mol, err := molecule.Parse(n.show(x))
		if err != nil {
			return molecule.Counts{}, err
		}
		defer mol.Close()
		return mol.ECFP(2), nil
	}
	return func(x, decoded string) float64 {
		a, errA := environments(x)
		b, errB := environments(decoded)
		if errA != nil || errB != nil {
			return 1
		}
		return 1 - molecule.Tanimoto(a, b)
	}
}

// distinctSamples draws n strings from a model's prior that stand for different things of which good holds. Far from what
// the model has learned, which is much of the prior, SELFIES are valid molecules that no chemist would make.
func distinctSamples(ctx context.Context, m model, rng *rand.Rand, n int, good func(string) (bool, error)) ([]string, error) {
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
		xs, err := m.Decode(ctx, prior(rng, chunk, m))
		if err != nil {
			return nil, err
		}
		for _, x := range xs {
			shown := m.show(x)
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

// prior draws n latents from N(0, I).
func prior(rng *rand.Rand, n int, m vae.Model) [][]float64 {
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for k := range z[i] {
			z[i][k] = rng.NormFloat64()
		}
	}
	return z
}

// bestMolecules is a picture of molecules with their scores, and a list of them.
type bestMolecules struct {
	trials []invbo.Trial // best first
	svg    []byte
}

func drawMolecules(_ taskFlags, r result) (string, figure, error) {
	const (
		most    = 12
		columns = 4
		size    = 250
	)
	best := bestMolecules{trials: r.top(most, anyTrial)}
	drawings := make([]molecule.Drawing, len(best.trials))
	for i, t := range best.trials {
		m, err := molecule.Parse(t.Input)
		if err != nil {
			return "", nil, fmt.Errorf("draw %s: %w", t.Input, err)
		}
		defer m.Close()
		drawings[i] = molecule.Drawing{Molecule: m, Legend: fmt.Sprintf("%.4f", t.Score)}
		if t.Kind == invbo.Initial {
			drawings[i].Legend += ", initial"
		}
	}
	svg, err := molecule.Draw(drawings, columns, size)
	if err != nil {
		return "", nil, fmt.Errorf("draw molecules: %w", err)
	}
	best.svg = svg
	return "molecules", best, nil
}

// WriteSVG writes the picture.
func (b bestMolecules) WriteSVG(w io.Writer) error {
	_, err := w.Write(b.svg)
	return err
}

// WriteCSV writes the list.
func (b bestMolecules) WriteCSV(w io.Writer) error {
	rows := [][]string{{"smiles", "score", "trial", "kind"}}
	for _, t := range b.trials {
		rows = append(rows, []string{t.Input, float(t.Score), strconv.Itoa(t.N), string(t.Kind)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
