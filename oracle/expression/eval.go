package expression

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Eval returns the values of an expression at xs. An expression consists of x, 1, 2, 3, +, *, /, parentheses, sin(…) and exp(…),
// without spaces. As in Python, * and / take precedence over +, operators associate to the left, and / is true division;
// 1/0 is infinite.
//
// The error gives the byte offset of the syntax error.
func Eval(expr string, xs []float64) ([]float64, error) {
	p, err := compile(expr)
	if err != nil {
		return nil, err
	}
	return p.run(xs), nil
}

// program is an expression in postfix notation: x 1 2 3 push a value, + * / take two, s and e (for sin and exp) take one.
type program []byte

// compile is Dijkstra's shunting-yard algorithm, which needs no recursion for deep nesting.
func compile(expr string) (program, error) {
	var p program
	var open []byte // operators whose right operand is still missing, and open parentheses: ( s e
	operand := true // whether an operand comes next, otherwise an operator
	emit := func(least int) {
		for len(open) > 0 && rank(open[len(open)-1]) >= least {
			p = append(p, open[len(open)-1])
			open = open[:len(open)-1]
		}
	}
	for at := 0; at < len(expr); {
		length := 1
		switch token := expr[at]; {
		case operand && strings.IndexByte("x123", token) >= 0:
			p, operand = append(p, token), false
		case operand && token == '(':
			open = append(open, token)
		case operand && (strings.HasPrefix(expr[at:], "sin(") || strings.HasPrefix(expr[at:], "exp(")):
			open = append(open, token)
			length = len("sin(")
		case !operand && strings.IndexByte("+*/", token) >= 0:
			emit(rank(token))
			open, operand = append(open, token), true
		case !operand && token == ')':
			emit(rank('+'))
			if len(open) == 0 {
				return nil, fmt.Errorf("byte %d: unmatched )", at)
			}
			if function := open[len(open)-1]; function != '(' {
				p = append(p, function)
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
	emit(rank('+'))
	if len(open) > 0 {
		return nil, fmt.Errorf("byte %d: end of expression, expected )", len(expr))
	}
	return p, nil
}

// rank returns the precedence of an operator; parentheses are lowest.
func rank(operator byte) int {
	switch operator {
	case '*', '/':
		return 2
	case '+':
		return 1
	}
	return 0
}

func expected(operand bool) string {
	if operand {
		return "x, a number, ( or a function"
	}
	return "an operator or )"
}

// run evaluates xs in short blocks, which keeps a deep stack small.
func (p program) run(xs []float64) []float64 {
	var stack [][64]float64
	ys := make([]float64, 0, len(xs))
	for len(xs) > 0 {
		block := xs[:min(len(xs), 64)]
		xs = xs[len(block):]
		stack = stack[:0]
		for _, op := range p {
			n := len(stack)
			switch op {
			case 'x', '1', '2', '3':
				stack = append(stack, [64]float64{})
				top := &stack[n]
				copy(top[:], block)
				if op != 'x' {
					for i := range top {
						top[i] = float64(op - '0')
					}
				}
			case 's':
				apply(&stack[n-1], math.Sin)
			case 'e':
				apply(&stack[n-1], math.Exp)
			default:
				combine(op, &stack[n-2], &stack[n-1])
				stack = stack[:n-1]
			}
		}
		ys = append(ys, stack[0][:len(block)]...)
	}
	return ys
}

func apply(x *[64]float64, f func(float64) float64) {
	for i, v := range x {
		x[i] = f(v)
	}
}

// combine sets x to x op y.
func combine(op byte, x, y *[64]float64) {
	for i, v := range y {
		switch op {
		case '+':
			x[i] += v
		case '*':
			x[i] *= v
		case '/':
			x[i] /= v
		}
	}
}
