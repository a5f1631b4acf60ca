package cfg

import (
	_ "embed"
	"strings"
)

//go:embed expression.cfg
var expression string

// Expression returns the grammar of arithmetic expressions in x, such as 1/3+x+sin(x*x), that the
// expression task searches. Its 11 rules are numbered as in the data of Kusner et al. (2017).
func Expression() *Grammar {
	g, err := Read(strings.NewReader(expression))
	if err != nil {
		panic("cfg: expression.cfg: " + err.Error())
	}
	return g
}
