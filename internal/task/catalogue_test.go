package task

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func writeFile(t *testing.T, name, text string) File {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return File{Path: name}
}

// Molecules of a user's file are drawn as canonical SMILES; what is no molecule is left out and told.
func TestCatalogue(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const note = "2 lines are no molecules and left out; the first is line 3: \"C1CC\" is no molecule"
	tests := []struct{ name, text, note, err string }{
		{"a.smi", "OCC ethanol\n\nC1CC\nNC\tamine\nx\n", note, ""},
		{"a.csv", "id,SMILES,mass\n1,OCC,\"46\"\n2,C1CC,1\n3,NC\n4\n", note, ""},
		{"good.smi", "OCC\nNC\n", "", ""},
		{"bad.smi", "x\ny\n", "", "bad.smi: no line holds a molecule; the first is line 1: \"x\" is no molecule"},
		{"empty.smi", "\n", "", "empty.smi: it contains no molecules"},
		{"a.tsv", "name\tsmiles\nethanol, dry\tOCC\nb\tC1CC\nc\tNC\n4\n", note, ""},
		{"quote.csv", "id,smiles,name\n1,OCC,\"ethanol\n\"2,C1CC,b\n3,NC,\"c\"\n\n4\n", "2 lines are no molecules and left out; the first is line 3: ", ""},
		{"lines.csv", "id,name,smiles\n1,\"two\nlines\",OCC\n2,5\" nail,C1CC\n3,b,NC\n4\n", "2 lines are no molecules and left out; the first is line 4: ", ""},
		{"empty.csv", "", "", "empty.csv: it contains no molecules"},
		{"columns.csv", "id,structure\n1,C\n", "", "columns.csv: no column is named smiles; it has id, structure"},
	}
	for _, test := range tests {
		c, err := readCatalogue(writeFile(t, test.name, test.text))
		note := ""
		if err == nil {
			note, err = c.check()
		}
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want %q", test.name, err, test.err)
			}
			continue
		}
		if err != nil || !strings.Contains(note, test.note) || test.note == "" && note != "" {
			t.Errorf("%s: note %q, error %v, want %q", test.name, note, err, test.note)
		}
		got := c.pool.Sample(10, rand.New(rand.NewPCG(1, 0)))
		if slices.Sort(got); !slices.Equal(got, []string{"CCO", "CN"}) {
			t.Errorf("%s: drew %q, want CCO and CN", test.name, got)
		}
	}
}
