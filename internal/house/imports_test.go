// Package house holds what is true of the module as a whole.
package house

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/invbo/invbo"

// layers lists the module's packages, trees of them, from the ground up. A package imports from lower
// layers and from its own tree only. "." is the root; a longer path is a tree of its own.
var layers = [][]string{
	{"internal", "selfies", "molecule"},
	{"oracle", "tensor", "genetic", "molecule/reaction", "internal/table"},
	{"nn", "study"},
	{"vae", "gp"},
	{"surrogate"},
	{"evolve", "store", "space/internal"},
	{".", "space/codons", "space/tokens", "space/protein", "space/molecules", "space/routes", "space/core", "baseline", "worker"},
	{"report", "space/observed"},
	{"space/lists"},
	{"internal/task"},
	{"internal/experiment", "internal/train"},
	{"internal/paper"},
	{"internal/page"},
	{"internal/serve"},
	{"cmd", "bench", "packaging"},
}

// allowed lists the packages that a tree may import, where that is less than what lies below it. All may
// import what is in internal's own layer.
var allowed = map[string][]string{
	"oracle":  {"molecule", "molecule/access"},
	"genetic": {"molecule"},

	"molecule/reaction": {"molecule"},

	"study":     {"oracle"}, // the interface, and no task
	"store":     {"study", "study/studytest"},
	"worker":    {"oracle", "store/postgres"},
	"surrogate": {"gp", "nn", "vae"},
	"evolve":    {"study", "gp"},
	".":         {"study", "surrogate", "gp", "nn", "vae"},
	"baseline":  {"study", "evolve", "genetic", "gp", "molecule", "molecule/library"},

	"space/codons":    {},
	"space/tokens":    {"evolve", "gp"},
	"space/protein":   {"evolve", "gp"},
	"space/molecules": {"evolve", "genetic", "gp", "molecule", "molecule/access", "molecule/alerts", "molecule/corpus", "molecule/library", "molecule/salt", "space/internal/chance", "space/internal/design", "space/internal/series"},
	"space/routes":    {"evolve", "molecule/reaction", "space/internal/design", "space/internal/lazy"},
	"space/core":      {"evolve", "genetic", "molecule", "space/internal/chance", "space/internal/lazy", "space/internal/series"},
	"space/observed":  {"space/internal/chance", "space/protein"},
	"space/lists":     {"space/internal/chance", "space/observed"},
	"internal/table":  {"molecule", "molecule/salt", "selfies"},
	"internal/page":   {"internal/experiment", "internal/table", "internal/table/sheet", "study"},                                     // no rule of its own
	"internal/serve":  {"internal/experiment", "internal/page", "internal/table", "internal/table/quantity", "store/sqlite", "study"}, // likewise
}

var searchers = []string{".", "study", "surrogate", "baseline", "evolve", "vae", "gp", "nn", "tensor"}

// unreachable lists what a tree must not import even through others: the library needs no C compiler,
// database or server, and oracles and chemistry know nothing of the search.
var unreachable = map[string][]string{
	".":               {"runtime/cgo", "database/sql", "net/http"},
	"study":           {"runtime/cgo", "database/sql", "net/http"},
	"evolve":          {"runtime/cgo", "database/sql", "net/http"},
	"space/codons":    {"runtime/cgo", "database/sql", "net/http"},
	"space/tokens":    {"runtime/cgo", "database/sql", "net/http"},
	"space/protein":   {"runtime/cgo", "database/sql", "net/http"},
	"space/observed":  {"runtime/cgo", "database/sql", "net/http"},
	"space/lists":     {"runtime/cgo", "database/sql", "net/http"},
	"space/molecules": {"database/sql", "net/http"},
	"space/routes":    {"database/sql", "net/http"},
	"space/core":      {"database/sql", "net/http"},
	"oracle":          append([]string{"genetic"}, searchers...),
	"selfies":         append([]string{"genetic", "oracle"}, searchers...),
	"molecule":        append([]string{"genetic", "oracle"}, searchers...),
	"genetic":         append([]string{"oracle"}, searchers...),

	"molecule/reaction": append([]string{"genetic", "oracle"}, searchers...),
}

// layer returns the layer and the tree of a package of the module, given by its path in it.
func layer(pkg string) (at int, tree string) {
	at = -1
	for i, trees := range layers {
		for _, t := range trees {
			if (pkg == t || strings.HasPrefix(pkg, t+"/")) && len(t) > len(tree) {
				at, tree = i, t
			}
		}
	}
	return at, tree
}

// local returns the path of a package in the module, and whether it is there.
func local(pkg string) (string, bool) {
	if pkg == module {
		return ".", true
	}
	return strings.CutPrefix(pkg, module+"/")
}

func TestImportsGoDown(t *testing.T) {
	there := map[string]bool{} // trees
	for pkg, imports := range list(t, "Imports") {
		at, tree := layer(pkg)
		there[tree] = true
		if at < 0 {
			t.Errorf("%s is in no layer: give it a place", pkg)
		}
		for _, imported := range imports {
			if imported, ok := local(imported); ok {
				below, other := layer(imported)
				if other != tree && below >= at {
					t.Errorf("%s imports %s, which is not in a lower layer", pkg, imported)
				}
				if only, ok := allowed[tree]; ok && other != tree && other != "internal" && !slices.Contains(only, imported) {
					t.Errorf("%s imports %s; of the packages below it %s may import %v", pkg, imported, tree, only)
				}
			}
		}
	}
	for _, tree := range slices.Concat(layers...) {
		if !there[tree] {
			t.Errorf("%s has a layer and no package: take it out", tree)
		}
	}
}

func TestUnreachable(t *testing.T) {
	for pkg, deps := range list(t, "Deps") {
		_, tree := layer(pkg)
		for _, dep := range deps {
			if pkg, ok := local(dep); ok {
				_, dep = layer(pkg)
			}
			if slices.Contains(unreachable[tree], dep) {
				t.Errorf("%s depends on %s", pkg, dep)
			}
		}
	}
}

// list returns a field of go list for each package of the module, by its path there, as of a build with molecules. Test
// files do not count: a test may look at its package from above.
func list(t *testing.T, field string) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-tags", "rdkit", "-f", `{{.ImportPath}} {{join .`+field+` " "}}`, path.Join(module, "..."))
	list.Env = append(list.Environ(), "CGO_ENABLED=1") // or no package would need cgo
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	packages := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if pkg, ok := local(words[0]); ok {
			packages[pkg] = words[1:]
		}
	}
	return packages
}
