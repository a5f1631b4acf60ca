package table

import (
	"slices"
	"strings"
)

// Names that columns usually have, folded, in ranks by preference: a column of a later rank is only taken if there is none of an
// earlier one.
var (
	inputNames = [][]string{
		{"smiles", "canonicalsmiles", "isomericsmiles", "cansmiles", "isosmiles", "molsmiles", "smilesstring", "compoundsmiles", "ligandsmiles",
			"canonicalsmilesrdkit", "pubchemextdatasourcesmiles"},
		{"smi", "smile", "sequence", "seq", "aasequence", "aaseq", "aminoacidsequence", "proteinsequence", "proteinseq", "peptidesequence",
			"mutatedsequence", "mutantsequence", "variantsequence"},
		{"structure", "molecule", "mol", "peptide", "protein", "string", "x", "expression", "input"},
		selfiesNames,
		mutantNames,
	}
	selfiesNames = []string{"selfies", "selfie"}
	mutantNames  = []string{"mutant", "mutants", "mutation", "mutations", "variant", "variants", "aamutation", "aamutations", "aasubstitution", "aasubstitutions",
		"substitution", "substitutions", "aachange", "proteinchange", "proteinvariant", "hgvs", "hgvsp", "hgvspro"}
	scoreNames = [][]string{
		slices.Concat([]string{"score", "scores", "dmsscore", "fitness", "objective", "pchembl", "pchemblvalue", "standardvalue"}, endpointNames()),
		{"activity", "affinity", "potency", "inhibition", "yield", "value", "measured", "measurement", "response", "y"},
	}
	idNames = [][]string{
		{"id", "compoundid", "cmpdid", "moleculeid", "molid", "sampleid", "variantid", "sequenceid", "moleculechemblid", "chemblid", "pubchemcid", "cid",
			"identifier", "compoundno", "compoundnumber", "regno", "cas", "zincid"},
		{"name", "compound", "compoundname", "cmpd", "moleculename", "molname", "sample", "samplename", "title", "ligand", "drug", "label", "code"},
		mutantNames,
		{"molecule", "protein", "peptide", "no", "nr", "number", "index", "pubchemsid", "sid", "nsc"},
	}
	seNames        = [][]string{{"se", "sem", "stderr", "stderror", "standarderror", "scorese", "scoresem", "scorestderr"}}
	sdWords        = []string{"sd", "std", "stdev", "stddev", "standarddeviation"}
	countNames     = []string{"n", "count", "nreps", "nrep", "nreplicates", "numreplicates", "numberofreplicates", "replicates", "nmeasurements", "samplesize"}
	replicateNames = []string{"rep", "replicate", "replicateno", "replicatenumber", "repeat", "run", "experiment", "assaydate"}
)

// endpoints are quantities of dose-response curves, which are concentrations. Before each may stand p or log.
var endpoints = []string{"ic50", "ec50", "ac50", "gi50", "cc50", "tc50", "dc50", "xc50", "ed50", "lc50", "ic90", "ec90", "ki", "kd", "km", "kb", "mic"}

func endpointNames() []string {
	var names []string
	for _, e := range endpoints {
		names = append(names, e, "p"+e, "log"+e, "log10"+e)
	}
	return names
}

// endpoint returns the quantity that a word is of, and p or log if that stands before it; empty if it is none.
func endpoint(word string) (quantity, scale string) {
	for _, scale := range []string{"", "p", "log10", "log"} {
		if rest, ok := strings.CutPrefix(word, scale); ok && slices.Contains(endpoints, rest) {
			return rest, strings.TrimSuffix(scale, "10")
		}
	}
	return "", ""
}

