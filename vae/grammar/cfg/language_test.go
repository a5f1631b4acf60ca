package cfg_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae/grammar/cfg"
)

func TestLanguageSize(t *testing.T) {
	tests := []struct {
		name, file string
		maxRules   int
		want       int
	}{
		{"one", "S -> 'a'", 1, 1},
		{"powers of two", "S -> 'a' S | 'b' S |", 6, 1 + 2 + 4 + 8 + 16 + 32},
		{"Catalan numbers", "S -> '(' S ')' S |", 9, 1 + 1 + 2 + 5 + 14},
		{"an unused long rule", "S -> 'a' | S S S", 4, 1 + 1},
	}
	for _, test := range tests {
		l, err := read(t, test.file).Language(test.maxRules)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		texts, err := l.Sample(rand.New(rand.NewPCG(1, 2)), test.want+1)
		if want := fmt.Sprintf("the language has only %d", test.want); len(texts) != test.want || err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %d strings and %v, want %q", test.name, len(texts), err, want)
		}
	}
}

func TestLanguageErrors(t *testing.T) {
	tests := []struct {
		file     string
		maxRules int
		want     string
	}{
		{"S -> 'a' S | T\nT -> 'b'", 1, "no derivation from S takes at most 1 rules; the shortest takes 2"},
		{"S -> S S | 'a' | 'b'", 99, "too many derivations of at most 99 rules"},
	}
	for _, test := range tests {
		if _, err := read(t, test.file).Language(test.maxRules); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Language(%d) of %q: error %v, want one that contains %q", test.maxRules, test.file, err, test.want)
		}
	}
}

// Sampling the whole language gives every string once: here, balanced strings of up to 4 pairs.
func TestSampleAll(t *testing.T) {
	g := read(t, "S -> '(' S ')' S |")
	l, err := g.Language(9)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := l.Sample(rand.New(rand.NewPCG(1, 2)), 23)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(texts)
	if n := len(slices.Compact(texts)); n != 23 {
		t.Errorf("%d distinct strings, want 23", n)
	}
	if got, err := l.Sample(rand.New(rand.NewPCG(1, 2)), 24); len(got) != 23 || err == nil || !strings.Contains(err.Error(), "24 strings requested, the language has only 23") {
		t.Errorf("24 strings: error %v", err)
	}
}

// Up to 20 rules there are 6,918 derivations of 10 strings; up to 60 rules, 10¹⁵ of 30 strings, and short ones are
// never drawn.
func TestSampleAmbiguous(t *testing.T) {
	tests := []struct {
		name        string
		maxRules, n int
		want        string // of the error
	}{
		{"all", 20, 10, ""},
		{"more than exist", 20, 11, "11 strings requested, the language has only 10"},
		{"more than can be found", 60, 30, "the grammar is ambiguous"},
	}
	for _, test := range tests {
		l, err := read(t, "S -> S S | 'a'").Language(test.maxRules)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := l.Sample(rand.New(rand.NewPCG(1, 2)), test.n)
		if test.want == "" && (err != nil || len(texts) != test.n) {
			t.Errorf("%s: %d strings, %v", test.name, len(texts), err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
}

// The first draw is uniform: Pearson's statistic exceeds 16.3, the 0.999 quantile of chi-square with 3 degrees of
// freedom, for one seed in a thousand.
func TestSampleIsUniform(t *testing.T) {
	l, err := read(t, "S -> 'a' S | 'b' |").Language(2)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	counts := map[string]int{}
	const draws = 4000
	for range draws {
		texts, err := l.Sample(rng, 1)
		if err != nil {
			t.Fatal(err)
		}
		counts[texts[0]]++
	}
	chi2 := 0.0
	for _, text := range []string{"", "b", "a", "ab"} {
		chi2 += math.Pow(float64(counts[text])-draws/4, 2) / (draws / 4)
	}
	if chi2 > 16.3 {
		t.Errorf("counts %v: chi-square %.1f, want at most 16.3", counts, chi2)
	}
}

// There are as many expressions as lines in the file of Kusner et al., and they include the random lines in
// golden/expressions.csv.gz. ExampleRandomExpressions compares their lengths with those of the file in
// testdata/expression_grammar.json.
func TestRandomExpressions(t *testing.T) {
	all, err := cfg.RandomExpressions(rand.New(rand.NewPCG(5, 6)), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, expression := range all {
		known[expression] = true
	}
	if known["1/3+x+sin(x*x)"] {
		t.Error("the optimum of the expression task is among the training expressions")
	}
	if _, err := cfg.RandomExpressions(rand.New(rand.NewPCG(5, 6)), 100_001); err == nil {
		t.Error("100,001 expressions: no error")
	}
	expressions, _ := golden(t)
	for _, expression := range expressions[30:] {
		if !known[expression] {
			t.Errorf("%s of the data of Kusner et al. cannot be drawn", expression)
		}
	}
}

// A sample differs from the golden rows no more than two samples from each other: the total variation of K categories
// in n draws each is Σₖ √(pₖ/(πn)) on average.
func TestRandomExpressionsFrequencies(t *testing.T) {
	_, rows := golden(t)
	rows = rows[30:]
	texts, err := cfg.RandomExpressions(rand.New(rand.NewPCG(7, 8)), len(rows))
	if err != nil {
		t.Fatal(err)
	}
	var drawn [][]int
	for _, text := range texts {
		rules, err := cfg.Expression().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		drawn = append(drawn, rules)
	}
	for _, n := range []int{1, 2, 3} {
		got, _ := grams(drawn, n)
		want, total := grams(rows, n)
		var distance, expected float64
		for gram := range union(got, want) {
			distance += math.Abs(got[gram]-want[gram]) / 2
			expected += math.Sqrt(want[gram] / (math.Pi * total))
		}
		if distance > 1.5*expected {
			t.Errorf("total variation of the frequencies of %d-grams of rules: %.4f, want at most 1.5 × %.4f", n, distance, expected)
		}
	}
}

// grams returns the relative frequency of each n-gram of rules, and their total number.
func grams(derivations [][]int, n int) (frequency map[string]float64, total float64) {
	frequency = map[string]float64{}
	for _, rules := range derivations {
		for i := range len(rules) - n + 1 {
			frequency[fmt.Sprint(rules[i:i+n])]++
			total++
		}
	}
	for gram := range frequency {
		frequency[gram] /= total
	}
	return frequency, total
}

func union[K cmp.Ordered, V any](a, b map[K]V) map[K]bool {
	keys := map[K]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	return keys
}

func BenchmarkRandomExpressions(b *testing.B) {
	for b.Loop() {
		if _, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 2)), 40_000); err != nil {
			b.Fatal(err)
		}
	}
}
