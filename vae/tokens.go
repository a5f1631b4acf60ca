package vae

import "strings"

// Tokens returns the function that splits a string of m into tokens: m's method Tokens if it has one,
// otherwise a split into characters.
func Tokens(m Model) func(x string) []string {
	if m, ok := m.(interface{ Tokens(x string) []string }); ok {
		return m.Tokens
	}
	return func(x string) []string { return strings.Split(x, "") }
}
