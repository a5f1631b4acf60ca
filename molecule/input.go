package molecule

import "fmt"

// MaxBlock is the largest number of bytes of a molblock that BlockSMILES accepts: more than MaxLength atoms need.
const MaxBlock = 1 << 20

// BlockSMILES returns the canonical SMILES of an MDL molblock (V2000 or V3000), which is what an SD file has of each molecule
// before its properties. Stereochemistry is that of wedges or, in a block with coordinates in space, of these. The error is an
// *InvalidError, or ErrNoRDKit.
func BlockSMILES(block string) (string, error) {
	if err := Available(); err != nil {
		return "", err
	}
	if block == "" {
		return "", &InvalidError{Kind: "empty", Reason: "no atoms"}
	}
	if len(block) > MaxBlock {
		return "", &InvalidError{Kind: "FileParseException", Reason: fmt.Sprintf("the molblock has %d bytes; the limit is %d", len(block), MaxBlock)}
	}
	smiles, kind, reason := blockSMILES(block)
	if reason != "" {
		return "", &InvalidError{Kind: kind, Reason: reason}
	}
	return smiles, nil
}

// Block returns the MDL molblock (V2000) of the molecule, with coordinates in the plane and wedges: what an SD file has of it before
// its properties.
func (m *Molecule) Block() (string, error) {
	ref, err := m.depicted()
	if err != nil {
		return "", err
	}
	defer ref.free()
	return ref.block()
}

// Neutral returns the molecule with as few charges as adding and removing hydrogens leaves, as RDKit's Uncharger does: acids and
// amines become neutral; quaternary nitrogens, with one negative charge for each, and groups such as nitro stay. The error
// is an *InvalidError.
func (m *Molecule) Neutral() (*Molecule, error) {
	smiles, err := m.neutral()
	if err != nil {
		return nil, &InvalidError{Kind: "Exception", Reason: err.Error()}
	}
	return Parse(smiles)
}

func (m *Molecule) neutral() (string, error) {
	defer m.lock()()
	return m.ref.neutral()
}
