package molecule

import (
	"fmt"
	"regexp"
	"strings"
)

// labelled is the start of an atom's SMILES with a mass number. flatBonds takes configurations off double bonds: a
// hydrogen that tells one stays an atom.
var (
	labelled  = regexp.MustCompile(`\[[0-9]+`)
	flatBonds = strings.NewReplacer("/", "", `\`, "")
)

// Unlabelled returns the canonical SMILES of a molecule of the usual isotopes; of one with labels, without
// configurations of double bonds. Errors are those of Canonical. It does not parse a SMILES without labels, but returns
// it.
func Unlabelled(canonical string) (string, error) {
	if !labelled.MatchString(canonical) {
		return canonical, nil
	}
	return Canonical(labelled.ReplaceAllString(flatBonds.Replace(canonical), "["))
}

// Labelled returns a SMILES in which every atom has the mass number, even one that no isotope has. Errors are those of
// Parse.
func Labelled(smiles string, mass int) (string, error) {
	m, err := Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	atoms := m.Graph().Atoms
	return eachAtom(smiles, func(i int, atom string) string {
		switch inside, bracket := strings.CutPrefix(atom, "["); {
		case bracket:
			return fmt.Sprintf("[%d%s", mass, strings.TrimLeft(inside, "0123456789"))
		case i < len(atoms) && atoms[i].Hydrogens > 0:
			return fmt.Sprintf("[%d%sH%d]", mass, atom, atoms[i].Hydrogens)
		}
		return fmt.Sprintf("[%d%s]", mass, atom)
	}), nil
}
