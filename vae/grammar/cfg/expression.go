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

// Expression returns the grammar of the expression task: arithmetic expressions in x, such as 1/3+x+sin(x*x).
// Its 11 rules are numbered as in the data of Kusner et al. (2017).
func Expression() *Grammar { return mustRead(expression) }

// RandomExpressions returns n distinct training expressions, drawn uniformly from the 100,000 of training.cfg,
// which have 8 to 14 rules of Expression, as in the data of Kusner et al. (2017). The optimum of the expression
// task, 1/3+x+sin(x*x), is not among them.
func RandomExpressions(rng *rand.Rand, n int) ([]string, error) {
	const longest = 14 // maximum number of rules of training.cfg
	language, err := mustRead(training).Language(longest)
	if err != nil {
		return nil, err
	}
	return language.Sample(rng, n)
}

// mustRead reads an embedded grammar.
func mustRead(text string) *Grammar {
	g, err := Read(strings.NewReader(text))
	if err != nil {
		panic("cfg: embedded " + err.Error())
	}
	return g
}
