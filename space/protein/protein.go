// Package protein is the space of variants of a protein, for package evolve, and of other sequences that are aligned,
// such as DNA: their positions mean the same in all of them. Proposals keep this frame: they have substitutions, and
// neither insertions nor deletions.
package protein

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
)

// Options say which sequences may be proposed. None of them limits the examples.
type Options struct {
	Alphabet  string         // letters; "": the 20 residues of proteins
	Reference string         // the sequence that mutations are counted from, such as the wild type; "": the Consensus of the examples
	Positions []int          // that may differ from the reference or, without one, from a known sequence, from 0; nil: those where examples differ
	Residues  map[int]string // letters that may stand at a position, from 0; others take any
	Variants  []string       // further sequences, such as those that may be proposed: positions where they differ count like those of examples
	Mutations int            // from the reference at most; 0: two more than nine in ten examples have, or of the best strings of a search. Without a reference any number
}

// Residues are the one-letter codes of the amino acids that proteins are made of.
const Residues = "ACDEFGHIKLMNPQRSTVWY"

// more is how many more mutations proposals may have than is usual among the examples, unless Options say otherwise.
const more = 2

// Shares of sequences that have the usual number of mutations at most, and of the best ones of a search: a few may be
// chance.
const (
	usualShare = 0.9
	bestShare  = 0.75
)

// usual returns the number of mutations that a share of examples does not exceed.
func usual(examples []string, reference string, share float64) int {
	if len(examples) == 0 {
		return 0
	}
	n := make([]int, len(examples))
	for i, x := range examples {
		n[i] = stats.Hamming(x, reference)
	}
	slices.Sort(n)
	return n[max(0, int(math.Ceil(share*float64(len(n))))-1)]
}

// space is what operators and Read share.
type space struct {
	opts    Options
	length  int
	common  string   // an example: where no position is compared, all have its letters
	free    []int    // positions that may change
	allowed [][]byte // letters of each of these
	seen    []int    // positions that are compared: where examples differ, or proposals may
	token   [256]int // of a letter; −1: it is not in the alphabet
	most    int      // mutations of a child; without a reference any number
}

// New returns the space of sequences like the examples, which have one length, and the reference's if there is one.
//
// Sequences are compared by position (gp.Sites): by whether tokens are the same, and residues by hydropathy, size,
// charge, helix propensity, aromatic rings and branches, too; nucleotides by purines and pyrimidines. Their composition
// is compared as well. Positions compared are those that vary among the examples or may be changed; letters elsewhere
// count as part of the composition. A sequence that cannot be scored may owe it to any of its letters, or to what it
// has in common with others that cannot.
//
// If most examples have one mutation, effects add up, and those of pairs of positions, unless scores are far more
// probable where each mutation depends on all others: single mutants fit either way, and their effects mostly add up
// when they are combined.
//
// Where there is a reference, the prior's mean is linear in the number of mutations from it: most are for the worse.
//
// Sequences of another length are not compared with others (evolve.Space's Compares).
//
// The error says which example is of another length or has another letter, or which option is wrong.
func New(examples []string, opts Options) (evolve.Space, error) {
	s, err := newSpace(examples, opts)
	if err != nil {
		return evolve.Space{}, fmt.Errorf("protein: %w", err)
	}
	sites := &gp.Sites{Positions: len(s.seen), Tokens: len(s.opts.Alphabet), Distances: distances(s.opts.Alphabet)}
	out := evolve.Space{
		Operators: s.operators(), Read: s.read, Check: s.check, Compares: func(x string) bool { return len(x) == s.length },
		Reference: s.opts.Reference, Improve: true, Kin: true, Scales: []gp.Transform{gp.Standardise, gp.Sqrt, gp.Log},
	}
	bySites := func(k gp.Kernel) gp.Term { return gp.Term{Kernel: k, Groups: []int{0}, Sites: sites} }
	product, others := []gp.Term{bySites(gp.SiteProduct)}, []gp.Term{bySites(gp.SiteSum), bySites(gp.SitePairs), {Kernel: gp.Overlap, Groups: []int{1}}}
	if s.single(examples) {
		out.Kernels, out.Further, out.Far = others, product, farOfSingle
	} else {
		out.Kernels = slices.Concat(product, others)
	}
	if s.opts.Reference != "" && opts.Mutations == 0 {
		least := s.most
		out.Lead = func(best []string) {
			compared := slices.DeleteFunc(slices.Clone(best), func(x string) bool { return len(x) != s.length })
			s.most = max(least, more+usual(compared, s.opts.Reference, bestShare))
		}
	}
	return out, nil
}

func newSpace(examples []string, opts Options) (*space, error) {
	if opts.Alphabet == "" {
		opts.Alphabet = Residues
	}
	s := &space{opts: opts, length: len(opts.Reference)}
	for i := range s.token {
		s.token[i] = strings.IndexByte(opts.Alphabet, byte(i))
	}
	if s.length == 0 && len(examples) > 0 {
		s.length = len(examples[0])
	}
	if s.length == 0 {
		return nil, errors.New("there is neither an example nor a reference")
	}
	all := slices.Concat(examples, opts.Variants)
	if opts.Reference != "" {
		all = append(all, opts.Reference)
	}
	for _, x := range all {
		if err := s.check(x); err != nil {
			return nil, err
		}
	}
	s.common = all[0]
	if opts.Reference == "" {
		s.opts.Reference = Consensus(examples)
	}
	if s.opts.Reference != "" {
		s.most = cmp.Or(opts.Mutations, more+usual(examples, s.opts.Reference, usualShare))
	}
	return s, s.place(all, opts.Reference)
}

