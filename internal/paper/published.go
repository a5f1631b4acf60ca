package paper

import (
	_ "embed"
	"strings"
)

// PublishedResult names a result of Chu et al. 2024.
type PublishedResult struct {
	Task, Method string
	Calls        int
}

//go:embed paper.tsv
var paperTable string

// Published returns the results of Chu et al. 2024, mean ± standard error of ten runs, from the table "Optimization results of
// applying InvBO or inversion method" of the appendix.
func Published() map[PublishedResult]string {
	results := map[PublishedResult]string{}
	for _, f := range table(paperTable)[1:] { // after the header: task, method, 100, 300, 500
		for i, calls := range []int{100, 300, 500} {
			results[PublishedResult{f[0], f[1], calls}] = f[2+i]
		}
	}
	return results
}

// table returns the cells of a built-in table.
func table(tsv string) (rows [][]string) {
	for line := range strings.Lines(tsv) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}
