package molecule

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxBlock is the largest number of bytes of a molblock that BlockSMILES accepts: more than MaxLength atoms need.
const MaxBlock = 1 << 20

// BlockSMILES returns a SMILES of an MDL molblock (V2000 or V3000), which is what an SD file has of each molecule
// before its properties; lines may end in CR LF, and M  END may be missing. The SMILES is not always canonical.
// Stereochemistry is that of wedges or, in a block with coordinates in space, of these; with the enhanced
// stereochemistry of V3000 the result is CXSMILES, which Read reads. Atom map numbers are left out. Wildcards, R
// groups, queries and polymers are errors. The error is one line, or ErrNoRDKit.
func BlockSMILES(block string) (string, error) {
	if err := Available(); err != nil {
		return "", err
	}
	if block == "" {
		return "", errors.New("no atoms")
	}
	if len(block) > MaxBlock {
		return "", fmt.Errorf("the molblock has %d bytes; the limit is %d", len(block), MaxBlock)
	}
	block = strings.ReplaceAll(block, "\r\n", "\n")
	if smiles, ok := carriedSMILES(block); ok {
		return Canonical(smiles)
	}
	if n := blockAtoms(block); n > MaxLength { // which would take the sanitizer long
		return "", fmt.Errorf("%d atoms; the limit is %d", n, MaxLength)
	}
	if !strings.Contains(block, "\nM  END") {
		block = strings.TrimRight(block, "\n") + "\nM  END\n"
	}
	return blockSMILES(block)
}

// blockAtoms returns the number of atoms that a V3000 molblock says it has; 0 if it does not. V2000 has no room for
// more than 999.
func blockAtoms(block string) int {
	_, counts, _ := strings.Cut(block, "M  V30 COUNTS ")
	number, _, _ := strings.Cut(strings.TrimLeft(counts, " "), " ")
	n, _ := strconv.Atoi(number) // 0 with an error: RDKit says what is wrong
	return n
}

// Block returns an MDL molblock of the molecule, with coordinates in the plane and wedges: what an SD file has of it
// before its properties. BlockSMILES reads the same molecule. The few molecules for which RDKit has no such drawing,
// such as trans-cyclooctene, are drawn without stereochemistry, and their SMILES stands in the third line, the comment.
func (m *Molecule) Block() (string, error) {
	for way := range 3 { // of drawing
		block, err := m.block(way)
		if err != nil {
			continue
		}
		drawn, err := BlockSMILES(block)
		if err != nil {
			continue
		}
		if drawn, err = Canonical(drawn); err == nil && drawn == m.SMILES() {
			return block, nil
		}
	}
	block, err := m.block(3)
	if err != nil {
		return "", err
	}
	lines := strings.SplitN(block, "\n", 4)
	return strings.Join([]string{lines[0], carrier, carried + m.SMILES(), lines[3]}, "\n"), nil
}

// The second and the third line of a molblock whose SMILES is in the third. Other programs that write the molblock
// write other second lines.
const (
	carrier = "     invbo          2D"
	carried = "SMILES "
)

// carriedSMILES returns the SMILES in the third line of a molblock that Block wrote.
func carriedSMILES(block string) (smiles string, ok bool) {
	lines := strings.SplitN(block, "\n", 4)
	if len(lines) < 4 || lines[1] != carrier {
		return "", false
	}
	return strings.CutPrefix(lines[2], carried)
}

// Neutral returns the molecule with as few charges as adding and removing hydrogens leaves, as RDKit's Uncharger does:
// acids and amines become neutral; quaternary nitrogens, with one negative charge for each, and groups such as nitro
// stay, and so do cations and aromatic anions of carbon.
func (m *Molecule) Neutral() (*Molecule, error) {
	smiles, err := m.neutral()
	if err != nil {
		return nil, err
	}
	return Parse(smiles)
}

// Conformer returns a molblock of one conformer of a SMILES, hydrogens included: by ETKDG, relaxed with MMFF94, or UFF
// where that lacks parameters. A radical is an error. The search for a conformer, which can take minutes if there is
// none, and the relaxation, which can for large molecules, stop when ctx ends.
func Conformer(ctx context.Context, smiles string, seed int) (string, error) {
	if err := Available(); err != nil {
		return "", err
	}
	return conformer(ctx, smiles, seed)
}
