package cfg

import (
	_ "embed"
	"math/rand/v2"
	"strings"
)

var (
	//go:embed expression.cfg
	expression string
	//go:embed training.cfg
	training string
)

// Expression returns the grammar of arithmetic expressions in x, such as 1/3+x+sin(x*x), that the
// expression task searches. Its 11 rules are numbered as in the data of Kusner et al. (2017).
func Expression() *Grammar { return mustRead(expression) }

// RandomExpressions returns n distinct expressions for a model to learn from, drawn evenly from those
// that training.cfg writes: 100,000 of 8 to 14 rules of Expression, as in the data of Kusner et al. (2017).
// 1/3+x+sin(x*x), the optimum of the expression task, is not among them.
func RandomExpressions(rng *rand.Rand, n int) ([]string, error) {
	const longest = 14 // rules of training.cfg in an expression
	language, err := mustRead(training).Language(longest)
	if err != nil {
		return nil, err
	}
	return language.Sample(rng, n)
}

// mustRead reads a grammar of this package, which a test has read before.
func mustRead(text string) *Grammar {
	g, err := Read(strings.NewReader(text))
	if err != nil {
		panic("cfg: embedded " + err.Error())
	}
	return g
}
