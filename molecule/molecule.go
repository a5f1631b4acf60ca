// Package molecule reads SMILES and says what chemistry needs to know about a molecule: canonical SMILES,
// fingerprints, descriptors, substructures, pictures.
//
// RDKit does the work, through cgo and a small C++ shim, in builds with the tag rdkit. Without the tag
// the package compiles everywhere, without cgo, and Available, Parse, CompilePattern and Draw return ErrNoRDKit.
// Its reference values are of RDKit 2022.09 (Debian 12); another version may write another canonical SMILES or reason.
//
// On Debian and Ubuntu a build needs no setting. Elsewhere say where the headers and libraries are:
//
//	macOS   CGO_CXXFLAGS="-I$(brew --prefix)/include/rdkit -I$(brew --prefix)/include" CGO_LDFLAGS="-L$(brew --prefix)/lib"
//	conda   CGO_CXXFLAGS="-I$CONDA_PREFIX/include/rdkit -I$CONDA_PREFIX/include" CGO_LDFLAGS="-L$CONDA_PREFIX/lib -Wl,-rpath,$CONDA_PREFIX/lib"
package molecule

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// ErrNoRDKit is what a build without the tag rdkit says to every molecule.
var ErrNoRDKit = errors.New("this build has no RDKit: install it (Debian, Ubuntu: apt-get install librdkit-dev libboost-dev; " +
	"macOS: brew install rdkit boost; conda: conda install -c conda-forge librdkit-dev libboost-devel) and build with cgo and -tags rdkit")

// Available returns nil if molecules can be read, and ErrNoRDKit otherwise.
func Available() error { return available() }

// MaxLength is the number of bytes that Parse and CompilePattern take. RDKit's own parsers have no bound: ten megabytes of
// brackets would overflow the stack. Its time grows with the cube of the atoms (seconds for a chain of 1000),
// and its canonical SMILES has room for 1000 open rings, which this many bytes cannot make.
const MaxLength = 1000

// An InvalidError says why a SMILES is no molecule.
type InvalidError struct {
	SMILES string
	Kind   string // RDKit's, as AtomValenceException or KekulizeException; SmilesParseException is bad syntax, Exception a rare one, empty no atoms
	Reason string // RDKit's words, on one line: "Explicit valence for atom # 1 N, 5, is greater than permitted"
}

// Error leaves out the SMILES, which is at hand where the error is printed.
func (e *InvalidError) Error() string { return e.Reason }

// A Molecule is one or more connected molecules, as sanitized by RDKit: valences checked, rings and
// aromaticity found, hydrogens folded into their neighbours. It never changes and may be used from
// several goroutines.
type Molecule struct {
	mu      sync.Mutex // RDKit keeps distances and descriptors in a molecule: reading it writes
	ref     molRef
	cleanup runtime.Cleanup
	graph   func() Graph
}

// Parse reads a SMILES, with nothing before or after it. The error is an *InvalidError, or ErrNoRDKit.
//
// The garbage collector frees a Molecule that was not closed, but it sees a few of its tens of thousands of bytes only
// and comes late: close molecules that come by the thousand.
func Parse(smiles string) (*Molecule, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	if smiles == "" {
		return nil, &InvalidError{Kind: "empty", Reason: "no atoms"}
	}
	if reason := unreadable(smiles); reason != "" {
		return nil, &InvalidError{SMILES: smiles, Kind: "SmilesParseException", Reason: reason}
	}
	ref, kind, reason := parse(smiles)
	if reason != "" {
		return nil, &InvalidError{SMILES: smiles, Kind: kind, Reason: reason}
	}
	return newMolecule(ref), nil
}

// Canonical returns the canonical SMILES of a SMILES. The error is Parse's.
func Canonical(smiles string) (string, error) {
	m, err := Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return m.SMILES(), nil
}

func newMolecule(ref molRef) *Molecule {
	m := &Molecule{ref: ref}
	m.cleanup = runtime.AddCleanup(m, molRef.free, ref)
	m.graph = sync.OnceValue(func() Graph {
		defer m.lock()()
		return m.ref.graph()
	})
	return m
}

