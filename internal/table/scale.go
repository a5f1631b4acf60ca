package table

import "strings"

// Scale is a function of a column's numbers that the scores are: none, Log10, or pIC50, pKi and so on: −log10 of mol/L.
type Scale string

// logarithmic is the negative logarithm of any concentration.
const logarithmic Scale = "p"

// Log10 is the decimal logarithm of the number in Columns.Unit.
const Log10 Scale = "log10"

// known reports whether there is such a scale.
func (s Scale) known() bool {
	return s == "" || s == Log10 || s.negative() && s.quantity() != ""
}

// negative reports whether higher scores are of lower numbers.
func (s Scale) negative() bool { return strings.HasPrefix(strings.ToLower(string(s)), "p") }

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

// pScale returns the scale of -log10 of a quantity.
func pScale(quantity string) Scale {
	if strings.ContainsAny(quantity, "0123456789") {
		return Scale("p" + strings.ToUpper(quantity))
	}
	return Scale("p" + strings.ToUpper(quantity[:1]) + quantity[1:])
}
