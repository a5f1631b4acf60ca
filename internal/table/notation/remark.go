package notation

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// remarked matches a string with what is said of it behind it: Val-Ala-Trp (TFA salt).
	remarked = regexp.MustCompile(`^(\S.*?)\s+(` + remark + `)$`)

	// onStructure matches remarks without which a peptide would be another one.
	onStructure = regexp.MustCompile(`(?i)cycl|disul|\bs ?[-–] ?s\b|bridge|\bbond|lactam|lactone|stapl|\bring|link|linear|branch|dimer|trimer|multimer|amid|acetyl|acyl|\bac\b|` +
		`methyl|phospho|glyco|sulfat|biotin|fluor|fitc|\bfam\b|peg|lipid|palm|myrist|stear|\bd\b|retro|inverso|isomer|epimer|enantiomer|racem|conjugat|label|modifi|` +
		`thio|oxidi[sz]|reduced|\bnh2\b|\boh\b|\bme\b|\bboc\b|fmoc|-term`)
)

// CutRemark returns a sequence without what is said of it in brackets behind it, and that: (TFA salt), [batch 2]. Text
// without a remark, with one on the structure such as (disulfide), or that is no sequence is returned as it is, and
// remark is empty.
func CutRemark(text string) (sequence, remark string) {
	m := remarked.FindStringSubmatch(text)
	if m == nil || onStructure.MatchString(m[2]) {
		return text, ""
	}
	const shortest = 5 // capitals, which other strings have, too
	letters := strings.Trim(m[1], AminoAcids+"U") == "" && len(m[1]) >= shortest
	if _, more, _ := ReadParts(m[1]); letters || more || slices.ContainsFunc(Words(m[1]), IsResidue) {
		return m[1], m[2]
	}
	return text, ""
}
