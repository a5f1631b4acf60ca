package routes

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule/reaction"
)

// tries is how often an operator tries to make a child, whose reactions may have no single product.
const tries = 4

// operator returns an operator that makes each child of a pair of routes. Without a first one the child is a random
// route. Each child has a stream of random numbers of its own, so that the number of processors does not matter.
func (p *planner) operator(child func(a, b *reaction.Route, rng *rand.Rand) *reaction.Route) func(context.Context, [][2]string, *rand.Rand) ([]evolve.Child, error) {
	return func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		seed := rng.Uint64()
		made := make([]*reaction.Route, len(pairs))
		err := parallel.ForContext(ctx, len(pairs), 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				a, b := p.route(pairs[i][0]), p.route(pairs[i][1])
				if a == nil {
					made[i] = p.random(rng)
					continue
				}
				for try := 0; try < tries && made[i] == nil; try++ {
					made[i] = p.shorten(child(a, b, rng))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		children := make([]evolve.Child, len(pairs))
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, r := range made {
			if r != nil {
				children[i].X = r.String()
				p.keep(r)
			}
		}
		return children, nil
	}
}

// pick returns one of some values.
func pick[T any](from []T, rng *rand.Rand) T { return from[rng.IntN(len(from))] }

// block returns a random block for a reactant; nil if there is none.
func (p *planner) block(at reaction.Place, rng *rand.Rand) *reaction.Route {
	from := p.blocks.For(at)
	if len(from) == 0 {
		return nil
	}
	return &reaction.Route{Product: p.blocks.Block(pick(from, rng)).SMILES}
}

// with carries out a reaction in which one reactant is given, and the others are random blocks; nil if it has no single
// product.
func (p *planner) with(at reaction.Place, given *reaction.Route, rng *rand.Rand) *reaction.Route {
	parts := make([]*reaction.Route, at.Arity())
	for i := range parts {
		if parts[i] = given; i != at.Position {
			parts[i] = p.block(reaction.Place{Reaction: at.Reaction, Position: i}, rng)
		}
		if parts[i] == nil {
			return nil
		}
	}
	made, err := at.Run(parts...)
	if err != nil {
		return nil
	}
	return made
}

// random returns a route of one to three steps; nil if none was found.
func (p *planner) random(rng *rand.Rand) *reaction.Route {
	steps := 1
	for _, odds := range []float64{0.6, 0.4} { // of a second step, and of a third
		if rng.Float64() > odds {
			break
		}
		steps++
	}
	var route *reaction.Route
	for try := 0; try < 2*tries && route == nil; try++ {
		r := pick(p.fed, rng)
		if r.Arity() == 1 && rng.IntN(4) > 0 { // changes of one group are half of the reactions
			continue
		}
		at := reaction.Place{Reaction: r}
		if first := p.block(at, rng); first != nil {
			route = p.with(at, first, rng)
		}
	}
	for route != nil && route.Steps() < steps {
		longer := p.extend(route, rng)
		if longer == nil {
			break
		}
		route = longer
	}
	return p.shorten(route)
}

// extend returns a route with a further step at its end; nil if it finds none.
func (p *planner) extend(r *reaction.Route, rng *rand.Rand) *reaction.Route {
	if r.Steps() >= reaction.MaxSteps {
		return nil
	}
	places := p.set.Fits(r)
	for try := 0; try < tries && len(places) > 0; try++ {
		at := pick(places, rng)
		if at.Arity() == 1 && rng.IntN(4) > 0 {
			continue
		}
		if longer := p.with(at, r, rng); longer != nil {
			return longer
		}
	}
	return nil
}

// shorten replaces parts of several steps that one reaction of one or two of their blocks gives directly. Reactions
// that add more than two heavy atoms are not tried.
func (p *planner) shorten(r *reaction.Route) *reaction.Route {
	if r == nil || r.Steps() < 2 {
		return r
	}
	if short := p.direct(r); short != nil {
		return short
	}
	parts := make([]*reaction.Route, len(r.Parts))
	for i, part := range r.Parts {
		parts[i] = p.shorten(part)
	}
	if slices.Equal(parts, r.Parts) {
		return r
	}
	return &reaction.Route{Product: r.Product, Reaction: r.Reaction, Parts: parts}
}

// direct returns a route of one step from one or two blocks of another to its product; nil if it finds none.
func (p *planner) direct(r *reaction.Route) *reaction.Route {
	const given = 2 // heavy atoms that a reaction may add, such as those of a carbonyl group
	blocks, atoms := r.Blocks(), reaction.Size(r.Product)
	places := make([][]reaction.Place, len(blocks))
	for i, b := range blocks {
		places[i] = p.blocks.Places(b)
	}
	run := func(at reaction.Place, parts ...string) *reaction.Route {
		some := make([]*reaction.Route, len(parts))
		for i, smiles := range parts {
			some[i] = &reaction.Route{Product: smiles}
		}
		if made, err := at.Run(some...); err == nil && made.Product == r.Product {
			return made
		}
		return nil
	}
	for i, a := range blocks {
		for _, at := range places[i] {
			if at.Arity() == 1 && reaction.Size(a)+given >= atoms {
				if made := run(at, a); made != nil {
					return made
				}
			}
		}
		for k, b := range blocks {
			if i == k || reaction.Size(a)+reaction.Size(b)+given < atoms {
				continue
			}
			for _, at := range places[i] {
				if at.Arity() == 2 && at.Position == 0 && slices.Contains(places[k], reaction.Place{Reaction: at.Reaction, Position: 1}) {
					if made := run(at, a, b); made != nil {
						return made
					}
				}
			}
		}
	}
	return nil
}

// node is a part of a route, by the positions of the parts that lead to it from the last step.
type node struct {
	*reaction.Route
	path []int
}

// nodes returns all parts of a route, itself first.
func nodes(r *reaction.Route) []node {
	all := []node{{r, nil}}
	for i := 0; i < len(all); i++ {
		for k, part := range all[i].Parts {
			all = append(all, node{part, append(slices.Clone(all[i].path), k)})
		}
	}
	return all
}

// isBlock reports whether a node is a block.
func (n node) isBlock() bool { return n.Reaction == nil }

// graft returns a route with another part at the end of a path; nil if a step has no single product then, or there are
// too many steps.
func graft(r *reaction.Route, path []int, part *reaction.Route) *reaction.Route {
	made := grafted(r, path, part)
	if made == nil || made.Steps() > reaction.MaxSteps || made.Product == r.Product {
		return nil
	}
	return made
}

func grafted(r *reaction.Route, path []int, part *reaction.Route) *reaction.Route {
	if len(path) == 0 {
		return part
	}
	below := grafted(r.Parts[path[0]], path[1:], part)
	if below == nil {
		return nil
	}
	parts := slices.Clone(r.Parts)
	parts[path[0]] = below
	made, err := r.Reaction.Run(parts...)
	if err != nil {
		return nil
	}
	return made
}

// parent returns the node above one that is not the route itself.
func parent(r *reaction.Route, n node) node {
	above := node{r, n.path[:len(n.path)-1]}
	for _, k := range above.path {
		above.Route = above.Parts[k]
	}
	return above
}

// place returns where a node that is not the route itself stands.
func place(r *reaction.Route, n node) reaction.Place {
	return reaction.Place{Reaction: parent(r, n).Reaction, Position: n.path[len(n.path)-1]}
}

// changeBlock puts another block in the place of one.
func (p *planner) changeBlock(a, _ *reaction.Route, rng *rand.Rand) *reaction.Route {
	blocks := slices.DeleteFunc(nodes(a), func(n node) bool { return !n.isBlock() })
	at := pick(blocks, rng)
	other := p.block(place(a, at), rng)
	if other == nil {
		return nil
	}
	return graft(a, at.path, other)
}

// changeStep adds a step at the end, takes the last one away, or puts another reaction in the place of one: what is
// made of one of its reactants and random blocks.
func (p *planner) changeStep(a, _ *reaction.Route, rng *rand.Rand) *reaction.Route {
	switch n := a.Steps(); {
	case n < reaction.MaxSteps && rng.IntN(2) == 0:
		return p.extend(a, rng)
	case n > 1 && rng.IntN(4) == 0:
		longer := slices.DeleteFunc(slices.Clone(a.Parts), func(r *reaction.Route) bool { return r.Reaction == nil })
		return pick(longer, rng)
	}
	steps := slices.DeleteFunc(nodes(a), node.isBlock)
	at := pick(steps, rng)
	kept := pick(at.Parts, rng)
	places := p.set.Fits(kept)
	if len(places) == 0 {
		return nil
	}
	other := p.with(pick(places, rng), kept, rng)
	if other == nil {
		return nil
	}
	return graft(a, at.path, other)
}

// changeBranch puts a part of b in the place of a part of a, or joins two such parts by a reaction.
func (p *planner) changeBranch(a, b *reaction.Route, rng *rand.Rand) *reaction.Route {
	if b == nil {
		return nil
	}
	part := pick(nodes(b), rng)
	fits := p.set.Fits(part.Route)
	if len(fits) == 0 {
		return nil
	}
	if rng.IntN(2) == 0 {
		return p.join(pick(nodes(a), rng), part, fits, rng)
	}
	has := func(at reaction.Place) bool {
		return slices.ContainsFunc(fits, func(f reaction.Place) bool { return f == at })
	}
	ends := slices.DeleteFunc(nodes(a)[1:], func(n node) bool { return n.Product == part.Product || !has(place(a, n)) })
	if len(ends) == 0 {
		return nil
	}
	return graft(a, pick(ends, rng).path, part.Route)
}

// join returns a route that joins two parts; nil if it finds none. fits are the reactants that b may be.
func (p *planner) join(a, b node, fits []reaction.Place, rng *rand.Rand) *reaction.Route {
	if a.Steps()+b.Steps() >= reaction.MaxSteps {
		return nil
	}
	others := p.set.Fits(a.Route)
	var pairs [][2]reaction.Place
	for _, at := range fits {
		for _, other := range others {
			if at.Reaction == other.Reaction && at.Position != other.Position && at.Arity() == 2 {
				pairs = append(pairs, [2]reaction.Place{at, other})
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	pair := pick(pairs, rng)
	parts := make([]*reaction.Route, 2)
	parts[pair[0].Position], parts[pair[1].Position] = b.Route, a.Route
	made, err := pair[0].Run(parts...)
	if err != nil {
		return nil
	}
	return made
}
