package molecule

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// A Pattern is a SMARTS query. It is immutable and safe for concurrent use.
type Pattern struct {
	ref     handle
	smarts  string
	mergeHs bool
}

// CompilePattern parses a SMARTS query. The error says what is wrong with it, or is ErrNoRDKit. Hydrogens of the query,
// as in [#6]-[#1], match hydrogens that are atoms of a molecule, which those of ordinary SMILES are not; see
// CompilePatternMergeHs.
func CompilePattern(smarts string) (*Pattern, error) { return compile(smarts, false) }

// CompilePatternMergeHs is CompilePattern for patterns such as those of RDKit's PAINS filters: a hydrogen becomes the
// condition that its neighbor has one, which may be implicit. It is no atom of the pattern.
func CompilePatternMergeHs(smarts string) (*Pattern, error) { return compile(smarts, true) }

func compile(smarts string, mergeHs bool) (*Pattern, error) {
	if !available {
		return nil, ErrNoRDKit
	}
	if smarts == "" {
		return nil, errors.New("SMARTS: no atoms")
	}
	err := readable(smarts, MaxPattern)
	var ref handle
	if err == nil {
		ref, err = compilePattern(smarts, mergeHs)
	}
	if err != nil {
		return nil, fmt.Errorf("SMARTS %.100q: %w", smarts, err)
	}
	p := &Pattern{ref: ref, smarts: smarts, mergeHs: mergeHs}
	runtime.AddCleanup(p, free, ref)
	return p, nil
}

// MustCompilePattern is CompilePattern of a query known to be valid. It panics without RDKit.
func MustCompilePattern(smarts string) *Pattern {
	p, err := CompilePattern(smarts)
	if err != nil {
		panic(err)
	}
	return p
}

// lazily returns a function that compiles queries when it is called first.
func lazily(smarts ...string) func() []*Pattern {
	return sync.OnceValue(func() []*Pattern {
		patterns := make([]*Pattern, len(smarts))
		for i, s := range smarts {
			patterns[i] = MustCompilePattern(s)
		}
		return patterns
	})
}

// String returns the SMARTS.
func (p *Pattern) String() string { return p.smarts }

// In reports whether m has a match of p.
func (p *Pattern) In(m *Molecule) bool {
	defer runtime.KeepAlive(p)
	return len(p.matches(m, true, 1)) > 0
}

// maxMatches is RDKit's default limit: symmetric queries have factorially many matches.
const maxMatches = 1000

// Matches returns the matches of p in m: for each, the atom of m for every atom of p, in p's order. RDKit stops after 1000
// matches. With unique, matches of the same atoms in another order are removed from these, so that a symmetric p may have
// further unique matches even where fewer than 1000 are returned. Chirality is ignored.
func (p *Pattern) Matches(m *Molecule, unique bool) [][]int {
	defer runtime.KeepAlive(p)
	return p.matches(m, unique, maxMatches)
}
