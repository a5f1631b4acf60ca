package table_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/rawfile"
)

// Text in an encoding that its bytes do not tell is refused, unless the encoding is given; Western European text is read.
func TestEncodings(t *testing.T) {
	for _, test := range []struct {
		encoding, name, score string
		told                  bool // by the bytes
	}{
		{"windows-1252", "Größe süß", "Aktivität (µM)", true},
		{"windows-1252", "témoin n° 3", "activité ± 5 °C", true},
		{"windows-1251", "образец", "активность", false},
		{"gbk", "化合物", "活性", false},
		{"shift_jis", "化合物", "活性", false},
		{"shift_jis", "サンプル", "pIC50 ノ", false},
		{"windows-1252", "———", "pIC50 «…» “µ” ƒ", true},
		{"windows-1252", "œuvre «x»", "pIC50 Ž š", true},
		{"euc-kr", "화합물", "활성", false},
		{"iso-8859-7", "ένωση", "δραστικότητα", false},
		{"utf-8", "化合物", "活性", true},
		{"utf-16le", "化合物", "活性", true},
	} {
		e, err := htmlindex.Get(test.encoding)
		if err != nil {
			t.Fatal(err)
		}
		content, err := e.NewEncoder().String("\ufeffid,SMILES," + test.score + "\n" + test.name + ",CCO,1\n")
		if err != nil {
			content, err = e.NewEncoder().String("id,SMILES," + test.score + "\n" + test.name + ",CCO,1\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, given := range []string{"", test.encoding} {
			tab, err := table.Read(t.Context(), strings.NewReader(content), table.Options{Score: []string{test.score}, Encoding: given})
			switch {
			case given == "" && !test.told:
				if !errors.Is(err, rawfile.ErrEncoding) {
					t.Errorf("%s: %v, want ErrEncoding", test.encoding, err)
				}
			case err != nil:
				t.Errorf("%s, given as %q: %v", test.encoding, given, err)
			case tab.Columns.Score != test.score || tab.Records[0].ID != test.name:
				t.Errorf("%s, given as %q: score %q of %q, want %q of %q", test.encoding, given, tab.Columns.Score, tab.Records[0].ID, test.score, test.name)
			}
		}
	}
	if _, err := table.Read(t.Context(), strings.NewReader("id,SMILES,pIC50\n\ufffd,CCO,1\n"), table.Options{Encoding: "utf-8"}); err != nil {
		t.Errorf("a replacement character in UTF-8: %v", err)
	}
	for _, test := range []struct{ encoding, words string }{{"utf-8", "the text has bytes that this encoding has not"}, {"gkb", "no such encoding is known"}} {
		_, err := table.Read(t.Context(), strings.NewReader("id,SMILES,\xbb\xee\xd0\xd4\na,CCO,1\n"), table.Options{Encoding: test.encoding})
		if err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v, want %q", test.encoding, err, test.words)
		}
	}
}
