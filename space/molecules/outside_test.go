package molecules_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// A program outside this module searches molecules by public packages alone: testdata/search, which the documentation shows.
func TestProgramOutsideTheModule(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	read := func(path ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	module := strings.Replace(read(root, "go.mod"), "module github.com/invbo/invbo\n", "module example.com/search\n", 1)
	module += fmt.Sprintf("\nrequire github.com/invbo/invbo v0.0.0\n\nreplace github.com/invbo/invbo => %s\n", root)
	for name, text := range map[string]string{"go.mod": module, "go.sum": read(root, "go.sum"), "main.go": read("testdata", "search", "main.go")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), "go", "run", "-tags", "rdkit", ".")
	run.Dir = dir
	run.Env = append(run.Environ(), "GOWORK=off")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := regexp.MustCompile(`^best of 20 at the start (0\.\d\d), after 40 calls (0\.\d\d|1\.00): \S+\n$`).FindStringSubmatch(string(out))
	if found == nil || found[2] <= found[1] {
		t.Errorf("it printed %q, want a better molecule than at the start", out)
	}
}
