package table

import (
	"math"
	"slices"
	"strings"
)

// DoseResponse reports whether an outcome is a concentration of a dose-response curve by its name, such as IC50 or MIC: people compare these by
// their ratio.
func DoseResponse(outcome string) bool {
	return parseHeading(outcome).endpoint()
}

// NegativeLog reports whether an outcome is the negative logarithm of such a concentration by its name, such as pIC50.
func NegativeLog(outcome string) bool {
	h := parseHeading(outcome)
	return h.endpoint() && h.log == "p"
}

// Potency reports whether an outcome is a concentration that is lower the more potent a compound is by its name, such as IC50 and Ki, but not CC50,
// which is toxic, or kinact/KI.
func Potency(outcome string) bool {
	h := parseHeading(outcome)
	potencies := []string{"ic50", "ec50", "ki", "kd", "mic", "gi50", "xc50", "ac50"}
	potent := func(word string) bool { return slices.Contains(potencies, strings.TrimPrefix(word, "log")) }
	rates := []string{"kinact", "inact", "kcat", "kon", "efficiency", "shift"} // of an inactivator; by a concentration they are higher the better
	return h.log != "p" && slices.ContainsFunc(h.words, potent) && !h.any(rates)
}

// Energy reports whether an outcome is an energy of binding or a score of docking by its name, which is lower the better a molecule binds.
func Energy(outcome string) bool {
	return parseHeading(outcome).any([]string{"docking", "dockscore", "vina", "glide", "dg", "deltag", "δg"})
}

// isMolarLog reports whether a name says that numbers are negative logarithms of concentrations: pIC50, but not pKa.
func isMolarLog(name string, scale Scale) bool {
	h := parseHeading(name)
	of, _ := endpoint(h.base)
	return h.log == "p" && (of != "" || scale.negative() || slices.ContainsFunc(h.words, func(w string) bool { q, s := endpoint(w); return q != "" && s == "p" }))
}

// isMolarLogOf reports whether a number may be the negative logarithm of a concentration.
func isMolarLogOf(v float64) bool {
	const least, most = -3, 15 // p of 1,000 M and of a femtomolar
	const molar = 1e-3         // a number that is closer to 0, and not 0, is a concentration in M
	return v >= least && v <= most && (v == 0 || math.Abs(v) >= molar)
}

// IsPercent reports whether an outcome in a unit, which may be empty, is in per cent, by the unit or by the name.
func IsPercent(outcome, in string) bool {
	u, _ := statedUnit(in)
	return u.is(percentUnit) || !u.isSet() && parseHeading(outcome).unit.is(percentUnit)
}

// MayBeFraction reports whether an outcome in a unit, which may be empty, may be a fraction of 1: it has no other unit, and is neither a concentration
// nor a logarithm.
func MayBeFraction(outcome, in string) bool {
	u, ok := statedUnit(in)
	h := parseHeading(outcome)
	if !u.isSet() {
		u = h.unit
	}
	return (ok || in == "") && (!u.isSet() || u.is(fractionUnit)) && !h.endpoint() && !h.isLog()
}
