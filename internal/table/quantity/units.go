// Package quantity reads the names of columns and the texts of units: which quantity numbers are of, in which unit, and
// whether they are logarithms. It knows nothing of tables. Start reading at ParseHeading and ParseUnit.
package quantity

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Unit is what numbers are in: nM, µg/mL, kcal/mol, %. The zero value is no unit.
type Unit struct {
	name      string // as people write it
	dimension dimension
	exponent  int     // 1 of it is factor·10^exponent in base units, plus offset
	factor    float64 // 1 for all units of the metric system
	offset    float64 // in base units; 0 but for temperatures
	log       bool    // of a logarithm: log10 of a number in the unit
}

// Units that tables ask for: mol/L, %, and those of fractions of 1 and of ratios.
var (
	Molar    = Unit{name: "M", dimension: dimension{mole: 1, metre: -3}, exponent: 3, factor: 1}
	Percent  = Unit{name: "%", exponent: -2, factor: 1}
	Fraction = Unit{name: "fraction", factor: 1}
	Ratio    = Unit{name: "fold", factor: 1} // of another string's number, as that of the wild type
)

// dimension holds the powers of base units.
type dimension [bases]int8

// Base units. Those after kelvin are counts and signals of instruments, which are converted to nothing else.
const (
	gram = iota
	metre
	second
	mole
	kelvin
	volt
	enzymeUnit
	cells
	fluorescence
	luminescence
	radioactivity
	absorbance
	opticalDensity
	bases
)

// symbol is a unit without a prefix.
type symbol struct {
	name      string
	prefixes  string // that it may have
	dimension dimension
	exponent  int
	factor    float64 // 0 stands for 1
	offset    float64
	words     string // other names, in lower case and singular
}

// symbols lists the units of laboratories. Energies of a molecule are those of a mole of them.
var symbols = []symbol{
	{name: "M", prefixes: "fpnµm", dimension: dimension{mole: 1, metre: -3}, exponent: 3, words: "molar"},
	{name: "mol", prefixes: "fpnµmk", dimension: dimension{mole: 1}, words: "mole mols"},
	{name: "g", prefixes: "fpnµmk", dimension: dimension{gram: 1}, words: "gram gramme"},
	{name: "L", prefixes: "fpnµmcd", dimension: dimension{metre: 3}, exponent: -3, words: "liter litre"},
	{name: "m", prefixes: "fpnµmcdk", dimension: dimension{metre: 1}, words: "meter metre"},
	{name: "Å", dimension: dimension{metre: 1}, exponent: -10, words: "angstrom angstroem ångström"},
	{name: "s", prefixes: "fpnµm", dimension: dimension{second: 1}, words: "sec second"},
	{name: "min", dimension: dimension{second: 1}, factor: 60, words: "minute mins"},
	{name: "h", dimension: dimension{second: 1}, factor: 3600, words: "hr hour"},
	{name: "d", dimension: dimension{second: 1}, factor: 86400, words: "day"},
	{name: "K", prefixes: "m", dimension: dimension{kelvin: 1}, words: "kelvin degk"},
	{name: "°C", dimension: dimension{kelvin: 1}, offset: 273.15, words: "degc celsius ℃"},
	{name: "°F", dimension: dimension{kelvin: 1}, factor: 5. / 9, offset: 459.67 * 5 / 9, words: "degf fahrenheit"},
	{name: "J", prefixes: "mkM", dimension: dimension{gram: 1, metre: 2, second: -2}, exponent: 3, words: "joule"},
	{name: "cal", prefixes: "mk", dimension: dimension{gram: 1, metre: 2, second: -2}, exponent: 3, factor: 4.184, words: "calorie"},
	{name: "eV", prefixes: "mk", dimension: dimension{gram: 1, metre: 2, second: -2, mole: -1}, exponent: 3, factor: 96485.33212, words: "ev"},
	{name: "Eh", prefixes: "m", dimension: dimension{gram: 1, metre: 2, second: -2, mole: -1}, exponent: 3, factor: 2625499.6395, words: "hartree ha"},
	{name: "Da", prefixes: "kM", dimension: dimension{gram: 1, mole: -1}, words: "dalton amu"},
	{name: "V", prefixes: "µmk", dimension: dimension{volt: 1}, words: "volt"},
	{name: "Pa", prefixes: "mkM", dimension: dimension{gram: 1, metre: -1, second: -2}, exponent: 3, words: "pascal"},
	{name: "bar", prefixes: "m", dimension: dimension{gram: 1, metre: -1, second: -2}, exponent: 8},
	{name: "Hz", prefixes: "kM", dimension: dimension{second: -1}, words: "hertz"},
	{name: "%", exponent: -2, words: "percent pct percentage"},
	{name: "fraction", words: "frac"},
	{name: "fold"},
	{name: "‰", exponent: -3, words: "permil permille"},
	{name: "ppm", exponent: -6},
	{name: "ppb", exponent: -9},
	{name: "U", prefixes: "nµmk", dimension: dimension{enzymeUnit: 1}, words: "unit iu"},
	{name: "cells", dimension: dimension{cells: 1}, words: "cell"},
	{name: "RFU", dimension: dimension{fluorescence: 1}, words: "rfu"},
	{name: "RLU", dimension: dimension{luminescence: 1}, words: "rlu"},
	{name: "cpm", dimension: dimension{radioactivity: 1}, words: "dpm"},
	{name: "AU", prefixes: "m", dimension: dimension{absorbance: 1}, words: "au"},
	{name: "OD", dimension: dimension{opticalDensity: 1}, words: "od"},
}

