package rawfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/rawfile"
)

func ExampleScan() {
	text := rawfile.Text{Begin: "# a plate\nid,score\na,\"1,5\"\n\nb,2\n"}
	for r := range rawfile.Scan(text, rawfile.Comma, false) {
		if r.Kind == rawfile.Data {
			fmt.Printf("%d %q\n", r.Line, r.Cells)
		}
	}
	// Output:
	// 2 ["id" "score"]
	// 3 ["a" "1,5"]
	// 5 ["b" "2"]
}

// described returns what rows are: the lines that they take, their kind unless it is Data, cells, and what else is set.
func described(r rawfile.Row) string {
	text := fmt.Sprintf("%d+%d", r.Line, r.Lines)
	if r.Kind != rawfile.Data {
		text += map[rawfile.Kind]string{rawfile.Comment: " comment", rawfile.Empty: " empty"}[r.Kind]
	}
	text += " " + strings.Join(r.Cells, "|")
	for i, quoted := range r.Quoted {
		if quoted {
			text += fmt.Sprint(" quoted ", i)
		}
	}
	if r.Trimmed {
		text += " trimmed"
	}
	if r.Cut {
		text += " cut"
	}
	return text + r.Problem
}

func TestScan(t *testing.T) {
	for _, test := range []struct {
		name string
		text string
		sep  rawfile.Separator
		hash bool
		want []string
	}{
		{"nothing", "", rawfile.Comma, false, nil},
		{"lines", " CCO ethanol\nCCN\n", rawfile.WholeLines, false, []string{"1+1 CCO ethanol trimmed", "2+1 CCN"}},
		{"blanks", "a  b\tc\n", rawfile.Blanks, false, []string{"1+1 a|b|c"}},
		{"the first blank", "CCO  an alcohol\nCCN\n", rawfile.FirstBlank, false, []string{"1+1 CCO|an alcohol", "2+1 CCN"}},
		{"a tab", "a b\t c\n", rawfile.Tab, false, []string{"1+1 a b|c"}},
		{"quotes", "\"a \"\"x\"\"\",\"b\nc\"\nd,e\n", rawfile.Comma, false, []string{`1+2 a "x"|b` + "\nc quoted 0 quoted 1", "3+1 d|e"}},
		{"blanks in and around quotes", " \" a\" ,b\n", rawfile.Comma, false, []string{"1+1 a|b quoted 0 trimmed"}},
		{"a quote that is not closed", "\"a,b\nc,d\n", rawfile.Comma, false, []string{`1+1 "a|b`, "2+1 c|d"}},
		{"a quote in a cell", "5\" pipe;1\n", rawfile.Semicolon, false, []string{`1+1 5" pipe|1`}},
		{"empty rows", "\n||\na|b\n", rawfile.Pipe, false, []string{"1+1 empty ", "2+1 empty ||", "3+1 a|b"}},
		{"comments", "# a,b\n#N/A,1\n", rawfile.Comma, false, []string{"1+1 comment a|b", "2+1 #N/A|1"}},
		{"no comments", "#1,2\n", rawfile.Comma, true, []string{"1+1 #1|2"}},
		{"the last line without an end", "a,b\nc", rawfile.Comma, false, []string{"1+1 a|b", "2+1 c cut"}},
		{"too many cells", strings.Repeat(",", rawfile.MaxColumns) + "\na,b\n", rawfile.Comma, false,
			[]string{"1+1 " + strings.Repeat("|", rawfile.MaxColumns-1) + "the row has too many cells", "2+1 a|b"}},
	} {
		var got []string
		for r := range rawfile.Scan(rawfile.Text{Begin: test.text}, test.sep, test.hash) {
			got = append(got, described(r))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSeparators(t *testing.T) {
	for sep, want := range map[rawfile.Separator]string{
		rawfile.WholeLines: "\x00", rawfile.Tab: "\ttab", rawfile.Comma: ",comma", rawfile.Semicolon: ";semicolon", rawfile.Pipe: "|pipe",
		rawfile.Blanks: " blank", rawfile.FirstBlank: " blank",
	} {
		if got := string(sep.Char()) + sep.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSDF(t *testing.T) {
	const mol = "ethanol\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
	text := rawfile.Text{Begin: mol + "> <IC50>\n>10\nnM\n\n>  <ID> (1)\na\n\n$$$$\n" + "\n" + mol[len("ethanol\n"):] + "> <pKi>\n7\n\n$$$$\n\n"}
	if !rawfile.IsSDF(text.Begin) || !rawfile.IsSDF(mol) || rawfile.IsSDF("CCO\nCCN\n") {
		t.Error("an SD file, a molblock and a list are not told apart")
	}
	columns, rows, err := rawfile.SDF(text)
	if want := []string{"molblock", "title", "IC50", "ID", "pKi"}; err != nil || !slices.Equal(columns, want) {
		t.Fatalf("columns %q, %v; want %q", columns, err, want)
	}
	var got []string
	for r := range rows(text) {
		line := fmt.Sprintf("%d+%d %v", r.Line, r.Lines, r.Kind == rawfile.Empty)
		if r.Kind == rawfile.Data {
			line += " " + strings.Join(r.Cells[1:], "|")
			if block := r.Cells[rawfile.MolblockColumn]; !strings.HasSuffix(block, "V2000\nM  END\n") {
				t.Errorf("molblock %q", block)
			}
		}
		got = append(got, line)
	}
	if want := []string{"1+13 false ethanol|>10 nM|a|", "14+9 false |||7", "23+1 true"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	for cut, want := range map[string]bool{mol: false, mol + "> <a>\n7.1\n$$$$": false, mol + "> <a>\n7.": true, mol + "> <a>\n7.1\n\n": false, mol + "> <a>\r\n7.1\r\n\r\n": false, mol + "$$$$\n" + mol: true} {
		problem := ""
		for r := range rows(rawfile.Text{Begin: cut}) {
			problem = r.Problem
		}
		if strings.HasPrefix(problem, "the last record has no end") != want {
			t.Errorf("%q: problem %q", cut, problem)
		}
	}
	var many strings.Builder
	for i := range rawfile.MaxColumns {
		fmt.Fprintf(&many, "> <%d>\n1\n\n", i)
	}
	if _, _, err := rawfile.SDF(rawfile.Text{Begin: mol + many.String() + "$$$$\n"}); err == nil {
		t.Error("too many properties are accepted")
	}
}

func TestFASTA(t *testing.T) {
	for text, want := range map[string]bool{">a\nMKT\n": true, "; by me\n\n>a\n>b\nMK-T*\n": true, ">a\nH[Aib]EGTF\n": true, ">5 x\n3.2 y\n": false, "MKT\n": false, ">a\n": false} {
		if got := rawfile.IsFASTA(text); got != want {
			t.Errorf("%q is FASTA: %t", text, got)
		}
	}
	text := rawfile.Text{Begin: "; by me\n>a kd=1.2 round=x a clone\nMK T\n;no letters\nAY\n>b|kd=n.d. round=y OX=1\n\nMKV\n"}
	columns, rows := rawfile.FASTA(text)
	if want := []string{"id", "description", "sequence", "kd"}; !slices.Equal(columns, want) {
		t.Errorf("columns %q, want %q", columns, want)
	}
	var got []string
	for r := range rows(text) {
		got = append(got, described(r))
	}
	if want := []string{"1+1 comment ", "2+4 a|round=x a clone|MKTAY|1.2", "6+3 b|round=y OX=1|MKV|n.d."}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}
