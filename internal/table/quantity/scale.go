package quantity

import "strings"

// Scale is a function of a column's numbers that the scores are: none, Log10, or pIC50, pKi and so on: −log10 of mol/L.
type Scale string

const (
	Log10         Scale = "log10" // the decimal logarithm of a number in the unit of its column
	NegativeLog10 Scale = "p"     // −log10 of mol/L, whatever the endpoint
)

// IsKnown reports whether there is such a scale.
func (s Scale) IsKnown() bool {
	return s == "" || s == Log10 || s.IsNegative() && s.Endpoint() != ""
}

// IsNegative reports whether higher scores are of lower numbers, as those of pIC50 are.
func (s Scale) IsNegative() bool { return strings.HasPrefix(strings.ToLower(string(s)), "p") }

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

// Endpoint returns the quantity that the scale is of: ic50 of pIC50; empty if it is of any.
func (s Scale) Endpoint() string {
	endpoint, _ := Endpoint(strings.ToLower(string(s)))
	return endpoint
}

// ScaleOf returns the scale of −log10 of an endpoint: pIC50 of ic50.
func ScaleOf(endpoint string) Scale {
	if strings.ContainsAny(endpoint, "0123456789") {
		return Scale("p" + strings.ToUpper(endpoint))
	}
	return Scale("p" + strings.ToUpper(endpoint[:1]) + endpoint[1:])
}
