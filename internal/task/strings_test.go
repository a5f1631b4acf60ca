package task

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
)

// testNotation has two ways to write a string: as it is, and backwards in a column of its own.
func testNotation() Notation {
	n := Verbatim("x", "expression")
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

var testScores = ScoreColumn{Known: []string{"score", "med2"}}

func TestReadStrings(t *testing.T) {
	scored := func(line int, x string, y float64) Row { return Row{Line: line, Text: x, Score: y, Scored: true} }
	bare := func(line int, x string) Row { return Row{Line: line, Text: x} }
	tests := []struct {
		name    string
		text    string
		isTable bool
		want    []Row
	}{
		{"lines", "x\nx+1\n", false, []Row{bare(1, "x"), bare(2, "x+1")}},
		{"blank lines, blanks, CRLF, no last newline", "\r\n x \r\n\nx+1", false, []Row{bare(2, "x"), bare(4, "x+1")}},
		{"a byte-order mark", "\ufeffx\n", false, []Row{bare(1, "x")}},
		{"FASTA", ">a first\nKLK\nKK\n\n;a comment\n>b\nMK*\n>empty\n", false, []Row{bare(1, "KLKKK"), bare(6, "MK*")}},
		{"FASTA that begins with an empty record", ">a\n>b\nACDEFG\n>c\nACDEFH\n", false, []Row{bare(2, "ACDEFG"), bare(4, "ACDEFH")}},
		{"strings with >", ">a\n>b\n", false, []Row{bare(1, ">a"), bare(2, ">b")}},
		{"CSV with other columns", "id,x,score\n7,x,1.5\n8,x+1,-2e3\n", true, []Row{scored(2, "x", 1.5), scored(3, "x+1", -2e3)}},
		{"TSV, with commas in cells", "x\tscore\nf(a,b)\t1\n\"a\tb\"\t2\n", true, []Row{scored(2, "f(a,b)", 1), scored(3, "a\tb", 2)}},
		{"semicolons", "id;x;score\n1,2;a;3\n", true, []Row{scored(2, "a", 3)}},
		{"decimal commas with semicolons", "x;score\na;1,5\nb;-2\nc;0,25e1\n", true, []Row{scored(2, "a", 1.5), scored(3, "b", -2), scored(4, "c", 2.5)}},
		{"decimal commas with tabs", "x\tscore\na\t1,5\n", true, []Row{scored(2, "a", 1.5)}},
		{"three digits after decimal commas", "x\tscore\na\t1,234\nb\t-12,5\n", true, []Row{scored(2, "a", 1.234), scored(3, "b", -12.5)}},
		{"three digits after a 0 and a decimal comma", "x;score\na;0,234\nb;-12,345\n", true, []Row{scored(2, "a", 0.234), scored(3, "b", -12.345)}},
		{"CSV without scores", "x\na\n", true, []Row{bare(2, "a")}},
		{"an empty score", "x,score\na, \n", true, []Row{bare(2, "a")}},
		{"failed rows", "x,score\na,NaN\nb,+Inf\nc,1\n", true, []Row{scored(4, "c", 1)}},
		{"the task's own names", "expression,med2\na,1\n", true, []Row{scored(2, "a", 1)}},
		{"score before the task's name", "x,med2,score\na,1,2\n", true, []Row{scored(2, "a", 2)}},
		{"quoted lines", "x,score\n\"a\nb\",1\nc,2\n", true, []Row{scored(2, "a\nb", 1), scored(4, "c", 2)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for form, in := range map[string]string{"plain": test.text, "gzip": zip(t, test.text)} {
				list, err := readStrings(strings.NewReader(in), test.isTable, testNotation(), testScores)
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if !reflect.DeepEqual(list.Rows, test.want) {
					t.Errorf("%s: %+v, want %+v", form, list.Rows, test.want)
				}
			}
		})
	}
}

func TestReadStringsErrors(t *testing.T) {
	tests := []struct {
		name    string
		text    string
		isTable bool
		want    string
	}{
		{"empty", "", false, "it contains no strings"},
		{"blank", "\n \n", false, "it contains no strings"},
		{"empty CSV", "", true, "the file is empty"},
		{"only a header", "x,score\n", true, "it contains no strings"},
		{"no column of strings", "smiles,score\nC,1\n", true, "no column is named x or expression or backwards; it has smiles, score"},
		{"no table", strings.Repeat("x", 1<<21) + "\n", true, strings.Repeat("x", 199) + "…: rename"},
		{"a decimal comma between commas", "x,score\na,\"1,5\"\n", true, `line 2: score "1,5" is not a number`},
		{"a comma before decimals or between thousands", "x;score\na;12\nb; -1,234\nc;5,678\n", true, `line 3: score " -1,234" may be -1.234 or -1234; write it in one of these ways`},
		{"commas between thousands", "x;score\na;1,234,567\n", true, `line 2: score "1,234,567" is not a number`},
		{"a comma between thousands", "x;score\na;1,234.5\n", true, `line 2: score "1,234.5" is not a number`},
		{"points between thousands", "x;score\na;1.234,5\n", true, `line 2: score "1.234,5" is not a number`},
		{"both marks", "x\tscore\na\t999.5\nb\t7\nc\t1,234\n", true, `line 4: score "1,234", and numbers above have a "." before decimals; write all with the same`},
		{"a word for a score", "x,score\n\na,good\n", true, `line 3: score "good" is not a number`},
		{"too few fields", "x,score\na,1\nb\n", true, "line 3: wrong number of fields"},
		{"an open quote", "x\n\"a\n", true, "line 2"},
		{"truncated gzip", zip(t, strings.Repeat("x+1\n", 100))[:20], false, "unexpected EOF"},
		{"no gzip after its first bytes", "\x1f\x8bx", false, "gzip"},
		{"an endless line", strings.Repeat("x", 1<<21), false, "line 1 is longer"},
	}
	for _, test := range tests {
		_, err := readStrings(strings.NewReader(test.text), test.isTable, testNotation(), testScores)
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
		n := Verbatim("x")
		n.named = test.named
		list, err := readStrings(strings.NewReader(test.line), false, n, ScoreColumn{})
		if err != nil || len(list.Rows) != 1 || list.Rows[0].Text != test.want {
			t.Errorf("%s: %+v and error %v, want %s", test.name, list.Rows, err, test.want)
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
		list.Source = "file"
		x, err := list.Read(list.Rows[0], m)
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
	f.Fuzz(func(t *testing.T, text []byte, isTable bool) {
		list, err := readStrings(bytes.NewReader(text), isTable, testNotation(), testScores)
		if (err == nil) != (len(list.Rows) > 0) {
			t.Fatalf("%d rows and error %v", len(list.Rows), err)
		}
		for _, r := range list.Rows {
			if strings.TrimSpace(r.Text) == "" || r.Line < 1 {
				t.Errorf("row %+v", r)
			}
		}
	})
}

// A last line that a crash has cut off is skipped, and the note says so; a whole one without a newline is read.
func TestReadTornLine(t *testing.T) {
	for _, test := range []struct {
		name, text string
		rows       int
		note       bool
	}{
		{"fields are missing", "x,score,kind\na,1,initial\nb,2,initial\nc,3", 2, true},
		{"a quote is open", "x,score,reason\na,1,\nb,2,\"no sc", 1, true},
		{"whole", "x,score\na,1\nb,2", 2, false},
	} {
		l, err := readStrings(strings.NewReader(test.text), true, testNotation(), testScores)
		if err != nil || len(l.Rows) != test.rows || (l.Note != "") != test.note {
			t.Errorf("%s: %d rows, note %q, error %v; want %d rows, note %t", test.name, len(l.Rows), l.Note, err, test.rows, test.note)
		}
	}
}

// Numbers in a column of another name may be scores that are not to be paid for again: the user has to say.
func TestReadScoreColumn(t *testing.T) {
	const unknown = "x,pIC50\na,7.5\nb,6\nc,\n"
	for _, test := range []struct {
		name, text, column string
		scored             int
		err                string
	}{
		{"unknown", unknown, "", 0, "column pIC50 looks like a score, and none is named score or med2: give --score pIC50 to read it, or --score none"},
		{"unknown, with decimal commas", "x;pIC50\na;7,5\nb;6,25\n", "", 0, "column pIC50 looks like a score, and none is named score or med2: give --score pIC50 to read it, or --score none"},
		{"chosen", unknown, "pic50", 2, ""},
		{"left out", unknown, NoScores, 0, ""},
		{"beside a known one", "x,pIC50,score\na,7,1\n", "", 1, ""},
		{"no such column", unknown, "pKi", 0, "--score pKi: there is no such column; it has x, pIC50"},
		{"words, row numbers and an unnamed column", ",x,name,id\n0.5,a,p,7\n0.25,b,q,8\n", "", 0, ""},
		{"the strings in another form", "x,backwards\n1,1\n2,2\n4,4\n", "", 0, ""},
	} {
		l, err := readStrings(strings.NewReader(test.text), true, testNotation(), ScoreColumn{Name: test.column, Known: testScores.Known})
		scored := 0
		for _, r := range l.Rows {
			if r.Scored {
				scored++
			}
		}
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) || scored != test.scored {
			t.Errorf("%s: %d scores and error %v, want %d and %q", test.name, scored, err, test.scored, test.err)
		}
	}
}

// Further outcomes are read beside the scores, from columns of exactly their names.
func TestReadOutcomes(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name, text string
		want       [][]float64
		err        string
	}{
		{"beside scores", "x,score,logP,size\na,1,2.5,3\nb,2,-1,4\n", [][]float64{{3, 2.5}, {4, -1}}, ""},
		{"some are missing", "x,score,logP\na,1,\nb,2,NaN\nc,3,1e300\nd,,2\n", [][]float64{{nan, nan}, {nan, nan}, {nan, nan}, {nan, 2}}, ""},
		{"another name", "x,score,logp\na,1,2\n", [][]float64{{nan, nan}}, ""},
		{"no scores", "x,logP\na,2.5\nb,3\n", [][]float64{{nan, 2.5}, {nan, 3}}, ""},
		{"a word", "x,score,logP\na,1,2\nb,2,high\n", nil, `line 3: logP "high" is not a number`},
	} {
		l, err := readStrings(strings.NewReader(test.text), true, testNotation(), ScoreColumn{Known: testScores.Known, Others: []string{"size", "logP"}})
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.err)
		}
		same := func(r Row, want []float64) bool {
			return slices.EqualFunc(r.Others, want, func(a, b float64) bool { return a == b || a != a && b != b })
		}
		if !slices.EqualFunc(l.Rows, test.want, same) {
			t.Errorf("%s: %+v, want %v", test.name, l.Rows, test.want)
		}
	}
}
