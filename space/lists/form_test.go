package lists_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/lists"
)

// conditions returns lists of a catalyst, a base, a solvent and a temperature.
func conditions(n int, separator string) (xs []string) {
	for i := range n {
		xs = append(xs, strings.Join([]string{
			[]string{"XPhos", "SPhos", "PPh3", "dppf", "RuPhos"}[i%5], []string{"Cs2CO3", "K3PO4", "Et3N", "DBU"}[i/5%4],
			[]string{"toluene", "MeCN", "DMF"}[i%3], []string{"60 C", "80 C", "100 C"}[i/2%3],
		}, separator))
	}
	return xs
}

// Whatever separates items that have blanks, it recurs equally often in all strings.
func TestSeparatorOfItemsWithBlanks(t *testing.T) {
	for _, separator := range []string{"/", "-", "_", "+", ":", "~", "||", "|", "\t", ",", ";", " / ", " | ", ", ", "; ", " > ", " -> ", "->", " + ", " - ", "::", "\n", "&", " => "} {
		f, ok := lists.FormatOf(conditions(25, separator), nil, "")
		if !ok || f.Separator != separator || f.Items != 4 {
			t.Errorf("between items with blanks %q is %q, of %d items; lists %t", separator, f.Separator, f.Items, ok)
		}
	}
	for _, xs := range [][]string{{"10 C", "20 C", "10 C", "20 C"}} {
		if f, ok := lists.FormatOf(xs, nil, ""); ok {
			t.Errorf("%q are lists between %q", xs, f.Separator)
		}
	}
	f, ok := lists.FormatOf([]string{"T25_Tris_pH 7", "T30_Tris_pH 8", "T25_HEPES_pH 8", "T30_HEPES_pH 7"}, nil, "")
	if !ok || f.Separator != "_" || f.Items != 3 {
		t.Errorf("an item with a blank is two: %q, %d items", f.Separator, f.Items)
	}
	f, ok = lists.FormatOf([]string{"1,4-dioxane, Et3N", "1,4-dioxane, DBU", "DMF, Et3N", "DMF, DBU"}, nil, "")
	if !ok || f.Separator != ", " || f.Items != 2 {
		t.Errorf("a comma without blanks separates: %q, %d items", f.Separator, f.Items)
	}
}

// buffers returns lists of a buffer, a salt and a pH, each with its amount, which vary on their own.
func buffers(n int, separator string) (xs []string) {
	for i := range n {
		xs = append(xs, strings.Join([]string{
			[]string{"Tris", "HEPES", "MES"}[i%3] + []string{" 20 mM", " 50 mM"}[i/3%2],
			[]string{"NaCl", "KCl"}[i/2%2] + []string{" 100 mM", " 150 mM", " 300 mM"}[i/5%3], []string{"pH 7", "pH 7.5", "pH 8"}[i*7%5%3],
		}, separator))
	}
	return xs
}

// Blanks are parts of items where something else separates them equally often.
func TestBlanksOfAmounts(t *testing.T) {
	for _, separator := range []string{"|", " | ", "||", ";", "; ", ",", ", ", "\t", "\n", " / ", " + ", " > ", "->", " => ", "::"} {
		f, ok := lists.FormatOf(buffers(40, separator), nil, "")
		if !ok || f.Separator != separator || f.Items != 3 {
			t.Errorf("between items with amounts %q is %q, of %d items; lists %t", separator, f.Separator, f.Items, ok)
		}
	}
}

// A comma in a number or a name of a compound is a part of it.
func TestCommasInNumbers(t *testing.T) {
	var xs []string
	for i := range 24 {
		xs = append(xs, []string{"1,4-dioxane", "1,2-DCE", "2,2-TFE"}[i%3]+" "+[]string{"Et3N", "DBU"}[i/3%2]+" "+[]string{"60", "80"}[i/2%2])
	}
	f, ok := lists.FormatOf(xs, nil, "")
	if !ok || f.Separator != " " || f.Items != 3 {
		t.Errorf("between names with commas %q is %q, of %d items", xs[0], f.Separator, f.Items)
	}
}

