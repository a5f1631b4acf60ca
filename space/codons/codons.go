// Package codons is the standard genetic code: what DNA and RNA encode, and the degenerate codons that libraries of
// proteins are made with.
package codons

import (
	"bytes"
	"slices"
	"strings"
)

// Translate returns the protein that DNA or RNA encodes from its first letter on, a stop as *. It is empty if that is
// not of whole codons of the four letters.
func Translate(x string) string {
	if len(x)%3 != 0 {
		return ""
	}
	var protein strings.Builder
	for at := 0; at < len(x); at += 3 {
		codon := 0
		for _, r := range strings.ReplaceAll(x[at:at+3], "U", "T") {
			letter := strings.IndexRune("TCAG", r)
			if letter < 0 {
				return ""
			}
			codon = 4*codon + letter
		}
		protein.WriteByte(code[codon])
	}
	return protein.String()
}

// Longest returns where the longest open reading frame of DNA or RNA is: from the start ATG up to and with its stop or,
// without one, the last whole codon. Both are 0 if there is no start.
func Longest(x string) (from, to int) {
	dna := strings.ReplaceAll(x, "U", "T")
	for frame := range min(3, len(dna)) {
		start := -1
		for at := frame; at+3 <= len(dna); at += 3 {
			codon := dna[at : at+3]
			if start < 0 && codon == "ATG" {
				start = at
			}
			if stops := codon == "TAA" || codon == "TAG" || codon == "TGA"; start >= 0 && (stops || at+6 > len(dna)) {
				if at+3-start > to-from {
					from, to = start, at+3
				}
				start = -1
			}
		}
	}
	return from, to
}

// IsOpen reports whether a translation has no stop but at its end.
func IsOpen(protein string) bool {
	stop := strings.IndexByte(protein, '*')
	return protein != "" && (stop < 0 || stop == len(protein)-1)
}

// HasStop reports whether a translation has a stop before its end, as that of a control has.
func HasStop(protein string) bool { return protein != "" && !IsOpen(protein) }

// bases are those that letters of degenerate codons stand for.
var bases = map[byte]string{
	'A': "A", 'C': "C", 'G': "G", 'T': "T", 'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
	'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
}

// code is the standard genetic code, of codons in the order of their bases T, C, A, G.
const code = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"

// Bases returns the bases that a letter of degenerate codons stands for; "": it is none.
func Bases(letter byte) string { return bases[letter] }

// IsDegenerate reports whether three letters are a degenerate codon rather than three residues: one that libraries are
// made with, or one with B, which is no residue, or with a letter twice.
func IsDegenerate(text string) bool {
	usual := []string{"NNN", "NNB", "NNK", "NNS", "NDT", "DBK", "NRT", "VHG", "VNK", "VNS", "NYN", "NTN", "RVK", "DVT", "VRK", "NHT"}
	twice := len(text) == 3 && (text[0] == text[1] || text[1] == text[2] || text[0] == text[2])
	return Encoded(text) != "" && (twice || strings.Contains(text, "B") || slices.Contains(usual, text))
}

// Encoded returns the residues that a degenerate codon encodes; "": it is none, or a stop.
func Encoded(codon string) string {
	if len(codon) != 3 || strings.Trim(codon, "ACGTRYSWKMBDHVN") != "" {
		return ""
	}
	var residues []byte
	const order = "TCAG"
	for _, a := range []byte(bases[codon[0]]) {
		for _, b := range []byte(bases[codon[1]]) {
			for _, c := range []byte(bases[codon[2]]) {
				r := code[16*strings.IndexByte(order, a)+4*strings.IndexByte(order, b)+strings.IndexByte(order, c)]
				if r != '*' && bytes.IndexByte(residues, r) < 0 {
					residues = append(residues, r)
				}
			}
		}
	}
	return string(residues)
}
