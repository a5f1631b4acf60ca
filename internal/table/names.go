package table

import (
	"cmp"
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
	seNames       = []string{"se", "sem", "stderr", "stderror", "standarderror", "scorese", "scoresem", "scorestderr"}
	sdWords       = []string{"sd", "std", "stdev", "stddev", "standarddeviation"}
	countNames    = []string{"n", "count", "nreps", "nrep", "nreplicates", "numreplicates", "numberofreplicates", "replicates", "nmeasurements", "samplesize"}
	relationNames = append([]string{"relation", "relationship", "relational", "qualifier", "operator", "modifier",
		"prefix", "sign", "inequality", "rel", "op", "mod"}, censorNames...)
	censorNames = []string{"censoring", "censor", "censored"}
	unitNames   = []string{"unit", "units", "uom"}
	typeNames   = []string{"standardtype", "type", "activitytype", "bioactivitytype", "endpoint", "endpointtype", "measurementtype", "resulttype", "publishedtype",
		"valuetype", "readout", "assayreadout", "parameter", "metric", "measure", "quantity", "property"}
	quantityWords = []string{"inhibition", "activity", "potency", "affinity", "yield", "selectivity", "ratio", "efficacy", "activation", "solubility", "stability",
		"clearance", "permeability", "tm", "emax", "hill"}
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

// Names of numbers that are no scores, folded, and words that such names have: they are chosen only if a user says so.
var (
	identifierNames = []string{"", "id", "ids", "nsc", "cid", "sid", "aid", "tid", "molregno", "regno", "regid", "reg", "registry", "registrynumber", "cas", "casno",
		"casrn", "index", "idx", "i", "rowid", "rownumber", "rowname", "rn", "line", "lineno", "serial", "sno", "srno", "sn", "no", "nr", "num", "number", "column",
		"table", "example", "ex", "compound", "vial", "rack", "year", "date", "month", "day", "timestamp", "docyear", "documentyear", "pmid", "patent", "doi",
		"taxid", "replicate", "rep", "run", "experiment", "cluster", "group", "series", "fold", "split", "set", "order", "priority", "unnamed", "unnamed0",
		"trial", "sample", "key", "record", "reference", "ref", "molid", "mdl", "pubchemcid", "pubchemsid", "pubchemresulttag", "pubchemactivityscore"}
	identifierWords = []string{"row", "col", "well", "plate", "barcode", "lot", "batch", "page", "rank", "cpd", "cmpd", "entry"}               // of whole numbers
	identifierEnds  = []string{"id", "ids", "no", "nr", "number", "idx", "index", "code", "key", "year", "date", "sid", "cid", "aid", "regno"} // likewise

	computedNames = []string{"weight", "mass", "molweight", "molecularweight", "molecularmass", "formulaweight", "fw", "exactmass", "monoisotopicmass", "heavyatoms",
		"heavyatomcount", "numheavyatoms", "hac", "nha", "natoms", "numatoms", "atomcount", "polarsurfacearea", "topologicalpolarsurfacearea", "hbacceptors",
		"hbdonors", "acceptors", "donors", "rotatablebonds", "nrot", "nrotb", "rtb", "ringcount", "aromaticrings", "sa", "sas", "sascore", "fractioncsp3",
		"npscore", "nplikenessscore", "naturalproductlikeness", "charge", "formalcharge", "netcharge", "molarrefractivity", "refractivity", "mr", "chiralcenters",
		"stereocenters", "complexity", "bertzct", "minimumdegree", "bei", "le", "lle", "lipe", "sei", "ligandefficiencybei", "ligandefficiencyle",
		"ligandefficiencylle", "ligandefficiencysei", "length", "seqlen", "mutationcount", "nmutations", "nummutations", "nmut", "nummuts", "hammingdistance",
		"editdistance", "similarity", "tanimoto", "plddt", "pi", "isoelectricpoint", "gravy", "nhohcount", "nocount", "labuteasa", "balabanj", "cxlogd", "clogd",
		"cxacidicpka", "cxbasicpka"}
	computedWords = []string{"mw", "mwt", "amw", "molwt", "exactmolwt", "heavyatommolwt", "molmr", "logp", "alogp", "alogp98", "clogp", "xlogp", "xlogp3", "mollogp",
		"crippenlogp", "slogp", "wlogp", "mlogp", "ilogp", "cxlogp", "tpsa", "psa", "hba", "hbd", "rotb", "rotatable", "rot", "qed", "fsp3", "ro5", "lipinski",
		"heavy", "rings", "atoms", "acceptors", "donors", "mutations", "muts", "extinction", "predicted", "pred", "prediction", "calc", "calcd", "calculated",
		"computed", "violations", "descriptor"}
	computedPrefixes = []string{"Num", "fr_", "Chi", "Kappa", "PEOE_VSA", "SMR_VSA", "SlogP_VSA", "EState", "VSA_EState", "BCUT2D"} // RDKit's descriptors
	measuredWords    = []string{"measured", "exp", "expt", "experimental", "observed", "obs"}                                       // which make others measurements

	conditionNames = slices.Concat(sdWords, seNames, countNames, []string{"rsd", "error", "err", "uncertainty", "variance", "hill", "hillslope",
		"hillcoefficient", "slope", "nh", "r2", "rsquared", "pvalue", "pval", "zprime", "zfactor", "ph", "temp", "temperature", "assaytemperature",
		"concentration", "testconcentration", "assayconcentration", "drugconcentration", "compoundconcentration", "inhibitorconcentration",
		"substrateconcentration", "uounits"})
	conditionWords = slices.Concat(sdWords, []string{"se", "sem", "stderr", "cv", "ci", "ci95", "lower", "upper", "conc", "dose"})
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
	return []string{"", "looks like an identifier or an index", "looks computed from the structure", "looks like an error or a condition of a measurement"}[u]
}

// use returns what a column of numbers is for.
func (g *grid) use(column int) use {
	if !g.format.Header || g.rank(scoreNames, column) >= 0 {
		return measured
	}
	h := g.heading(column)
	whole := g.share(column, isDigits) == 1
	first, last := "", ""
	if n := len(h.words); n > 1 {
		first, last = h.words[0], h.words[n-1]
	}
	counts := whole && (slices.Contains([]string{"number", "num", "nb", "n"}, first) || last == "length")
	descriptor := slices.ContainsFunc(computedPrefixes, func(p string) bool { return strings.HasPrefix(g.header[column], p) })
	switch {
	case slices.Contains(conditionNames, h.base), h.any(conditionWords):
		return condition
	case slices.Contains(identifierNames, h.base), g.rank(idNames[:1], column) >= 0, slices.Contains(identifierEnds, last) && (whole || last == "id"), whole && h.any(identifierWords):
		return identifier
	case h.any(measuredWords):
	case slices.Contains(computedNames, h.base), slices.Contains(computedWords, h.base), h.any(computedWords), h.aside(computedWords), counts, descriptor:
		return computed
	}
	if !h.concentration() && g.numbered(column) {
		return identifier
	}
	return measured
}

// numbered reports whether a column holds different whole numbers that increase, or that look like those of a registry: of four digits
// and more, or years. Two or three rows that increase may be scores.
func (g *grid) numbered(column int) bool {
	cells := g.cells(column, sampled)
	if len(cells) < 3 {
		return false
	}
	seen := map[string]bool{}
	increasing, long, years := true, true, true
	for i, cell := range cells {
		if !isDigits(cell) {
			return false
		}
		increasing = increasing && (i == 0 || compareWhole(cells[i-1], cell) < 0)
		long = long && len(cell) >= 4 && !seen[cell]
		years = years && len(cell) == 4 && (cell[:2] == "19" || cell[:2] == "20")
		seen[cell] = true
	}
	return increasing && len(cells) > 3 || long || years
}

// compareWhole compares whole numbers of any length.
func compareWhole(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(len(a)-len(b), strings.Compare(a, b))
}
