package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

var (
	helm = regexp.MustCompile(`^(?:PEPTIDE|RNA|CHEM|BLOB)\d+\{`)

	letters  = regexp.MustCompile(`^(?:[A-Z-]+|[a-z]+)$`)
	capitals = regexp.MustCompile(`[ACDEFGHIKLMNPQRSTVWY]+`)
	locked   = regexp.MustCompile(`^(?:\+?[ACGTUacgtu]\*?){4,}$`) // with + before locked nucleotides, as vendors write them

	// nucleotides matches several of modified.
	nucleotides = regexp.MustCompile(`(?:[mfrd][ACGTU][s*]?){4}|(?:[ACGU]fs?[acgu]s?){2}`)
)

// HaveInChI reports whether most strings are InChI.
func HaveInChI(xs []string) bool {
	return most(xs, func(x string) bool { return strings.HasPrefix(x, "InChI=") })
}

// HaveHELM reports whether most strings are in HELM: PEPTIDE1{A.C.D}$$$$.
func HaveHELM(xs []string) bool { return most(xs, helm.MatchString) }

// monomers matches what stands between the braces of a chain in HELM.
var monomers = regexp.MustCompile(`\{[^{}]*\}`)

// frameOfHELM returns HELM without its monomers: what is left are chains and bonds.
func frameOfHELM(x string) string { return monomers.ReplaceAllString(x, "{}") }

// UsualHELM returns the first of strings with the chains and bonds of most; "": there are none.
func UsualHELM(xs []string) string {
	i := slices.IndexFunc(xs, func(x string) bool {
		return most(xs, func(other string) bool { return frameOfHELM(other) == frameOfHELM(x) })
	})
	if i < 0 || !helm.MatchString(xs[i]) {
		return ""
	}
	return xs[i]
}

// OddHELM returns the first of strings that has other chains or bonds than most, which are in HELM, or is no HELM; "":
// there is none.
func OddHELM(xs []string) string {
	usual := UsualHELM(xs)
	i := slices.IndexFunc(xs, func(x string) bool { return usual != "" && frameOfHELM(x) != frameOfHELM(usual) })
	if i < 0 {
		return ""
	}
	return xs[i]
}

// WithoutVersion returns HELM without its version at the end, V2.0, and another text as it is.
func WithoutVersion(x string) string {
	if helm.MatchString(x) {
		return version.ReplaceAllString(x, "$$")
	}
	return x
}

var version = regexp.MustCompile(`\$\s*V2(?:\.\d)?$`)

// Coded returns the first of strings that is letters of a sequence with codes among them: Ac-DT(R8)FEQYWA-NH2, QLHpTPT,
// mG*mG*mC(A), +T+A+Gttg. All others are such, too, or letters alone; "": some string is neither, or none has codes.
// Some letters are of no SMILES.
func Coded(xs []string) (first string) {
	for _, x := range xs {
		switch {
		case IsCoded(x):
			first = cmp.Or(first, x)
		case !letters.MatchString(x):
			return ""
		}
	}
	return first
}

// IsCoded reports whether a string is one that Coded looks for.
func IsCoded(x string) bool {
	const shortest, fewest = 4, 2
	if nucleotides.MatchString(x) || strings.Contains(x, "+") && locked.MatchString(x) {
		return true
	}
	residues, others := 0, 0
	for _, r := range x {
		switch {
		case strings.ContainsRune("ACDEFGHIKLMNPQRSTVWYU", r):
			residues++
		case strings.ContainsRune("()[]{}*+/-'0123456789", r):
			others++
		}
	}
	const telling = "ADEGKLMQRTUVWY" // capitals that SMILES hardly have
	if others > 0 && residues >= shortest && 2*residues >= len(x) && Distinct(groups.ReplaceAllString(x, ""), telling) >= fewest {
		return true
	}
	run := slices.MaxFunc(append(capitals.FindAllString(x, -1), ""), func(a, b string) int { return len(a) - len(b) })
	return len(run) >= shortest && len(run) < len(x) && 3*residues >= len(x) && Distinct(run, telling) >= fewest
}

// repeats matches residues of which some are written as repeats, as those of linkers are: (GGGGS)3, A(EA3K)4A.
var repeats = regexp.MustCompile(`^(?:[ACDEFGHIKLMNPQRSTVWY]\d*)*\((?:[ACDEFGHIKLMNPQRSTVWY]\d*){2,}\)\d+(?:[ACDEFGHIKLMNPQRSTVWY(]|\d|\))*$`)

// Repeated returns the first of strings that is written as repeats of residues, if most are; "": hardly any is.
func Repeated(xs []string) (first string) {
	n := 0
	for _, x := range xs {
		if repeats.MatchString(x) {
			n++
			first = cmp.Or(first, x)
		}
	}
	if 2*n <= len(xs) {
		return ""
	}
	return first
}

// threeLetters matches the code of an amino acid that is no part of a word.
var threeLetters = regexp.MustCompile(`(?:^|[^A-Za-z])(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)\b|` +
	`(?:^|[-_. ])(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)\d`)

// separated matches residues in single letters with a separator, which may have names of several letters among them.
var separated = regexp.MustCompile(`^(?:[ACDEFGHIKLMNPQRSTVWY][_.]){3}|[_.][ACDEFGHIKLMNPQRSTVWY][_.][ACDEFGHIKLMNPQRSTVWY][_.][ACDEFGHIKLMNPQRSTVWY][_.]`)

// HaveCodes returns the first string with amino acids in three-letter codes, or in letters with a separator, if most
// strings are so; "" if they are not.
func HaveCodes(xs []string) (first string) {
	const fewest = 3
	coded := func(x string) bool {
		return len(threeLetters.FindAllString(x, -1)) >= fewest || separated.MatchString(x)
	}
	if !most(xs, coded) {
		return ""
	}
	return xs[slices.IndexFunc(xs, coded)]
}
