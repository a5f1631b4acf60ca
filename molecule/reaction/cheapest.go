package reaction

import (
	"cmp"
	"math"
	"slices"
)

// Cheapest returns a route to the product of another one in fewer steps or, in as many, of cheaper blocks; the route
// itself if none is found. Each step keeps one of its reactants, and takes any block as the other one.
func (b *Blocks) Cheapest(r *Route) *Route {
	r = b.Set.Shortest(r)
	if r.Reaction == nil {
		return r
	}
	parts := make([]*Route, len(r.Parts))
	for i, part := range r.Parts {
		parts[i] = b.Cheapest(part)
	}
	r = &Route{Product: r.Product, Reaction: r.Reaction, Parts: parts}
	const most = 1_000 // that are carried out
	all := b.lastSteps(r)
	for _, last := range all[:min(most, len(all))] {
		if made, err := last.at.Run(last.parts...); err == nil && made.Product == r.Product {
			return b.Cheapest(made)
		}
	}
	return r
}

// lastStep is a step that may give the product of a route.
type lastStep struct {
	at    Place
	parts []*Route
	steps int     // of the route
	price float64 // of its blocks; NaN if one is not known
}

func (s lastStep) compare(other lastStep) int {
	unknown := func(price float64) int {
		if math.IsNaN(price) {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(s.steps, other.steps), cmp.Compare(unknown(s.price), unknown(other.price)), cmp.Compare(s.price, other.price))
}

// lastSteps returns reactions of a reactant of a route's last step and a block that may give the product, and are
// better than the route; the best first.
func (b *Blocks) lastSteps(r *Route) (all []lastStep) {
	const (
		added   = 2  // heavy atoms that a reaction adds at most, such as those of a carbonyl group
		leaving = 12 // likewise takes away
	)
	known, atoms := lastStep{steps: r.Steps(), price: b.price(r.Blocks())}, Size(r.Product)
	for _, part := range r.Parts {
		places := b.Places(part.Product)
		if part.Reaction != nil {
			places = b.Set.Fits(part)
		}
		for _, at := range places {
			if at.Arity() != 2 {
				continue
			}
			for _, i := range b.For(Place{at.Reaction, 1 - at.Position}) {
				block := &Route{Product: b.blocks[i].SMILES}
				last := lastStep{at, []*Route{part, block}, part.Steps() + 1, b.price(append(part.Blocks(), block.Product))}
				if at.Position == 1 {
					slices.Reverse(last.parts)
				}
				if n := Size(part.Product) + Size(block.Product); last.compare(known) < 0 && n+added >= atoms && n <= atoms+leaving {
					all = append(all, last)
				}
			}
		}
	}
	slices.SortStableFunc(all, lastStep.compare)
	return all
}

// price returns the price of blocks; NaN if one is not known. A block is bought once, however often it is used.
func (b *Blocks) price(blocks []string) (sum float64) {
	slices.Sort(blocks)
	for _, smiles := range slices.Compact(blocks) {
		block, _ := b.Find(smiles)
		sum += block.Price
	}
	return sum
}

// Size returns the number of heavy atoms of a SMILES.
func Size(smiles string) (n int) {
	for i := 0; i < len(smiles); i++ {
		switch c := smiles[i]; {
		case c == 'H' || i > 0 && (c == 'l' || c == 'r' || c == 'i' || c == 'e'): // of Cl, Br, Si and Se
		case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z':
			n++
		}
	}
	return n
}