// Ratios stay whole.
func TestRatios(t *testing.T) {
	for _, sign := range []string{":", "/", "-"} {
		var xs []string
		for i := range 24 {
			lipids := []string{[]string{"MC3", "SM102", "ALC0315"}[i%3], []string{"DSPC", "DOPE"}[i/3%2], "chol", []string{"DMG", "ALC0159"}[i/2%2]}
			xs = append(xs, strings.Join(lipids, sign)+" "+strings.ReplaceAll([]string{"50:10:38.5:1.5", "40:10:48:2", "46:9:43:2"}[i/4%3], ":", sign))
		}
		f, ok := lists.FormatOf(xs, nil, "")
		if !ok || f.Separator != " " || f.Items != 2 {
			t.Errorf("ratios with %q are of lists between %q, of %d items; lists %t", sign, f.Separator, f.Items, ok)
		}
	}
}

// One string of another structure changes nothing of how the others are read.
func TestOddString(t *testing.T) {
	recipes := []string{"sugar+salt+yeast", "sugar+salt", "flour+egg+salt", "egg+sugar", "butter+flour+egg", "salt+yeast+flour", "egg+salt", "butter+sugar"}
	settings := []string{`{"lr": 0.1, "n": 8}`, `{"lr": 0.3, "n": 8}`, `{"lr": 0.1, "n": 4}`, `{"lr": 0.3, "n": 4}`}
	plain := []string{"lr=0.1,n=8", "lr=0.3,n=8", "lr=0.1,n=4", "lr=0.3,n=4"}
	steps := []string{"mix=5 > heat=60", "heat=60 > mix=5", "mix=10 > heat=60", "heat=80 > mix=10"}
	for _, test := range []struct {
		name       string
		xs         []string
		x, spelled string
		odd        string
	}{
		{"a blank", conditions(30, " | "), "PPh3 |Cs2CO3 | DMF | 100 C", "PPh3 | Cs2CO3 | DMF | 100 C", ""},
		{"no blanks", conditions(30, " | "), "PPh3|Cs2CO3|DMF|100 C", "PPh3 | Cs2CO3 | DMF | 100 C", ""},
		{"blanks", conditions(30, "|"), " PPh3 |  Cs2CO3|DMF | 100 C", "PPh3|Cs2CO3|DMF|100 C", ""},
		{"case", conditions(30, "|"), "pph3|CS2CO3|DMF|100 c", "pph3|CS2CO3|DMF|100 c", ""},
		{"another item", conditions(30, "|"), "DavePhos|Cs2CO3|DMF|100 C", "DavePhos|Cs2CO3|DMF|100 C", ""},
		{"an item less", conditions(30, "|"), "Cs2CO3|DMF|100 C", "", "it has 3 items, and nearly all others have 4"},
		{"a word", conditions(30, "|"), "unknown", "", "it has 1 item, and nearly all others have 4"},
		{"an item more", conditions(30, " | "), "PPh3 | Cs2CO3 | DMF | 100 C | 1 h", "", "it has 5 items, and nearly all others have 4"},
		{"an empty item", conditions(30, "|"), "PPh3||DMF|100 C", "PPh3||DMF|100 C", ""},
		{"an empty item between blanks", conditions(30, " | "), "PPh3 |  |DMF|100 C", "PPh3 |  | DMF | 100 C", ""},
		{"an empty item at the end", conditions(30, " | "), "PPh3 | DBU | DMF |", "PPh3 | DBU | DMF |", ""},
		{"numbers with a blank", []string{"3;20;0.3", "3;30;0.1", "1;20;0.1", "1;30;0.3"}, "3; 20;0.3", "3;20;0.3", ""},
		{"a recipe with blanks and a capital", recipes, "Sugar + salt + yeast", "Sugar+salt+yeast", ""},
		{"a recipe that ends in a separator", recipes, "sugar+salt+yeast+", "", "it has an empty item"},
		{"a recipe of one item", recipes, "none", "none", ""},
		{"keys in another order", settings, `{"n": 8, "lr": 0.1}`, `{"lr": 0.1, "n": 8}`, ""},
		{"blanks of JSON", settings, `{ "n":8,"lr" : 0.1 }`, `{"lr": 0.1, "n": 8}`, ""},
		{"a key twice", settings, `{"n": 8, "n": 4}`, "", "it has n twice"},
		{"a key that is missing", settings, `{"n": 8, "opt": 4}`, "", "it has no lr, which nearly all others have"},
		{"no JSON", settings, `"n": 8, "lr": 4`, "", `it is not written between "{" and "}"`},
		{"keys of plain settings", plain, "lr = 0.3, n = 8", "lr=0.3,n=8", ""},
		{"keys in another order, which may matter", plain, "n=8,lr=0.1", "", "it has its keys in another order than nearly all others"},
		{"settings whose order varies", []string{"a=1,b=2", "b=1,a=2", "a=2,b=1", "b=2,a=1"}, "b=2,a=2", "b=2,a=2", ""},
		{"steps in another order", steps, "heat=60 > mix=10", "heat=60 > mix=10", ""},
	} {
		for _, among := range []bool{false, true} { // the string is one of those that tell how lists are written
			xs := slices.Clone(test.xs)
			if among {
				xs = append(xs, test.x)
			}
			f, ok := lists.FormatOf(xs, nil, "")
			if !ok {
				t.Errorf("%s: no lists", test.name)
				continue
			}
			if odd := f.Odd(test.x); odd != test.odd {
				t.Errorf("%s: %q is odd: %q, want %q", test.name, test.x, odd, test.odd)
			}
			if spelled, _ := f.Spell(test.x); test.odd == "" && spelled != test.spelled || test.odd != "" && spelled != test.x {
				t.Errorf("%s: %q is written %q, want %q", test.name, test.x, spelled, test.spelled)
			}
			for _, x := range test.xs {
				if spelled, changed := f.Spell(x); spelled != x || changed != "" {
					t.Errorf("%s: %q is written %q: %s", test.name, x, spelled, changed)
				}
			}
		}
	}
}

