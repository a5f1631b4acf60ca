package molecule

import (
	"regexp"
	"strings"
)

// labelled is the start of an atom's SMILES with a mass number. flatBonds takes configurations off double bonds: a hydrogen that tells one stays an atom.
var (
	labelled  = regexp.MustCompile(`\[[0-9]+`)
	flatBonds = strings.NewReplacer("/", "", `\`, "")
)

// Unlabelled returns the canonical SMILES of a molecule of the usual isotopes; of one with labels, without configurations of double bonds. Errors are
// those of Canonical. It does not parse a SMILES without labels, but returns it.
func Unlabelled(canonical string) (string, error) {
	if !labelled.MatchString(canonical) {
		return canonical, nil
	}
	return Canonical(labelled.ReplaceAllString(flatBonds.Replace(canonical), "["))
}
