package docking

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// pH of the protonation: that of blood, as in dockstring.
const pH = "7.4"

// dockable holds the atomic numbers that both Open Babel and Vina have ligand atom types for. Vina also accepts some metals, which
// are meant for receptors.
var dockable = map[int]bool{1: true, 6: true, 7: true, 8: true, 9: true, 15: true, 16: true, 17: true, 35: true, 53: true}

// prepare returns a molecule as a ligand in PDBQT, or the reason why it cannot be docked.
func (o *Oracle) prepare(ctx context.Context, smiles string) (pdbqt string, err error) {
	canonical, err := check(smiles)
	if err != nil {
		return "", err
	}
	neutral, err := uncharge(canonical)
	if err != nil {
		return "", fmt.Errorf("charges: %w", err)
	}
	protonated, err := o.babel(ctx, neutral, "-ismi", "-ocan", "-p"+pH)
	if err != nil {
		return "", fmt.Errorf("protonation: %w", err)
	}
	conformer, err := embed(ctx, strings.TrimSpace(protonated), o.opts.Seed)
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
	if torsions > o.opts.MaxTorsions {
		return "", fmt.Errorf("%d torsions; the limit is %d", torsions, o.opts.MaxTorsions)
	}
	return ligand, nil
}

// check returns the canonical SMILES of a molecule that can be docked.
func check(smiles string) (string, error) {
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
	canonical := m.SMILES()
	if n := strings.Count(canonical, ".") + 1; n > 1 {
		return "", fmt.Errorf("%d molecules; only one can be docked", n)
	}
	return canonical, nil
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
