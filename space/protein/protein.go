// Package protein is the space of variants of a protein, for package evolve, and of other sequences that are aligned, such as DNA: their
// positions mean the same in all of them. Proposals keep this frame: they have substitutions, and neither insertions nor deletions.
package protein

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
)

// Options say which sequences may be proposed. None of them limits the examples.
type Options struct {
	Alphabet  string         // letters; "": the 20 residues of proteins
	Reference string         // the sequence that mutations are counted from, such as the wild type; "": there is none
	Positions []int          // that may differ from the reference, from 0; nil: those where examples differ
	Residues  map[int]string // letters that may stand at a position, from 0; others take any
	Mutations int            // from the reference at most; 0: two more than the examples have; without a reference any number

	// Check returns why a sequence must not be proposed. Nil: any may. It is called from several goroutines.
	Check func(x string) error
}

// Residues are the one-letter codes of the amino acids that proteins are made of.
const Residues = "ACDEFGHIKLMNPQRSTVWY"

// more is how many more mutations proposals may have than the examples, unless Options say otherwise.
const more = 2

// space is what operators and Read share.
type space struct {
	opts    Options
	length  int
	free    []int    // positions that may change
	allowed [][]byte // letters of each of these
	seen    []int    // positions that are compared: where examples differ, or proposals may
	token   [256]int // of a letter; −1: it is not in the alphabet
}

// New returns the space of sequences like the examples, which have one length, and the reference's if there is one.
//
// Sequences are compared by position (gp.Sites): by whether tokens are the same, and residues by hydropathy, size, charge, helix propensity,
// aromatic rings and branches, too; nucleotides by purines and pyrimidines. A sequence that cannot be scored may owe it to any of its
// letters.
//
// The error says which example is of another length or has another letter, or which option is wrong.
func New(examples []string, opts Options) (evolve.Space, error) {
	s, err := newSpace(examples, opts)
	if err != nil {
		return evolve.Space{}, fmt.Errorf("protein: %w", err)
	}
	sites := &gp.Sites{Positions: len(s.seen), Tokens: len(s.opts.Alphabet), Distances: distances(s.opts.Alphabet)}
	out := evolve.Space{Operators: s.operators(), Read: s.read, Check: s.check, Improve: true, Scales: []gp.Transform{gp.Standardise, gp.Sqrt, gp.Log}}
	for _, k := range []gp.Kernel{gp.SiteProduct, gp.SiteSum, gp.SitePairs} {
		out.Kernels = append(out.Kernels, gp.Term{Kernel: k, Groups: []int{0}, Sites: sites})
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
	all := slices.Clone(examples)
	if opts.Reference != "" {
		all = append(all, opts.Reference)
	}
	for _, x := range all {
		if err := s.check(x); err != nil {
			return nil, err
		}
	}
	if s.opts.Mutations == 0 && opts.Reference != "" {
		for _, x := range examples {
			s.opts.Mutations = max(s.opts.Mutations, distance(x, opts.Reference))
		}
		s.opts.Mutations += more
	}
	return s, s.place(all)
}

// place sets the positions that may change and those that are compared.
func (s *space) place(all []string) error {
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
		if r := s.opts.Reference; r != "" && strings.IndexByte(letters, r[p]) < 0 {
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
	return evolve.Description{Groups: []gp.Counts{c}, Risks: c.IDs, Infeasible: s.opts.Check != nil && s.opts.Check(x) != nil}, nil
}

// distance returns the number of positions where sequences of one length differ.
func distance(a, b string) (n int) {
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
