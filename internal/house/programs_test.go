package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestProgramsInDocsCompile vets the whole programs that pages show.
func TestProgramsInDocsCompile(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(package main\n.*?)```")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, match := range program.FindAllSubmatch(text, -1) {
			found++
			name := filepath.Join(t.TempDir(), fmt.Sprintf("program%d.go", i+1))
			if err := os.WriteFile(name, match[1], 0o644); err != nil {
				t.Fatal(err)
			}
			vet := exec.Command("go", "vet", name)
			vet.Dir = root // in the module, whose packages the program imports
			if out, err := vet.CombinedOutput(); err != nil {
				t.Errorf("program %d of %s: %v\n%s", i+1, filepath.Base(page), err, out)
			}
		}
	}
	if found == 0 {
		t.Error("no program found: are they still in docs?")
	}
}
