// Package molecule parses SMILES and computes canonical SMILES, fingerprints, descriptors, substructure matches, edits and
// pictures of molecules.
//
// It uses RDKit through cgo and a small C++ shim in builds with the tag rdkit. Without the tag the package compiles on every
// platform, without cgo, and Available, Parse and CompilePattern return ErrNoRDKit. Reference values in tests are those
// of RDKit 2022.09 (Debian 12); other versions may give other canonical SMILES or reasons.
//
// On Debian and Ubuntu a build needs no settings. Elsewhere, set the paths of headers and libraries:
//
//	macOS   CGO_CXXFLAGS="-I$(brew --prefix)/include/rdkit -I$(brew --prefix)/include" CGO_LDFLAGS="-L$(brew --prefix)/lib"
//	conda   CGO_CXXFLAGS="-I$CONDA_PREFIX/include/rdkit -I$CONDA_PREFIX/include" CGO_LDFLAGS="-L$CONDA_PREFIX/lib -Wl,-rpath,$CONDA_PREFIX/lib"
package molecule

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// ErrNoRDKit is the error of all functions in a build without the tag rdkit.
var ErrNoRDKit = errors.New("this build has no RDKit: install it (Debian, Ubuntu: apt-get install librdkit-dev libboost-dev; " +
	"macOS: brew install rdkit boost; conda: conda install -c conda-forge librdkit-dev libboost-devel) and build with cgo and -tags rdkit")

// Available returns nil if this build has RDKit, and ErrNoRDKit otherwise.
func Available() error {
	if !available {
		return ErrNoRDKit
	}
	return nil
}

// MaxLength is the largest number of bytes that Parse accepts. RDKit's own parsers have no limit: ten megabytes of
// brackets overflow the stack, its time grows with the cube of the number of atoms (seconds for a chain of 1000), and
// its canonical SMILES supports at most 1000 open rings, which strings of this length cannot exceed.
const MaxLength = 1000

// MaxPattern is the largest number of bytes that CompilePattern accepts: published filters have up to 1,255.
const MaxPattern = 4000

// A Molecule is a molecule of one or more connected parts, as sanitized by RDKit: valences are checked, rings and
// aromaticity perceived, hydrogens made implicit. It is immutable and safe for concurrent use.
type Molecule struct {
	mu      sync.Mutex // RDKit caches distances and descriptors in the molecule, so that even reading needs a lock
	ref     handle
	cleanup runtime.Cleanup
	graph   func() Graph
	smiles  func() (string, error)

	environments func() []uint64
}

// Parse parses a SMILES, without leading or trailing characters. The error says on one line why it is not a molecule,
// or is ErrNoRDKit.
//
// A Molecule that was not closed is freed by the garbage collector, which sees only a few of its tens of thousands of
// bytes and therefore runs late: close molecules if there are thousands.
func Parse(smiles string) (*Molecule, error) {
	if err := readable(smiles, MaxLength); err != nil {
		return nil, err
	}
	return made(parse(smiles))
}

// Look has a function look at the molecule of a SMILES, and closes it then. Errors are those of Parse.
func Look(smiles string, look func(m *Molecule)) error {
	m, err := Parse(smiles)
	if err != nil {
		return err
	}
	defer m.Close()
	look(m)
	return nil
}

// Canonical returns the canonical form of a SMILES, which is its own canonical form: Molecule.SMILES. Errors are those
// of Parse; a canonical form that Parse would not accept is an error, too.
func Canonical(smiles string) (string, error) {
	m, err := Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	canonical, err := m.smiles()
	if err == nil && len(canonical) > MaxLength {
		err = fmt.Errorf("it has %d bytes; the limit is %d", len(canonical), MaxLength)
	}
	if err != nil {
		return "", fmt.Errorf("canonical SMILES: %w", err)
	}
	return canonical, nil
}

// made returns the molecule that RDKit made, unless there is an error.
func made(ref handle, err error) (*Molecule, error) {
	if err != nil {
		return nil, err
	}
	m := &Molecule{ref: ref}
	m.cleanup = runtime.AddCleanup(m, free, ref)
	m.graph = sync.OnceValue(m.readGraph)
	m.smiles = sync.OnceValues(m.canonical)
	m.environments = sync.OnceValue(func() []uint64 { return m.ECFP(1).IDs })
	return m, nil
}

// canonical returns the canonical SMILES. RDKit's may not be that of the molecule that it is read as: it depends on the
// order of atoms that look alike and are not symmetric, and configurations that depend on each other get lost. So it is
// read and written until it is one that was seen before: the smallest of those from there on, usually one. With an
// error, canonical returns RDKit's first.
func (m *Molecule) canonical() (string, error) {
	smiles, settled := m.rdkitSMILES()
	if settled {
		return smiles, nil
	}
	const most = 20
	seen := []string{smiles}
	for last := smiles; len(seen) <= most; seen = append(seen, last) {
		next, err := made(parse(last))
		if err != nil {
			return smiles, fmt.Errorf("%s: %w", last, err)
		}
		last, _ = next.rdkitSMILES()
		next.Close()
		if i := slices.Index(seen, last); i >= 0 {
			return slices.Min(seen[i:]), nil
		}
	}
	return smiles, fmt.Errorf("there is none after %d rounds", most)
}

