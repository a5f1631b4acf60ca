package expression

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Eval returns the values of an expression at xs. An expression is made of x, 1, 2, 3, +, *, /, brackets,
// sin(…) and exp(…), without blanks. As in Python * and / go before +, operations of one rank associate
// to the left, and / is true division; 1/0 is infinite.
//
// The error says at which byte the string is no expression.
func Eval(expr string, xs []float64) ([]float64, error) {
	p, err := compile(expr)
	if err != nil {
		return nil, err
	}
	return p.run(xs), nil
}

// program is an expression in postfix notation: x 1 2 3 push, + * / take two values, s and e (for sin and
// exp) take one.
type program []byte

// compile is Dijkstra's shunting yard, so that no nesting is too deep.
func compile(expr string) (program, error) {
	var p program
	var open []byte // operators that still miss their right side, and brackets not closed: ( s e
	operand := true // comes next; otherwise an operator
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
				return nil, fmt.Errorf("byte %d: ) closes nothing", at)
			}
			if function := open[len(open)-1]; function != '(' {
				p = append(p, function)
			}
			open = open[:len(open)-1]
		default:
			_, length = utf8.DecodeRuneInString(expr[at:])
			return nil, fmt.Errorf("byte %d: %q where %s is expected", at, expr[at:at+length], expected(operand))
		}
		at += length
	}
	if operand {
		return nil, fmt.Errorf("byte %d: the end where %s is expected", len(expr), expected(operand))
	}
	emit(rank('+'))
	if len(open) > 0 {
		return nil, fmt.Errorf("byte %d: the end where ) is expected", len(expr))
	}
	return p, nil
}

// rank says which operators go first; brackets come last.
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

// run takes xs in short blocks, so that a deep stack stays small.
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

// combine puts x op y into x.
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
