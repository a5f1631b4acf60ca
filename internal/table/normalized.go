package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
)

var (
	// These match names of what is normalized by something: RFU/OD600, GFP norm. by cells, OD-normalized GFP, GFP_OD600.
	dividedBy    = regexp.MustCompile(`(?i)^(.*?\pL.*?)(?:\s*[/÷]\s*|[\s_.]+per[\s_.]+)(.+)$`)
	normalizedBy = regexp.MustCompile(`(?i)^(.*?\pL.*?)[\s_.,(\[-]+norm(?:ali[sz]ed)?[\s_.]+(?:by|to|for|per|against|on|with)[\s_.]+(.+)$`)
	byNormalized = regexp.MustCompile(`(?i)^(.*?\pL.*?)[\s_-]+(?:norm(?:ali[sz]ed)?|corrected)[\s_.]+(.*\pL.*)$`)
	behindOD     = regexp.MustCompile(`(?i)^(.*?\pL.*?)[\s_-]+OD[\s_-]?600((?:[\s_-].*)?)$`)

	normalizerWords = list("normalizer word")
	cultureWords    = list("culture word") // which say when an OD was measured, and are no measurement
)

// numerator returns the name of what a column holds without what this is normalized by, if its name says so, or else
// the name itself: RFU of RFU/OD600, and RFU SD of RFU/OD600 SD.
func numerator(name string) string {
	if m := normalizedBy.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := byNormalized.FindStringSubmatch(name); m != nil && isNormalizer(m[1]) {
		return m[2]
	}
	if m := dividedBy.FindStringSubmatch(name); m != nil && isNormalizer(m[2]) {
		return strings.Join(append([]string{m[1]}, without(quantity.Words(m[2]), normalizerWords)...), " ")
	}
	if m := behindOD.FindStringSubmatch(name); m != nil && len(without(quantity.Words(m[1]), cultureWords)) > 0 {
		return m[1] + m[2]
	}
	return name
}

// isNormalizer reports whether measurements are normalized by what has a name: OD600, mg protein, 10^6 cells, ΔOD.
func isNormalizer(name string) bool {
	return slices.ContainsFunc(quantity.Words(name), func(word string) bool { return slices.Contains(normalizerWords, word) })
}
