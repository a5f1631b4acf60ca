package molecule

import (
	"errors"
	"fmt"
	"runtime"
)

// A Pattern is a SMARTS query. It is immutable and safe for concurrent use.
type Pattern struct {
	ref patternRef
}

// CompilePattern parses a SMARTS query. The error says what is wrong with it, or is ErrNoRDKit. Hydrogens of the query, as in
// [#6]-[#1], match hydrogens that are atoms of a molecule, which those of ordinary SMILES are not; see CompilePatternMergeHs.
func CompilePattern(smarts string) (*Pattern, error) { return compile(smarts, false) }

// CompilePatternMergeHs is CompilePattern for patterns such as those of RDKit's PAINS filters: a hydrogen becomes the condition that
// its neighbor has one, which may be implicit. It is no atom of the pattern.
func CompilePatternMergeHs(smarts string) (*Pattern, error) { return compile(smarts, true) }

func compile(smarts string, mergeHs bool) (*Pattern, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	if smarts == "" {
		return nil, errors.New("SMARTS: no atoms")
	}
	reason := unreadable(smarts)
	var ref patternRef
	if reason == "" {
		ref, reason = compilePattern(smarts, mergeHs)
	}
	if reason != "" {
		return nil, fmt.Errorf("SMARTS %.100q: %s", smarts, reason)
	}
	p := &Pattern{ref: ref}
	runtime.AddCleanup(p, patternRef.free, ref)
	return p, nil
}

// In reports whether m has a match of p.
func (p *Pattern) In(m *Molecule) bool {
	defer runtime.KeepAlive(p)
	defer m.lock()()
	return len(p.ref.matches(m.ref, true, 1)) > 0
}

// maxMatches is RDKit's default limit: symmetric queries have factorially many matches.
const maxMatches = 1000

// Matches returns the matches of p in m: for each, the atom of m for every atom of p, in p's order. RDKit stops after 1000
// matches. With unique, matches of the same atoms in another order are removed from these, so that a symmetric p may have
// further unique matches even where fewer than 1000 are returned. Chirality is ignored.
func (p *Pattern) Matches(m *Molecule, unique bool) [][]int {
	defer runtime.KeepAlive(p)
	defer m.lock()()
	return p.ref.matches(m.ref, unique, maxMatches)
}
