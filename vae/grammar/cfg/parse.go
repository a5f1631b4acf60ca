package cfg

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNull limits the size of Grammar.null, which can grow exponentially in the size of the grammar.
const maxNull = 1 << 16

// nulls returns Grammar.null.
func (g *Grammar) nulls() ([][]int, error) {
	null := make([][]int, len(g.names))
	rules := 0 // in null
	for changed := true; changed; {
		changed = false
		for rule, p := range g.productions {
			if null[p.lhs] != nil || len(p.symbols) > len(p.rhs) || slices.ContainsFunc(p.rhs, func(n int) bool { return null[n] == nil }) {
				continue
			}
			derivation := []int{rule}
			for _, n := range p.rhs {
				derivation = append(derivation, null[n]...)
			}
			if rules += len(derivation); rules > maxNull {
				return nil, fmt.Errorf("%s and others take more than %d rules to derive the empty string: use fewer empty alternatives", g.names[p.lhs], maxNull)
			}
			null[p.lhs], changed = derivation, true
		}
	}
	return null, nil
}

// Parse returns a leftmost derivation of s, without padding; for ambiguous grammars, always the same one.
//
// It is Earley's algorithm (Earley 1970) with the correction for empty productions of Aycock & Horspool (2002),
// for any grammar, in time linear in len(s) for most and cubic at worst. If s is not in the language, the error
// names the first wrong byte and what was expected there.
func (g *Grammar) Parse(s string) ([]int, error) {
	c := &chart{
		g:       g,
		s:       s,
		items:   make([]item, 1, 32*len(s)+32),
		first:   make([]int32, len(s)+1),
		last:    make([]int32, len(s)+1),
		waiting: make([]int32, (len(s)+1)*len(g.names)),
		seen:    make([]int32, (len(s)+1)*len(g.steps)),
	}
	c.predict(0, start)
	for at := range len(s) + 1 {
		for i := c.first[at]; i != none; i = c.items[i].next {
			c.process(at, i)
		}
	}
	for i := c.first[len(s)]; i != none; i = c.items[i].next {
		if c.whole(i) {
			rules := c.backward(nil, i)
			slices.Reverse(rules)
			return rules, nil
		}
	}
	return nil, c.error()
}

// chart holds Earley's item sets, one per byte of s and one for its end.
type chart struct {
	g           *Grammar
	s           string
	items       []item  // the first stands for none
	first, last []int32 // first and last item of each set
	waiting     []int32 // for each (set, non-terminal), the last item waiting for the non-terminal
	seen        []int32 // for each (origin, state), the last set, plus 1, to which advance added it
}

// item is an Earley item: the production of state starts at byte origin, and the part before its dot ends at the
// byte of the item's set.
type item struct {
	state, origin int32
	next          int32 // next item in the set
	wait          int32 // next item waiting for the same non-terminal
	before, child int32 // the item one symbol earlier, and that symbol: a complete item, none for text, or null
}

const (
	none = 0
	null = -1 // a non-terminal that derives the empty string
)

func (c *chart) add(at int, it item) {
	i := int32(len(c.items))
	c.items = append(c.items, it)
	if c.first[at] == none {
		c.first[at] = i
	} else {
		c.items[c.last[at]].next = i
	}
	c.last[at] = i
}

func (c *chart) predict(at, nonterminal int) {
	for _, rule := range c.g.byLHS[nonterminal] {
		c.add(at, item{state: c.g.productions[rule].entry, origin: int32(at)})
	}
}

// whole reports whether item i is a derivation from the start, from the first byte on.
func (c *chart) whole(i int32) bool {
	rule := c.g.steps[c.items[i].state].rule
	return c.items[i].origin == 0 && rule >= 0 && c.g.productions[rule].lhs == start
}

// process applies Earley's predictor, scanner or completer to item i of the set at byte at.
func (c *chart) process(at int, i int32) {
	it := c.items[i]
	switch next := c.g.steps[it.state]; {
	case next.text != "":
		// add instead of advance: no other item leads to this state and origin.
		if strings.HasPrefix(c.s[at:], next.text) {
			c.add(at+len(next.text), item{state: it.state + 1, origin: it.origin, before: i})
		}
	case next.nonterminal >= 0:
		n := next.nonterminal
		waiting := &c.waiting[at*len(c.g.names)+n]
		if *waiting == none && (at > 0 || n != start) {
			c.predict(at, n)
		}
		c.items[i].wait, *waiting = *waiting, i
		if c.g.null[n] != nil {
			c.advance(at, i, null)
		}
	case int(it.origin) < at: // complete; waiting items have already advanced over empty ones
		lhs := c.g.productions[next.rule].lhs
		for j := c.waiting[int(it.origin)*len(c.g.names)+lhs]; j != none; j = c.items[j].wait {
			c.advance(at, j, i)
		}
	}
}

// advance adds the successor of item i to the set at byte at, unless present. Only the first derivation of an item
// is kept; it consists of earlier items, so derivations are finite and unique.
func (c *chart) advance(at int, i, child int32) {
	state, origin := c.items[i].state+1, c.items[i].origin
	seen := &c.seen[int(origin)*len(c.g.steps)+int(state)]
	if *seen == int32(at)+1 {
		return
	}
	*seen = int32(at) + 1
	c.add(at, item{state: state, origin: origin, before: i, child: child})
}

// backward appends the reversed derivation of the complete item i.
func (c *chart) backward(rules []int, i int32) []int {
	rule := c.g.steps[c.items[i].state].rule
	for ; c.items[i].before != none; i = c.items[i].before {
		switch child := c.items[i].child; child {
		case none:
		case null:
			skipped := c.g.steps[c.items[i].state-1].nonterminal
			for _, rule := range slices.Backward(c.g.null[skipped]) {
				rules = append(rules, rule)
			}
		default:
			rules = c.backward(rules, child)
		}
	}
	return append(rules, rule)
}

// error returns the error of a string that is not in the language, at the last byte that an item reached.
func (c *chart) error() error {
	at := len(c.s)
	for c.first[at] == none {
		at--
	}
	var expected []string
	for i := c.first[at]; i != none; i = c.items[i].next {
		if text := c.g.steps[c.items[i].state].text; text != "" {
			expected = append(expected, fmt.Sprintf("%q", text))
		} else if c.whole(i) {
			expected = append(expected, "the end")
		}
	}
	slices.Sort(expected)
	found := "the end"
	if at < len(c.s) {
		_, size := utf8.DecodeRuneInString(c.s[at:])
		found = fmt.Sprintf("%q", c.s[at:at+size])
	}
	return fmt.Errorf("byte %d: found %s, expected %s", at, found, strings.Join(slices.Compact(expected), " or "))
}
