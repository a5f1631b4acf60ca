package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/molecule"
)

// short is a check of strings that refuses long ones.
func short(x string) error {
	if len(x) > 8 {
		return errors.New("too long")
	}
	return nil
}

func TestReadStrings(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             []string // X of all rows
		note             string   // part of it
	}{
		{"lines", "a.txt", "x\nx+1\n", []string{"x", "x+1"}, ""},
		{"blank lines, blanks, CRLF, no last newline", "a.txt", "\r\n x \r\n\nx+1", []string{"x", "x+1"}, ""},
		{"lines of numbers", "a.txt", "0101\n1100\n", []string{"0101", "1100"}, ""},
		{"a column of numbers", "a.csv", "x\n0101\n1100\n", []string{"0101", "1100"}, ""},
		{"a column named x, of a CSV file", "a.csv", "x\na\n", []string{"a"}, ""},
		{"a line x", "a.txt", "x\na\n", []string{"x", "a"}, ""},
		{"FASTA", "a.fasta", ">a first\nKLK\nKK\n>b\nMKV\n", []string{"KLKKK", "MKV"}, "a.fasta: 2 strings; "},
		{"names after sequences", "a.txt", "KLK first\nMKVVVVVV second\n", []string{"KLK", "MKVVVVVV"}, ""},
		{"names before sequences", "a.tsv", "first one\tKLK\nsecond one\tMKV\n", []string{"KLK", "MKV"}, ""},
		{"decimal commas", "a.csv", "x;score\na;1,5\nb;2,5\n", []string{"a", "b"}, ""},
		{"a string that is too long", "a.txt", "KLK\nKLKKLKKLK\nMKV\n", []string{"KLK", "", "MKV"}, "line 2 invalid (too long)"},
		{"a row without a string", "a.csv", "x,y\na,1\n,2\nb,3\n", []string{"a", "", "b"}, "line 3 invalid (column x is empty)"},
	}
	for _, test := range tests {
		read, err := Verbatim("x").Read(t.Context(), writeFile(t, test.file, test.text), table.Options{}, short)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		note := read.Note()
		if !slices.Equal(read.X, test.want) || !strings.Contains(note, test.note) || test.note == "" && note != "" {
			t.Errorf("%s: %q, note %q; want %q and %q", test.name, read.X, note, test.want, test.note)
		}
	}
}

func TestReadStringsErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "it is empty"},
		{"blank", "\n \n", "it is empty"},
		{"only a header", "x,score\n", "it has no rows of data"},
		{"most are too long", "KLKKLKKLK\nKLK\nKLKKLKKLKK\n", "2 of 3 rows cannot be used, most of them like line 1: too long"},
		{"no gzip after its first bytes", "\x1f\x8bx", "gzip"},
	} {
		_, err := Verbatim("x").Read(t.Context(), writeFile(t, "a.txt", test.text), table.Options{}, short)
		if err == nil || !strings.Contains(err.Error(), "a.txt: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := Verbatim("x").Read(ctx, writeFile(t, "a.txt", "KLK\n"), table.Options{}, nil); !errors.Is(err, stopped) {
		t.Errorf("error %v, want the cause of the end", err)
	}
}

// A model of SELFIES takes its own strings where a file has them, and otherwise molecules as they are spelled. A
// molecule that is more than spelled otherwise is encoded as what a search without a model has.
func TestReadMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const ethanol, other = "[O][C][C]", "[C][C][O]"
	for _, test := range []struct {
		name, text string
		x, input   string // of the first row
	}{
		{"SMILES", "OCC\nNC\n", ethanol, "CCO"},
		{"SMILES with names", "OCC ethanol\nNC methylamine\n", ethanol, "CCO"},
		{"both", "smiles,selfies\nOCC," + other + "\nNC,[N][C]\n", other, "CCO"},
		{"both, the published names", ",selfie,smile\n0," + other + ",OCC\n1,[N][C],NC\n", other, "CCO"},
		{"SELFIES", "selfies,score\n" + ethanol + ",1\n[N][C],2\n", ethanol, "CCO"},
		{"a salt", "OCC.Cl\nNC\n", other, "CCO"},
		{"a salt beside SELFIES", "smiles,selfies\nOCC.Cl,[O][C][C].[Cl]\nNC,[N][C]\n", other, "CCO"},
	} {
		for _, n := range []Notation{SMILES(), Molecules(table.Strip{})} {
			read, err := n.Read(t.Context(), writeFile(t, "a.csv", test.text), table.Options{}, nil)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			want := test.input
			if n.Translate != nil {
				want = test.x
			}
			if r := read.Records[0]; read.X[0] != want || r.Input != test.input {
				t.Errorf("%s: %q of %q, want %q of %q", test.name, read.X[0], r.Input, want, test.input)
			}
		}
	}
}

// Training data need no RDKit.
func TestReadSpelled(t *testing.T) {
	const text = "smiles,name\nOCC,ethanol\nC(C,broken\nNC,methylamine\n"
	read, err := Spelled().Read(t.Context(), writeFile(t, "a.csv", text), table.Options{}, nil)
	if err != nil || !slices.Equal(read.X, []string{"[O][C][C]", "", "[N][C]"}) {
		t.Errorf("%q, %v", read.X, err)
	}
	read, err = Spelled().Read(t.Context(), writeFile(t, "b.csv", "selfies,smiles\n[C][C][O],OCC\n[N][C],NC\n"), table.Options{}, nil)
	if err != nil || !slices.Equal(read.X, []string{"[C][C][O]", "[N][C]"}) {
		t.Errorf("%q, %v", read.X, err)
	}
}

func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		"smiles,score\nCCO,1\nCCN,2\n":         OwnMolecules,
		"CCO ethanol\nc1ccccc1 benzene\n":      OwnMolecules,
		"selfies\n[C][C][O]\n[C][=Branch1]\n":  OwnMolecules,
		"sequence,score\nMKTAYI,1\nMKTAYV,2\n": OwnStrings,
		">a\nMKT\n>b\nMKV\n":                   OwnStrings,
	} {
		if molecule.Available() != nil {
			want = OwnStrings
		}
		got, err := Guess(writeFile(t, "a.csv", text), table.Options{})
		if err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
}

// An InChI is no string to change character by character.
func TestInChIIsRefused(t *testing.T) {
	err := searchable([]string{"InChI=1S/C7H8/c1-7-5-3-2-4-6-7/h2-6H,1H3", "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H"}, false)
	if err == nil || !strings.Contains(err.Error(), "give SMILES") {
		t.Errorf("%v, want SMILES to be asked for", err)
	}
}