// prefix is a power of ten before a symbol.
type prefix struct {
	letter, also string
	word         string // or several
	exponent     int
}

var prefixes = []prefix{
	{"f", "", "femto", -15}, {"p", "", "pico", -12}, {"n", "", "nano", -9}, {"µ", "u mc", "micro mikro", -6}, {"m", "", "milli", -3},
	{"c", "", "centi", -2}, {"d", "", "deci", -1}, {"k", "", "kilo", 3}, {"M", "", "mega", 6},
}

// plainUnit rewrites the signs of typesetting as those of a keyboard.
var plainUnit = strings.NewReplacer("μ", "µ", "⁻", "-", "−", "-", "–", "-", "¹", "1", "²", "2", "³", "3", "⁶", "6", "·", " ", "∙", " ", "⋅", " ", "•", " ",
	"×", " ", "*", " ", "º", "°", "Âµ", "µ", "Î¼", "µ", "(", " ", ")", " ", "10'", "10^", "\u00a0", " ", "\u2009", " ")

// ParseUnit reads a unit: nM, uM, mol/L, mol L-1, ug.mL-1, micrograms per millilitre, 10^-6 cm/s. nm and um are molar
// units: nM and µM.
func ParseUnit(text string) (Unit, bool) { return parseUnit(text, false) }

// parseUnit is ParseUnit, but for nm and um, which may be lengths: lengths says so, as the name of a column may.
func parseUnit(text string, lengths bool) (Unit, bool) {
	if len(text) > 60 {
		return Unit{}, false
	}
	text = per.ReplaceAllString(strings.Join(strings.Fields(plainUnit.Replace(latin(text))), " "), "$1/$2")
	text = molarTime.ReplaceAllString(text, "$1 $2")
	if text == "" {
		return Unit{}, false
	}
	u := Unit{factor: 1}
	var above []string
	below := ""
	plain := !strings.ContainsAny(text, "/-") // ug mL is µg/mL: nobody multiplies units
	for i, segment := range strings.Split(text, "/") {
		under := i > 0
		factors := strings.FieldsFunc(segment, func(r rune) bool { return r == ' ' || r == '.' })
		if len(factors) == 0 && under {
			return Unit{}, false
		}
		for _, f := range factors {
			if exponent, ok := powerOfTen(f); ok {
				if under {
					below += "/10^" + strconv.Itoa(exponent)
					exponent = -exponent
				} else if exponent != 0 {
					above = append(above, "10^"+strconv.Itoa(exponent))
				}
				u.exponent += exponent
				continue
			}
			name, power := splitPower(f)
			s, ok := findSymbol(name, lengths)
			if !ok {
				return Unit{}, false
			}
			if text != f { // a temperature among other factors is a difference
				s.offset = 0
			}
			if under || plain && len(above) > 0 {
				power = min(power, -power)
			}
			spelled := s.letter + s.name
			if abs := max(power, -power); abs > 1 {
				spelled += "^" + strconv.Itoa(abs)
			}
			if power < 0 {
				below += "/" + spelled
			} else {
				above = append(above, spelled)
			}
			u.times(s, power)
		}
	}
	if len(above)+len(below) == 0 || u.dimension == (dimension{}) && u.exponent == 0 && strings.Trim(text, "/1 ") == "" {
		return Unit{}, false
	}
	u.name = cmp.Or(strings.Join(above, " "), "1") + below
	return u, true
}

