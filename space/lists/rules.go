package lists

import (
	"maps"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/observed"
)

// Rules are what all of some lists keep, and not by chance:
//   - no item, or key, is twice in a list;
//   - some item, or key, is in all lists;
//   - two items are always in one order.
type Rules struct {
	Once     int  // how many items are in no list twice
	KeysOnce int  // how many keys are
	Ordered  bool // items have an order

	broken []func(x string) bool
}

// Rules returns what strings xs keep.
func (f Format) Rules(xs []string) (r Rules) {
	xs = stats.Evenly(xs, mostCounted)
	var broken [3]func(x string) bool
	broken[0], r.Once = f.counts(xs, func(item string) string { return item })
	broken[1], r.KeysOnce = f.counts(xs, keyOf)
	broken[2] = f.order(stats.Evenly(xs, mostOrdered))
	r.Ordered = broken[2] != nil
	r.broken = slices.DeleteFunc(broken[:], func(rule func(x string) bool) bool { return rule == nil })
	return r
}

// Broken reports whether a list breaks one of the rules.
func (r Rules) Broken(x string) bool {
	return slices.ContainsFunc(r.broken, func(rule func(x string) bool) bool { return rule(x) })
}

// How many lists are looked at, at most.
const (
	mostCounted    = 2_000
	mostOrdered    = 300 // for the order of items
	longestOrdered = 40  // items that these have
)

// counts returns a test of lists that have something twice which no string xs has twice, or lack what all have, and not
// by chance: items, or what of returns of each; "" is nothing. It also returns how many things are in no list twice.
func (f Format) counts(xs []string, of func(item string) string) (miscounted func(x string) bool, once int) {
	total, least, most := map[string]int{}, map[string]int{}, map[string]int{}
	count := func(x string) map[string]int {
		n := map[string]int{}
		for _, item := range f.Split(x) {
			if thing := of(item); thing != "" {
				n[thing]++
			}
		}
		return n
	}
	all := make([]map[string]int, len(xs))
	for i, x := range xs {
		all[i] = count(x)
		for thing, k := range all[i] {
			total[thing] += k
		}
	}
	n, never := float64(len(xs)), 0.0 // logarithm of the chance that nothing is twice in a string
	lengths := 0
	for _, x := range xs {
		lengths += len(f.Split(x))
	}
	length := float64(lengths) / n
	for _, thing := range slices.Sorted(maps.Keys(total)) { // in one order, as sums are rounded
		k := total[thing]
		least[thing] = len(xs)
		for _, count := range all {
			least[thing], most[thing] = min(least[thing], count[thing]), max(most[thing], count[thing])
		}
		mean := float64(k) / n
		if most[thing] == 1 {
			never += n * (math.Log1p(mean) - mean)
		}
		if n*math.Log(1-math.Pow(1-min(mean/length, 1), length)) > math.Log(chance.Max) { // what all have is needed: few lists lack it
			least[thing] = 0
		}
	}
	maps.DeleteFunc(least, func(_ string, k int) bool { return k == 0 })
	maps.DeleteFunc(most, func(_ string, k int) bool { return k > 1 || never > math.Log(observed.Chance) })
	if len(least) == 0 && len(most) == 0 {
		return nil, 0
	}
	return func(x string) bool {
		n := count(x)
		for thing, k := range n {
			if k > 1 && most[thing] == 1 {
				return true
			}
		}
		for thing := range least {
			if n[thing] == 0 {
				return true
			}
		}
		return false
	}, len(most)
}

// order returns a test of lists that have two items the other way round than all strings xs that have both; nil: items
// have no order.
func (f Format) order(xs []string) (reversed func(x string) bool) {
	if f.Settings != nil || slices.ContainsFunc(xs, func(x string) bool { return len(f.Split(x)) > longestOrdered }) {
		return nil // their places tell, or there are too many pairs
	}
	before := map[[2]string]int{}
	pairs := func(x string, do func(pair [2]string) bool) bool {
		items := f.Split(x)
		for i := range items {
			for j := range i {
				if items[j] != items[i] && items[i] != "" && items[j] != "" && do([2]string{items[j], items[i]}) {
					return true
				}
			}
		}
		return false
	}
	again := 0.0 // how often a pair was seen again; by chance, half would be the other way round
	for _, x := range xs {
		reversed := pairs(x, func(pair [2]string) bool {
			if before[[2]string{pair[1], pair[0]}] > 0 {
				return true
			}
			if before[pair]++; before[pair] > 1 {
				again++
			}
			return false
		})
		if reversed {
			return nil
		}
	}
	if again*math.Ln2 < -math.Log(observed.Chance) {
		return nil
	}
	return func(x string) bool {
		return pairs(x, func(pair [2]string) bool { return before[[2]string{pair[1], pair[0]}] > 0 })
	}
}

// Allowed returns which items may be at each position of lists with as many of them. Those that are in no list may be
// at any, unless a key says where. known is how many lists are known: if these are as many as could be made, any item
// may be anywhere.
func (f Format) Allowed(xs, items []string, known int) (all []func(item string) bool) {
	for _, s := range f.Settings {
		all = append(all, s.Has)
	}
	if f.Settings != nil {
		return all
	}
	rows, seen := make([][]string, len(xs)), map[string]bool{}
	for i, x := range xs {
		rows[i] = f.Split(x)
		for _, item := range rows[i] {
			seen[item] = true
		}
	}
	of := observed.Slots(rows, len(items), true, known)
	for i := range rows[0] {
		all = append(all, func(item string) bool { return of == nil || of[i] == nil || of[i][item] || !seen[item] })
	}
	return all
}

// Seen returns which items lists with as many of them have at each position, and those that are in no list; nil if no
// more lists than are known could be made of these.
func (f Format) Seen(xs []string, known int) (all []func(item string) bool) {
	at, seen := []map[string]bool{}, map[string]bool{}
	for _, x := range xs {
		for i, item := range f.Split(x) {
			if i == len(at) {
				at = append(at, map[string]bool{})
			}
			at[i][item], seen[item] = true, true
		}
	}
	n := 1
	for _, items := range at {
		n = min(n*len(items), known+1)
		all = append(all, func(item string) bool { return items[item] || !seen[item] })
	}
	if n <= known {
		return nil
	}
	return all
}
