package evolve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/invbo/invbo/gp"
)

// shape is what the Descriptions of a Space have in common.
type shape struct {
	groups int       // that kernels name
	sites  *gp.Sites // that strings are compared by; nil: none
	site   int       // the group that is compared by them
	knows  int       // numbers in Known
	trend  atomic.Int64
}

func newShape(space Space) *shape {
	s := &shape{groups: named(space.kernels()...), knows: len(space.Knows)}
	for _, t := range space.kernels() {
		if t.Sites != nil && len(t.Groups) == 1 {
			s.sites, s.site = t.Sites, t.Groups[0]
		}
	}
	return s
}

// check returns an error if a Description is not as the kernels, gp.Counts and other Descriptions need it. It may be
// called from several goroutines.
func (s *shape) check(d *Description) error {
	if len(d.Groups) < s.groups {
		return fmt.Errorf("its Description has %d groups of features, and the kernels name %d; give as many", len(d.Groups), s.groups)
	}
	for i, c := range d.Groups {
		if err := c.Check(); err != nil {
			return fmt.Errorf("group %d of its Description: %w", i, err)
		}
	}
	if s.sites != nil {
		if err := s.sites.Check(d.Groups[s.site]); err != nil {
			return fmt.Errorf("group %d of its Description: %w", s.site, err)
		}
	}
	if len(d.Known) < s.knows {
		return fmt.Errorf("its Description has %d Known values, and the Space Knows %d; give as many", len(d.Known), s.knows)
	}
	if slices.ContainsFunc(d.Trend, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return fmt.Errorf("the Trend %v of its Description is not finite", d.Trend)
	}
	width := int64(len(d.Trend)) + 1 // 0: none is known yet
	if !s.trend.CompareAndSwap(0, width) && s.trend.Load() != width {
		return fmt.Errorf("the Trend of its Description has %d numbers, and that of another string %d; give as many for all", width-1, s.trend.Load()-1)
	}
	return nil
}

// checked returns Read with the check.
func (s *shape) checked(read func(x string) (Description, error)) func(x string) (Description, error) {
	return func(x string) (Description, error) {
		d, err := read(x)
		if err == nil {
			err = s.check(&d)
		}
		return d, err
	}
}

// kernels returns all of them.
func (s *Space) kernels() []gp.Term { return slices.Concat(s.Kernels, s.Further) }

// check returns an error if a Searcher cannot use the Space.
func (s *Space) check() error {
	if len(s.Operators) == 0 && s.Only == nil || s.Read == nil || len(s.Kernels) == 0 {
		return errors.New("evolve: a Space needs operators, Read, and kernels of its groups of features")
	}
	if err := gp.CheckTerms(s.kernels()); err != nil {
		return fmt.Errorf("evolve: Kernels and Further: %w", err)
	}
	for _, op := range s.Operators {
		if op.Make == nil {
			return fmt.Errorf("evolve: operator %q makes nothing; give its Make", op.Name)
		}
	}
	if t := s.Novelty; t != nil {
		if err := gp.CheckTerms([]gp.Term{*t}); err != nil {
			return fmt.Errorf("evolve: Novelty: %w", err)
		}
		if n := named(s.kernels()...); named(*t) > n {
			return fmt.Errorf("evolve: Novelty compares group %d of features, and the kernels name %d groups from 0; give one of theirs", named(*t)-1, n)
		}
	}
	if !(s.Far >= 0) {
		return fmt.Errorf("evolve: Far is %g; give the difference of log densities by which further kernels are chosen, at least 0", s.Far)
	}
	if s.Names != nil && len(s.Names) != len(s.Only) {
		return fmt.Errorf("evolve: %d Names for the %d strings of Only; give one for each", len(s.Names), len(s.Only))
	}
	return nil
}

// distinct leaves the first of equal strings in Only, with its name.
func (s *Space) distinct() {
	seen := make(map[string]bool, len(s.Only))
	for _, x := range s.Only {
		seen[x] = true
	}
	if len(seen) == len(s.Only) {
		return
	}
	only, names := s.Only, s.Names
	s.Only, s.Names = make([]string, 0, len(seen)), nil
	for i, x := range only {
		if !seen[x] {
			continue
		}
		delete(seen, x)
		s.Only = append(s.Only, x)
		if names != nil {
			s.Names = append(s.Names, names[i])
		}
	}
}
