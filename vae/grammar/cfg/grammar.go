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

// Grammar is a context-free grammar. Productions (rules) are numbered from 0 in the order of the file, non-terminals in
// the order of their first left-hand side, which is that of the start symbol. It is safe for concurrent use.
type Grammar struct {
	names       []string // of non-terminals
	productions []production
	byLHS       [][]int  // rules of each non-terminal
	steps       []symbol // of all productions, each with an end: a state of Parse is a dotted production, and the next has the dot one step further
	null        [][]int  // for each non-terminal, a derivation of the empty string or nil
}

const start = 0 // non-terminal

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

// Productions returns the number of productions.
func (g *Grammar) Productions() int { return len(g.productions) }

// Nonterminals returns the number of non-terminals.
func (g *Grammar) Nonterminals() int { return len(g.names) }

// LHS returns the left-hand side of rule, the non-terminal that it expands.
func (g *Grammar) LHS(rule int) int { return g.productions[rule].lhs }

// Terminals returns the terminals, each once, in their order.
func (g *Grammar) Terminals() []string {
	var all []string
	for _, s := range g.steps {
		if s.text != "" && !slices.Contains(all, s.text) {
			all = append(all, s.text)
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

// Text returns the string of a leftmost derivation. The error names the position of a rule that is not allowed, or the
// non-terminal left to expand.
func (g *Grammar) Text(rules []int) (string, error) {
	used := 0
	text, err := g.Derive(len(rules), func(step, _ int) int {
		used++
		return rules[step]
	})
	if err == nil && used < len(rules) {
		return "", fmt.Errorf("rule %d at position %d: the derivation is already finished", rules[used], used)
	}
	return text, err
}

// Derive returns the string of a leftmost derivation of at most so many rules. choose returns the rule for a step, which
// expands the given non-terminal.
func (g *Grammar) Derive(most int, choose func(step, nonterminal int) (rule int)) (string, error) {
	var text strings.Builder
	open := []symbol{{nonterminal: start}} // stack of symbols, the next on top
	for step := 0; len(open) > 0; {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		if next.text != "" {
			text.WriteString(next.text)
			continue
		}
		if step == most {
			return "", fmt.Errorf("incomplete after %d rules: %s is not expanded", most, g.names[next.nonterminal])
		}
		rule := choose(step, next.nonterminal)
		if rule < 0 || rule >= len(g.productions) || g.productions[rule].lhs != next.nonterminal {
			return "", fmt.Errorf("rule %d at position %d: it does not expand %s, the leftmost non-terminal", rule, step, g.names[next.nonterminal])
		}
		for _, s := range slices.Backward(g.productions[rule].symbols) {
			open = append(open, s)
		}
		step++
	}
	return text.String(), nil
}

// String returns the grammar in the format of Read, one production per line.
func (g *Grammar) String() string {
	var b strings.Builder
	for _, p := range g.productions {
		b.WriteString(g.names[p.lhs] + " ->")
		for _, s := range p.symbols {
			switch {
			case s.text == "":
				b.WriteString(" " + g.names[s.nonterminal])
			case strings.Contains(s.text, "'"):
				b.WriteString(` "` + s.text + `"`)
			default:
				b.WriteString(" '" + s.text + "'")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
