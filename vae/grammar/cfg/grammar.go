// Package cfg implements context-free grammars: Read reads a grammar, Parse converts strings to the production
// rules of their parse trees and Text converts back, and Language samples random strings.
//
// Derivations are leftmost: each rule expands the leftmost non-terminal. A sequence of rule numbers is the parse
// tree in pre-order, the representation of the Grammar VAE (Kusner, Paige & Hernández-Lobato 2017).
package cfg

import (
	"fmt"
	"slices"
	"strings"
)

// Grammar is a context-free grammar. Productions (rules) are numbered from 0 in the order of the file,
// non-terminals in the order of their first left-hand side. It is safe for concurrent use.
//
// Derivations of fixed length are filled up with the padding rule, whose number is Productions().
type Grammar struct {
	names       []string // of non-terminals
	productions []production
	byLHS       [][]int  // rules of each non-terminal
	steps       []symbol // of all productions, each with an end: a state of Parse is a dotted production, and the next has the dot one step further
	null        [][]int  // for each non-terminal, a derivation of the empty string or nil
}

type production struct {
	lhs     int
	symbols []symbol
	rhs     []int // non-terminals among the symbols
	entry   int32 // in steps
}

// symbol is a terminal, a non-terminal or, in steps, the end of a rule.
type symbol struct {
	text        string // of a terminal
	nonterminal int    // -1 if none
	rule        int    // at the end; -1 elsewhere
}

// Productions returns the number of productions, without padding.
func (g *Grammar) Productions() int { return len(g.productions) }

// Nonterminals returns the number of non-terminals.
func (g *Grammar) Nonterminals() int { return len(g.names) }

// Start returns the start symbol, the first non-terminal.
func (g *Grammar) Start() int { return 0 }

// LHS returns the left-hand side of rule, the non-terminal that it expands.
func (g *Grammar) LHS(rule int) int { return g.productions[rule].lhs }

// RHS returns the non-terminals on the right-hand side of rule, from left to right. The caller must not modify them.
func (g *Grammar) RHS(rule int) []int { return g.productions[rule].rhs }

// Terminals returns the terminals, each once, in their order.
func (g *Grammar) Terminals() []string {
	var all []string
	for _, p := range g.productions {
		for _, s := range p.symbols {
			if s.text != "" && !slices.Contains(all, s.text) {
				all = append(all, s.text)
			}
		}
	}
	return all
}

// MaxBytes returns an upper bound on the length, in bytes, of strings with the given number of rules.
func (g *Grammar) MaxBytes(rules int) int {
	most := 0 // bytes of terminals per rule
	for _, p := range g.productions {
		bytes := 0
		for _, s := range p.symbols {
			bytes += len(s.text)
		}
		most = max(most, bytes)
	}
	return rules * most
}

// Text returns the string of a leftmost derivation, which padding may follow. The error names the position of a
// rule that is not allowed, or the non-terminal left to expand.
func (g *Grammar) Text(rules []int) (string, error) {
	var text strings.Builder
	open := []symbol{{nonterminal: g.Start(), rule: -1}} // stack of symbols, the next on top
	flush := func() {                                    // writes terminals on top of the stack
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
			return "", fmt.Errorf("rule %d at position %d: it does not expand %s, the leftmost non-terminal", rule, i, g.names[next])
		}
		open = open[:len(open)-1]
		for _, s := range slices.Backward(g.productions[rule].symbols) {
			open = append(open, s)
		}
		flush()
	}
	if len(open) > 0 {
		return "", fmt.Errorf("incomplete after %d rules: %s is not expanded", len(rules), g.names[open[len(open)-1].nonterminal])
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
