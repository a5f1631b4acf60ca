package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
)

// Lines without a header are strings, whatever they contain, unless they are clearly rows of a table. Where both may
// be, the file is refused.
func TestLinesOrTable(t *testing.T) {
	const refused = "there is no header, and the "
	for _, test := range []struct{ name, content, want string }{
		{"functions", "add(x,1)\nmul(x,2)\nadd(mul(x,2),1)\nsub(x,1)\n", "add(x,1)/mul(x,2)/add(mul(x,2),1)/sub(x,1)"},
		{"functions, some of one argument", "f(a,b)\ng(a)\nf(g(b),a)\n", "f(a,b)/g(a)/f(g(b),a)"},
		{"letters in brackets", "(x)\n(y)\n(x)(y)\n", "(x)/(y)/(x)(y)"},
		{"functions with blanks", "(add x 1)\n(mul x 2)\n(sub (add x 1) 2)\n", "(add x 1)/(mul x 2)/(sub (add x 1) 2)"},
		{"configurations", "lr=0.1,opt=adam\nlr=0.1,opt=sgd\nlr=0.01,opt=adam\n", "lr=0.1,opt=adam/lr=0.1,opt=sgd/lr=0.01,opt=adam"},
		{"configurations with semicolons", "a=1;b=2\r\na=2;b=3\r\na=3;b=1", "a=1;b=2/a=2;b=3/a=3;b=1"},
		{"configurations, all numbers", "lr=0.1,wd=3\nlr=0.2,wd=4\n", "lr=0.1,wd=3/lr=0.2,wd=4"},
		{"pipes", "a|b\nb|c\nc|a\n", "a|b/b|c/c|a"},
		{"pipes and x", "x|y\ny|x\n", "x|y/y|x"},
		{"tokens", "conv3 pool relu\nconv5 relu pool\npool relu conv5\n", "conv3 pool relu/conv5 relu pool/pool relu conv5"},
		{"SQL", "SELECT a FROM t\nSELECT b FROM t\nSELECT c FROM t\n", "SELECT a FROM t/SELECT b FROM t/SELECT c FROM t"},
		{"SQL with commas", "SELECT a, b FROM t\nSELECT b, c FROM t\nSELECT c, d FROM t WHERE x IN (1,2)\n", "SELECT a, b FROM t/SELECT b, c FROM t/SELECT c, d FROM t WHERE x IN (1,2)"},
		{"JSON objects", "{\"a\":1,\"b\":2}\n{\"a\":2,\"b\":2}\n", `{"a":1,"b":2}/{"a":2,"b":2}`},
		{"JSON lists", "[\"a\",\"b\",\"c\"]\n[\"b\",\"b\",\"c\"]\n", `["a","b","c"]/["b","b","c"]`},
		{"LaTeX", "\\frac{a}{b}, c\n\\sum_{i=1,2} x\nf_{1,2}\n", `\frac{a}{b}, c/\sum_{i=1,2} x/f_{1,2}`},
		{"a mark and CRLF", "\ufefff(a,b)\r\nf(b,a)\r\n", "f(a,b)/f(b,a)"},
		{"chains", "ACDEFGHIKL;MNPQRSTVWY\nACDEFGHIKA;MNPQRSTVWY\n", "ACDEFGHIKL;MNPQRSTVWY/ACDEFGHIKA;MNPQRSTVWY"},

		{"scores", "aabb,0.5\nabab,0.7\nbbbb,n.d.\n", "aabb 0.5/abab 0.7/bbbb"},
		{"scores and names", "aabb;0,5;one\nabab;0,7;two\n", "aabb 0.5/abab 0.7"},
		{"scores of strings with pipes", "a|b,0.5\nb|c,0.7\nc|a,0.1\n", "a|b 0.5/b|c 0.7/c|a 0.1"},
		{"scores of functions after a semicolon", "f(a,b);0.5\nf(b,a);0.7\n", "f(a,b) 0.5/f(b,a) 0.7"},
		{"scores of functions in quotes", "\"f(a,b)\",0.5\n\"f(b,a)\",0.7\n", "f(a,b) 0.5/f(b,a) 0.7"},
		{"numbered", "1\taabb\n2\tabab\n3\tbbbb\n4\tabbb\n", "aabb/abab/bbbb/abbb"},
		{"sequences and names", "MKTAYIAKQRQI,one\nMKTAYIAKQRQV,two\n", "MKTAYIAKQRQI/MKTAYIAKQRQV"},
		{"sequences and names of several words", "MKTAYIAKQRQI number one\nMKTAYIAKQRQV number two\n", "MKTAYIAKQRQI/MKTAYIAKQRQV"},

		{"functions and scores", "add(x,1),0.5\nmul(x,2),0.7\nsub(x,1),0.8\n", refused + "commas"},
		{"vectors", "0.1,0.2,0.3\n0.2,0.2,0.3\n", refused + "commas"},
		{"three cells, the last a number", "pow,x,2\nadd,x,1\nmul,x,3\n", refused + "commas"},
		{"a setting before a repeated word", "0.1,adam\n0.1,sgd\n0.3,adam\n0.3,sgd\n", "0.1,adam/0.1,sgd/0.3,adam/0.3,sgd"},
		{"tabs", "conv\tpool\nrelu\tpool\npool\tconv\n", refused + "tabs"},
		{"statements", "x = 1;\ny = 2;\n", refused + "semicolons"},
		{"words and numbers", "aabb 0.5\nabab 0.7\n", refused + "blanks"},
		{"words that may be sequences", "SELECT a FROM t\nDELETE FROM t\nINSERT INTO t\n", refused + "blanks"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Sequences: table.Detect})
		if err != nil {
			if !strings.HasPrefix(test.want, refused) || !strings.HasPrefix(err.Error(), test.want) || !usage.Is(err) {
				t.Errorf("%s: error %v, want %s", test.name, err, test.want)
			}
			continue
		}
		if got := texts(tab); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		alone, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Sequences: table.Detect, Score: []string{table.NoScores}})
		if err != nil || !slices.EqualFunc(tab.Records, alone.Records, func(a, b table.Record) bool { return a.Text == b.Text }) {
			t.Errorf("%s: %v without scores, error %v", test.name, alone, err)
		}
	}
}