// ParseStated reads a unit as Unit.String writes it, of logarithms too: log nM. nm is a length.
func ParseStated(text string) (Unit, bool) { return parseLog(text, true) }

// ParseGiven reads a unit as people write it, of logarithms too. nm and um are molar units, as in ParseUnit.
func ParseGiven(text string) (Unit, bool) { return parseLog(text, false) }

func parseLog(text string, lengths bool) (Unit, bool) {
	bare := strings.TrimPrefix(strings.TrimPrefix(text, "log "), "p ")
	u, ok := parseUnit(bare, lengths)
	if ok && bare != text {
		u.log, u.name = true, text
	}
	return u, ok
}

// times multiplies u by a power of a symbol.
func (u *Unit) times(s scaled, power int) {
	for i, n := range s.dimension {
		u.dimension[i] += n * int8(power)
	}
	u.exponent += power * (s.symbol.exponent + s.prefix.exponent)
	if s.factor != 0 {
		u.factor *= math.Pow(s.factor, float64(power))
	}
	u.offset = s.offset
}

// cyrillic are letters of units, words before the letters that they begin with.
var cyrillic = strings.NewReplacer("мин", "min", "мк", "µ", "н", "n", "п", "p", "ф", "f", "М", "M", "моль", "mol", "мол", "mol", "м", "m", "л", "L", "кг", "kg", "г", "g", "сек", "s", "с", "s", "ч", "h", "к", "k")

// latin returns a unit in Latin letters.
func latin(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return cyrillic.Replace(text)
	}
	return text
}

var (
	// molarTime matches M s written as one, as in 1/Ms and M-1s-1.
	molarTime = regexp.MustCompile(`([fpnuµm]?M(?:\^?-1)?)(s(?:\^?-1)?)$`)

	per = regexp.MustCompile(`(?i)(^| )per( |$)`)

	// tens matches 10^-6, 10-6, x10-6, 1e-6 or 1.
	tens = regexp.MustCompile(`(?i)^x?(?:1|(?:10\^|10e|1e|10)\+?([+-]?\d+))$`)

	// raised matches mL-1 or cm^2.
	raised = regexp.MustCompile(`^(.*?)\^?\+?([+-]?\d+)$`)
)

// powerOfTen reads a power of ten.
func powerOfTen(text string) (exponent int, ok bool) {
	m := tens.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	exponent, _ = strconv.Atoi(cmp.Or(m[1], "0"))
	return exponent, max(exponent, -exponent) <= 30
}

// splitPower splits a power into the symbol and the exponent.
func splitPower(text string) (name string, power int) {
	if m := raised.FindStringSubmatch(text); m != nil {
		if power, err := strconv.Atoi(m[2]); err == nil && power != 0 && max(power, -power) <= 6 {
			return m[1], power
		}
	}
	return text, 1
}

// A scaled is a symbol with a prefix.
type scaled struct {
	symbol
	prefix
}

// spellings returns the units as they are spelled, and in lower case with their other names, where the first of symbols
// is meant.
var spellings = sync.OnceValues(func() (exact, folded map[string]scaled) {
	exact, folded = map[string]scaled{}, map[string]scaled{}
	name := func(unit scaled, names ...string) {
		for _, name := range names {
			if _, taken := folded[name]; !taken && len([]rune(name)) > 1 {
				folded[name] = unit
			}
		}
	}
	for _, s := range symbols {
		exact[s.name] = scaled{symbol: s}
		name(scaled{symbol: s}, strings.ToLower(s.name))
		for _, word := range strings.Fields(s.words) {
			name(scaled{symbol: s}, word, word+"s")
		}
		for _, p := range prefixes {
			if !strings.Contains(s.prefixes, p.letter) {
				continue
			}
			for _, letter := range append(strings.Fields(p.also), p.letter) {
				exact[letter+s.name] = scaled{s, p}
				name(scaled{s, p}, strings.ToLower(letter+s.name))
			}
			for _, before := range strings.Fields(p.word) {
				for _, word := range append(strings.Fields(s.words), strings.ToLower(s.name)) { // nanomolar, nanoM
					name(scaled{s, p}, before+word, before+word+"s")
				}
			}
		}
	}
	exact["l"] = exact["L"]
	return exact, folded
})

