// Package pareto compares vectors of one to four objectives: which of them no other dominates, and the hypervolume that
// they dominate. All objectives are maximized. The vectors of a call have one length, or it panics.
package pareto

import (
	"fmt"
	"math"
	"slices"
)

// Dominates reports whether a is at least b in all objectives and greater in one. A vector with a NaN neither dominates
// nor is dominated.
func Dominates(a, b []float64) bool {
	mustMatch(a, b)
	greater := false
	for j, x := range a {
		if !(x >= b[j]) {
			return false
		}
		greater = greater || x > b[j]
	}
	return greater
}

// Front returns the indices of the points that no other point dominates, ascending. Equal points are all on the front;
// a point with a NaN never is.
func Front(points [][]float64) []int {
	front := frontInOrder(points)
	slices.Sort(front)
	return front
}

// frontInOrder returns the indices of Front with the points in descending lexicographic order. Only a point that is
// earlier in that order can dominate another.
func frontInOrder(points [][]float64) (front []int) {
	var order []int
	for i, p := range points {
		if !slices.ContainsFunc(p, math.IsNaN) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, k int) int { return slices.Compare(points[k], points[i]) })
	for _, i := range order {
		if !slices.ContainsFunc(front, func(k int) bool { return Dominates(points[k], points[i]) }) {
			front = append(front, i)
		}
	}
	return front
}

// Hypervolume returns the volume of the region that points dominate above the reference, by the box decomposition of Lacour,
// Klamroth and Fonseca (2017). The result is exact up to rounding, and does not depend on the order of the points.
//
// Points that are not greater than the reference in all objectives contribute nothing, nor do those with a NaN. The
// volume is +Inf if a dominated box is unbounded, as with a coordinate +Inf of a point or -Inf of the reference.
func Hypervolume(points [][]float64, reference []float64) float64 {
	b := decompose(points, reference)
	sum := 0.0
	for i := range b.boxes {
		// Below each box, in the first objective, all is dominated down to the reference.
		x := &b.boxes[i]
		v := (x.lower[0] - reference[0]) * (x.upper[1] - x.lower[1]) * (x.upper[2] - x.lower[2]) * (x.upper[3] - x.lower[3])
		if v > 0 { // false for 0·∞ too, a box without volume
			sum += v
		}
	}
	return sum
}

// MostObjectives is how many objectives there may be: the number of coordinates of a box. With fewer objectives the others
// are from 0 to 1, a factor of 1.
const MostObjectives = 4

type vector [MostObjectives]float64

// box is the product of the intervals from lower to upper. The first is unbounded above, and its upper is not used.
type box struct{ lower, upper vector }

// decomposition is the region above a reference that no point dominates, as disjoint boxes.
//
// There is a box per local lower bound u: a maximal region {x > u} without points (Lacour, Klamroth and Fonseca 2017,
// for maximization). u is the lower corner of its box. For each objective j a defining point zʲ has zʲⱼ = uⱼ, and is
// greater than u in the others. The box is
//
//	[u₁, ∞) × ∏ⱼ [uⱼ, min{zᵏⱼ : k < j})    j = 2, …
type decomposition struct {
	objectives int
	boxes      []box
	defining   [][MostObjectives]vector // (box, j): zʲ
}

// decompose returns the boxes of points. Points that are not greater than the reference in all objectives change
// nothing, nor do those with a NaN. The order of the points does not matter. There are about as many boxes as points on
// the front for two objectives, twice as many for three, and in the worst case as many as their square for four.
func decompose(points [][]float64, reference []float64) *decomposition {
	d := len(reference)
	if d < 1 || d > MostObjectives {
		panic(fmt.Sprintf("pareto: %d objectives, want 1 to %d", d, MostObjectives))
	}
	var z [MostObjectives]vector // the reference, and ∞ in all objectives but one
	for j := range d {
		for k := range d {
			z[j][k] = math.Inf(1)
		}
		z[j][j] = reference[j]
	}
	b := &decomposition{objectives: d}
	b.append(&z)
	for _, i := range frontInOrder(points) {
		b.add(points[i])
	}
	return b
}

// add removes the region that p dominates from the boxes. It does nothing if p is not greater than the reference in all
// objectives, has a NaN, or is dominated by an earlier point.
//
// A coordinate that equals one of an earlier point counts as slightly less, which keeps the boxes disjoint if points
// have ties. Some are then empty.
func (b *decomposition) add(p []float64) {
	x := b.pad(p)
	for i := len(b.boxes) - 1; i >= 0; i-- { // from the end, where new boxes are appended
		if !x.above(&b.boxes[i].lower) {
			continue
		}
		z, last := b.defining[i], len(b.boxes)-1
		b.boxes[i], b.defining[i] = b.boxes[last], b.defining[last]
		b.boxes, b.defining = b.boxes[:last], b.defining[:last]
		for j := range b.objectives {
			old := z[j]
			z[j] = x
			if !(least(&z, j, b.objectives) < x[j]) { // otherwise the bound is not maximal
				b.append(&z)
			}
			z[j] = old
		}
	}
}

// append appends the box with the defining points z.
func (b *decomposition) append(z *[MostObjectives]vector) {
	c := box{upper: vector{1, 1, 1, 1}}
	for j := range b.objectives {
		c.lower[j], c.upper[j] = z[j][j], least(z, j, j)
	}
	b.boxes, b.defining = append(b.boxes, c), append(b.defining, *z)
}

// least returns the least j-th coordinate of the first n defining points other than the j-th; ∞ if there are none.
func least(z *[MostObjectives]vector, j, n int) float64 {
	low := math.Inf(1)
	for k := range n {
		if k != j {
			low = min(low, z[k][j])
		}
	}
	return low
}

// pad returns p with 1 for the objectives that it lacks.
func (b *decomposition) pad(p []float64) vector {
	if len(p) != b.objectives {
		panic(fmt.Sprintf("pareto: a point of %d objectives, the reference has %d", len(p), b.objectives))
	}
	x := vector{1, 1, 1, 1}
	copy(x[:], p)
	return x
}

// above reports whether x is greater than y in all coordinates.
func (x *vector) above(y *vector) bool {
	return x[0] > y[0] && x[1] > y[1] && x[2] > y[2] && x[3] > y[3]
}

func mustMatch(a, b []float64) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("pareto: vectors of %d and %d objectives", len(a), len(b)))
	}
}