// texts returns the strings of a table, with their scores.
func texts(tab *table.Table) string {
	var all []string
	for i, score := range strings.Split(scores(tab), ", ") {
		text := tab.Records[i].Text
		if tab.Records[i].State == table.Measured {
			text += " " + score
		}
		all = append(all, text)
	}
	return strings.Join(all, "/")
}

// Of strings that a model or a grammar accepts the lines are taken as they are, and refused as such.
func TestLinesOfANotation(t *testing.T) {
	over := func(alphabet string) func(string) (string, string, error) {
		return func(x string) (string, string, error) {
			if strings.Trim(x, alphabet) != "" {
				return "", "", errors.New("not of the alphabet")
			}
			return x, "", nil
		}
	}
	for _, test := range []struct{ name, alphabet, content, want string }{
		{"blanks that are no part of it", "sin(x)+1*", "sin(x) + 1\nsin(x)\nx*x\n", "invalid (bad string)/sin(x)/x*x"},
		{"x before a blank", "sin(x)+1*/3ep", "1/3+x\nsin(y)\nexp(x\nx ** 2\n", "1/3+x/invalid (bad string)/exp(x/invalid (bad string)"},
		{"tokens", "convpl35reu", "conv3 pool relu\nconv5 relu pool\n", "invalid (bad string)/invalid (bad string)"},
		{"pipes", "abc", "a|b\nb|c\nc|a\n", "invalid (bad string)/invalid (bad string)/invalid (bad string)"},
		{"commas that are part of it", "fab(),", "f(a,b)\nf(b,a)\n", "f(a,b)/f(b,a)"},
		{"scores", "abc", "abc,0.5\nabb,0.7\n", "abc/abb"},
		{"scores after blanks", "x*+", "x*x 0.5\nx+x 0.7\n", "x*x/x+x"},
		{"names", "abc", "abc,One\nabb,Two\n", "abc/abb"},
	} {
		tab := read(t, test.content, table.Options{Normalize: over(test.alphabet), Score: []string{table.NoScores}})
		var got []string
		for _, r := range tab.Records {
			if r.State == table.Invalid {
				r.Text = "invalid (" + string(r.Reason.Code) + ")"
			}
			got = append(got, r.Text)
		}
		if strings.Join(got, "/") != test.want {
			t.Errorf("%s: %s, want %s", test.name, strings.Join(got, "/"), test.want)
		}
	}
}

