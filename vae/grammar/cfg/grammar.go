// Package cfg holds context-free grammars: read from a file, they turn strings into the production
// rules of their parse tree and back, and write random strings.
//
// A derivation is leftmost: of all non-terminals not yet expanded, the next rule expands the leftmost.
// Written as rule numbers it is the parse tree in pre-order, which is what a Grammar VAE models
// (Kusner, Paige & Hernández-Lobato 2017).
package cfg

import (
	"fmt"
	"slices"
	"strings"
)

// Grammar is a context-free grammar. Its productions are numbered from 0 in the order of its file, its
// non-terminals in the order of their first left-hand side. It is safe for concurrent use.
//
// A derivation of fixed length is filled up with the padding rule, whose number is Productions().
type Grammar struct {
	names       []string // of the non-terminals
	productions []production
	byLHS       [][]int // rules of each non-terminal
	automaton   automaton
}

type production struct {
	lhs     int
	symbols []symbol
	rhs     []int // the non-terminals among the symbols
}

// symbol is a non-terminal, or a terminal if text is not empty.
type symbol struct {
	nonterminal int
	text        string
}

// Productions returns the number of productions, padding excluded.
func (g *Grammar) Productions() int { return len(g.productions) }

// Nonterminals returns the number of non-terminals.
func (g *Grammar) Nonterminals() int { return len(g.names) }

// Start returns the non-terminal that derivations begin with.
func (g *Grammar) Start() int { return 0 }

// LHS returns the non-terminal that rule expands.
func (g *Grammar) LHS(rule int) int { return g.productions[rule].lhs }

// RHS returns the non-terminals that rule leaves to be expanded, from left to right. The caller must
// not change them.
func (g *Grammar) RHS(rule int) []int { return g.productions[rule].rhs }

// MaxBytes returns a number of bytes that no string of so many rules exceeds.
func (g *Grammar) MaxBytes(rules int) int {
	most := 0 // of the terminals of a rule
	for _, p := range g.productions {
		bytes := 0
		for _, s := range p.symbols {
			bytes += len(s.text)
		}
		most = max(most, bytes)
	}
	return rules * most
}

// Text returns the string that a leftmost derivation writes. Padding may follow the derivation.
//
// The error says at which position a rule does not fit, or what is left to be expanded.
func (g *Grammar) Text(rules []int) (string, error) {
	var text strings.Builder
	open := []symbol{{nonterminal: g.Start()}} // the next symbol is last
	flush := func() {                          // writes the terminals that need no rule
		for len(open) > 0 && open[len(open)-1].text != "" {
			text.WriteString(open[len(open)-1].text)
			open = open[:len(open)-1]
		}
	}
	for i, rule := range rules {
		switch {
		case rule < 0 || rule > len(g.productions):
			return "", fmt.Errorf("rule %d at position %d: the grammar has rules 0 to %d, and %d for padding", rule, i, len(g.productions)-1, len(g.productions))
		case len(open) == 0 && rule == len(g.productions):
			continue
		case len(open) == 0:
			return "", fmt.Errorf("rule %d at position %d: the derivation is already finished", rule, i)
		}
		next := open[len(open)-1].nonterminal
		if rule == len(g.productions) || g.productions[rule].lhs != next {
			return "", fmt.Errorf("rule %d at position %d: it does not expand %s, which is next", rule, i, g.names[next])
		}
		open = open[:len(open)-1]
		for _, s := range slices.Backward(g.productions[rule].symbols) {
			open = append(open, s)
		}
		flush()
	}
	if len(open) > 0 {
		return "", fmt.Errorf("unfinished after %d rules: %s is still to be expanded", len(rules), g.names[open[len(open)-1].nonterminal])
	}
	return text.String(), nil
}

// String returns the grammar in the format of Read, one production per line.
func (g *Grammar) String() string {
	var b strings.Builder
	for _, p := range g.productions {
		b.WriteString(g.line(p))
		b.WriteByte('\n')
	}
	return b.String()
}

func (g *Grammar) line(p production) string {
	words := []string{g.names[p.lhs], "->"}
	for _, s := range p.symbols {
		switch {
		case s.text == "":
			words = append(words, g.names[s.nonterminal])
		case strings.Contains(s.text, "'"):
			words = append(words, `"`+s.text+`"`)
		default:
			words = append(words, "'"+s.text+"'")
		}
	}
	return strings.Join(words, " ")
}
