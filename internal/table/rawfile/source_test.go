package rawfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/invbo/invbo/internal/table/rawfile"
)

// Text in an encoding that its bytes do not tell is refused, unless the encoding is given; Western European text is read.
func TestEncodings(t *testing.T) {
	for _, test := range []struct {
		encoding, name, score string
		told                  string // by the bytes: the encoding that they are read in
	}{
		{"windows-1252", "Größe süß", "Aktivität (µM)", "Windows-1252"},
		{"windows-1252", "témoin n° 3", "activité ± 5 °C", "Windows-1252"},
		{"windows-1251", "образец", "активность", ""},
		{"gbk", "化合物", "活性", ""},
		{"shift_jis", "化合物", "活性", ""},
		{"shift_jis", "サンプル", "pIC50 ノ", ""},
		{"windows-1252", "———", "pIC50 «…» “µ” ƒ", "Windows-1252"},
		{"windows-1252", "œuvre «x»", "pIC50 Ž š", "Windows-1252"},
		{"euc-kr", "화합물", "활성", ""},
		{"iso-8859-7", "ένωση", "δραστικότητα", ""},
		{"utf-8", "化合物", "活性", "UTF-8"},
		{"utf-16le", "化合物", "活性", "UTF-16"},
	} {
		e, err := htmlindex.Get(test.encoding)
		if err != nil {
			t.Fatal(err)
		}
		text := "id,SMILES," + test.score + "\n" + test.name + ",CCO,1\n"
		content, err := e.NewEncoder().String("\ufeff" + text)
		if err != nil {
			content, err = e.NewEncoder().String(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, given := range []string{"", test.encoding} {
			f, err := rawfile.Open(strings.NewReader(content), given)
			switch {
			case given == "" && test.told == "":
				if !errors.Is(err, rawfile.ErrEncoding) {
					t.Errorf("%s: %v, want ErrEncoding", test.encoding, err)
				}
			case err != nil:
				t.Errorf("%s, given as %q: %v", test.encoding, given, err)
			case f.Text.Begin != text || given == "" && f.Encoding != test.told:
				t.Errorf("%s, given as %q: %q in %s, want %q in %s", test.encoding, given, f.Text.Begin, f.Encoding, text, test.told)
			}
		}
	}
	if _, err := rawfile.Open(strings.NewReader("\ufffd\n"), "utf-8"); err != nil {
		t.Errorf("a replacement character in UTF-8: %v", err)
	}
	for _, test := range []struct{ encoding, words string }{{"utf-8", "the text has bytes that this encoding has not"}, {"gkb", "no such encoding is known"}} {
		_, err := rawfile.Open(strings.NewReader("id,SMILES,\xbb\xee\xd0\xd4\na,CCO,1\n"), test.encoding)
		if err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v, want %q", test.encoding, err, test.words)
		}
	}
}

// packed returns a text packed by gzip.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpen(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{ // want: gzip, workbook and text, or part of the error
		{"nothing", "", `false false ""`},
		{"line ends of Windows", "a\r\nb", `false false "a\nb"`},
		{"line ends of old Macs", "a\rb\r", `false false "a\nb\n"`},
		{"gzip", packed(t, "a\n"), `true false "a\n"`},
		{"gzip in gzip", packed(t, packed(t, "a\n")), "packed by gzip twice"},
		{"half of a gzip", packed(t, strings.Repeat("abcdef", 99))[:30], "gzip: unexpected EOF"},
		{"a zip file", "PK\x03\x04", `false true ""`},
		{"binary", "a\x00b\n", "neither text nor a workbook"},
		{"an old workbook", "\xd0\xcf\x11\xe0", "save it as .xlsx"},
		{"a PDF", "%PDF-1.7\n", "give the table as CSV"},
		{"a PDB file", "HEADER    HYDROLASE\n", "write it as SDF"},
	} {
		f, err := rawfile.Open(strings.NewReader(test.content), "")
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%t %t %q", f.Gzip, f.Workbook, f.Text.Begin)
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A large file is read row by row, each in one piece, and an error in its rest is met after the rows before it.
func TestOpenLarge(t *testing.T) {
	const block = 4 << 20
	cells := strings.Repeat("x", 9000)
	var b strings.Builder
	lines := 0
	for ; b.Len() < 2*block; lines++ {
		fmt.Fprintf(&b, "%d,\"%s\n%[2]s\"\n", lines, cells)
	}
	for _, end := range []string{"", "a\x00b\n"} {
		f, err := rawfile.OpenLarge(strings.NewReader(b.String()+end), "")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(f.Text.Begin); n > block || !strings.HasSuffix(f.Text.Begin, "\n") {
			t.Errorf("%d bytes are in memory, want whole lines of at most %d", n, block)
		}
		n := 0
		for r := range rawfile.Scan(f.Text, rawfile.Comma, false) {
			if end == "" && (r.Line != 2*n+1 || r.Lines != 2 || len(r.Cells) != 2 || r.Cells[0] != fmt.Sprint(n) || r.Cells[1] != cells+"\n"+cells) {
				t.Fatalf("row %d is in line %d and has %d cells", n, r.Line, len(r.Cells))
			}
			n++
		}
		switch err := f.Text.Err(); {
		case end == "" && (err != nil || n != lines):
			t.Errorf("%d of %d rows, %v", n, lines, err)
		case end != "" && (err == nil || n < lines/3 || n > lines):
			t.Errorf("binary in the rest: %d of %d rows, %v", n, lines, err)
		}
	}
}
