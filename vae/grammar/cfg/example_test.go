package cfg_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/invbo/invbo/vae/grammar/cfg"
)

func ExampleGrammar_Parse() {
	g := cfg.Expression()
	rules, err := g.Parse("x+sin(2)")
	if err != nil {
		panic(err)
	}
	lines := strings.Split(g.String(), "\n")
	for _, rule := range rules {
		fmt.Printf("%2d  %s\n", rule, lines[rule])
	}
	// Output:
	//  0  S -> S '+' T
	//  3  S -> T
	//  7  T -> 'x'
	//  5  T -> 'sin(' S ')'
	//  3  S -> T
	//  9  T -> '2'
}

// The lengths of all training expressions, and how often each production occurs in them.
func ExampleRandomExpressions() {
	g := cfg.Expression()
	expressions, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 2)), 100_000)
	if err != nil {
		panic(err)
	}
	lengths := map[int]int{}
	uses := make([]int, g.Productions())
	total := 0
	for _, x := range expressions {
		rules, err := g.Parse(x)
		if err != nil {
			panic(err)
		}
		lengths[len(rules)]++
		total += len(rules)
		for _, rule := range rules {
			uses[rule]++
		}
	}
	fmt.Println("expressions by number of rules:", lengths)
	for rule, line := range strings.Split(strings.TrimSpace(g.String()), "\n") {
		fmt.Printf("%.4f  %s\n", float64(uses[rule])/float64(total), line)
	}
	// Output:
	// expressions by number of rules: map[8:624 10:3748 12:28092 14:67536]
	// 0.2045  S -> S '+' T
	// 0.0536  S -> S '*' T
	// 0.0363  S -> S '/' T
	// 0.2057  S -> T
	// 0.0435  T -> '(' S ')'
	// 0.0434  T -> 'sin(' S ')'
	// 0.0434  T -> 'exp(' S ')'
	// 0.0973  T -> 'x'
	// 0.0954  T -> '1'
	// 0.0895  T -> '2'
	// 0.0876  T -> '3'
}
