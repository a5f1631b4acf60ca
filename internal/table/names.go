package table

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
)

//go:embed names.txt
var knownNames string

// lists returns the lists of a name in names.txt, in the order of the file.
func lists(name string) (all [][]string) {
	for list := range strings.SplitSeq(knownNames, "\n\n") {
		if of, words, _ := strings.Cut(list, "\n"); of == name {
			all = append(all, strings.Fields(words))
		}
	}
	return all
}

func list(name string) []string { return lists(name)[0] }

// Names that columns usually have, folded, in ranks by preference: a column of a later rank is only taken if there is
// none of an earlier one.
var (
	inputNames      = slices.Concat(lists("input"), [][]string{selfiesNames}, lists("mutant"))
	quantityNames   = list("quantity")
	selfiesNames    = list("selfies")
	mutantNames     = slices.Concat(lists("mutant")...)
	scoreNames      = [][]string{slices.Concat(lists("score")[0], quantity.EndpointNames()), lists("score")[1]}
	enzymeNames     = list("enzyme")
	idNames         = slices.Insert(lists("id"), 2, mutantNames)
	sigmaNames      = list("sigma")
	errorWords      = list("error") // of standard errors or deviations
	relationNames   = slices.Concat(list("relation"), censorNames)
	censorNames     = list("censor")
	stereoNames     = list("stereo")
	geometricWords  = list("geometric word")
	unitNames       = list("unit")
	typeNames       = list("type")
	assayNames      = list("assay")
	chainNames      = list("chain")
	parentNames     = list("parent")
	backgroundNames = list("background")
	settingNames    = list("setting") // under which something was measured
	settingWords    = list("setting word")
	quantityWords   = list("quantity word")
	markWords       = list("mark word")  // of columns that say which rows are not to be trusted
	validWords      = list("valid word") // or which are
	useWords        = list("use word")   // some of these, where an empty cell says that a row is not used
	sampleWords     = slices.Concat(quantity.Replicates, list("sample word"))
)

// Names of numbers that are no scores, folded, and words that such names have: they are chosen only if a user says so.
var (
	identifierNames = append(list("identifier"), "")
	identifierWords = list("identifier word") // of whole numbers
	identifierEnds  = list("identifier end")  // likewise
	wellNames       = list("well")            // of single measurements
	plateNames      = list("plate")
	runNames        = list("run")
	dayNames        = list("day")
	placeNames      = slices.Concat(wellNames, list("place")) // of measurements, which are no names of what was measured

	computedNames    = list("computed")
	computedWords    = list("computed word")
	computedPrefixes = list("computed prefix") // RDKit's descriptors
	measuredWords    = list("measured word")   // which make others measurements

	conditionNames = slices.Concat(quantity.Deviations, quantity.StandardErrors, quantity.Counts, list("condition"))
	conditionWords = slices.Concat(quantity.Deviations, list("condition word"))
)

// What numbers are for, as far as names and contents tell, and why they are not taken for scores by default.
const (
	measured   = "" // perhaps scores
	identifier = "looks like an identifier or an index"
	computed   = "looks computed from the structure"
	condition  = "looks like an error or a condition of a measurement"
	flag       = "says yes or no"
)

// use returns what a column of numbers is for.
func (g *grid) use(column int) string {
	if !g.format.Header || g.rank(scoreNames, column) >= 0 {
		return measured
	}
	h := g.heading(column)
	if of := numerator(g.header[column]); of != g.header[column] {
		h = quantity.ParseHeading(of)
	}
	whole := g.share(column, numeral.IsDigits) == 1
	first, last := "", ""
	if n := len(h.Words); n > 1 {
		first, last = h.Words[0], h.Words[n-1]
	}
	counts := whole && (slices.Contains([]string{"number", "num", "nb", "n"}, first) || last == "length")
	descriptor := slices.ContainsFunc(computedPrefixes, func(p string) bool { return strings.HasPrefix(g.header[column], p) })
	switch {
	case h.Base == "r2" && g.find("r1") >= 0: // replicates, and no R²
		return measured
	case slices.Contains(conditionNames, h.Base), h.HasAny(conditionWords), whole && last == "n", g.isSetting(column), strings.HasSuffix(h.Base, "pvalue"):
		return condition
	case slices.Contains(identifierNames, h.Base), g.rank(idNames[:1], column) >= 0, slices.Contains(identifierEnds, last) && (whole || last == "id"), whole && h.HasAny(identifierWords):
		return identifier
	case h.HasAny(measuredWords):
		return measured
	case slices.Contains(computedNames, h.Base), slices.Contains(computedWords, h.Base), h.HasAny(computedWords), quantity.Heading{Words: h.Aside}.HasAny(computedWords), counts, descriptor:
		return computed
	}
	switch {
	case h.IsConcentration():
		return measured
	case g.numbered(column):
		return identifier
	case g.isFlag(column):
		return flag
	}
	return measured
}

// isFlag reports whether a column holds 0 and 1, and nothing else. Two rows that differ may be scores.
func (g *grid) isFlag(column int) bool {
	cells := g.cells(column, sampled)
	set := func(cell string) bool { return cell == "1" || cell == "1.0" }
	ones := stats.Count(cells, set)
	zeros := stats.Count(cells, func(cell string) bool { return cell == "0" || cell == "0.0" })
	return len(cells) > 2 && ones+zeros == len(cells) && ones > 0 && zeros > 0
}

// numbered reports whether a column holds different whole numbers that increase, or that look like those of a registry:
// of four digits and more, of one order of magnitude, or years. Two or three rows that increase may be scores.
func (g *grid) numbered(column int) bool {
	cells := g.cells(column, sampled)
	if len(cells) < 3 {
		return false
	}
	seen := map[string]bool{}
	increasing, long, years := true, true, true
	least, most := math.Inf(1), 0.0
	for i, cell := range cells {
		if !numeral.IsDigits(cell) {
			return false
		}
		increasing = increasing && (i == 0 || compareWhole(cells[i-1], cell) < 0)
		long = long && len(cell) >= 4 && !seen[cell]
		years = years && len(cell) == 4 && (cell[:2] == "19" || cell[:2] == "20")
		seen[cell] = true
		n, _ := strconv.ParseFloat(cell, 64) // digits
		least, most = min(least, n), max(most, n)
	}
	return increasing && len(cells) > 3 || long && most < 10*least || years
}

// compareWhole compares whole numbers of any length.
func compareWhole(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(len(a)-len(b), strings.Compare(a, b))
}
