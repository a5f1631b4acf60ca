package main

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/invbo/invbo"
)

var testColumns = columns{strings: []string{"x", "expression"}, scores: []string{"score", "med2"}}

func TestReadStrings(t *testing.T) {
	scored := func(line int, x string, y float64) row { return row{line, invbo.Observation{X: x, Y: y, Scored: true}} }
	bare := func(line int, x string) row { return row{line, invbo.Observation{X: x}} }
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
				got, err := readStrings(strings.NewReader(in), test.isCSV, testColumns)
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if len(got) != len(test.want) {
					t.Fatalf("%s: %d rows, want %d", form, len(got), len(test.want))
				}
				for i := range got {
					if got[i] != test.want[i] {
						t.Errorf("%s: row %d = %+v, want %+v", form, i, got[i], test.want[i])
					}
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
		{"no column of strings", "smiles,score\nC,1\n", true, "no column is named x or expression; it has smiles, score"},
		{"a word for a score", "x,score\n\na,good\n", true, `line 3: score "good" is not a number`},
		{"too few fields", "x,score\na,1\nb\n", true, "line 3: wrong number of fields"},
		{"an open quote", "x\n\"a\n", true, "line 2"},
		{"truncated gzip", zip(t, strings.Repeat("x+1\n", 100))[:20], false, "unexpected EOF"},
		{"no gzip after its first bytes", "\x1f\x8bx", false, "gzip"},
		{"an endless line", strings.Repeat("x", 1<<21), false, "line 1 is longer"},
	}
	for _, test := range tests {
		_, err := readStrings(strings.NewReader(test.text), test.isCSV, testColumns)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
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
		rows, err := readStrings(bytes.NewReader(text), isCSV, testColumns)
		if (err == nil) != (len(rows) > 0) {
			t.Fatalf("%d rows and error %v", len(rows), err)
		}
		for _, r := range rows {
			if strings.TrimSpace(r.X) == "" || r.line < 1 {
				t.Errorf("row %+v", r)
			}
		}
	})
}
