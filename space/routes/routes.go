// Package routes is the space of molecules that can be made from building blocks in a few steps, for package evolve. A
// string of the space is a route as reaction.Route.String writes it, the product first, or a molecule whose route is
// not known, as SMILES. A space of molecules supplies the features that molecules are compared by and the limits on
// proposals: surrogate and acquisition are the same.
//
// Operators change a block, a step or a branch of a route, and carry out the steps above it again (operators.go). Where
// a reaction has no single product there is no child. Synthesis trees as genes are those of SynNet (Gao, Mercado and
// Coley 2022) and their genetic algorithm.
//
// It needs RDKit: see package molecule.
package routes

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/space/internal/design"
	"github.com/invbo/invbo/space/internal/lazy"
)

// New returns the space of routes from blocks. products is the space of the molecules that they make; its operators,
// Pool and Blind are not used.
func New(products evolve.Space, blocks *reaction.Blocks) evolve.Space {
	p := newPlanner(blocks)
	space := products
	space.Operators = []evolve.Operator{
		{Name: "block", Make: p.operator(p.changeBlock)},
		{Name: "step", Make: p.operator(p.changeStep)},
		{Name: "branch", Make: p.operator(p.changeBranch)},
	}
	space.Input, space.Breeds = reaction.Product, reaction.HasRoute
	space.Read = func(x string) (evolve.Description, error) { return products.Read(reaction.Product(x)) }
	if products.Check != nil {
		space.Check = func(x string) error { return products.Check(reaction.Product(x)) }
	}
	pool := &lazy.Pool{Make: p.draw}
	space.Pool, space.Blind = pool.Sample, pool.Sample
	return space
}

// Design returns n routes with different products, drawn at random: an initial design. They are good ones, as long as
// enough are found; a product for which good returns an error is not. good is called from several goroutines. There are
// fewer than n if few routes can be drawn. The error is ctx's cause.
func Design(ctx context.Context, blocks *reaction.Blocks, n int, rng *rand.Rand, good func(smiles string) (bool, error)) ([]string, error) {
	p := newPlanner(blocks)
	rounds := func(yield func(design.Round) bool) {
		for _, size := range []int{2 * n, 4 * n, 14 * n} {
			seed := rng.Uint64()
			r := design.Round{N: size, Make: func(i int) (x, product string) {
				if r := p.random(rand.New(rand.NewPCG(seed, uint64(i)))); r != nil {
					x, product = r.String(), r.Product
				}
				return x, product
			}}
			if !yield(r) {
				return
			}
		}
	}
	return design.Select(ctx, n, rounds, good)
}

// planner makes routes. It is safe for concurrent use.
type planner struct {
	blocks *reaction.Blocks
	set    *reaction.Set
	fed    []*reaction.Reaction // that blocks alone can begin

	mu    sync.Mutex
	known map[string]*reaction.Route // routes by text: children become parents
}

func newPlanner(blocks *reaction.Blocks) *planner {
	return &planner{blocks: blocks, set: blocks.Set, fed: blocks.Fed(), known: map[string]*reaction.Route{}}
}

// draw returns a random route; "" if none was found.
func (p *planner) draw(rng *rand.Rand) string {
	r := p.random(rng)
	if r == nil {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(r)
	return r.String()
}

// keep remembers a route. p.mu is locked.
func (p *planner) keep(r *reaction.Route) {
	const most = 60_000 // then it begins anew
	if len(p.known) >= most {
		clear(p.known)
	}
	p.known[r.String()] = r
}

// route reads a route; nil if it is none that can be carried out.
func (p *planner) route(x string) *reaction.Route {
	if !reaction.HasRoute(x) {
		return nil
	}
	p.mu.Lock()
	r := p.known[x]
	p.mu.Unlock()
	if r != nil {
		return r
	}
	r, err := p.set.Route(x)
	if err != nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(r)
	return r
}
