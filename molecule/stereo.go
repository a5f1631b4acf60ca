package molecule

import (
	"fmt"
	"strings"
)

// Flat returns the canonical SMILES of a SMILES without stereochemistry. It is the same for all molecules that are
// equal up to stereochemistry. Errors are those of Canonical. It does not parse a canonical SMILES without
// stereochemistry, but returns it.
func Flat(canonical string) (string, error) {
	if !hasStereo(canonical) {
		return canonical, nil
	}
	return Canonical(flatten(canonical))
}

// Vaguer reports whether the molecule a is b with fewer configurations: it has the same atoms and bonds, all of its
// centers and double bonds with a configuration have the same one in b, up to symmetry, and b has more. Both are
// canonical SMILES. The error says that one is no molecule, or that b has too many symmetries to tell.
func Vaguer(a, b string) (bool, error) {
	if a == b || !hasStereo(b) {
		return false, nil
	}
	flat, err := Flat(b)
	if err != nil {
		return false, fmt.Errorf("%s: %w", b, err)
	}
	if !hasStereo(a) {
		return a == flat, nil
	}
	if other, err := Flat(a); err != nil || other != flat {
		return false, err
	}
	m, err := Parse(a)
	if err != nil {
		return false, fmt.Errorf("%s: %w", a, err)
	}
	defer m.Close()
	n, err := Parse(b)
	if err != nil {
		return false, fmt.Errorf("%s: %w", b, err)
	}
	defer n.Close()
	return m.vaguer(n)
}

func hasStereo(smiles string) bool { return strings.ContainsAny(smiles, `@/\`) }
