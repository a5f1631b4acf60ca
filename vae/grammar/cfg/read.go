package cfg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Read reads a grammar, one production per line:
//
//	# sums of ones; the first left-hand side is the start
//	Sum -> Sum '+' One | One
//	One -> '1'
//
// Terminals are in single or double quotes, without escapes. A bar separates alternatives, each a production of its
// own; an empty alternative derives the empty string. # outside quotes starts a comment, and blank lines are skipped.
// A grammar may be ambiguous: Parse then returns one derivation of a string, not necessarily the shortest.
//
// Errors name the line. Besides wrong syntax it is an error if a non-terminal is undefined, unreachable from the
// start, or derives no string, and if a production is repeated.
func Read(r io.Reader) (*Grammar, error) {
	f := file{numbers: map[string]int{}, lines: map[string]int{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // byte-order mark
		}
		if err := f.add(n, line); err != nil {
			return nil, fmt.Errorf("grammar: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	g, err := f.grammar()
	if err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	return g, nil
}

// file is a grammar file being read. Right-hand sides may contain non-terminals that are defined later.
type file struct {
	rules   []fileRule
	names   []string       // of the left-hand sides, in order
	numbers map[string]int // index of each name
	lines   map[string]int // line of each production
}

type fileRule struct {
	line  int
	lhs   string
	words []string // non-terminals, and terminals in single quotes
}

func (f *file) add(n int, line string) error {
	words, err := split(line)
	if err != nil || len(words) == 0 {
		return err
	}
	lhs := words[0]
	switch {
	case !isName(lhs):
		return fmt.Errorf("found %s, expected the name of a non-terminal", lhs)
	case len(words) < 2 || words[1] != "->":
		return fmt.Errorf("no -> after %s", lhs)
	}
	if _, ok := f.numbers[lhs]; !ok {
		f.numbers[lhs] = len(f.names)
		f.names = append(f.names, lhs)
	}
	var rhs []string
	for _, word := range append(words[2:], "|") {
		switch word {
		case "->":
			return errors.New("more than one ->")
		case "|":
			key := lhs + " -> " + strings.Join(rhs, " ")
			if before, ok := f.lines[key]; ok {
				return fmt.Errorf("%s repeats line %d", key, before)
			}
			f.lines[key] = n
			f.rules = append(f.rules, fileRule{n, lhs, rhs})
			rhs = nil
		default:
			rhs = append(rhs, word)
		}
	}
	return nil
}

// split splits a line into names, "->", "|" and terminals in single quotes.
func split(line string) (words []string, err error) {
	for line = strings.TrimSpace(line); line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
		switch quote := line[0]; {
		case quote == '\'' || quote == '"':
			text, rest, ok := strings.Cut(line[1:], line[:1])
			switch {
			case !ok:
				return nil, fmt.Errorf("no closing quote after %s", line)
			case text == "":
				return nil, errors.New("empty terminal; leave the alternative empty instead")
			}
			words, line = append(words, "'"+text+"'"), rest
		case strings.HasPrefix(line, "->"):
			words, line = append(words, "->"), line[2:]
		case quote == '|':
			words, line = append(words, "|"), line[1:]
		default:
			end := strings.IndexFunc(line, func(r rune) bool { return !isNameRune(r) })
			switch end {
			case -1:
				end = len(line)
			case 0:
				return nil, fmt.Errorf("%q: neither a name nor a quoted terminal", []rune(line)[0])
			}
			words, line = append(words, line[:end]), line[end:]
		}
	}
	return words, nil
}

func isName(word string) bool { return strings.IndexFunc(word, isNameRune) == 0 }

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// grammar resolves the symbols and checks that every non-terminal is defined, reachable and productive.
func (f *file) grammar() (*Grammar, error) {
	if len(f.rules) == 0 {
		return nil, errors.New("no productions; write lines such as Sum -> Sum '+' One | One")
	}
	g := &Grammar{names: f.names, byLHS: make([][]int, len(f.names))}
	for rule, r := range f.rules {
		p := production{lhs: f.numbers[r.lhs], entry: int32(len(g.steps))}
		for _, word := range r.words {
			if word[0] == '\'' {
				p.symbols = append(p.symbols, symbol{word[1 : len(word)-1], -1, -1})
				continue
			}
			n, ok := f.numbers[word]
			if !ok {
				return nil, fmt.Errorf("line %d: %s has no production; define it, or quote it if it is text", r.line, word)
			}
			p.symbols = append(p.symbols, symbol{"", n, -1})
			p.rhs = append(p.rhs, n)
		}
		g.steps = append(append(g.steps, p.symbols...), symbol{"", -1, rule})
		g.productions = append(g.productions, p)
		g.byLHS[p.lhs] = append(g.byLHS[p.lhs], rule)
	}
	shortest := g.shortest()
	reached := g.reached()
	for n, rules := range g.byLHS {
		line := f.rules[rules[0]].line
		switch {
		case !reached[n]:
			return nil, fmt.Errorf("line %d: %s is unreachable from the start %s", line, f.names[n], f.names[0])
		case shortest[n] == unending:
			return nil, fmt.Errorf("line %d: %s derives no string: its derivations never end", line, f.names[n])
		}
	}
	var err error
	g.null, err = g.nulls()
	return g, err
}

// reached reports which non-terminals are reachable from the start.
func (g *Grammar) reached() []bool {
	reached := make([]bool, len(g.names))
	for todo := []int{start}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[n] {
			continue
		}
		reached[n] = true
		for _, rule := range g.byLHS[n] {
			todo = append(todo, g.productions[rule].rhs...)
		}
	}
	return reached
}

const unending = 1 << 30 // longer than any derivation

// shortest returns the number of rules of the shortest derivation from each non-terminal, or unending.
func (g *Grammar) shortest() []int {
	shortest := slices.Repeat([]int{unending}, len(g.names))
	for changed := true; changed; {
		changed = false
		for _, p := range g.productions {
			length := 1
			for _, n := range p.rhs {
				length = min(length+shortest[n], unending)
			}
			if length < shortest[p.lhs] {
				shortest[p.lhs], changed = length, true
			}
		}
	}
	return shortest
}
