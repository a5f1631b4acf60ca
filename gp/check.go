package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// CheckTerms returns an error that wraps ErrData unless a Mixture can have these terms.
func CheckTerms(terms []Term) error {
	if len(terms) == 0 {
		return fmt.Errorf("gp: %w: no terms; give at least one", ErrData)
	}
	var bySites []Term
	for i, t := range terms {
		if err := t.check(); err != nil {
			return fmt.Errorf("gp: %w: term %d: %w", ErrData, i, err)
		}
		if !t.Kernel.isSite() {
			continue
		}
		for _, other := range bySites {
			switch {
			case other.Kernel == t.Kernel:
				return fmt.Errorf("gp: %w: term %d: a term before has the same kernel of aligned strings", ErrData, i)
			case other.Groups[0] != t.Groups[0]:
				return fmt.Errorf("gp: %w: term %d compares group %d by Sites, and a term before group %d", ErrData, i, t.Groups[0], other.Groups[0])
			case other.Sites != t.Sites:
				return fmt.Errorf("gp: %w: term %d has other Sites than a term before; give all terms the same", ErrData, i)
			}
		}
		bySites = append(bySites, t)
	}
	return nil
}

// check returns an error unless a Mixture can have the term.
func (t Term) check() error {
	if t.Groups != nil && len(t.Groups) == 0 {
		return errors.New("no groups; name some, or leave Groups nil for group 0")
	}
	if least := slices.Min(t.groups()); least < 0 {
		return fmt.Errorf("group %d; groups are numbered from 0", least)
	}
	switch {
	case t.Kernel > Sparse:
		return fmt.Errorf("there is no kernel %d", t.Kernel)
	case t.Kernel == Sparse && len(t.groups()) > 1:
		return fmt.Errorf("kernel Sparse compares one group of features, and not %d", len(t.Groups))
	case !t.Kernel.isSite():
		return nil
	case t.Sites == nil || len(t.Groups) != 1:
		return errors.New("a kernel of aligned strings needs Sites, and one group of features")
	}
	return t.Sites.check()
}

// groups returns the groups that the term compares.
func (t Term) groups() []int {
	if t.Groups == nil {
		return []int{0}
	}
	return t.Groups
}

// check returns an error unless strings can be compared by s.
func (s *Sites) check() error {
	if s.Positions < 1 || s.Tokens < 1 || s.Tokens > 256 {
		return fmt.Errorf("its Sites have %d positions and %d tokens; give at least 1 of each, and at most 256 tokens", s.Positions, s.Tokens)
	}
	for k, d := range s.Distances {
		if len(d) != s.Tokens*s.Tokens || unusable(d) >= 0 {
			return fmt.Errorf("its Sites have %d numbers in distance %d; give a finite one for each of %d pairs of tokens", len(d), k, s.Tokens*s.Tokens)
		}
	}
	return nil
}

// Check returns an error that wraps ErrData unless a group of features has a Site for each position.
func (s *Sites) Check(c Counts) error {
	if len(c.IDs) != s.Positions {
		return fmt.Errorf("gp: %w: an aligned string with %d tokens, want %d", ErrData, len(c.IDs), s.Positions)
	}
	for i, id := range c.IDs {
		if token := id & 0xff; id != Site(i, int(token)) || int(token) >= s.Tokens {
			return fmt.Errorf("gp: %w: feature %d at position %d is no Site of %d tokens", ErrData, id, i, s.Tokens)
		}
	}
	return nil
}

// Check returns an error that wraps ErrData unless there is one number for each ID and the IDs ascend.
func (c Counts) Check() error {
	if len(c.IDs) != len(c.N) {
		return fmt.Errorf("gp: %w: %d IDs of features and %d numbers of occurrences", ErrData, len(c.IDs), len(c.N))
	}
	for i := 1; i < len(c.IDs); i++ {
		if c.IDs[i-1] >= c.IDs[i] {
			return fmt.Errorf("gp: %w: feature %d follows feature %d; give distinct IDs in ascending order", ErrData, c.IDs[i], c.IDs[i-1])
		}
	}
	return nil
}

// mostFeatures is the number that a structure's features, occurrences counted, must be below.
const mostFeatures = 1 << 31

// checkStructure returns an error unless the groups of a structure are sound, and have fewer than mostFeatures features.
func checkStructure(groups []Counts) error {
	var all uint64
	for _, c := range groups {
		if err := c.Check(); err != nil {
			return err
		}
		all += total(c)
	}
	if all >= mostFeatures {
		return fmt.Errorf("gp: %w: a structure of %d features, want fewer than %d", ErrData, all, mostFeatures)
	}
	return nil
}

// checkVariances returns an error unless variance is nil or holds the known variance of each of n targets.
func checkVariances(n int, variance []float64) error {
	if variance != nil && len(variance) != n {
		return fmt.Errorf("gp: %w: %d variances for %d targets", ErrData, len(variance), n)
	}
	for i, s := range variance {
		if !(0 <= s && s <= huge) {
			return fmt.Errorf("gp: %w: variance %d is %g, want a number from 0 to %g", ErrData, i, s, huge)
		}
	}
	return nil
}

// isVariance reports whether v is a finite number of at least 0.
func isVariance(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }
