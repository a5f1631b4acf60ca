package selfies_test

import (
	"bufio"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/selfies"
)

// golden returns the rows of a file of golden/ (see the README there), made with selfies 2.0.0.
func golden(tb testing.TB, name string) (rows [][2]string) {
	tb.Helper()
	lines := bufio.NewScanner(shared.Open(tb, "golden/"+name))
	for lines.Scan() {
		in, out, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			tb.Fatalf("%s: row %d has no tab", name, len(rows)+1)
		}
		rows = append(rows, [2]string{in, out})
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return rows
}

func TestEncodeGolden(t *testing.T) {
	for _, row := range golden(t, "selfies_encode.tsv.gz") {
		switch got, err := selfies.Encode(row[0]); {
		case row[1] == "ERROR:EncoderError":
			if err == nil {
				t.Errorf("Encode(%q) = %s, want an error", row[0], got)
			}
		case err != nil:
			t.Errorf("Encode(%q): %v, want %s", row[0], err, row[1])
		case got != row[1]:
			t.Errorf("Encode(%q) = %s, want %s", row[0], got, row[1])
		}
	}
}

func TestDecodeGolden(t *testing.T) {
	for _, row := range golden(t, "selfies_decode.tsv.gz") {
		if got, err := selfies.Decode(row[0]); err != nil || got != row[1] {
			t.Errorf("Decode(%s) = %q, %v, want %q", row[0], got, err, row[1])
		}
	}
}
