package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAlgorithmMapNamesWhatExists checks the names of docs/algorithm.md's first table against the source.
func TestAlgorithmMapNamesWhatExists(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "algorithm.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "\n## ")
	declared := map[string]bool{}
	for _, dir := range []string{".", "gp", "vae", "vae/grammar", "vae/sequence", "vae/internal/neural", "selfies", "molecule", "oracle/guacamol", "oracle/docking", "genetic", "study", "surrogate", "baseline", "evolve", "internal/stats", "internal/paper"} {
		declare(t, declared, filepath.Join(root, filepath.FromSlash(dir)), dir)
	}
	names := regexp.MustCompile("`([^`]+)`")
	checked := 0
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, match := range names.FindAllStringSubmatch(cells[2], -1) {
			checked++
			if !declared[match[1]] {
				t.Errorf("docs/algorithm.md names %s, which does not exist", match[1])
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d names checked, want at least 30: is the table still there?", checked)
	}
}

// declare adds the functions, methods, types and variables of a package: as pkg.Name and pkg.Type.Name, and for the
// root without pkg, too.
func declare(t *testing.T, declared map[string]bool, path, pkg string) {
	t.Helper()
	add := func(name string) {
		if pkg == "." {
			declared[name] = true
			declared["invbo."+name] = true
			return
		}
		declared[pkg+"."+name] = true
	}
	files, err := fs.Glob(os.DirFS(path), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(path, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name.Name)
					continue
				}
				typ := d.Recv.List[0].Type
				if star, ok := typ.(*ast.StarExpr); ok {
					typ = star.X
				}
				if generic, ok := typ.(*ast.IndexExpr); ok {
					typ = generic.X
				}
				if ident, ok := typ.(*ast.Ident); ok {
					add(ident.Name + "." + d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						add(s.Name.Name)
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(name.Name)
						}
					}
				}
			}
		}
	}
}
