package quantity

import (
	"math"
	"slices"
	"strings"
)

// IsDoseResponse reports whether an outcome is a concentration of a dose-response curve by its name, such as IC50 or
// MIC: people compare these by their ratio.
func IsDoseResponse(outcome string) bool {
	return ParseHeading(outcome).HasEndpoint()
}

// IsNegativeLog reports whether an outcome is the negative logarithm of such a concentration by its name, such as pIC50.
func IsNegativeLog(outcome string) bool {
	h := ParseHeading(outcome)
	return h.HasEndpoint() && h.Log == "p"
}

// IsPotency reports whether an outcome is a concentration that is lower the more potent a compound is by its name, such
// as IC50 and Ki, but not CC50, which is toxic, or kinact/KI.
func IsPotency(outcome string) bool {
	h := ParseHeading(outcome)
	potencies := []string{"ic50", "ec50", "ki", "kd", "mic", "gi50", "xc50", "ac50"}
	potent := func(word string) bool { return slices.Contains(potencies, strings.TrimPrefix(word, "log")) }
	rates := []string{"kinact", "inact", "kcat", "kon", "efficiency", "shift"} // of an inactivator; by a concentration they are higher the better
	return h.Log != "p" && slices.ContainsFunc(h.Words, potent) && !h.HasAny(rates)
}

// IsEnergy reports whether an outcome is an energy of binding or a score of docking by its name, which is lower the
// better a molecule binds.
func IsEnergy(outcome string) bool {
	return ParseHeading(outcome).HasAny([]string{"docking", "dockscore", "vina", "glide", "dg", "deltag", "δg"})
}

// IsMolarLog reports whether a name says that numbers are negative logarithms of concentrations: pIC50, but not pKa. On
// a scale of such logarithms any negative logarithm is one.
func IsMolarLog(name string, scale Scale) bool {
	h := ParseHeading(name)
	whole, _ := Endpoint(h.Base)
	isLog := func(word string) bool { endpoint, log := Endpoint(word); return endpoint != "" && log == "p" }
	return h.Log == "p" && (whole != "" || scale.IsNegative() || slices.ContainsFunc(h.Words, isLog))
}

// MayBeMolarLog reports whether a number may be the negative logarithm of a concentration.
func MayBeMolarLog(v float64) bool {
	const least, most = -3, 15 // p of 1,000 M and of a femtomolar
	const molar = 1e-3         // a number that is closer to 0, and not 0, is a concentration in M
	return v >= least && v <= most && (v == 0 || math.Abs(v) >= molar)
}

// IsPercent reports whether an outcome in a unit, which may be empty, is in per cent, by the unit or by the name.
func IsPercent(outcome, in string) bool {
	u, _ := ParseStated(in)
	return u.Equal(Percent) || !u.IsSet() && ParseHeading(outcome).Unit.Equal(Percent)
}

// MayBeFraction reports whether an outcome in a unit, which may be empty, may be a fraction of 1: it has no other unit,
// and is neither a concentration nor a logarithm.
func MayBeFraction(outcome, in string) bool {
	u, ok := ParseStated(in)
	h := ParseHeading(outcome)
	if !u.IsSet() {
		u = h.Unit
	}
	return (ok || in == "") && (!u.IsSet() || u.Equal(Fraction) && u.name != Ratio.name) && !h.HasEndpoint() && !h.IsLog()
}
