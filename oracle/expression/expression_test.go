package expression_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/oracle/oracletest"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"pgregory.net/rapid"
)

func newOracle(t testing.TB) *expression.Oracle {
	t.Helper()
	o, err := expression.New(expression.Target)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The scores of numpy, see golden/README.md: column 2 is the score, column 5 its change if every sin and exp changes by
// one unit in the last place.
func TestScoreGolden(t *testing.T) {
	rows := shared.Rows(t, "golden/expressions.csv.gz")
	o := newOracle(t)
	for _, row := range rows[1:] {
		want, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		sensitivity, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			t.Fatal(err)
		}
		got, err := oracle.One(t.Context(), o, row[0])
		if bound := 1e-9 + 10*sensitivity; err != nil || !(math.Abs(got.Score-want) <= bound) {
			t.Errorf("Score(%s) = %+v, %v, want %g ± %g", row[0], got, err, want, bound)
		}
	}
}

// A few rows of the golden file, in case it is absent, and cases that it lacks.
func TestScore(t *testing.T) {
	tests := []struct {
		expr string
		want float64
	}{
		{expression.Target, 0},
		{"(x+1/3)+sin(x*x)", 0},
		{"x", 0.48756139021771566},
		{"1/(1/3)", 3.7300513126978783},
		{"2*3/2*x", 4.9069667345756631},
		{"exp(exp(x))/exp(exp(x))", expression.Worst}, // NaN
		{"exp(exp(exp(3)))", expression.Worst},        // infinite
		{"1/(1/exp(exp(exp(3))))", expression.Worst},  // 1/0
	}
	o := newOracle(t)
	for _, test := range tests {
		got, err := oracle.One(t.Context(), o, test.expr)
		if err != nil || got.Reason != "" || !(math.Abs(got.Score-test.want) <= 1e-12) {
			t.Errorf("Score(%s) = %+v, %v, want %g", test.expr, got, err, test.want)
		}
	}
}

func TestScoreOfNoExpression(t *testing.T) {
	tests := []struct{ x, want string }{
		{"", "byte 0: end of expression, expected x, a number, ( or a function"},
		{"x-1", `byte 1: "-", expected an operator or )`},
		{"12", `byte 1: "2", expected an operator or )`},
		{"4", `byte 0: "4", expected x, a number`},
		{"1 + x", `byte 1: " ", expected an operator`},
		{"sin x", `byte 0: "s", expected x, a number`},
		{"sin(π)", `byte 4: "π", expected x, a number`},
		{"x+", "byte 2: end of expression, expected x, a number"},
		{"x)", "byte 1: unmatched )"},
		{"exp(x+(1)", "byte 9: end of expression, expected )"},
		{"()", `byte 1: ")", expected x, a number`},
	}
	o := newOracle(t)
	for _, test := range tests {
		got, err := oracle.One(t.Context(), o, test.x)
		if err != nil || !math.IsNaN(got.Score) || !strings.Contains(got.Reason, test.want) {
			t.Errorf("Score(%q) = %+v, %v, want NaN because %s", test.x, got, err, test.want)
		}
	}
	if _, err := expression.New("x+"); err == nil || !strings.Contains(err.Error(), "target x+: byte 2") {
		t.Errorf("New(x+): error %v", err)
	}
}

func TestOracle(t *testing.T) {
	oracletest.Run(t, newOracle(t), []string{"x", "sin(x)", expression.Target}, []string{"", "x+"})
}

// Compares with the same formulas in Go, which has Python's precedence.
func TestEval(t *testing.T) {
	tests := []struct {
		expr string
		want func(x float64) float64
	}{
		{"1+2*x/3", func(x float64) float64 { return 1 + 2*x/3 }},
		{"3/2/x+1", func(x float64) float64 { return 3.0/2/x + 1 }},
		{"1+2+x*(3+x)*2", func(x float64) float64 { return 3 + x*(3+x)*2 }},
		{"exp(sin(x)/2)+((x))", func(x float64) float64 { return math.Exp(math.Sin(x)/2) + x }},
	}
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = float64(i) - 50.5
	}
	for _, test := range tests {
		ys, err := expression.Eval(test.expr, xs)
		if err != nil || len(ys) != len(xs) {
			t.Errorf("Eval(%s): %d values, %v, want %d", test.expr, len(ys), err, len(xs))
			continue
		}
		for i, x := range xs {
			if want := test.want(x); !(math.Abs(ys[i]-want) <= 1e-15*(1+math.Abs(want))) {
				t.Errorf("%s at %g: %g, want %g", test.expr, x, ys[i], want)
			}
		}
	}
}

// Deep nesting needs neither stack nor much memory.
func TestEvalDeep(t *testing.T) {
	const n = 1_000_000
	ys, err := expression.Eval(strings.Repeat("(", n)+"x"+strings.Repeat(")", n), []float64{2})
	if err != nil || ys[0] != 2 {
		t.Errorf("%g, %v, want 2", ys, err)
	}
}

// A string can be evaluated if and only if the grammar generates it.
func TestEvalIsTheGrammar(t *testing.T) {
	g := cfg.Expression()
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "1", "3", "+", "*", "/", "(", ")", "sin(", "exp("}), 1, 9).Draw(t, "tokens")
		expr := strings.Join(tokens, "")
		_, parse := g.Parse(expr)
		_, eval := expression.Eval(expr, nil)
		if (parse == nil) != (eval == nil) {
			t.Errorf("%s: grammar %v, Eval %v", expr, parse, eval)
		}
	})
}

func FuzzEval(f *testing.F) {
	f.Add("1/3+x+sin(x*x)")
	f.Add("exp((1)/2)*")
	g := cfg.Expression()
	f.Fuzz(func(t *testing.T, expr string) {
		if len(expr) > 200 {
			return
		}
		_, parse := g.Parse(expr)
		ys, eval := expression.Eval(expr, []float64{-1, 0, 1})
		if (parse == nil) != (eval == nil) {
			t.Errorf("%q: grammar %v, Eval %v, %v", expr, parse, ys, eval)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	o := newOracle(b)
	exprs, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 2)), 100)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := oracle.One(b.Context(), o, exprs[i%100]); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleOracle() {
	o, err := expression.New(expression.Target)
	if err != nil {
		panic(err)
	}
	results, err := o.Score(context.Background(), []string{"x/1+sin(3)+sin(x*x)", "exp(x)", "x+"})
	if err != nil {
		panic(err)
	}
	for _, r := range results {
		fmt.Printf("%.3f %q\n", r.Score, r.Reason)
	}
	// Output:
	// 0.036 ""
	// 5.888 ""
	// NaN "not an expression: byte 2: end of expression, expected x, a number, ( or a function"
}