// readable returns why a string cannot be passed to RDKit, or nil if it can. It has so many bytes at most.
func readable(s string, most int) error {
	if !available {
		return ErrNoRDKit
	}
	if s == "" {
		return errors.New("no atoms")
	}
	if len(s) > most {
		return fmt.Errorf("%d bytes long; the limit is %d", len(s), most)
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		return fmt.Errorf("byte %d (%#02x) is a space or not printable ASCII", i, s[i])
	}
	return nil
}

// Close frees the molecule. Using it afterwards panics; closing it again does nothing.
func (m *Molecule) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ref != nil {
		m.cleanup.Stop()
		free(m.ref)
		m.ref = nil
	}
}

// SMILES returns the canonical SMILES, with stereochemistry and isotopes: RDKit's, where that is the canonical SMILES
// of the molecule that it is read as, too. It is computed once.
func (m *Molecule) SMILES() string {
	smiles, _ := m.smiles()
	return smiles
}

// Formula returns the molecular formula in Hill's order, with the charge at the end: C9H8O4.
func (m *Molecule) Formula() string { return m.formula() }

// descriptor is a number that RDKit computes; shim.hpp has the same order.
type descriptor int

const (
	logP descriptor = iota
	tpsa
	weight
	rotatableBonds
)

// LogP returns Crippen's estimate of log₁₀ of the octanol-water partition coefficient (Wildman & Crippen 1999).
func (m *Molecule) LogP() float64 {
	if g := m.graph(); g.fullyMatched() {
		return g.crippen()
	}
	return m.descriptor(logP)
}

// TPSA returns the topological polar surface area of N and O in Å² (Ertl, Rohde & Selzer 2000).
func (m *Molecule) TPSA() float64 { return m.descriptor(tpsa) }

// Weight returns the average molecular weight in g/mol.
func (m *Molecule) Weight() float64 { return m.descriptor(weight) }

// RotatableBonds counts rotatable bonds by RDKit's strict definition, which excludes amides and the like.
func (m *Molecule) RotatableBonds() int { return int(m.descriptor(rotatableBonds)) }

// Charge returns the sum of the formal charges.
func (m *Molecule) Charge() int {
	sum := 0
	for _, a := range m.graph().Atoms {
		sum += a.Charge
	}
	return sum
}

// Undefined returns how many atoms and double bonds could have a configuration and have none, those included that could
// only if others have one, as in inositol. Those that a tautomer has not, such as the double bond of an amidine, do not
// count.
func (m *Molecule) Undefined() int { return len(m.undefined()) }

// UndefinedSites returns these atoms and double bonds, as Graph numbers them.
func (m *Molecule) UndefinedSites() (atoms, bonds []int) {
	for _, i := range m.undefined() {
		if i >= 0 {
			atoms = append(atoms, i)
		} else {
			bonds = append(bonds, -1-i)
		}
	}
	return atoms, bonds
}

// Stereocenters returns how many atoms are stereocenters with a configuration, and how many could have one and do not:
// those whose neighbors differ without regard to other stereocenters, which are fewer than Undefined.
func (m *Molecule) Stereocenters() (defined, undefined int) { return m.stereocenters() }

// Bridges returns how many atoms two rings share alone (spiro atoms), and how many are bridgeheads.
func (m *Molecule) Bridges() (spiro, bridgeheads int) { return m.bridges() }

// Rings returns the number of rings in Graph.
func (m *Molecule) Rings() int { return len(m.graph().Rings) }

// AromaticRings returns the number of rings in Graph whose bonds are all aromatic.
func (m *Molecule) AromaticRings() int {
	g, count := m.graph(), 0
	for _, ring := range g.Rings {
		aromatic := 0
		for _, b := range g.ringBonds(ring) {
			if b.Aromatic {
				aromatic++
			}
		}
		if aromatic == len(ring) {
			count++
		}
	}
	return count
}

// Atoms returns the number of all atoms, hydrogens included.
func (m *Molecule) Atoms() int {
	count := len(m.graph().Atoms)
	for _, a := range m.graph().Atoms {
		count += a.Hydrogens
	}
	return count
}

// HeavyAtoms returns the number of atoms other than hydrogen and its isotopes. As in RDKit, * is none: an attachment
// point or a wildcard.
func (m *Molecule) HeavyAtoms() int {
	count := 0
	for _, a := range m.graph().Atoms {
		if a.Number > 1 {
			count++
		}
	}
	return count
}

// Graph returns the molecule's atoms and bonds. It is computed once and shared: do not modify it.
func (m *Molecule) Graph() Graph { return m.graph() }

// ECFP returns the extended-connectivity fingerprint (Rogers & Hahn 2010) of the given radius, counted and not folded:
// ECFP(2) is ECFP4. Chirality is ignored.
func (m *Molecule) ECFP(radius int) Counts {
	if c, ok := m.Graph().ecfp(radius); ok {
		return c
	}
	return m.morgan(radius, false)
}

// FCFP is ECFP with pharmacophore roles (donor, acceptor, aromatic, halogen, basic, acidic) as atom types: FCFP(2) is FCFP4.
func (m *Molecule) FCFP(radius int) Counts { return m.morgan(radius, true) }

// AtomPairs returns the atom-pair fingerprint (Carhart, Smith & Venkataraghavan 1985), counted and not folded, of the pairs
// at most 10 bonds apart. Chirality is ignored.
func (m *Molecule) AtomPairs() Counts { return m.atomPairs() }