// unreadable says why a string must not reach RDKit; it is empty for the others.
func unreadable(s string) string {
	if len(s) > MaxLength {
		return fmt.Sprintf("%d bytes long, more than the %d that are read", len(s), MaxLength)
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		return fmt.Sprintf("byte %d (%#02x) is a blank or no printable ASCII", i, s[i])
	}
	return ""
}

// Close frees the molecule at once. Using it later panics; closing it again does nothing.
func (m *Molecule) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ref.closed() {
		return
	}
	m.cleanup.Stop()
	m.ref.free()
	m.ref = molRef{}
}

// lock locks m for a call into RDKit and returns what ends it.
func (m *Molecule) lock() (unlock func()) {
	m.mu.Lock()
	if m.ref.closed() {
		m.mu.Unlock()
		panic("molecule: used after Close")
	}
	return func() {
		m.mu.Unlock()
		runtime.KeepAlive(m)
	}
}

// SMILES returns RDKit's canonical SMILES, with stereochemistry and isotopes.
func (m *Molecule) SMILES() string {
	defer m.lock()()
	return m.ref.smiles()
}

// Formula returns the molecular formula in Hill's order, as C9H8O4, with the charge at the end.
func (m *Molecule) Formula() string {
	defer m.lock()()
	return m.ref.formula()
}

// LogP returns Crippen's estimate of log₁₀ of the octanol-water partition coefficient (Wildman & Crippen 1999).
func (m *Molecule) LogP() float64 {
	defer m.lock()()
	return m.ref.logP()
}

// TPSA returns the topological polar surface area of N and O in Å² (Ertl, Rohde & Selzer 2000).
func (m *Molecule) TPSA() float64 {
	defer m.lock()()
	return m.ref.tpsa()
}

// Weight returns the average molecular weight in g/mol.
func (m *Molecule) Weight() float64 {
	defer m.lock()()
	return m.ref.weight()
}

// RotatableBonds counts rotatable bonds by RDKit's strict definition, which excludes amides and the like.
func (m *Molecule) RotatableBonds() int {
	defer m.lock()()
	return m.ref.rotatableBonds()
}

// Rings returns the number of rings in Graph.
func (m *Molecule) Rings() int { return len(m.graph().Rings) }

// AromaticRings returns the number of rings in Graph whose bonds are all aromatic.
func (m *Molecule) AromaticRings() int { return m.graph().aromaticRings() }

// Atoms returns the number of all atoms, hydrogens included.
func (m *Molecule) Atoms() int { return m.graph().atoms() }

// Graph returns the molecule's atoms and bonds. It is made once and shared: do not change it.
func (m *Molecule) Graph() Graph { return m.graph() }

// ECFP returns the extended-connectivity fingerprint (Rogers & Hahn 2010) of that radius, counted and not folded:
// ECFP(2) is ECFP4. Chirality is ignored. ECFP panics if radius is negative.
func (m *Molecule) ECFP(radius int) Counts { return m.morgan(radius, false) }

// FCFP is ECFP with pharmacophore roles (donor, acceptor, aromatic, halogen, basic, acidic) for atom types: FCFP(2) is FCFP4.
func (m *Molecule) FCFP(radius int) Counts { return m.morgan(radius, true) }

func (m *Molecule) morgan(radius int, roles bool) Counts {
	if radius < 0 {
		panic(fmt.Sprintf("molecule: fingerprint of radius %d", radius))
	}
	defer m.lock()()
	return m.ref.morgan(radius, roles)
}

// AtomPairs returns the atom-pair fingerprint (Carhart, Smith & Venkataraghavan 1985), counted and not folded, of the pairs
// at most 10 bonds apart. Chirality is ignored.
func (m *Molecule) AtomPairs() Counts {
	defer m.lock()()
	return m.ref.atomPairs()
}

// Environments returns, ascending, the ids of the atom environments up to radius 1: each atom alone, and with its bonds
// and neighbours. Molecules made only of environments that a corpus has are plausible in its sense.
func (m *Molecule) Environments() []uint64 { return m.ECFP(1).IDs }
