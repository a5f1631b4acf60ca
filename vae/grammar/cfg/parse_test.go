package cfg_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"pgregory.net/rapid"
)

// golden returns the expressions of golden/expressions.csv.gz (see the README there) and their rules. After the first
// 30, they are random lines of the data of Kusner et al.
func golden(t *testing.T) (expressions []string, rules [][]int) {
	t.Helper()
	rows := shared.Rows(t, "golden/expressions.csv.gz")
	for _, row := range rows[1:] {
		var derivation []int
		for field := range strings.FieldsSeq(row[1]) {
			rule, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			derivation = append(derivation, rule)
		}
		expressions, rules = append(expressions, row[0]), append(rules, derivation)
	}
	return expressions, rules
}

func TestParseGolden(t *testing.T) {
	expressions, rules := golden(t)
	g := cfg.Expression()
	for i, expression := range expressions {
		got, err := g.Parse(expression)
		if err != nil || !slices.Equal(got, rules[i]) {
			t.Errorf("Parse(%s) = %d, %v, want %d", expression, got, err, rules[i])
		}
		if text, err := g.Text(rules[i]); err != nil || text != expression {
			t.Errorf("Text(%d) = %s, %v, want %s", rules[i], text, err, expression)
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             []int
	}{
		{"left recursion", "S -> S 'a' | 'a'", "aaa", []int{0, 0, 1}},
		{"right recursion", "S -> 'a' S | 'a'", "aaa", []int{0, 0, 1}},
		{"the longer terminal is needed", "S -> A 'b' | A 'c'\nA -> 'a' | 'ab'", "abb", []int{0, 3}},
		{"the shorter terminal is needed", "S -> A 'b' | A 'c'\nA -> 'a' | 'ab'", "ab", []int{0, 2}},
		{"nothing", "S ->", "", []int{0}},
		{"nothing, from two", "S -> A A\nA ->", "", []int{0, 1, 1}},
		{"nothing before and behind", "S -> A B A\nA -> | 'a'\nB -> 'b'", "ba", []int{0, 1, 3, 2}},
		{"nothing, recursively", "S -> S S | 'a' |", "a", []int{1}},
		{"a cycle", "S -> S | 'a'", "a", []int{1}},
		{"ambiguous", "S -> S S | 'a'", "aaa", []int{0, 0, 1, 1, 1}},
		{"bytes beyond ASCII", "S -> 'π' S | 'é'", "ππé", []int{0, 0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := read(t, test.file).Parse(test.text)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("Parse(%q) = %d, %v, want %d", test.text, got, err, test.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `byte 0: found the end, expected "(" or "1" or "2" or "3" or "exp(" or "sin(" or "x"`},
		{"x+y", `byte 2: found "y", expected "(" or "1"`},
		{"xx", `byte 1: found "x", expected "*" or "+" or "/" or the end`},
		{"sin(x", `byte 5: found the end, expected ")" or "*" or "+" or "/"`},
		{"si(x)", `byte 0: found "s"`},
		{"1+é", `byte 2: found "é"`},
		{"1+\xff", `byte 2: found "\xff"`},
	}
	for _, test := range tests {
		if _, err := cfg.Expression().Parse(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%q): error %v, want one that contains %s", test.text, err, test.want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	tests := []struct {
		rules []int
		want  string
	}{
		{nil, "incomplete after 0 rules: S"},
		{[]int{0, 3, 7}, "incomplete after 3 rules: T"},
		{[]int{7}, "rule 7 at position 0: it does not expand S"},
		{[]int{11}, "rule 11 at position 0: it does not expand S"},
		{[]int{3, 7, 3}, "rule 3 at position 2: the derivation is already finished"},
		{[]int{3, 7, 11}, "rule 11 at position 2: the derivation is already finished"},
		{[]int{-1}, "rule -1 at position 0"},
		{[]int{12}, "rule 12 at position 0"},
	}
	for _, test := range tests {
		if text, err := cfg.Expression().Text(test.rules); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Text(%d) = %q, %v, want an error that contains %q", test.rules, text, err, test.want)
		}
	}
}

// grammars include unambiguous and ambiguous ones, empty productions and cycles.
var grammars = []string{
	cfg.Expression().String(),
	"S -> S S | 'a' | 'ab' | 'b' |",
	"S -> A S A | B\nA -> B | 'a' |\nB -> A | 'b'",
	"S -> '(' S ')' S |",
}

// Parse of Text gives a derivation of the same text; of an unambiguous grammar, the same derivation.
func TestTextParseText(t *testing.T) {
	for _, file := range grammars {
		g := read(t, file)
		rapid.Check(t, func(t *rapid.T) {
			var rules []int
			text, err := g.Derive(40, func(step, nonterminal int) int {
				var allowed []int
				for rule := range g.Productions() {
					if g.LHS(rule) == nonterminal {
						allowed = append(allowed, rule)
					}
				}
				rules = append(rules, allowed[rapid.IntRange(0, len(allowed)-1).Draw(t, "choice")])
				return rules[step]
			})
			if err != nil {
				return // incomplete
			}
			if again, err := g.Text(rules); err != nil || again != text {
				t.Fatalf("Text(%d) = %q, %v, want %q", rules, again, err, text)
			}
			parsed, err := g.Parse(text)
			if err != nil {
				t.Fatalf("Parse(%q): %v, though it is the text of %d", text, err, rules)
			}
			if again, err := g.Text(parsed); err != nil || again != text {
				t.Errorf("%q is parsed to %d, whose text is %q, %v", text, parsed, again, err)
			}
			if file == grammars[0] && !slices.Equal(parsed, rules) {
				t.Errorf("Parse(%q) = %d, want %d", text, parsed, rules)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(uint8(0), "x/x+exp(2)+sin(2*1)")
	f.Add(uint8(1), "abaab")
	f.Add(uint8(2), "aabaa")
	f.Add(uint8(3), "(()())()")
	var parsers []*cfg.Grammar
	for _, file := range grammars {
		g, err := cfg.Read(strings.NewReader(file))
		if err != nil {
			f.Fatal(err)
		}
		parsers = append(parsers, g)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		if len(text) > 200 { // cubic time
			return
		}
		g := parsers[int(which)%len(parsers)]
		rules, err := g.Parse(text)
		if err != nil {
			return
		}
		if again, err := g.Text(rules); err != nil || again != text {
			t.Errorf("%q is parsed to %d, whose text is %q, %v", text, rules, again, err)
		}
		if most := g.MaxBytes(len(rules)); len(text) > most {
			t.Errorf("%q has %d rules, and more than %d bytes", text, len(rules), most)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	g := cfg.Expression()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Parse("x/x+exp(2)+sin(2*1)"); err != nil {
			b.Fatal(err)
		}
	}
}