// place sets the positions that may change and those that are compared. The reference is given, or "" if it is the
// consensus.
func (s *space) place(all []string, given string) error {
	for i := range s.length {
		varied := slices.ContainsFunc(all, func(x string) bool { return x[i] != all[0][i] })
		free := varied
		if s.opts.Positions != nil {
			free = slices.Contains(s.opts.Positions, i)
		}
		if varied || free {
			s.seen = append(s.seen, i)
		}
		if free {
			letters := s.opts.Alphabet
			if only, ok := s.opts.Residues[i]; ok {
				letters = only
			}
			s.free, s.allowed = append(s.free, i), append(s.allowed, []byte(letters))
		}
	}
	for _, p := range s.opts.Positions {
		if p < 0 || p >= s.length {
			return fmt.Errorf("position %d is outside of sequences of %d letters", p, s.length)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(s.opts.Residues)) {
		letters := s.opts.Residues[p]
		if !slices.Contains(s.free, p) {
			return fmt.Errorf("letters for position %d, which does not change: give it as one that may", p)
		}
		if r := given; r != "" && strings.IndexByte(letters, r[p]) < 0 {
			return fmt.Errorf("the letters %s for position %d leave out %q of the reference", letters, p, r[p])
		}
		if i := strings.IndexFunc(letters, func(r rune) bool { return !strings.ContainsRune(s.opts.Alphabet, r) }); i >= 0 || letters == "" {
			return fmt.Errorf("%q for position %d: give letters of %s", letters, p, s.opts.Alphabet)
		}
	}
	if len(s.free) == 0 {
		return errors.New("no position may change: the examples are all the same; give positions")
	}
	return nil
}

// farOfSingle is Space.Far for single mutants. Scores that add up are more probable by 0.01 to 0.06 by chance, and
// those of a fluorescent protein, which saturate, by 0.25.
const farOfSingle = 0.1

// single reports whether most examples have one mutation from the reference at most.
func (s *space) single(examples []string) bool {
	if s.opts.Reference == "" {
		return false
	}
	n := 0
	for _, x := range examples {
		if stats.Hamming(x, s.opts.Reference) <= 1 {
			n++
		}
	}
	return 2*n > len(examples)
}

// check returns an error if x has another length, or a letter that is not in the alphabet.
func (s *space) check(x string) error {
	if len(x) != s.length {
		return fmt.Errorf("%q has %d letters, and the others have %d", x, len(x), s.length)
	}
	for i := range len(x) {
		if s.token[x[i]] < 0 {
			return fmt.Errorf("%q has %q as letter %d, which is not in the alphabet %s", x, x[i], i+1, s.opts.Alphabet)
		}
	}
	return nil
}

// read implements evolve.Space's Read.
func (s *space) read(x string) (d evolve.Description, err error) {
	if err := s.check(x); err != nil {
		return d, err
	}
	var c gp.Counts
	for k, i := range s.seen {
		c.IDs, c.N = append(c.IDs, gp.Site(k, s.token[x[i]])), append(c.N, 1)
	}
	d = evolve.Description{Groups: []gp.Counts{c, s.composition(x)}, Risks: c.IDs}
	if s.opts.Reference != "" {
		d.Trend = []float64{float64(stats.Hamming(x, s.opts.Reference))}
	}
	return d, nil
}

// composition returns how often each token is at the positions that are compared, and which token is elsewhere where
// that is another one than all examples have.
func (s *space) composition(x string) (c gp.Counts) {
	n := make([]uint32, len(s.opts.Alphabet))
	var elsewhere []uint64
	compared := 0
	for i := range len(x) {
		switch {
		case compared < len(s.seen) && s.seen[compared] == i:
			n[s.token[x[i]]]++
			compared++
		case x[i] != s.common[i]:
			elsewhere = append(elsewhere, uint64((i+1)*len(n)+s.token[x[i]]))
		}
	}
	for t, n := range n {
		if n > 0 {
			c.IDs, c.N = append(c.IDs, uint64(t)), append(c.N, n)
		}
	}
	for _, id := range elsewhere {
		c.IDs, c.N = append(c.IDs, id), append(c.N, 1)
	}
	return c
}

// variants is the share of positions where variants of one sequence differ from their consensus at most, on average,
// and variantsOfFew that of fewer than few, whose consensus may be chance.
const (
	variants      = 0.4
	variantsOfFew = 0.2
	few           = 10
)

// Consensus returns the most common letter at each position of sequences of one length, the first in the alphabet of
// several as common; "" if the sequences are no variants of that: on average they differ from it at more than two in
// five positions, or one in five if they are fewer than ten.
func Consensus(sequences []string) string {
	if len(sequences) == 0 {
		return ""
	}
	c := []byte(sequences[0])
	for i := range c {
		var count [256]int
		for _, x := range sequences {
			count[x[i]]++
		}
		for letter, n := range count {
			if n > count[c[i]] || n == count[c[i]] && byte(letter) < c[i] {
				c[i] = byte(letter)
			}
		}
	}
	off := 0
	for _, x := range sequences {
		off += stats.Hamming(x, string(c))
	}
	share := variants
	if len(sequences) < few {
		share = variantsOfFew
	}
	if float64(off) > share*float64(len(c)*len(sequences)) {
		return ""
	}
	return string(c)
}
