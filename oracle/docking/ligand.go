package docking

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// dockable holds the atomic numbers that both Open Babel and Vina have ligand atom types for. Vina also accepts some
// metals, which are meant for receptors.
var dockable = map[int]bool{1: true, 6: true, 7: true, 8: true, 9: true, 15: true, 16: true, 17: true, 35: true, 53: true}

// maxTorsions is the largest number of rotatable bonds of a ligand: AutoDock's own limit.
const maxTorsions = 32

// prepare returns a molecule as a ligand in PDBQT, or the reason why it cannot be docked.
func (o *Oracle) prepare(ctx context.Context, smiles string) (pdbqt string, err error) {
	neutral, err := neutralize(smiles)
	if err != nil {
		return "", err
	}
	protonated, err := o.babel(ctx, neutral, "-ismi", "-ocan", "-p7.4") // the pH of blood, as in dockstring
	if err != nil {
		return "", fmt.Errorf("protonation: %w", err)
	}
	conformer, err := molecule.Conformer(ctx, strings.TrimSpace(protonated), o.opts.Seed)
	if err != nil {
		return "", fmt.Errorf("conformer: %w", err)
	}
	ligand, err := o.babel(ctx, conformer, "-imol", "-opdbqt", "--partialcharge", "gasteiger")
	if err != nil {
		return "", fmt.Errorf("PDBQT: %w", err)
	}
	torsions, err := torsions(ligand)
	if err != nil {
		return "", fmt.Errorf("PDBQT: %w", err)
	}
	if torsions > maxTorsions {
		return "", fmt.Errorf("%d torsions; the limit is %d", torsions, maxTorsions)
	}
	return ligand, nil
}

// neutralize returns the canonical SMILES, without charges, of a molecule that can be docked.
func neutralize(smiles string) (string, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	for _, a := range m.Graph().Atoms {
		if !dockable[a.Number] {
			return "", fmt.Errorf("element %d: vina has no such atoms in a ligand", a.Number)
		}
	}
	if n := strings.Count(m.SMILES(), ".") + 1; n > 1 {
		return "", fmt.Errorf("%d molecules; only one can be docked", n)
	}
	neutral, err := m.Neutral()
	if err != nil {
		return "", fmt.Errorf("charges: %w", err)
	}
	defer neutral.Close()
	return neutral.SMILES(), nil
}

// babel returns the output of Open Babel for one molecule. Its exit status is 0 even if it has no output.
func (o *Oracle) babel(ctx context.Context, in string, args ...string) (string, error) {
	out, err := run(ctx, in, o.opts.OpenBabel, args...)
	if err == nil && strings.TrimSpace(out) == "" {
		err = errors.New("no output")
	}
	if err != nil {
		return "", fmt.Errorf("obabel: %w", err)
	}
	return out, nil
}

// torsions returns the number of rotatable bonds of a ligand (PDBQT).
func torsions(pdbqt string) (int, error) {
	for line := range strings.Lines(pdbqt) {
		if rest, ok := strings.CutPrefix(line, "TORSDOF"); ok {
			return strconv.Atoi(strings.TrimSpace(rest))
		}
	}
	return 0, errors.New("no ligand: the line TORSDOF is missing")
}
