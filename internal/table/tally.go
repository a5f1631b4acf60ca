package table

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/stats"
)

// tally counts values, in the order of their first.
type tally[T comparable] struct {
	order []T
	n     map[T]int
}

func (c *tally[T]) add(value T) {
	if c.n == nil {
		c.n = map[T]int{}
	}
	if c.n[value]++; c.n[value] == 1 {
		c.order = append(c.order, value)
	}
}

// usual returns the values, the most frequent first.
func (c *tally[T]) usual() []T {
	return slices.SortedStableFunc(slices.Values(c.order), func(a, b T) int { return c.n[b] - c.n[a] })
}

// list writes some of the values, each with its number before it.
func (c *tally[T]) list(format string, values []T) []string {
	return stats.Map(values, func(v T) string { return fmt.Sprintf(format, c.n[v], v) })
}
