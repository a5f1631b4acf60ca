package table

import (
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
)

// Shared returns the column of each of several files that names the same strings in all: most of its different cells in
// one are in the others, as wells of a plate map beside those of a plate reader. ok is false if there is none, or more
// than one.
func Shared(files ...*Rows) (columns []string, ok bool) {
	for i := range files[0].grid.header {
		names := []string{files[0].grid.name(i)}
		for _, other := range files[1:] {
			at := other.grid.where(func(k int) bool { return shares(files[0].grid, i, other.grid, k) })
			if len(at) == 1 {
				names = append(names, other.grid.name(at[0]))
			}
		}
		if len(names) < len(files) {
			continue
		}
		if ok {
			return nil, false
		}
		columns, ok = names, true
	}
	return columns, ok
}

// shares reports whether most cells of a column, which are words and differ from each other, are those of another
// table's column.
func shares(a *grid, i int, b *grid, k int) bool {
	const fewest = 2
	ours, theirs := distinct(a.cells(i, sampled)), distinct(b.cells(k, sampled))
	same := stats.Count(ours, func(cell string) bool { return !numeral.IsNumber(cell) && slices.Contains(theirs, cell) })
	return same >= fewest && 2*same > min(len(ours), len(theirs))
}
