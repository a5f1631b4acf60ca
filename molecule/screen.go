package molecule

import (
	"errors"
	"fmt"
	"runtime"
)

// A Screen finds which of many patterns occur in a molecule, in one pass: most are ruled out by the kinds of atoms and
// bonds that the molecule has. It finds what Pattern.Matches finds. It is safe for concurrent use.
type Screen struct {
	ref      screenHandle
	patterns []*Pattern
	queries  []handle // of patterns
}

// NewScreen returns the screen of patterns. Pattern i occurs if it has at least counts[i] matches of different atoms
// (up to 1000 are counted), or one, if counts is nil. The error is ErrNoRDKit, or says what cannot be screened for:
// dative bonds.
func NewScreen(patterns []*Pattern, counts []int) (*Screen, error) {
	if !available {
		return nil, ErrNoRDKit
	}
	if counts != nil && len(counts) != len(patterns) {
		return nil, fmt.Errorf("%d counts of %d patterns; give one for each", len(counts), len(patterns))
	}
	s := &Screen{patterns: patterns}
	var smarts []string
	var merge, least []int64
	for i, p := range patterns {
		if p == nil {
			return nil, errors.New("a pattern is nil")
		}
		at, count := int64(0), 1
		if p.mergeHs {
			at = 1
		}
		if counts != nil {
			count = max(1, counts[i])
		}
		s.queries, smarts, merge, least = append(s.queries, p.ref), append(smarts, p.smarts), append(merge, at), append(least, int64(count))
	}
	var err error
	if s.ref, err = newScreen(smarts, merge, least); err != nil {
		return nil, err
	}
	runtime.AddCleanup(s, freeScreen, s.ref)
	return s, nil
}

// Any reports whether a pattern occurs in m.
func (s *Screen) Any(m *Molecule) bool { return len(s.in(m, false)) > 0 }

// In returns the numbers of the patterns that occur in m, in ascending order.
func (s *Screen) In(m *Molecule) []int { return s.in(m, true) }

func (s *Screen) in(m *Molecule, all bool) []int {
	defer runtime.KeepAlive(s)
	return m.screened(s.ref, s.queries, all)
}
