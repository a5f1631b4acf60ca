package notation

import (
	"regexp"
	"slices"
	"strings"
)

// ringStart matches the beginning of a ring: cyclo(Arg-Gly-Asp), Ac-Nle-c[Asp-Lys]-NH2.
var ringStart = regexp.MustCompile(`^(?:cyclo|cyc|c)-?[(\[]-?`)

// openingWord and closingWord match the ends of a ring.
var (
	openingWord = regexp.MustCompile(`^(?:(?:cyclo|cyc|c)-?)?[(\[]-?$`)
	closingWord = regexp.MustCompile(`^-?[)\]]$`)
)

// wordsComment matches what is said of a peptide behind it: H-Cys-Tyr-Cys-NH2 (disulfide).
var wordsComment = regexp.MustCompile(` ` + remark + `$`)

// modifier matches what belongs to the residue behind it: D-Phe, (D)-Phe, N-Me-Val, β-Ala, γ-Glu, 4-Cl-Phe, 2-Nal,
// homo-Arg, h-Arg.
var modifier = regexp.MustCompile(`^(?:D|L|DL|l|h|\((?:[DLRSdl]|DL|R,S)\)|N|O|S|N?[α-ω]?-?(?:Me|Et|Bn)|N?[α-ω]|(?i:alpha|beta|gamma|delta|epsilon|homo|nor|allo|cis|trans|iso|tert)|[ompd]|\d{1,2}'?|F|Cl|Br|I|NO2|CF3|CN|tBu)$`)

// nameOfResidue matches the beginning of a residue that may be modified: one of several letters, or in brackets.
var nameOfResidue = regexp.MustCompile(`^(?:[A-Za-zα-ω]*[A-Z][a-z]{2}|[([])`)

// Words returns the residues and ends of a peptide that hyphens separate, as in H-D-Phe-Aib-Lys(Ac)-NH2; nil if it is
// none. Prefixes such as D- and N-Me- belong to the residue that follows, and hyphens in other brackets than those of a
// ring to what they are in. The ends of a ring are words, such as cyclo( and ). What is said of a peptide behind it
// belongs to its end.
func Words(text string) []string {
	comment := wordsComment.FindString(text)
	pieces := wordPieces(strings.TrimSuffix(text, comment))
	var all []string
	for len(pieces) > 0 {
		n := 0 // modifiers of the residue behind them
		for n < len(pieces) && modifier.MatchString(pieces[n]) {
			n++
		}
		if n == len(pieces) || openingWord.MatchString(pieces[n]) || !nameOfResidue.MatchString(pieces[n]) {
			n = 0
		}
		all, pieces = append(all, strings.Join(pieces[:n+1], "-")), pieces[n+1:]
	}
	last := len(all) - 1
	switch {
	case last < 1, last == 2 && openingWord.MatchString(all[0]) && closingWord.MatchString(all[2]):
		return nil
	case comment != "" && IsResidue(all[last]):
		return append(all, comment)
	}
	all[last] += comment
	return all
}

// wordPieces returns what hyphens separate, and the ends of rings; nil: the text is no peptide.
func wordPieces(text string) (all []string) {
	for {
		opening := ringStart.FindString(text)
		end := pieceEnd(text, len(opening))
		if end < 1 {
			return nil
		}
		piece := text[:end]
		if opening == "" && isRing(piece) {
			opening = piece[:1]
		}
		if opening == "" {
			all = append(all, piece)
		} else {
			inner, closing := piece[len(opening):end-1], piece[end-1:]
			if bare := strings.TrimSuffix(inner, "-"); bare != inner {
				inner, closing = bare, "-"+closing
			}
			ring := wordPieces(inner)
			if ring == nil || !closingWord.MatchString(closing) {
				return nil
			}
			all = slices.Concat(all, []string{opening}, ring, []string{closing})
		}
		if end == len(text) {
			return all
		}
		text = text[end+1:]
	}
}

// pieceEnd returns the index of the first hyphen outside of brackets, or the length of the text; -1: the text is no
// peptide. So many of its characters are the beginning of a ring, with its bracket; 0: it begins with none.
func pieceEnd(text string, opening int) int {
	depth := min(opening, 1)
	for i := opening; i < len(text); i++ {
		switch {
		case strings.IndexByte("([{", text[i]) >= 0:
			depth++
		case strings.IndexByte(")]}", text[i]) >= 0:
			depth--
		case text[i] <= ' ' || strings.IndexByte(",;:/|", text[i]) >= 0 && depth == 0:
			return -1
		case text[i] == '-' && depth == 0:
			return i
		}
		if depth < 0 {
			return -1
		}
	}
	if depth > 0 {
		return -1
	}
	return len(text)
}

// isRing reports whether a piece is a ring in brackets alone: [Asp-His-D-Phe-Lys].
func isRing(piece string) bool {
	return len(piece) > 1 && piece[0] == '[' && piece[len(piece)-1] == ']' && holdsResidues(piece)
}

// holdsResidues reports whether several residues are in brackets, which are those of a ring and not of a residue.
func holdsResidues(bracketed string) bool {
	n := 0
	for _, piece := range wordPieces(bracketed[1 : len(bracketed)-1]) {
		if IsResidue(piece) {
			n++
		}
	}
	return n > 1
}

// IsRingEnd reports whether a word is an end of a ring.
func IsRingEnd(word string) bool {
	return openingWord.MatchString(word) || closingWord.MatchString(word)
}

// JoinWords returns the peptide of Words.
func JoinWords(all []string) string {
	var b strings.Builder
	for i, word := range all {
		if i > 0 && !openingWord.MatchString(all[i-1]) && !closingWord.MatchString(word) && word[0] != ' ' {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	return b.String()
}

// HaveWords reports whether strings are peptides of Words that are mostly amino acids, except for ends.
func HaveWords(xs []string) bool {
	const fewest = 4 // words in single letters
	residues, all, wrong := 0, 0, 0
	for _, x := range xs {
		split := Words(x)
		is := IsResidue
		if len(split) >= fewest && !slices.ContainsFunc(split, IsResidue) { // H-A-[Aib]-G
			is = func(word string) bool { return len(word) == 1 && strings.Contains(AminoAcids, word) }
		}
		for i, word := range split {
			is, end := is(word), i == 0 || i == len(split)-1
			if is {
				residues++
			}
			if is || !end {
				all++
			}
		}
		if split == nil {
			wrong++
		}
	}
	return 2*residues > all && wrong <= slips(len(xs))
}
