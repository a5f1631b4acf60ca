package reaction

import (
	"iter"
	"slices"
)

// Shortest returns a route from blocks of another one to its product in the fewest steps; the route itself if there is
// none with fewer.
func (s *Set) Shortest(r *Route) *Route {
	made := [][]*Route{nil} // from the blocks, by number of steps
	seen := map[string]bool{}
	for _, smiles := range r.Blocks() {
		if !seen[smiles] {
			seen[smiles] = true
			made[0] = append(made[0], &Route{Product: smiles})
		}
	}
	for steps := 1; steps < r.Steps(); steps++ {
		made = append(made, nil)
		for _, reaction := range s.Reactions {
			for parts := range s.reactants(reaction, made[:steps], steps-1) {
				longer, err := reaction.Run(parts...)
				if err != nil || seen[longer.Product] {
					continue
				}
				if longer.Product == r.Product {
					return longer
				}
				seen[longer.Product] = true
				made[steps] = append(made[steps], longer)
			}
		}
	}
	return r
}

// reactants returns the routes that may be the reactants of a reaction and have a number of steps together. made are
// routes by number of steps.
func (s *Set) reactants(r *Reaction, made [][]*Route, steps int) iter.Seq[[]*Route] {
	return func(yield func([]*Route) bool) {
		var choose func(parts []*Route, left int) bool
		choose = func(parts []*Route, left int) bool {
			at := Place{r, len(parts)}
			if at.Position == r.Arity() {
				return left > 0 || yield(slices.Clone(parts))
			}
			for n := range left + 1 {
				for _, part := range made[n] {
					if slices.Contains(s.Fits(part), at) && !choose(append(parts, part), left-n) {
						return false
					}
				}
			}
			return true
		}
		choose(nil, steps)
	}
}