// A file whose cells are quoted is CSV, with one column, too, and without a header.
func TestQuotedColumn(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"a header", "x\n\"lr=0.1,opt=adam\"\n\"lr=0.1,opt=sgd\"\n", "lr=0.1,opt=adam/lr=0.1,opt=sgd"},
		{"a header in quotes", "\"string\"\n\"f(a,b)\"\n\"f(b,a)\"\n", "f(a,b)/f(b,a)"},
		{"a header of any name", "config\n\"a=1,b=2\"\n\"a=2,b=2\"\n\"a=3\"\n", "a=1,b=2/a=2,b=2/a=3"},
		{"no header", "\"f(a,b)\"\n\"f(b,a)\"", "f(a,b)/f(b,a)"},
		{"semicolons", "x\n\"a;b\"\n\"b;a\"\n", "a;b/b;a"},
		{"tabs", "string\n\"a\tb\"\n\"b\ta\"\n", "a\tb/b\ta"},
		{"line breaks, quotes and CRLF", "x\r\n\"a\r\nb\"\r\n\"c \"\"d\"\" e\"\r\n\"f\"\r\n", "a\nb/c \"d\" e/f"},
		{"a mark", "\ufeffstring\n\"a,b\"\n\"b,a\"\n", "a,b/b,a"},
		{"quotes where they are needed", "string\na\nb\n\"c,d\"\ne\n", "a/b/c,d/e"},
		{"quotes inside", "a \"b\" c\n\"b\" or c\n\"c\" and \"d\"\n", `a "b" c/"b" or c/"c" and "d"`},
		{"JSON texts", "\"f(a,b)\"\n\"g(b,a)\"\n\"h\"\n", "f(a,b)/g(b,a)/h"},
	} {
		if got := texts(read(t, test.content, table.Options{})); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Strings that only blanks around them tell apart are one, which is said.
func TestBlanksAround(t *testing.T) {
	for content, want := range map[string]string{
		"ab\n ab\nba \n":            "strings that differ from another only in surrounding white space, which is ignored: 1, the first in line 2",
		"x\n\"ab\"\n\"ab \"\n\"c\"": "strings that differ from another only in surrounding white space, which is ignored: 1, the first in line 3",
		"ab\nba \nab\n":             "",
		"x, score\nab, 1\nba, 2\n":  "",
	} {
		if got := strings.Join(read(t, content, table.Options{}).Remarks, "\n"); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// A line that is left out as a comment, and may be a row that is called #9, is noted.
func TestNumberedComments(t *testing.T) {
	for _, test := range []struct{ comment, want string }{
		{"#9,MKTAC,4", "1 line is left out as a comment, the first #9 in line 3; write 9 without # if it is the name of a row"},
		{"# 9 of 10, and so on, 4 each", ""},
		{"#K2R,MKTAC,4", ""},
		{"#9", ""},
	} {
		tab := read(t, "id,sequence,activity\n8,MKTAY,3\n"+test.comment+"\n10,MKTAW,5\n", table.Options{})
		if got := strings.Join(tab.Notes, "; "); got != test.want || tab.Comments != 1 {
			t.Errorf("%s: %q and %d comments, want %q and 1", test.comment, got, tab.Comments, test.want)
		}
	}
}
