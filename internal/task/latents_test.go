package task

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Latents that are written come back bit by bit, whatever their strings.
func TestLatentsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 5).Draw(t, "dim")
		z := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64(), dim, dim), 1, 5).Draw(t, "z")
		roundTrip(t, rapid.SliceOfN(rapid.StringMatching(`[ -~\n]*`), len(z), len(z)).Draw(t, "x"), z)
	})
}

// Quotes and line ends alone once looked like a single column between semicolons.
func TestLatentsOfQuotes(t *testing.T) {
	roundTrip(t, []string{"\n", `"`, "\n"}, [][]float64{{1}, {1}, {1}})
}

func roundTrip(t rapid.TB, x []string, z [][]float64) {
	n := Verbatim("x")
	var text bytes.Buffer
	if err := NewLatentWriter(&text, n.Columns, len(z[0])).Write(n.Records(x), z); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLatents(File{Path: "z.csv"}.With(text.Bytes()), len(z[0]))
	if err != nil {
		t.Fatal(err)
	}
	for i := range z {
		for k := range z[i] {
			if math.Float64bits(got[i][k]) != math.Float64bits(z[i][k]) {
				t.Errorf("z[%d][%d] = %g, want %g", i, k, got[i][k], z[i][k])
			}
		}
	}
}

func TestReadLatentsErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "it is empty"},
		{"too few dimensions", "x,z1\na,0\n", "no column is named z2; there are x, z1; latents are a table with the columns z1 to z2"},
		{"a word", "z2,z1\n0,1\n1,b\n", `line 3: z1 "b" is not a number`},
		{"too few fields", "z1,z2\n0\n", `line 2: z2 "" is not a number`},
	}
	for _, test := range tests {
		_, err := ReadLatents(writeFile(t, "z.csv", test.text), 2)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
}
