package reaction

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// Block is a molecule that can be bought.
type Block struct {
	SMILES string
	Name   string  // of a catalogue; may be empty
	Price  float64 // in whatever currency the list has; NaN: not known
}

// Blocks are building blocks, with an index of the reactants that they may be. They are immutable and safe for
// concurrent use.
type Blocks struct {
	Set       *Set
	Used      int    // blocks that some reaction takes
	Different int    // blocks that are different molecules, whether or not a reaction takes them
	Repeated  int    // offers of a block beside the one that counts, the cheapest
	Bad       int    // strings that are no molecules, and molecules of more than MaxAtoms heavy atoms
	WhyBad    string // the first of these, with the reason

	blocks []Block
	places [][]int32        // blocks of each slot
	at     map[string]int32 // blocks, by canonical SMILES
}

// MaxAtoms is the greatest number of heavy atoms of a block: larger molecules are products.
const MaxAtoms = 40

// Index indexes blocks: it finds which reactants of the set each may be, on all processors. canonical returns the
// canonical SMILES of a block's SMILES, and is called from several goroutines; nil: molecule.Canonical. progress, which
// may be nil, is called with the number of blocks that were looked at. Of equal blocks the cheapest counts, and of
// equally cheap ones the first. The error is ErrUnused, says that there is no molecule, or is ctx's cause.
func (s *Set) Index(ctx context.Context, list []Block, canonical func(smiles string) (string, error), progress func(done int)) (*Blocks, error) {
	const (
		segment = 1 << 13 // blocks between two calls of progress
		grain   = 32
	)
	if canonical == nil {
		canonical = molecule.Canonical
	}
	b := &Blocks{Set: s, blocks: slices.Clone(list), places: make([][]int32, len(s.slots)), at: make(map[string]int32, len(list))}
	seed, idle := maphash.MakeSeed(), map[uint64]bool{} // hashes of blocks that no reaction takes
	fits, errs := make([][]int32, segment), make([]error, segment)
	for from := 0; from < len(list); from += segment {
		part := b.blocks[from:min(from+segment, len(list))]
		err := parallel.ForContext(ctx, len(part), grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				fits[i], errs[i] = s.fit(&part[i], canonical)
			}
		})
		if err != nil {
			return nil, err
		}
		for i := range part {
			if errs[i] != nil {
				if b.Bad++; b.WhyBad == "" {
					b.WhyBad = fmt.Sprintf("%s: %v", part[i].SMILES, errs[i])
				}
				continue
			}
			if len(fits[i]) == 0 {
				if h := maphash.String(seed, part[i].SMILES); idle[h] {
					b.Repeated++
				} else {
					idle[h] = true
				}
				continue
			}
			if at, again := b.at[part[i].SMILES]; again {
				b.Repeated++
				if first := &b.blocks[at]; part[i].Price < first.Price || math.IsNaN(first.Price) && !math.IsNaN(part[i].Price) {
					*first = part[i]
				}
				continue
			}
			b.at[part[i].SMILES] = int32(from + i)
			b.Used++
			for _, slot := range fits[i] {
				b.places[slot] = append(b.places[slot], int32(from+i))
			}
		}
		if progress != nil {
			progress(from + len(part))
		}
	}
	b.Different = b.Used + len(idle)
	for _, r := range s.Reactions {
		if b.feeds(r) {
			return b, nil
		}
	}
	if b.Bad == len(list) && b.Bad > 0 {
		return nil, fmt.Errorf("none of %d is a molecule that can be a building block; the first is %s", b.Bad, b.WhyBad)
	}
	return nil, ErrUnused
}

// ErrUnused says that no reaction can begin with the blocks.
var ErrUnused = errors.New("no reaction has all of its reactants among the blocks")

// fit makes the SMILES of a block canonical, and returns the slots that it fits.
func (s *Set) fit(b *Block, canonical func(string) (string, error)) ([]int32, error) {
	smiles, err := canonical(b.SMILES)
	if err != nil {
		return nil, err
	}
	b.SMILES = smiles
	m, err := molecule.Parse(smiles)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if n := len(m.Graph().Atoms); n > MaxAtoms {
		return nil, fmt.Errorf("%d heavy atoms; a building block has at most %d", n, MaxAtoms)
	}
	return s.match(m), nil
}

// feeds reports whether there are blocks for all reactants of a reaction.
func (b *Blocks) feeds(r *Reaction) bool {
	for _, i := range r.slots {
		if len(b.places[i]) == 0 {
			return false
		}
	}
	return true
}

// Fed returns the reactions that have blocks for all reactants: a route can begin with them.
func (b *Blocks) Fed() []*Reaction {
	var fed []*Reaction
	for _, r := range b.Set.Reactions {
		if b.feeds(r) {
			fed = append(fed, r)
		}
	}
	return fed
}

// For returns the numbers of the blocks that may be a reactant. Do not modify them.
func (b *Blocks) For(p Place) []int32 { return b.places[p.slots[p.Position]] }

// Places returns the reactants that the block of a canonical SMILES may be; none if no reaction takes it.
func (b *Blocks) Places(smiles string) (all []Place) {
	at, ok := b.at[smiles]
	if !ok {
		return nil
	}
	for i, s := range b.Set.slots {
		if _, found := slices.BinarySearch(b.places[i], at); found { // they are in ascending order
			all = append(all, Place{b.Set.Reactions[s.reaction], s.position})
		}
	}
	return all
}

// Len returns the number of blocks given, including bad and repeated ones.
func (b *Blocks) Len() int { return len(b.blocks) }

// Block returns a block by its number.
func (b *Blocks) Block(i int32) Block { return b.blocks[i] }

// Find returns the block of a canonical SMILES; without a name and a price if no reaction takes one.
func (b *Blocks) Find(smiles string) (Block, bool) {
	if i, ok := b.at[smiles]; ok {
		return b.blocks[i], true
	}
	return Block{SMILES: smiles, Price: math.NaN()}, false
}