// findSymbol finds a symbol with its prefix as it is spelled if possible, otherwise whatever the case.
func findSymbol(name string, lengths bool) (scaled, bool) {
	exact, folded := spellings()
	lower := strings.ToLower(name)
	if stem, ok := strings.CutSuffix(lower, "m"); ok && !lengths && slices.Contains([]string{"f", "p", "n", "µ", "u", "m"}, stem) {
		return exact[stem+"M"], true // NM and nm are molar
	}
	found, ok := exact[name]
	if !ok {
		found, ok = folded[lower]
	}
	return found, ok
}

// Length returns the length that nM and the like stand for where numbers are lengths: nanometres, as people write nm.
func (u Unit) Length() Unit {
	prefix, ok := strings.CutSuffix(u.name, Molar.name)
	if !ok || u.log || u.dimension != Molar.dimension {
		return u
	}
	length, _ := parseUnit(prefix+"m", true)
	return length
}

// Equal reports whether u and v are the same unit, though they may be spelled otherwise.
func (u Unit) Equal(v Unit) bool {
	return u.IsSet() == v.IsSet() && u.log == v.log && u.dimension == v.dimension && u.exponent == v.exponent && u.factor == v.factor && u.offset == v.offset
}

// IsSet reports whether u is a unit.
func (u Unit) IsSet() bool { return u.name != "" }

// IsLog reports whether numbers in u are logarithms, as those in log nM are.
func (u Unit) IsLog() bool { return u.log }

// String returns the unit as people write it; "" if it is none.
func (u Unit) String() string { return u.name }

// ConvertsTo reports whether numbers in u can be converted to v, as one concentration or time to another. Logarithms cannot.
func (u Unit) ConvertsTo(v Unit) bool {
	return u.Equal(v) || u.IsSet() && v.IsSet() && !u.log && !v.log && u.dimension == v.dimension && u.perBody() == v.perBody()
}

// PerVolume reports whether u is of an amount in a volume, as a concentration is.
func (u Unit) PerVolume() bool { return u.dimension[metre] == -3 }

// perBody reports whether u is a clearance by body weight, mL/min/kg, and not one by mass of protein, µL/min/mg.
func (u Unit) perBody() bool {
	return u.dimension == dimension{metre: 3, second: -1, gram: -1} && strings.Contains(u.name, "/kg")
}

// To converts a number in u to v. Powers of ten move the decimal point, so that 0.07 mM is 70 µM and not
// 70.00000000000001; other factors leave 12 digits.
func (u Unit) To(v Unit, x float64) float64 {
	if u.Equal(v) || u.offset == 0 && v.offset == 0 && u.factor == v.factor {
		return u.DifferenceTo(v, x)
	}
	return Round((x*u.factor*math.Pow10(u.exponent) + u.offset - v.offset) / (v.factor * math.Pow10(v.exponent)))
}

// DifferenceTo converts a difference of two numbers in u, or a standard error, to v: the zeros of temperatures have no
// part in it.
func (u Unit) DifferenceTo(v Unit, x float64) float64 {
	shift := u.exponent - v.exponent
	switch {
	case u.Equal(v):
		return x
	case u.factor == v.factor:
		return shiftPoint(x, shift)
	}
	return Round(x * u.factor / v.factor * math.Pow10(shift))
}

// shiftPoint multiplies by a power of ten in decimals.
func shiftPoint(x float64, places int) float64 {
	mantissa, exponent, finite := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if !finite {
		return x
	}
	n, _ := strconv.Atoi(exponent)
	v, _ := strconv.ParseFloat(fmt.Sprintf("%se%d", mantissa, n+places), 64) // infinite if it is too large
	return v
}

// Round leaves 12 digits, which are more than anyone measures and fewer than rounding spoils.
func Round(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return v
}

// Same reports whether two numbers differ by no more than rounding spoils: a spreadsheet shows 7.1 for
// 7.1000000000000005, and writes 15 digits of it as CSV.
func Same(x, y float64) bool {
	const least = 1e-12 // of the larger one: half a unit of the last digit that Round leaves, or less
	return x == y || math.Abs(x-y) < least*max(math.Abs(x), math.Abs(y))
}
