package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// substitutions splits mutants, A24T:K30R, into A24T and K30R.
func substitutions(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(":;,/+_ ", r) })
}

// isMutant reports whether a cell is of substitutions, or names the wild type.
func isMutant(cell string) bool {
	if isWildType(cell) {
		return true
	}
	all := substitutions(cell)
	for _, s := range all {
		if _, _, _, ok := parseSubstitution(s); !ok {
			return false
		}
	}
	return len(all) > 0
}

func isWildType(cell string) bool {
	switch fold(cell) {
	case "wt", "wildtype":
		return true
	}
	return false
}

// parseSubstitution reads A24T, or p.A24T; position counts from 1.
func parseSubstitution(s string) (from byte, position int, to byte, ok bool) {
	s = strings.ToUpper(strings.TrimPrefix(s, "p."))
	if len(s) < 3 || len(s) > 9 || !isDigits(s[1:len(s)-1]) {
		return 0, 0, 0, false
	}
	from, to = s[0], s[len(s)-1]
	position, err := strconv.Atoi(s[1 : len(s)-1])
	letter := func(b byte) bool { return 'A' <= b && b <= 'Z' }
	return from, position, to, err == nil && letter(from) && (letter(to) || strings.IndexByte("*=-", to) >= 0)
}

// mutate returns the sequence of a mutant. The error says which substitution does not fit the wild type.
func mutate(wildType, mutant string) (string, error) {
	sequence := []byte(strings.ToUpper(wildType))
	if isWildType(mutant) {
		return string(sequence), nil
	}
	all := substitutions(mutant)
	if len(all) == 0 {
		return "", fmt.Errorf("%q is no mutant such as A24T or A24T:K30R", usage.Shorten(mutant, 40))
	}
	changed := map[int]bool{}
	for _, s := range all {
		from, position, to, ok := parseSubstitution(s)
		switch {
		case !ok:
			return "", fmt.Errorf("%q is no substitution such as A24T", usage.Shorten(s, 40))
		case position < 1 || position > len(sequence):
			return "", fmt.Errorf("%s: the wild type has %d positions, counted from 1", s, len(sequence))
		case changed[position]:
			return "", fmt.Errorf("%s: position %d is changed twice", s, position)
		case sequence[position-1] != from:
			return "", fmt.Errorf("%s: position %d of the wild type is %c, not %c", s, position, sequence[position-1], from)
		case to == '*' || to == '-':
			return "", fmt.Errorf("%s is a stop or a deletion, not a substitution", s)
		case to == '=':
			to = from
		}
		sequence[position-1], changed[position] = to, true
	}
	return string(sequence), nil
}
