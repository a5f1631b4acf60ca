package lists_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/lists"
)

func TestFormatOf(t *testing.T) {
	for _, test := range []struct {
		name, symbols string // with blanks between these
		xs            []string
		separator     string // "": no lists
		settings      int    // 0: items may be anywhere
	}{
		{"settings", "", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}, ",", 2},
		{"settings with blanks", "", []string{"lr=0.1, opt=adam", "lr=0.1, opt=sgd", "lr=0.3, opt=adam"}, ", ", 2},
		{"words", "", []string{"conv3 pool relu", "conv5 relu pool", "conv3 conv3 relu", "pool relu conv5"}, " ", 0},
		{"lists of several lengths", "", []string{"a;b", "b;a;c", "c;a"}, ";", 0},
		{"words of an alphabet", "conv3 conv5 pool", []string{"conv3 pool", "conv5"}, " ", 0},
		{"settings of an alphabet, with a value that did not occur", "lr=0.1 lr=0.3 opt=adam opt=sgd opt=rms", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}, ",", 2},
		{"an alphabet with a symbol of no position", "a b c d e", []string{"a,b", "c,d"}, ",", 0},
		{"an alphabet that lacks one", "conv3 conv5", []string{"conv3 pool", "conv5 conv3"}, "", 0},
		{"symbols of an alphabet, without a separator", "a b", []string{"abba", "a"}, "", 0},
		{"items that do not recur", "", []string{"a fine day", "some rain", "snow at last"}, "", 0},
		{"one string without the separator", "", []string{"a,b", "b,a", "a"}, ",", 0},
		{"most strings without it", "", []string{"a,b", "b", "a"}, "", 0},
		{"parts with hyphens", "", []string{"J23100-B0034-GFP", "J23106-B0030-GFP", "J23100-B0030-RFP"}, "-", 3},
		{"steps", "", []string{"mix > heat 60 > spin", "heat 60 > mix", "spin > mix > heat 60"}, " > ", 0},
		{"blocks of polymers", "", []string{"PSt20-b-PBA50", "PBA50-b-PSt20", "PSt20-b-PSt20"}, "-b-", 0},
		{"a query", "", []string{"lr=0.1&opt=adam&bs=16", "lr=0.1&opt=sgd&bs=32", "lr=0.3&opt=adam&bs=16", "lr=0.3&opt=sgd&bs=32"}, "&", 3},
		{"a query without some", "", []string{"lr=0.1&opt=adam", "opt=sgd&bs=32", "lr=0.1&bs=32&opt=sgd", "opt=adam"}, "&", 0},
		{"settings of a path", "", []string{"lr=0.1/opt=adam/bs=16", "lr=0.1/opt=sgd/bs=32", "lr=0.3/opt=adam/bs=16", "lr=0.3/opt=sgd/bs=32"}, "/", 3},
		{"equations", "", []string{"x=y&y=z", "y=z&x=y", "x=z&x=y"}, "", 0},
		{"dienes", "", []string{"C=C/C=C", "C=N/C=C", "N=C/C=C", "C=C/N=C"}, "", 0},
		{"underscores before hyphens", "", []string{"T25_HEPES-KOH", "T30_HEPES-KOH", "T25_Tris-HCl"}, "_", 2},
		{"JSON", "", []string{`{"T": 25, "pH": 7}`, `{"T": 30, "pH": 7}`, `{"T": 25, "pH": 8}`}, ", ", 2},
		{"brackets", "", []string{"[fU][mC]", "[mU][mC]", "[mU][fC]"}, "][", 2},
		{"expressions", "", []string{"x+2*x", "x-2*x", "2*x+x"}, "", 0},
		{"a function", "", []string{"f(a,b)", "f(b,a)", "f(a,a)"}, ",", 0},
		{"functions", "", []string{"f(a,g(b,a))", "f(b,g(a,a))", "f(a,g(a,b))"}, "", 0},
		{"nested", "", []string{"LNP(lipidA(60), DOPE)", "LNP(lipidB(60), DOPE)", "LNP(lipidB(60), DSPC)"}, ", ", 2},
		{"HELM", "", []string{"PEPTIDE1{A.[meA].K}$$$$", "PEPTIDE1{A.K.K}$$$$", "PEPTIDE1{[meA].A.K}$$$$"}, ".", 0},
		{"a ring", "", []string{"ring[-unit1-unit2-unit3-]", "ring[-unit3-unit1-unit2-]", "ring[-unit1-unit1-unit3-]"}, "-", 0},
		{"letters of four sites", "", []string{"V/D/G/V", "V/L/G/V", "W/D/G/*"}, "/", 0},
		{"letters of four sites with plus", "", []string{"V+D+G+V", "V+L+G+V", "W+D+G+V"}, "+", 0},
		{"letters of four sites with colons", "", []string{"V:D:G:V", "V:L:G:V", "W:D:G:V"}, ":", 0},
		{"letters of two sites", "", []string{"V · D", "L · D", "V · E", "L · E"}, " · ", 2},
		{"a stop in the first", "", []string{"V~*~*~V", "V~L~G~V", "W~D~G~V"}, "~", 0},
		{"expressions of letters", "", []string{"x+y/x", "x/x+y", "y+x/y"}, "", 0},
		{"empty items", "", []string{"a,,b", "b,,a", "a,,a"}, ",", 0},
		{"empty items of settings", "", []string{"a,,b", "c,,b", "a,d,b"}, ",", 3},
		{"empty items of varying numbers", "", []string{"a,,b", "b,a", "a,b,a,,a", "b,b"}, "", 0},
		{"two strings", "", []string{"a,b", "b,a"}, "", 0},
	} {
		inner := ""
		if test.name == "HELM" {
			inner = "."
		}
		f, ok := lists.FormatOf(test.xs, strings.Fields(test.symbols), inner)
		if ok != (test.separator != "") || ok && (f.Separator != test.separator || len(f.Settings) != test.settings) {
			t.Errorf("%s: lists %t with %q and %d settings, want %q and %d", test.name, ok, f.Separator, len(f.Settings), test.separator, test.settings)
		}
		for _, x := range test.xs {
			if ok && f.Join(f.Split(x)) != x {
				t.Errorf("%s: %q is joined as %q", test.name, x, f.Join(f.Split(x)))
			}
		}
	}
}

