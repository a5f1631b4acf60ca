// Package molecule parses SMILES and computes canonical SMILES, fingerprints, descriptors, substructure matches, edits and
// pictures of molecules.
//
// It uses RDKit through cgo and a small C++ shim in builds with the tag rdkit. Without the tag the package compiles on every
// platform, without cgo, and Available, Parse, CompilePattern and Draw return ErrNoRDKit. Reference values in tests are those
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
func Available() error { return available() }

// Version returns the version of RDKit, such as 2022.09.3; "" without it. Canonical SMILES differ between versions, and so do runs.
func Version() string { return version() }

// MaxLength is the largest number of bytes that Parse and CompilePattern accept. RDKit's own parsers have no limit: ten
// megabytes of brackets overflow the stack, its time grows with the cube of the number of atoms (seconds for a chain of 1000),
// and its canonical SMILES supports at most 1000 open rings, which strings of this length cannot exceed.
const MaxLength = 1000

// An InvalidError says why a SMILES is not a valid molecule.
type InvalidError struct {
	SMILES string
	Kind   string // RDKit's exception, such as AtomValenceException, or SmilesParseException for syntax errors; empty if there are no atoms
	Reason string // RDKit's message, on one line: "Explicit valence for atom # 1 N, 5, is greater than permitted"
}

// Error does not repeat the SMILES, which callers add.
func (e *InvalidError) Error() string { return e.Reason }

// A Molecule is a molecule of one or more connected parts, as sanitized by RDKit: valences are checked, rings and aromaticity
// perceived, hydrogens made implicit. It is immutable and safe for concurrent use.
type Molecule struct {
	mu      sync.Mutex // RDKit caches distances and descriptors in the molecule, so that even reading needs a lock
	ref     molRef
	cleanup runtime.Cleanup
	graph   func() Graph
	smiles  func() (string, error)
}

// Parse parses a SMILES, without leading or trailing characters. The error is an *InvalidError, or ErrNoRDKit.
//
// A Molecule that was not closed is freed by the garbage collector, which sees only a few of its tens of thousands of bytes and
// therefore runs late: close molecules if there are thousands.
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

// Canonical returns the canonical form of a SMILES, which is its own canonical form: Molecule.SMILES. Errors are those of Parse; a
// canonical form that Parse would not accept is an *InvalidError, too.
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
		return "", &InvalidError{SMILES: smiles, Kind: "Exception", Reason: "canonical SMILES: " + err.Error()}
	}
	return canonical, nil
}

func newMolecule(ref molRef) *Molecule {
	m := &Molecule{ref: ref}
	m.cleanup = runtime.AddCleanup(m, molRef.free, ref)
	m.graph = sync.OnceValue(func() Graph {
		defer m.lock()()
		return m.ref.graph()
	})
	m.smiles = sync.OnceValues(func() (string, error) {
		defer m.lock()()
		return canonical(m.ref)
	})
	return m
}

// canonical returns the canonical SMILES of a molecule. RDKit's may not be that of the molecule that it is read as: it depends on the
// order of atoms that look alike and are not symmetric, and configurations that depend on each other get lost. So it is read and written
// until it is one that was seen before: the smallest of those from there on, usually one. With an error, canonical returns RDKit's first.
func canonical(ref molRef) (string, error) {
	smiles, settled := ref.smiles()
	if settled {
		return smiles, nil
	}
	const most = 20
	seen := []string{smiles}
	for last := smiles; len(seen) <= most; seen = append(seen, last) {
		next, _, reason := parse(last)
		if reason != "" {
			return smiles, fmt.Errorf("%s: %s", last, reason)
		}
		last, _ = next.smiles()
		next.free()
		if i := slices.Index(seen, last); i >= 0 {
			return slices.Min(seen[i:]), nil
		}
	}
	return smiles, fmt.Errorf("there is none after %d rounds", most)
}

// unreadable returns why a string must not be passed to RDKit, or "" if it may.
func unreadable(s string) string {
	if len(s) > MaxLength {
		return fmt.Sprintf("%d bytes long; the limit is %d", len(s), MaxLength)
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		return fmt.Sprintf("byte %d (%#02x) is a space or not printable ASCII", i, s[i])
	}
	return ""
}

// Close frees the molecule. Using it afterwards panics; closing it again does nothing.
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

// lock locks m for a call into RDKit and returns the function that unlocks it.
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

// SMILES returns the canonical SMILES, with stereochemistry and isotopes: RDKit's, where that is the canonical SMILES of the molecule
// that it is read as, too. It is computed once.
func (m *Molecule) SMILES() string {
	smiles, _ := m.smiles()
	return smiles
}

// Formula returns the molecular formula in Hill's order, with the charge at the end: C9H8O4.
func (m *Molecule) Formula() string {
	defer m.lock()()
	return m.ref.formula()
}

// descriptor is a number that RDKit computes; shim.cc has the same order.
type descriptor int

const (
	logP descriptor = iota
	tpsa
	weight
	rotatableBonds
)

func (m *Molecule) descriptor(d descriptor) float64 {
	defer m.lock()()
	return m.ref.descriptor(d)
}

// LogP returns Crippen's estimate of log₁₀ of the octanol-water partition coefficient (Wildman & Crippen 1999).
func (m *Molecule) LogP() float64 {
	if g := m.graph(); g.fullyMatched() {
		return g.LogP()
	}
	return m.descriptor(logP)
}

// TPSA returns the topological polar surface area of N and O in Å² (Ertl, Rohde & Selzer 2000).
func (m *Molecule) TPSA() float64 { return m.descriptor(tpsa) }

// Weight returns the average molecular weight in g/mol.
func (m *Molecule) Weight() float64 { return m.descriptor(weight) }

// RotatableBonds counts rotatable bonds by RDKit's strict definition, which excludes amides and the like.
func (m *Molecule) RotatableBonds() int { return int(m.descriptor(rotatableBonds)) }

// Rings returns the number of rings in Graph.
func (m *Molecule) Rings() int { return len(m.graph().Rings) }

// AromaticRings returns the number of rings in Graph whose bonds are all aromatic.
func (m *Molecule) AromaticRings() int {
	aromatic := map[[2]int]bool{}
	for _, b := range m.graph().Bonds {
		aromatic[[2]int{b.Begin, b.End}] = b.Aromatic
		aromatic[[2]int{b.End, b.Begin}] = b.Aromatic
	}
	count := 0
	for _, ring := range m.graph().Rings {
		all := true
		for i, a := range ring {
			all = all && aromatic[[2]int{a, ring[(i+1)%len(ring)]}]
		}
		if all {
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

// Graph returns the molecule's atoms and bonds. It is computed once and shared: do not modify it.
func (m *Molecule) Graph() Graph { return m.graph() }

// ECFP returns the extended-connectivity fingerprint (Rogers & Hahn 2010) of the given radius, counted and not folded:
// ECFP(2) is ECFP4. Chirality is ignored. ECFP panics if radius is negative.
func (m *Molecule) ECFP(radius int) Counts { return m.morgan(radius, false) }

// FCFP is ECFP with pharmacophore roles (donor, acceptor, aromatic, halogen, basic, acidic) as atom types: FCFP(2) is FCFP4.
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