// JSON with optional keys has them in one order.
func TestOptionalKeys(t *testing.T) {
	f, ok := lists.FormatOf([]string{`{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, `{"a": 1}`, `{"a": 2, "b": 2, "c": "x, y"}`, `{"c": "x, y", "b": 1}`, `{"b": 1, "a": 2}`}, nil, "")
	if !ok {
		t.Fatal("no lists")
	}
	got := fmt.Sprint(f.Split(`{"c": "x, y", "a": 1}`))
	if want := `["a": 1 "c": "x, y"]`; got != want {
		t.Errorf("items are %s, want %s", got, want)
	}
}

// Case tells items apart, however rare one is: benzene and cyclohexane, genes of two species, units.
func TestCased(t *testing.T) {
	for _, test := range []struct {
		xs   []string
		want string
	}{
		{[]string{"c1ccccc1|CCO", "c1ccccc1|CCN", "c1ccncc1|CCO", "c1ccncc1|CCN", "C1CCCCC1|CCO"}, "[c1ccccc1 (2) and C1CCCCC1 (1)]"},
		{[]string{"10 MHz|sine", "20 MHz|sine", "10 MHz|square", "20 MHz|square", "10 mHz|sine"}, "[10 MHz (2) and 10 mHz (1)]"},
		{[]string{"Co|x", "CO|x", "Co|y", "CO|y"}, "[]"},
	} {
		f, ok := lists.FormatOf(test.xs, nil, "")
		if got := fmt.Sprint(f.Cased(nil, test.xs)); !ok || got != test.want {
			t.Errorf("different in case are %s, want %s", got, test.want)
		}
		last := len(test.xs) - 1
		if got := fmt.Sprint(f.Cased(test.xs[:last], test.xs[last:])); got != test.want {
			t.Errorf("different in case from known ones are %s, want %s", got, test.want)
		}
		if got := f.Cased(test.xs, test.xs); got != nil {
			t.Errorf("known ones are different in case: %s", got)
		}
		for _, x := range test.xs {
			if spelled, _ := f.Spell(x); spelled != x {
				t.Errorf("%s is written %s", x, spelled)
			}
		}
		if f.Fold(test.xs[0]) != f.Fold(strings.ToUpper(test.xs[0])) || f.Fold(test.xs[0]) == f.Fold(test.xs[1]) && test.want != "[]" {
			t.Errorf("%s is folded to %q", test.xs[0], f.Fold(test.xs[0]))
		}
	}
}

// Sentences stay as they are, and one of a single word is one.
func TestSentences(t *testing.T) {
	xs := []string{"You are an expert. Answer briefly.", "You are an expert. Answer step by step.", "Answer step by step.", "Think step by step and answer.", "You are a teacher. Answer briefly.",
		"You are a teacher.  Think step by step and answer.", "Answer briefly.", "Think carefully and answer briefly.", "You are an expert. THINK carefully and answer.", "Answer."}
	f, ok := lists.FormatOf(xs, nil, "")
	for _, x := range xs {
		if spelled, changed := f.Spell(x); !ok || spelled != x || changed != "" || f.Odd(x) != "" {
			t.Errorf("%q is written %q; odd: %s", x, spelled, f.Odd(x))
		}
	}
	if cased := f.Cased(nil, xs); cased != nil {
		t.Errorf("words are said to differ in case: %s", cased)
	}
}

// Items may be empty where that keeps the number of items, however many are, and || is no separator beside |.
func TestEmptyItems(t *testing.T) {
	for _, test := range []struct{ separator, as string }{
		{"|", "|"}, {" | ", " | "}, {";", ";"}, {", ", ", "}, {"\t", "\t"}, {"/", "/"}, {"_", "_"},
		{" |", "|"}, // | | between others
	} {
		for _, each := range []int{3, 10} {
			xs := conditions(40, test.separator)
			for i := range xs {
				items := strings.Split(xs[i], test.separator)
				if i%each == 0 {
					items[2] = ""
				}
				if xs[i] = strings.Join(items, test.separator); test.separator == " |" {
					xs[i] = strings.ReplaceAll(xs[i], "|", "| ")
				}
			}
			f, ok := lists.FormatOf(xs, nil, "")
			if !ok || strings.TrimSpace(f.Separator) != strings.TrimSpace(test.as) || f.Items != 4 {
				t.Errorf("between items, some of them empty, %q is %q, of %d items; lists %t", test.separator, f.Separator, f.Items, ok)
				continue
			}
			for _, x := range xs {
				if spelled, _ := f.Spell(x); spelled != x || f.Odd(x) != "" {
					t.Errorf("%q is written %q; odd: %s", x, spelled, f.Odd(x))
				}
			}
		}
	}
}

// Lists with their keys in another order are different ones, which Fold finds where nearly all have the same order.
func TestOrderOfKeys(t *testing.T) {
	const one, other = "anneal=300;etch=10;dope=1", "etch=10;anneal=300;dope=1"
	xs := []string{one, "anneal=400;etch=10;dope=1", "anneal=300;etch=20;dope=1", "anneal=400;etch=20;dope=2", "anneal=300;etch=20;dope=2", other}
	f, ok := lists.FormatOf(xs, nil, "")
	if spelled, _ := f.Spell(other); !ok || spelled != other || f.Odd(other) == "" || f.Fold(other) != f.Fold(one) {
		t.Errorf("%s is written %s and folded to %q; odd: %s", other, spelled, f.Fold(other), f.Odd(other))
	}
	f, ok = lists.FormatOf(append(xs, "etch=20;anneal=300;dope=1", "etch=20;anneal=300;dope=2"), nil, "")
	if !ok || f.Odd(other) != "" || f.Fold(other) == f.Fold(one) {
		t.Errorf("where the order varies, %s is odd: %s", other, f.Odd(other))
	}
}
