package baseline

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/study"
)

// NSGA2 is NSGA-II (Deb et al. 2002), a genetic algorithm for several objectives without a surrogate. Parents are the
// winners of binary tournaments: the one on the better front or, on the same, in the less crowded place. Operators of
// the space, all as often, make children.
type NSGA2 struct {
	space      evolve.Space
	seed       uint64
	objectives []study.Objective // nil: the score alone
	members    []individual      // that are scored, the best first: parents are drawn from the first of them
}

type individual struct {
	x      string
	values []float64 // larger is better
}

// NewNSGA2 returns an NSGA2 on a space. The same seed and answers give the same search.
func NewNSGA2(space evolve.Space, seed uint64) *NSGA2 { return &NSGA2{space: space, seed: seed} }

// Aim implements study.MultiObjective.
func (g *NSGA2) Aim(objectives []study.Objective) { g.objectives = objectives }

// Propose is that of GA, with parents by tournaments among the best 100 strings.
func (g *NSGA2) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	parents := g.members[:min(len(g.members), survivors)]
	draw := func(rng *rand.Rand) string { return parents[min(rng.IntN(len(parents)), rng.IntN(len(parents)))].x }
	if len(parents) == 0 {
		return nil, study.ErrExhausted
	}
	return breed(ctx, g.space, rand.New(rand.NewPCG(g.seed, uint64(known.Batch()))), draw, known, n)
}

// Observe adds strings that have all objectives, and removes those that were corrected to a failure.
func (g *NSGA2) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.Input == "" || t.State == study.Skipped {
			continue
		}
		values := []float64{t.Value}
		if g.objectives != nil {
			values = study.Values(&t, g.objectives, nil)
		}
		g.members = slices.DeleteFunc(g.members, func(m individual) bool { return m.x == t.Input })
		if !slices.ContainsFunc(values, math.IsNaN) {
			g.members = append(g.members, individual{t.Input, values})
		}
	}
	g.sort()
	return nil
}

// sort sorts members by their fronts, within a front by their crowding distance, and equals by the alphabet. All that
// were scored are kept: a string that a correction makes better comes back.
func (g *NSGA2) sort() {
	slices.SortStableFunc(g.members, func(a, b individual) int { return cmp.Compare(a.x, b.x) })
	points := make([][]float64, len(g.members))
	for i, m := range g.members {
		points[i] = m.values
	}
	var sorted []individual
	for _, front := range fronts(points) {
		distance := crowding(points, front)
		order := make([]int, len(front))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[b], distance[a]) })
		for _, i := range order {
			sorted = append(sorted, g.members[front[i]])
		}
	}
	g.members = sorted
}

// fronts returns the indices of points front by front: those that no point dominates, those that only points of the
// first front dominate, and so on (the fast non-dominated sort).
func fronts(points [][]float64) (all [][]int) {
	dominators, dominated := make([]int, len(points)), make([][]int, len(points))
	var front []int
	for i, p := range points {
		for j, q := range points {
			if pareto.Dominates(p, q) {
				dominated[i] = append(dominated[i], j)
				dominators[j]++
			}
		}
	}
	for i, n := range dominators {
		if n == 0 {
			front = append(front, i)
		}
	}
	for len(front) > 0 {
		all = append(all, front)
		var next []int
		for _, i := range front {
			for _, j := range dominated[i] {
				if dominators[j]--; dominators[j] == 0 {
					next = append(next, j)
				}
			}
		}
		slices.Sort(next)
		front = next
	}
	return all
}

// crowding returns the crowding distance of each point of a front: the sum over the objectives of the distance between
// its neighbours, as a share of the front's width; infinite at the ends.
func crowding(points [][]float64, front []int) []float64 {
	distance, order := make([]float64, len(front)), make([]int, len(front))
	for j := range points[front[0]] {
		at := func(k int) float64 { return points[front[order[k]]][j] }
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(points[front[a]][j], points[front[b]][j]) })
		last := len(order) - 1
		distance[order[0]], distance[order[last]] = math.Inf(1), math.Inf(1)
		for k := 1; k < last; k++ {
			if width := at(last) - at(0); width > 0 {
				distance[order[k]] += (at(k+1) - at(k-1)) / width
			}
		}
	}
	return distance
}
