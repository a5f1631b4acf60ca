package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The paper's results are those of the table in its source.
func TestPublished(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "paper", "invbo-neurips2024.tex"))
	if err != nil {
		t.Skip("the paper's source is not beside the repository:", err)
	}
	_, table, _ := strings.Cut(string(source), "Optimization results of applying InvBO or inversion method (INV)")
	table, _, _ = strings.Cut(table, `\label{table:plugin_supp}`)
	head := regexp.MustCompile(`multicolumn\{3\}\{c\|*\}\{(?:[^}]*\()?(\w+)`)
	row := regexp.MustCompile(`(?m)^ *([\w-]+)(?: \+ (\w+))? *&(.*)$`)
	number := regexp.MustCompile(`([0-9.]+)\$\\pm\$([0-9.]+)`)
	names := map[string]string{"LBO": "lbo", "W-LBO": "wlbo", "PG-LBO": "pglbo", "TuRBO-L": "turbo", "LOL-BO": "lolbo", "CoBO": "cobo", "Arithmetic": "expression"}
	ours := published()
	found := 0
	for _, part := range strings.Split(table, `\toprule`) {
		tasks := head.FindAllStringSubmatch(part, 2)
		for _, line := range row.FindAllStringSubmatch(part, -1) {
			method, ok := names[line[1]]
			if !ok {
				continue
			}
			if line[2] != "" {
				method += "+" + strings.ToLower(line[2])
			}
			for i, v := range number.FindAllStringSubmatch(line[3], -1) {
				task := tasks[i/3][1]
				if name, ok := names[task]; ok {
					task = name
				}
				calls := []int{100, 300, 500}[i%3]
				found++
				if want, got := fmt.Sprintf("%s ± %s", v[1], v[2]), ours[result{task, method, calls}]; got != want {
					t.Errorf("%s, %s, %d calls: %q, want %q", task, method, calls, got, want)
				}
			}
		}
	}
	if want := 8 * 12 * 3; found != want {
		t.Errorf("found %d results in the paper, want %d", found, want)
	}
}