// An item belongs to the position where it occurred or, with a key, to that of its key.
func TestSettings(t *testing.T) {
	f, ok := lists.FormatOf([]string{"lr=0.1,adam", "lr=0.1,sgd", "lr=0.3,adam"}, nil, "")
	if !ok || len(f.Settings) != 2 {
		t.Fatalf("lists %t, %d settings", ok, len(f.Settings))
	}
	for item, want := range map[string][2]bool{"lr=0.3": {true, false}, "lr=9": {true, false}, "sgd": {false, true}, "rms": {false, false}} {
		if got := [2]bool{f.Settings[0].Has(item), f.Settings[1].Has(item)}; got != want {
			t.Errorf("positions have %s: %t, want %t", item, got, want)
		}
	}
	if more := f.Place([]string{"lr=0.1,adam", "lr=0.1,rms"}); !more.Settings[1].Has("rms") || f.Settings[1].Has("rms") {
		t.Error("further strings do not place their items")
	}
}

func TestCodes(t *testing.T) {
	for _, test := range []struct {
		name     string
		xs       []string
		measured bool
		want     bool
	}{
		{"codes", []string{"A1B2", "A2B1", "A1B1"}, false, true},
		{"two", []string{"A1B2", "A2B1"}, false, false},
		{"several lengths", []string{"A1B2", "A2B1", "A1B"}, false, false},
		{"signs", []string{"A-B2", "A-B1", "A-B1"}, false, false},
		{"long letters, measured", []string{strings.Repeat("AB", 10), strings.Repeat("BA", 10), strings.Repeat("BB", 10)}, true, true},
		{"long letters", []string{strings.Repeat("AB", 10), strings.Repeat("BA", 10), strings.Repeat("BB", 10)}, false, false},
		{"long codes, measured", []string{strings.Repeat("A1", 10), strings.Repeat("A2", 10), strings.Repeat("B1", 10)}, true, false},
	} {
		if _, got := lists.Codes(test.xs, test.measured); got != test.want {
			t.Errorf("%s are lists of characters: %t", test.name, got)
		}
	}
}

// Rules are what lists keep though chance would break it.
func TestRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	steps := []string{"mix", "heat", "spin", "wash", "cool"}
	var free, once, ordered, keys []string
	for range 40 {
		of := slices.Clone(steps)
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		once = append(once, strings.Join(of[:3+rng.IntN(3)], " > "))
		for i := range of {
			of[i] = steps[rng.IntN(len(steps))]
		}
		free = append(free, strings.Join(of[:3+rng.IntN(3)], " > "))
		ordered = append(ordered, strings.Join(slices.DeleteFunc(slices.Clone(steps), func(string) bool { return rng.IntN(3) == 0 }), " > "))
		of = []string{"T=" + steps[rng.IntN(5)], "pH=" + steps[rng.IntN(5)], "by=" + steps[rng.IntN(5)]}
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		keys = append(keys, strings.Join(of, ", "))
	}
	for _, test := range []struct {
		name         string
		xs           []string
		once, keys   int
		ordered      bool
		kept, broken string
	}{
		{"nothing", free, 0, 0, false, "mix > mix > mix", ""},
		{"each item once", once, 5, 0, false, "wash > mix > heat", "mix > heat > mix"},
		{"an order", ordered, 5, 0, true, "mix > cool", "cool > mix"},
		{"each key once", keys, 0, 3, false, "by=mix, T=mix, pH=mix", "by=mix, T=mix, T=cool"},
	} {
		xs := slices.DeleteFunc(test.xs, func(x string) bool { return x == "" })
		f, ok := lists.FormatOf(xs, nil, "")
		if !ok {
			t.Errorf("%s: no lists", test.name)
			continue
		}
		r := f.Rules(xs)
		if r.Once != test.once && test.keys == 0 || r.KeysOnce != test.keys || r.Ordered != test.ordered {
			t.Errorf("%s: %d items and %d keys once, ordered %t", test.name, r.Once, r.KeysOnce, r.Ordered)
		}
		if i := slices.IndexFunc(append(slices.Clone(xs), test.kept), r.Broken); i >= 0 {
			t.Errorf("%s: a list that keeps the rules breaks them", test.name)
		}
		if test.broken != "" && !r.Broken(test.broken) {
			t.Errorf("%s: %s breaks no rule", test.name, test.broken)
		}
	}
}
