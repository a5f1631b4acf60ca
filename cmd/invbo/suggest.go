package main

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo"
)

// suggest returns what to say after an unknown name: the nearest one if it is near, otherwise all.
func suggest(name string, names []string) string {
	const near = 0.7 // share of letters that may be wrong: rnu is near run
	best, least := "", near
	for _, n := range names {
		if d := invbo.Levenshtein([]rune(strings.ToLower(name)), []rune(n)); d < least {
			best, least = n, d
		}
	}
	if best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; there are " + strings.Join(names, ", ")
}
