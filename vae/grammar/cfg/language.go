package cfg

import (
	_ "embed"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// Language is the finite set of derivations of a grammar with at most a given number of rules. They are numbered,
// and each can be generated from its number.
type Language struct {
	g           *Grammar
	derivations [][]uint64 // number from a non-terminal with exactly the given number of rules: [non-terminal][rules]
	rests       [][]uint64 // ways to expand a rule from its dot on with exactly the given number of rules: [Grammar.steps][rules]
	size        uint64
}

// Language returns the language of derivations with at most maxRules rules, counted by the recursive method of
// Flajolet, Zimmermann & Van Cutsem (1994). It is an error if there are none, or more than 2⁶⁴−2.
func (g *Grammar) Language(maxRules int) (*Language, error) {
	l := &Language{g: g, derivations: make([][]uint64, len(g.names)), rests: make([][]uint64, len(g.steps))}
	for _, table := range [][][]uint64{l.derivations, l.rests} {
		for i := range table {
			table[i] = make([]uint64, maxRules+1)
		}
	}
	for length := range maxRules + 1 {
		if length > 0 {
			for _, p := range g.productions {
				l.derivations[p.lhs][length] = add(l.derivations[p.lhs][length], l.rests[p.entry][length-1])
			}
		}
		for state, next := range slices.Backward(g.steps) {
			switch {
			case next.rule >= 0:
				l.rests[state][0] = 1
			case next.text != "":
				l.rests[state][length] = l.rests[state+1][length]
			default:
				for first := range length + 1 {
					both := mul(l.derivations[next.nonterminal][first], l.rests[state+1][length-first])
					l.rests[state][length] = add(l.rests[state][length], both)
				}
			}
		}
		l.size = add(l.size, l.derivations[start][length])
	}
	switch l.size {
	case 0:
		return nil, fmt.Errorf("no derivation from %s takes at most %d rules; the shortest takes %d", g.names[start], maxRules, g.shortest()[start])
	case math.MaxUint64:
		return nil, fmt.Errorf("too many derivations of at most %d rules to count; lower the limit", maxRules)
	}
	return l, nil
}

// Sample returns n distinct strings, drawn uniformly over derivations. For most grammars, most of them are almost as
// long as allowed. It is an error if there are fewer than n strings, or if 100·n + 10⁵ draws are repeats: in an
// ambiguous grammar, strings may have very different numbers of derivations. Then it returns those that it has drawn.
func (l *Language) Sample(rng *rand.Rand, n int) ([]string, error) {
	var texts []string
	known := map[string]bool{}
	moved := map[uint64]uint64{} // sparse Fisher-Yates shuffle: the entries that are not in their own place
	place := func(i uint64) uint64 {
		if j, ok := moved[i]; ok {
			return j
		}
		return i
	}
	for i := uint64(0); len(texts) < n; i++ {
		if i == l.size {
			return texts, fmt.Errorf("%d strings requested, the language has only %d", n, len(texts))
		}
		if repeats := i - uint64(len(texts)); repeats > 100*uint64(n)+1e5 {
			return texts, fmt.Errorf("%d strings requested, %d draws gave only %d distinct ones because the grammar is ambiguous: request fewer, or use your own strings", n, i, len(texts))
		}
		j := i + rng.Uint64N(l.size-i)
		drawn := place(j)
		moved[j] = place(i)
		text, err := l.g.Text(l.derivation(drawn))
		if err != nil {
			return nil, fmt.Errorf("derivation %d: %w", drawn, err)
		}
		if !known[text] {
			known[text] = true
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// derivation returns derivation i, 0 ≤ i < size, in order of length.
func (l *Language) derivation(i uint64) []int {
	for length, count := range l.derivations[start] {
		if i < count {
			return l.expand(nil, start, length, i)
		}
		i -= count
	}
	panic("cfg: no such derivation")
}

// expand appends derivation i of those from a non-terminal with exactly length rules.
func (l *Language) expand(rules []int, nonterminal, length int, i uint64) []int {
	for _, rule := range l.g.byLHS[nonterminal] {
		state, rest := l.g.productions[rule].entry, length-1
		if ways := l.rests[state][rest]; i >= ways {
			i -= ways
			continue
		}
		rules = append(rules, rule)
		for ; l.g.steps[state].rule < 0; state++ {
			n := l.g.steps[state].nonterminal
			for first := 1; n >= 0; first++ {
				others := l.rests[state+1][rest-first]
				both := l.derivations[n][first] * others
				if i < both {
					rules = l.expand(rules, n, first, i/others)
					rest, i = rest-first, i%others
					break
				}
				i -= both
			}
		}
		break
	}
	return rules
}

// add and mul saturate: counts grow exponentially in the length, and a saturated count makes the size too large
// only if a derivation from the start can use it.
func add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return sum
}

func mul(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high > 0 {
		return math.MaxUint64
	}
	return low
}

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
