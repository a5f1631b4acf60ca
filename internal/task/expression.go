package task

import (
	"fmt"

	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/sequence"
)

// expressionFit returns the figure of an expression and its target over the interval on which package expression
// compares them.
func expressionFit(found, target string, score float64) (report.Fit, error) {
	const n = 2000 // enough for sin(x*x), whose period at x = 10 is 0.3
	f := report.Fit{Found: report.Line{Name: found}, Target: report.Line{Name: target}, Score: score}
	for i := range n + 1 {
		f.X = append(f.X, expression.Lower+(expression.Upper-expression.Lower)*float64(i)/n)
	}
	var err error
	if f.Found.Y, err = expression.Eval(found, f.X); err != nil {
		return report.Fit{}, fmt.Errorf("expression fit: found %s: %w", found, err)
	}
	if f.Target.Y, err = expression.Eval(target, f.X); err != nil {
		return report.Fit{}, fmt.Errorf("expression fit: target %s: %w", target, err)
	}
	return f, nil
}

// expressionSpace returns the space of the built-in grammar's strings, whose tokens are its terminals, and their notation.
func expressionSpace() (Notation, func(Design) (Space, error), error) {
	g := cfg.Expression()
	a, err := sequence.NewAlphabet(g.Terminals())
	if err != nil {
		return Notation{}, nil, err
	}
	check := func(x string) error {
		_, err := g.Parse(x)
		return err
	}
	return Verbatim("x").checked(check), func(d Design) (Space, error) { return spaceOf(a, d, check) }, nil
}
