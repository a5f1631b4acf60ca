// Package expression scores arithmetic expressions of one variable by their distance to a target expression: the task
// of Kusner, Paige & Hernández-Lobato 2017, §4.1.
package expression

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/invbo/invbo/oracle"
)

// Target is the target of the literature.
const Target = "1/3+x+sin(x*x)"

// Expressions are compared at 1000 points, evenly spaced from Lower to Upper.
const (
	Lower, Upper = -10.0, 10.0
	points       = 1000
)

// Worst is the largest score, log(1001): of an expression that is NaN at a point, or far from the target at all points.
const Worst = 6.9087547793152204

const maxSquare = 1000 // largest contribution of a point to the sum of squares

// Oracle scores an expression against a target. Lower is better, and 0 is a perfect fit.
type Oracle struct {
	xs, target []float64
}

// New returns an Oracle for a target, such as Target.
func New(target string) (*Oracle, error) {
	o := &Oracle{xs: make([]float64, points)}
	for i := range o.xs {
		// The conversion rounds the product, as in numpy's linspace; otherwise some processors would fuse it with the sum.
		o.xs[i] = Lower + float64(float64(i)*((Upper-Lower)/(points-1)))
	}
	o.xs[points-1] = Upper
	var err error
	if o.target, err = Eval(target, o.xs); err != nil {
		return nil, fmt.Errorf("target %s: %w", target, err)
	}
	return o, nil
}

// Score returns for each string, f being the expression and t the target,
//
//	log(1 + 1/1000 Σᵢ min((f(xᵢ) − t(xᵢ))², 1000))
//
// or Worst if that is NaN. A string that is not an expression has no score.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Func(o.score).Score(ctx, x)
}

func (o *Oracle) score(x string) oracle.Result {
	ys, err := Eval(x, o.xs)
	if err != nil {
		return oracle.Result{Score: math.NaN(), Reason: "not an expression: " + err.Error()}
	}
	sum := 0.0
	for i, y := range ys {
		residual := y - o.target[i]
		sum += min(residual*residual, maxSquare) // NaN if the residual is
	}
	score := math.Log1p(sum / points)
	if math.IsNaN(score) {
		score = Worst
	}
	return oracle.Result{Score: score}
}

// Eval returns the values of an expression at xs. An expression consists of x, 1, 2, 3, +, *, /, parentheses, sin(…)
// and exp(…), without spaces. As in Python, * and / take precedence over +, operators associate to the left, and / is
// true division; 1/0 is infinite.
//
// The error gives the byte offset of the syntax error.
func Eval(expr string, xs []float64) ([]float64, error) {
	f, err := compile(expr)
	if err != nil {
		return nil, err
	}
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys, nil
}

type function func(x float64) float64

// compile is Dijkstra's shunting-yard algorithm, which needs no recursion for deep nesting.
func compile(expr string) (function, error) {
	var done []function // operands of the operators that follow them
	var open []byte     // operators whose right operand is still missing, and open parentheses: ( s e
	operand := true     // whether an operand comes next, otherwise an operator
	apply := func(op byte) {
		last := len(done) - 1
		f := done[last]
		switch op {
		case 's':
			done[last] = func(x float64) float64 { return math.Sin(f(x)) }
			return
		case 'e':
			done[last] = func(x float64) float64 { return math.Exp(f(x)) }
			return
		}
		done = done[:last]
		left := done[last-1]
		switch op {
		case '+':
			done[last-1] = func(x float64) float64 { return left(x) + f(x) }
		case '*':
			done[last-1] = func(x float64) float64 { return left(x) * f(x) }
		case '/':
			done[last-1] = func(x float64) float64 { return left(x) / f(x) }
		}
	}
	emit := func(least int) {
		for len(open) > 0 && rank[open[len(open)-1]] >= least {
			apply(open[len(open)-1])
			open = open[:len(open)-1]
		}
	}
	for at := 0; at < len(expr); {
		length := 1
		switch token := expr[at]; {
		case operand && token == 'x':
			done, operand = append(done, func(x float64) float64 { return x }), false
		case operand && '1' <= token && token <= '3':
			done, operand = append(done, func(float64) float64 { return float64(token - '0') }), false
		case operand && token == '(':
			open = append(open, token)
		case operand && (strings.HasPrefix(expr[at:], "sin(") || strings.HasPrefix(expr[at:], "exp(")):
			open = append(open, token)
			length = len("sin(")
		case !operand && strings.IndexByte("+*/", token) >= 0:
			emit(rank[token])
			open, operand = append(open, token), true
		case !operand && token == ')':
			emit(1)
			if len(open) == 0 {
				return nil, fmt.Errorf("byte %d: unmatched )", at)
			}
			if before := open[len(open)-1]; before != '(' {
				apply(before)
			}
			open = open[:len(open)-1]
		default:
			_, length = utf8.DecodeRuneInString(expr[at:])
			return nil, fmt.Errorf("byte %d: %q, expected %s", at, expr[at:at+length], expected(operand))
		}
		at += length
	}
	if operand {
		return nil, fmt.Errorf("byte %d: end of expression, expected %s", len(expr), expected(operand))
	}
	emit(1)
	if len(open) > 0 {
		return nil, fmt.Errorf("byte %d: end of expression, expected )", len(expr))
	}
	return done[0], nil
}

// rank is the precedence of operators; parentheses are lowest.
var rank = map[byte]int{'+': 1, '*': 2, '/': 2}

func expected(operand bool) string {
	if operand {
		return "x, a number, ( or a function"
	}
	return "an operator or )"
}
