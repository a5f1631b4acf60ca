package table

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// counterions lists acids and bases that are parts of salts and may be larger than the molecule that was measured. Other
// counterions, and solvents, are smaller.
var counterions = []string{
	"O=C(O)C(F)(F)F", "O=C(O)C(=O)O", "O=C(O)CC(=O)O", "O=C(O)CCC(=O)O", "O=C(O)C=CC(=O)O", "O=C(O)CC(O)C(=O)O", "O=C(O)C(O)C(O)C(=O)O",
	"O=C(O)CC(O)(CC(=O)O)C(=O)O", "O=C(O)C(O)C(O)C(O)C(O)CO", "O=C(O)c1ccccc1", "O=C(O)c1ccccc1O", "CS(=O)(=O)O", "CCS(=O)(=O)O",
	"O=S(=O)(O)c1ccccc1", "Cc1ccc(S(=O)(=O)O)cc1", "O=S(=O)(O)c1ccc2ccccc2c1", "O=S(=O)(O)c1cccc2c(S(=O)(=O)O)cccc12",
	"CC1(C)C2CCC1(CS(=O)(=O)O)C(=O)C2", "O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O", "CCCCCCCCCCCCOS(=O)(=O)O",
	"CNCC(O)C(O)C(O)C(O)CO", "NC(CO)(CO)CO", "CC(C)(C)N", "CCN(CC)CC", "C1CCC(NC2CCCCC2)CC1",
}

// Molecules returns an Options.Normalize for SMILES, or an error in a build without RDKit. The result is RDKit's canonical SMILES,
// with stereochemistry and isotopes as given. Unless keepSalts, of a molecule of several parts only its parent is kept:
//
//   - the part with carbon that has the most atoms other than hydrogen. Usual counterions (tartrate, tosylate, pamoate, ...) are
//     passed over, unless all parts are counterions.
//   - Its charges are removed with hydrogens where that is possible, since a salt's are those of the salt. A molecule of a
//     single part keeps its charges.
//   - Parts without carbon alone are kept as they are; two different parts of the same size are an error, a mixture.
func Molecules(keepSalts bool) (func(text string) (input, note string, err error), error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, smiles := range counterions {
		p, err := newPart(smiles)
		if err != nil {
			return nil, fmt.Errorf("counterion %s: %w", smiles, err)
		}
		known[p.flat] = true
	}
	return func(text string) (string, string, error) {
		smiles, extension, extended := strings.Cut(text, " |") // CXSMILES
		if extended && !strings.HasSuffix(extension, "|") {
			smiles, extended = text, false
		}
		input, err := molecule.Canonical(clean(smiles))
		if err != nil {
			return "", "", fmt.Errorf("no molecule: %w", err)
		}
		note := ""
		if !keepSalts && strings.Contains(input, ".") {
			if input, note, err = parent(input, known); err != nil {
				return "", "", err
			}
		}
		switch {
		case extended && note == "":
			note = "CXSMILES extension left out"
		case extended:
			note += "; CXSMILES extension left out"
		}
		return input, note, nil
	}, nil
}

// parent returns the parent of a canonical SMILES of several parts, by the rule of Molecules.
func parent(smiles string, counterions map[string]bool) (input, note string, err error) {
	var best part
	mixed := ""
	var all []part
	for text := range strings.SplitSeq(smiles, ".") { // RDKit closes no ring across parts
		p, err := newPart(text)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", text, err)
		}
		all = append(all, p)
	}
	passOver := false
	for _, p := range all {
		passOver = passOver || p.organic && !counterions[p.flat]
	}
	for _, p := range all {
		switch {
		case !p.organic || passOver && counterions[p.flat] || p.atoms < best.atoms:
		case p.atoms > best.atoms:
			best, mixed = p, ""
		case p.neutral != best.neutral:
			mixed = p.text
		}
	}
	switch {
	case best.atoms == 0:
		return smiles, "", nil
	case mixed != "":
		return "", "", fmt.Errorf("a mixture of %s and %s: leave one, or keep both with --keep-salts", best.text, mixed)
	}
	var removed []string
	kept := false
	for _, p := range all {
		if kept || p.text != best.text {
			removed = append(removed, p.text)
		} else {
			kept = true
		}
	}
	note = "desalted (without " + strings.Join(removed, " and ")
	if best.neutral != best.text {
		note += ", and neutralized"
	}
	return best.neutral, note + ")", nil
}

// part is a part of a molecule that has no bonds to the others.
type part struct {
	text    string // canonical SMILES
	neutral string // the same without charges
	flat    string // neutral, without stereochemistry
	atoms   int    // other than hydrogen
	organic bool   // has carbon
}

func newPart(smiles string) (part, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return part{}, err
	}
	defer m.Close()
	p := part{text: smiles}
	for _, a := range m.Graph().Atoms {
		if a.Number > 1 {
			p.atoms++
		}
		p.organic = p.organic || a.Number == 6
	}
	n, err := m.Neutral()
	if err != nil {
		return part{}, err
	}
	defer n.Close()
	p.neutral = n.SMILES()
	p.flat, err = molecule.Canonical(strings.NewReplacer("@", "", "/", "", `\`, "").Replace(p.neutral))
	return p, err
}
