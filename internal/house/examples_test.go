package house

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublicPackagesHaveExamples holds that every package which other modules can import has an Example that is run:
// its output is checked, or a test calls it, as where it needs a *testing.T or a server.
func TestPublicPackagesHaveExamples(t *testing.T) {
	for pkg := range list(t, "Imports") {
		dir := filepath.Join("..", "..", filepath.FromSlash(pkg))
		about, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if about.Name == "main" || strings.Contains("/"+pkg+"/", "/internal/") {
			continue
		}
		names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		tests := map[string]bool{}
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					tests[f.Name.Name] = true
				}
			}
		}
		run := false
		for _, e := range doc.Examples(files...) {
			run = run || e.Output != "" || tests["TestExample"+e.Name]
		}
		if !run {
			t.Errorf("%s has no Example that is run", pkg)
		}
	}
}
