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
	const note = "2 of 4 rows left out; the first is line 3: no molecule: "
	tests := []struct{ name, text, note, err string }{
		{"a.smi", "OCC ethanol\n\nC1CC\nNC\tamine\nx\n", note, ""},
		{"a.csv", "id,SMILES,mass\n1,OCC,\"46\"\n2,C1CC,1\n3,NC\n4\n", note, ""},
		{"good.smi", "OCC\nNC\n", "", ""},
		{"salt.smi", "OCC.Cl\nNC\n", "", ""},
		{"names first.txt", "ethanol\tOCC\nmethylamine\tNC\n", "", ""},
		{"semicolons.txt", "name;structure\nethanol, dry;OCC\nmethylamine;NC\n", "", ""},
		{"selfies.csv", "selfies\n[O][C][C]\n[N][C]\n", "", ""},
		{"bad.smi", "x\ny\n", "", "bad.smi: 2 of 2 rows cannot be used, most of them like line 1: no molecule: "},
		{"empty.smi", "\n", "", "empty.smi: it is empty"},
		{"header.csv", "smiles,name\n", "", "header.csv: it contains no molecules"},
		{"a.tsv", "name\tsmiles\nethanol, dry\tOCC\nb\tC1CC\nc\tNC\n", "1 of 3 rows left out; the first is line 3: ", ""},
		{"quote.csv", "id,smiles,name\n1,OCC,\"ethanol\n\"2,C1CC,b\n3,NC,\"c\"\n\n", "1 of 3 rows left out; the first is line 3: ", ""},
		{"lines.csv", "id,name,smiles\n1,\"two\nlines\",OCC\n2,5\" nail,C1CC\n3,b,NC\n", "1 of 3 rows left out; the first is line 4: ", ""},
		{"columns.csv", "id,structure\n1,C1CC\n", "", "columns.csv: 1 of 1 rows cannot be used"},
	}
	for _, test := range tests {
		c, err := readCatalogue(t.Context(), writeFile(t, test.name, test.text))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v, want %q", test.name, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !strings.Contains(c.note, test.note) || test.note == "" && c.note != "" {
			t.Errorf("%s: note %q, want %q", test.name, c.note, test.note)
		}
		got := c.pool.Sample(10, rand.New(rand.NewPCG(1, 0)))
		if slices.Sort(got); !slices.Equal(got, []string{"CCO", "CN"}) {
			t.Errorf("%s: drew %q, want CCO and CN", test.name, got)
		}
	}
}

// What a large file lacks is weighed by all of it, although only a part is looked at.
func TestSparseCatalogue(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, bad := range []int{checked + 1, 4 * checked} {
		text := "name,smiles\n" + strings.Repeat("b,\n", bad) + strings.Repeat("a,CCO\n", 3*checked)
		c, err := readCatalogue(t.Context(), writeFile(t, "large.csv", text))
		if refused := err != nil; refused != (bad > 3*checked) {
			t.Errorf("%d rows of %d without a molecule: error %v", bad, 3*checked+bad, err)
		}
		if err == nil && !strings.HasSuffix(c.note, "; 13334 of 40001 were looked at") {
			t.Errorf("note %q", c.note)
		}
	}
}
