package table

import (
	"fmt"
	"math"
	"strings"
)

// Scale is a function of a column's numbers that the scores are: none, Log10, or pIC50, pKi and so on, which are −log10 of a
// concentration in mol/L.
type Scale string

// Log10 is the decimal logarithm of the number in Columns.Unit.
const Log10 Scale = "log10"

// check returns an error if the scale is not known.
func (s Scale) check() error {
	if s == "" || s == Log10 {
		return nil
	}
	if quantity, scale := endpoint(strings.ToLower(string(s))); scale == "p" && quantity != "" {
		return nil
	}
	return &ColumnError{Role: RoleScale, Name: string(s), Problem: "there is no such scale; pIC50, pKi, pEC50, pKd and so on are −log10 of concentrations"}
}

// negative reports whether higher scores are of lower numbers.
func (s Scale) negative() bool { return strings.HasPrefix(string(s), "p") }

// Name returns what the scores are called that are made of a column's numbers.
func (s Scale) Name(column string) string {
	switch s {
	case "":
		return column
	case Log10:
		return "log10 " + column
	}
	return string(s)
}

// quantity returns what the scale is of: ic50 of pIC50; empty if it is of anything.
func (s Scale) quantity() string {
	quantity, _ := endpoint(strings.ToLower(string(s)))
	return quantity
}

// of returns m on the scale. Its number is in unit u, which is a concentration where the scale is of one.
func (s Scale) of(m measurement, u unit) measurement {
	if s == "" || math.IsNaN(m.score) {
		return m
	}
	if m.score <= 0 {
		m.state, m.reason = Invalid, Reason{NotPositive, fmt.Sprintf("%g has no logarithm", m.score)}
		m.score, m.se, m.bound = math.NaN(), 0, 0
		return m
	}
	m.se /= m.score * math.Ln10
	if s == Log10 {
		m.score = math.Log10(m.score)
		return m
	}
	// In decimals, so that 100 nM is 7 and the same concentration in any unit is the same score.
	m.score, m.bound = rounded(-math.Log10(u.to(molar(), m.score, false))), -m.bound
	return m
}

func molar() unit {
	u, _ := parseUnit("M", false)
	return u
}