// Names of numbers that are no scores, folded: they are chosen only if a user says so.
var (
	identifierNames = []string{"", "id", "ids", "nsc", "cid", "sid", "aid", "tid", "molregno", "regno", "regid", "reg", "registry", "registrynumber", "cas", "casno",
		"casrn", "index", "idx", "i", "row", "rowid", "rownumber", "rowname", "rn", "line", "lineno", "entry", "serial", "sno", "srno", "no", "nr", "num",
		"number", "well", "wellid", "plate", "plateid", "column", "col", "page", "table", "example", "ex", "cmpd", "compound", "lot", "batch", "barcode",
		"vial", "rack", "year", "date", "month", "day", "docyear", "documentyear", "pmid", "patent", "doi", "taxid", "replicate", "rep", "run", "experiment",
		"cluster", "group", "series", "fold", "split", "set", "rank", "order", "priority", "unnamed", "unnamed0", "trial", "sample", "key", "record",
		"reference", "ref", "molid", "pubchemcid", "pubchemsid", "pubchemresulttag", "pubchemactivityscore"}
	identifierEnds = []string{"id", "ids", "no", "nr", "number", "idx", "index", "code", "key", "year", "date", "sid", "cid", "aid", "regno"} // of whole numbers

	computedNames = []string{"mw", "mwt", "amw", "molwt", "molweight", "molecularweight", "molecularmass", "exactmass", "monoisotopicmass", "mass", "weight",
		"fullmwt", "mwfreebase", "heavyatoms", "heavyatomcount", "numheavyatoms", "hac", "nha", "natoms", "numatoms", "atomcount", "atoms", "logp", "alogp",
		"xlogp", "xlogp3", "xlogp3aa", "clogp", "mollogp", "slogp", "wlogp", "mlogp", "ilogp", "cxlogp", "cxlogd", "clogd", "cxacidicpka", "cxbasicpka",
		"tpsa", "psa", "polarsurfacearea", "topologicalpolarsurfacearea", "hba", "hbd", "hbacceptors", "hbdonors", "hbondacceptors", "hbonddonors",
		"hbondacceptorcount", "hbonddonorcount", "hydrogenbondacceptors", "hydrogenbonddonors", "acceptors", "donors", "hbalipinski", "hbdlipinski",
		"rotatablebonds", "rotatablebondcount", "rotb", "nrot", "nrotb", "rtb", "rings", "ringcount", "aromaticrings", "aromaticringcount", "qed",
		"qedweighted", "sa", "sas", "sascore", "fsp3", "fractioncsp3", "npscore", "nplikenessscore", "naturalproductlikeness", "formalcharge", "charge",
		"netcharge", "molarrefractivity", "refractivity", "mr", "chiralcenters", "stereocenters", "complexity", "bertzct", "ro5", "ro5violations",
		"lipinski", "lipinskiviolations", "minimumdegree", "bei", "le", "lle", "lipe", "sei", "ligandefficiencybei", "ligandefficiencyle",
		"ligandefficiencylle", "ligandefficiencysei", "length", "seqlen", "sequencelength", "mutationcount", "nmutations", "nummutations", "nmut",
		"nummuts", "hammingdistance", "editdistance", "similarity", "tanimoto", "plddt"}
	computedWords = []string{"predicted", "pred", "prediction", "calc", "calcd", "calculated", "computed", "violations", "descriptor"}

	conditionNames = slices.Concat(sdWords, seNames[0], countNames, []string{"cv", "rsd", "ci", "ci95", "error", "err", "uncertainty", "variance", "hill",
		"hillslope", "hillcoefficient", "slope", "nh", "r2", "rsquared", "pvalue", "pval", "zprime", "zfactor", "ph", "temp", "temperature",
		"assaytemperature", "conc", "concentration", "dose", "testconcentration", "testconc", "assayconc", "assayconcentration", "drugconcentration",
		"compoundconcentration", "inhibitorconcentration", "substrateconcentration", "uounits"})
	conditionWords = slices.Concat(sdWords, []string{"se", "sem", "stderr", "ci", "ci95", "lower", "upper", "cv"})
)

// use says what numbers are for, as far as names and contents tell.
type use int

const (
	measured   use = iota // perhaps scores
	identifier            // numbers of compounds, rows, wells, years
	computed              // from the structure
	condition             // of a measurement: its error, its concentration
)

// note says why a column is not taken for scores by default.
func (u use) note() string {
	switch u {
	case identifier:
		return "looks like an identifier or an index"
	case computed:
		return "looks computed from the structure"
	case condition:
		return "looks like an error or a condition of a measurement"
	}
	return ""
}

// use returns what a column of numbers is for.
func (g *grid) use(column int) use {
	h := g.heading(column)
	has := func(words []string) bool {
		return slices.ContainsFunc(h.words, func(w string) bool { return slices.Contains(words, w) })
	}
	whole := g.share(column, isDigits) == 1
	first, last := "", ""
	if n := len(h.words); n > 1 {
		first, last = h.words[0], h.words[n-1]
	}
	numberOf := whole && (slices.Contains([]string{"number", "num", "nb"}, first) || strings.HasPrefix(g.header[column], "Num"))
	switch {
	case !g.format.Header, g.rank(scoreNames, column) >= 0:
		return measured
	case slices.Contains(countNames, h.base):
		return condition
	case slices.Contains(identifierNames, h.base), g.rank(idNames[:1], column) >= 0, slices.Contains(identifierEnds, last) && (whole || last == "id"):
		return identifier
	case slices.Contains(computedNames, h.base), has(computedWords), numberOf:
		return computed
	case slices.Contains(conditionNames, h.base), len(h.words) > 1 && has(conditionWords):
		return condition
	case !h.concentration() && g.numbered(column):
		return identifier
	}
	return measured
}

// numbered reports whether a column holds different whole numbers that increase, or that look like those of a registry: of four digits
// and more, or years. Two or three rows that increase may be scores.
func (g *grid) numbered(column int) bool {
	cells := g.cells(column)
	if len(cells) < 3 {
		return false
	}
	seen := map[string]bool{}
	increasing, long, years := true, true, true
	for i, cell := range cells {
		if !isDigits(cell) {
			return false
		}
		increasing = increasing && (i == 0 || less(cells[i-1], cell))
		long = long && len(cell) >= 4 && !seen[cell]
		years = years && len(cell) == 4 && (cell[:2] == "19" || cell[:2] == "20")
		seen[cell] = true
	}
	return increasing && len(cells) > 3 || long || years
}

// less compares whole numbers.
func less(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return len(a) < len(b) || len(a) == len(b) && a < b
}
