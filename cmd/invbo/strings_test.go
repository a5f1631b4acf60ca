package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
)

// testNotation has two ways to write a string: as it is, and backwards in a column of its own.
func testNotation() notation {
	n := verbatim("x", "expression")
	n.forms = append(n.forms, form{columns: []string{"backwards"}, read: func(text string) (string, error) {
		if strings.Contains(text, "?") {
			return "", errors.New("a question")
		}
		x := []rune(text)
		slices.Reverse(x)
		return string(x), nil
	}})
	return n
}

var testScores = []string{"score", "med2"}

func TestReadStrings(t *testing.T) {
	scored := func(line int, x string, y float64) row { return row{line, x, y, true} }
	bare := func(line int, x string) row { return row{line: line, text: x} }
	tests := []struct {
		name  string
		text  string
		isCSV bool
		want  []row
	}{
		{"lines", "x\nx+1\n", false, []row{bare(1, "x"), bare(2, "x+1")}},
		{"blank lines, blanks, CRLF, no last newline", "\r\n x \r\n\nx+1", false, []row{bare(2, "x"), bare(4, "x+1")}},
		{"a byte-order mark", "\ufeffx\n", false, []row{bare(1, "x")}},
		{"CSV with other columns", "id,x,score\n7,x,1.5\n8,x+1,-2e3\n", true, []row{scored(2, "x", 1.5), scored(3, "x+1", -2e3)}},
		{"CSV without scores", "x\na\n", true, []row{bare(2, "a")}},
		{"an empty score", "x,score\na, \n", true, []row{bare(2, "a")}},
		{"failed rows", "x,score\na,NaN\nb,+Inf\nc,1\n", true, []row{scored(4, "c", 1)}},
		{"the task's own names", "expression,med2\na,1\n", true, []row{scored(2, "a", 1)}},
		{"score before the task's name", "x,med2,score\na,1,2\n", true, []row{scored(2, "a", 2)}},
		{"quoted lines", "x,score\n\"a\nb\",1\nc,2\n", true, []row{scored(2, "a\nb", 1), scored(4, "c", 2)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for form, in := range map[string]string{"plain": test.text, "gzip": zip(t, test.text)} {
				list, err := readStrings(strings.NewReader(in), test.isCSV, testNotation(), testScores)
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if !slices.Equal(list.rows, test.want) {
					t.Errorf("%s: %+v, want %+v", form, list.rows, test.want)
				}
			}
		})
	}
}

func TestReadStringsErrors(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		isCSV bool
		want  string
	}{
		{"empty", "", false, "no string in it"},
		{"blank", "\n \n", false, "no string in it"},
		{"empty CSV", "", true, "the file is empty"},
		{"only a header", "x,score\n", true, "no string in it"},
		{"no column of strings", "smiles,score\nC,1\n", true, "no column is named x or expression or backwards; it has smiles, score"},
		{"a word for a score", "x,score\n\na,good\n", true, `line 3: score "good" is not a number`},
		{"too few fields", "x,score\na,1\nb\n", true, "line 3: wrong number of fields"},
		{"an open quote", "x\n\"a\n", true, "line 2"},
		{"truncated gzip", zip(t, strings.Repeat("x+1\n", 100))[:20], false, "unexpected EOF"},
		{"no gzip after its first bytes", "\x1f\x8bx", false, "gzip"},
		{"an endless line", strings.Repeat("x", 1<<21), false, "line 1 is longer"},
	}
	for _, test := range tests {
		_, err := readStrings(strings.NewReader(test.text), test.isCSV, testNotation(), testScores)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
}

// Names stand behind SMILES, and nowhere else.
func TestReadNames(t *testing.T) {
	for _, test := range []struct {
		name, line, want string
		named            bool
	}{
		{"after a blank", "CCO ethanol 1", "CCO", true},
		{"after a tab", "CCO\tethanol", "CCO", true},
		{"none", "CCO", "CCO", true},
		{"no names", "x + 1", "x + 1", false},
	} {
		n := verbatim("x")
		n.named = test.named
		list, err := readStrings(strings.NewReader(test.line), false, n, nil)
		if err != nil || len(list.rows) != 1 || list.rows[0].text != test.want {
			t.Errorf("%s: %+v and error %v, want %s", test.name, list.rows, err, test.want)
		}
	}
}

// The first form whose column a file has is the one it is read in.
func TestReadForms(t *testing.T) {
	m, err := vae.NewIdentity([]float64{0, 0}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, text, want, err string }{
		{"as it is", "x\n0.5 1\n", "0.5 1", ""},
		{"backwards", "backwards,score\n1 5.0,\n", "0.5 1", ""},
		{"both", "backwards,expression\n9,0.5 1\n", "0.5 1", ""},
		{"not of the form", "backwards\n\n?\n", "", "line 3: a question"},
		{"not of the model", "x\n\n7\n", "", "line 3: "},
	}
	for _, test := range tests {
		list, err := readStrings(strings.NewReader(test.text), true, testNotation(), testScores)
		if err != nil {
			t.Fatal(err)
		}
		list.source = "file"
		x, err := list.read(list.rows[0], m)
		if x != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), "file, "+test.err) {
			t.Errorf("%s: %q and error %v, want %q and %q", test.name, x, err, test.want, test.err)
		}
	}
}

func zip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever a file holds, reading it gives strings that are none of them blank, or an error.
func FuzzReadStrings(f *testing.F) {
	f.Add([]byte("x,score\na,1\n"), true)
	f.Add([]byte("x\n\nx+1"), false)
	f.Add([]byte("\x1f\x8b\x08\x00"), false)
	f.Fuzz(func(t *testing.T, text []byte, isCSV bool) {
		list, err := readStrings(bytes.NewReader(text), isCSV, testNotation(), testScores)
		if (err == nil) != (len(list.rows) > 0) {
			t.Fatalf("%d rows and error %v", len(list.rows), err)
		}
		for _, r := range list.rows {
			if strings.TrimSpace(r.text) == "" || r.line < 1 {
				t.Errorf("row %+v", r)
			}
		}
	})
}
