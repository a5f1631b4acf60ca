package molecule

import (
	"errors"
	"fmt"
	"runtime"
)

// A Pattern is a SMARTS query. It never changes and may be used from several goroutines.
type Pattern struct {
	ref patternRef
}

// CompilePattern reads a SMARTS query. The error says what is wrong with it, or is ErrNoRDKit.
func CompilePattern(smarts string) (*Pattern, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	if smarts == "" {
		return nil, errors.New("SMARTS: no atoms")
	}
	reason := unreadable(smarts)
	var ref patternRef
	if reason == "" {
		ref, reason = compilePattern(smarts)
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

// maxMatches is RDKit's own bound: symmetric queries have factorially many matches.
const maxMatches = 1000

// Matches returns for each match of p in m the atom of m for every atom of p, in p's order. RDKit stops looking
// at 1000 matches. With unique, those of them that have the same atoms in another order are left out then: of a
// symmetric p there may be more than are returned, though these are fewer than 1000. Chirality is ignored.
func (p *Pattern) Matches(m *Molecule, unique bool) [][]int {
	defer runtime.KeepAlive(p)
	defer m.lock()()
	return p.ref.matches(m.ref, unique, maxMatches)
}
