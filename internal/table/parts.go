package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Parts are a sequence that is more than letters: its ends, such as Ac- and -NH2 or cyclo( and ), and its residues, in several chains perhaps.
type Parts struct {
	Before, Residues, After string
}

// inPart matches a residue of Parts: a letter, in lower case for D-amino acids, or a name in brackets, perhaps N-methylated.
const (
	inBrackets = `\[[\p{L}0-9][\p{L}0-9()+,'′-]{0,79}\]`
	remark     = `[(\[{][^()\[\]{}]{1,60}[)\]}]` // such as (disulfide)
	inPart     = `(?:\[N-?Me\])?(?:[ACDEFGHIKLMNPQRSTVWYacdefghiklmnpqrstvwy]|` + inBrackets + `)`
)

var (
	// parts matches a sequence with its ends.
	parts = regexp.MustCompile(`^((?:[A-Za-z][A-Za-z0-9]{0,11}-)?(?:(?:cyclo|cyc|c)-?[(\[]-?)?)` +
		`((?:` + inPart + `)+(?:[:/|_;,](?:[ACDEFGHIKLMNPQRSTVWY]|` + inBrackets + `)+)*)((?:-?[)\]])?(?:-[A-Za-z][A-Za-z0-9]{0,11})?(?: ` + remark + `|(?:-NH2|-OH|[)\]])` + remark + `)?)$`)
	inParts = regexp.MustCompile(inPart + `|[:/|_;,]`)

	// usualEnds match ends that words hardly have.
	usualBefore = regexp.MustCompile(`(?:^|-)(?:H|Ac|Fmoc|Boc|Cbz|Myr|Pal|Suc|Bz|Biotin|FITC|FAM)-|[(\[]-?$`)
	usualAfter  = regexp.MustCompile(`^-?[)\]]|-(?:NH2|OH|NHMe|OMe|OEt|CONH2|amide)(?: ?` + remark + `)?$`)
	onlyRemark  = regexp.MustCompile(`^ ` + remark + `$`)

	chains   = regexp.MustCompile(`^[A-Z]{4,}(?:[:/|_;,][A-Z]{4,})+$`)
	brackets = regexp.MustCompile(`\[[^\]]*\]`)

	// free matches unmodified ends, which may be written or not, and codes matches residues in three-letter codes.
	free  = regexp.MustCompile(`^(?:H-)?(.*?)(?:-OH)?$`)
	codes = regexp.MustCompile(`^((?:[A-Za-z][A-Za-z0-9]{0,11}-)??)((?:[A-Z][a-z]{2}-?)+?|(?:[A-Z]{3}-)+[A-Z]{3})((?:-(?:NH2|NHMe|OMe|OEt))?)$`)
)

// chainMarks separate chains.
const chainMarks = ":/|_;,"

// readParts takes a sequence apart. A text that is none has no residues. more reports whether it is a sequence of more than letters, and
// ok whether it is one at all.
func readParts(text string) (p Parts, more, ok bool) {
	m := parts.FindStringSubmatch(text)
	if m == nil || slices.ContainsFunc(brackets.FindAllString(m[2], -1), holdsResidues) {
		return Parts{Before: text}, false, false
	}
	p = Parts{m[1], m[2], m[3]}
	const fewest = 4 // letters of a sequence with residues in brackets, which other strings have, too: [C][=O]
	letters := brackets.ReplaceAllString(p.Residues, "")
	bracketed := len(letters) < len(p.Residues)
	more = usualBefore.MatchString(p.Before) || usualAfter.MatchString(p.After) ||
		onlyRemark.MatchString(p.After) && len(letters) > fewest && letters == strings.ToUpper(letters) || p.Before == "" && p.After == "" && (chains.MatchString(letters) || bracketed && len(letters) >= fewest)
	return p, more, more || p.Before == "" && p.After == ""
}

// PartsOf takes a sequence apart. A text that is none has no residues.
func PartsOf(text string) Parts {
	p, _, ok := readParts(text)
	if !ok {
		return Parts{Before: text}
	}
	return p
}

// Tokens returns the residues, and what separates chains, in order.
func (p Parts) Tokens() []string { return inParts.FindAllString(p.Residues, -1) }

// Chains returns the residues of each chain. A text that is no sequence has none.
func (p Parts) Chains() (all [][]string) {
	if p.Residues == "" {
		return nil
	}
	all = [][]string{nil}
	for _, t := range p.Tokens() {
		if strings.Contains(chainMarks, t) {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], t)
	}
	return all
}

// With returns the sequence with other chains, as many as it has.
func (p Parts) With(chains [][]string) string {
	text := p.Before
	marks := strings.ReplaceAll(p.Frame(), string(AnyResidue), "")
	for i, chain := range chains {
		text += strings.Join(chain, "")
		if i < len(marks) {
			text += marks[i : i+1]
		}
	}
	return text + p.After
}

// Letters returns the residues without what separates chains.
func (p Parts) Letters() []string { return slices.Concat(p.Chains()...) }

// AnyResidue stands for a residue in a frame.
const AnyResidue = '?'

// Frame returns AnyResidue for each residue, with what separates chains: sequences of one frame are aligned.
func (p Parts) Frame() string {
	var b strings.Builder
	for _, t := range p.Tokens() {
		if !strings.Contains(chainMarks, t) {
			t = string(AnyResidue)
		}
		b.WriteString(t)
	}
	return b.String()
}

// Kept returns what proposals have as it is: the ends, and what separates the chains.
func (p Parts) Kept() string {
	return p.Before + strings.ReplaceAll(p.Frame(), string(AnyResidue), "") + p.After
}

// HaveParts reports whether strings are sequences of which some are more than letters, or peptides with D residues in lower case. One may be wrong, or
// one in ten.
func HaveParts(xs []string) bool { return firstOfParts(xs) != "" }

// firstOfParts returns the first of strings that is more than letters, or has lower case among its capitals, if HaveParts; "": they are none.
func firstOfParts(xs []string) (first string) {
	wrong, mixed := 0, ""
	for _, x := range xs {
		switch p, more, ok := readParts(x); {
		case more:
			first = cmp.Or(first, x)
		case !ok:
			wrong++
		case len(p.Residues) <= peptide && isMixed(p.Residues):
			mixed = cmp.Or(mixed, x)
		}
	}
	if first == "" && likePeptides(xs) {
		first = mixed
	}
	if wrong > max(len(xs)/10, min(1, len(xs)/4)) {
		return ""
	}
	return first
}

// partly reports whether some of the strings are sequences that are more than letters, as with capped ends, beside others that are letters.
func partly(xs []string) bool {
	const some, share = 2, 0.05
	more := count(xs, func(x string) bool {
		_, more, ok := readParts(x)
		return ok && more
	})
	return more >= some && float64(more) >= share*float64(len(xs)) && HaveParts(xs)
}

// likePeptides reports whether the capitals of strings are those of peptides, and not of an alphabet that begins with A, B or C.
func likePeptides(xs []string) bool {
	const fewest, late = 5, 3
	used := strings.Join(xs, "")
	count := func(letters string) (n int) {
		for _, r := range letters {
			if strings.ContainsRune(used, r) {
				n++
			}
		}
		return n
	}
	return count(residues[Protein]) >= fewest && count("KLMNPQRSTVWY") >= late
}

var (
	helm   = regexp.MustCompile(`^(?:PEPTIDE|RNA|CHEM|BLOB)\d+\{`)
	groups = regexp.MustCompile(`[(\[{][^)\]}]*[)\]}]`)

	smallLetters = regexp.MustCompile(`[a-z]`)
	phospho      = regexp.MustCompile(`p[STY]`)

	letters  = regexp.MustCompile(`^(?:[A-Z-]+|[a-z]+)$`)
	capitals = regexp.MustCompile(`[ACDEFGHIKLMNPQRSTVWY]+`)
	locked   = regexp.MustCompile(`^(?:\+?[ACGTUacgtu]\*?){4,}$`) // with + before locked nucleotides, as vendors write them

	// nucleotides matches several of modified.
	nucleotides = regexp.MustCompile(`(?:[mfrd][ACGTU][s*]?){4}|(?:[ACGU]fs?[acgu]s?){2}`)
)

// HaveInChI reports whether most strings are InChI.
func HaveInChI(xs []string) bool {
	return 2*count(xs, func(x string) bool { return strings.HasPrefix(x, "InChI=") }) > len(xs)
}

// HaveHELM reports whether most strings are in HELM: PEPTIDE1{A.C.D}$$$$.
func HaveHELM(xs []string) bool { return 2*count(xs, helm.MatchString) > len(xs) }

// Phosphorylated returns the first of some sequences with pS, pT or pY, if all small letters between capitals are such: p alone is D-proline; "": there is none.
func Phosphorylated(xs []string) (first string) {
	for _, x := range xs {
		bare := groups.ReplaceAllString(PartsOf(x).Residues, "")
		if small := smallLetters.FindAllString(bare, -1); len(small) > 0 {
			if len(phospho.FindAllString(bare, -1)) < len(small) {
				return ""
			}
			first = cmp.Or(first, x)
		}
	}
	return first
}

// Coded returns the first of strings that is letters of a sequence with codes among them: Ac-DT(R8)FEQYWA-NH2, QLHpTPT, mG*mG*mC(A), +T+A+Gttg. All
// others are such, too, or letters alone; "": some string is neither, or none has codes. Some letters are of no SMILES.
func Coded(xs []string) (first string) {
	for _, x := range xs {
		switch {
		case isCoded(x):
			first = cmp.Or(first, x)
		case !letters.MatchString(x):
			return ""
		}
	}
	return first
}

// partsRead matches what a sequence begins with that is read.
var partsRead = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9]{0,11}-)?(?:(?:cyclo|cyc|c)-?[(\[]-?)?(?:` + inPart + `|[:/|_;,])*`)

// Unread returns, of sequences some of which are more than letters, the first that is not read as one, and the first of its residues that is none:
// a group such as (Orn), or a character; "": all are read, or none is.
func Unread(xs []string) (x, residue string) {
	some := false
	for _, of := range xs {
		_, more, ok := readParts(of)
		if some = some || more; x == "" && !ok {
			x = of
		}
	}
	if !some || x == "" {
		return "", ""
	}
	rest := x[len(partsRead.FindString(x)):]
	if group := groups.FindString(rest); group != "" && strings.HasPrefix(rest, group) {
		return x, group
	}
	for _, r := range rest {
		return x, string(r)
	}
	return x, ""
}

func isCoded(x string) bool {
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
	distinct := func(x string) (n int) {
		for _, r := range "ADEGKLMQRTUVWY" {
			if strings.ContainsRune(x, r) {
				n++
			}
		}
		return n
	}
	if others > 0 && residues >= shortest && 2*residues >= len(x) && distinct(groups.ReplaceAllString(x, "")) >= fewest {
		return true
	}
	run := slices.MaxFunc(append(capitals.FindAllString(x, -1), ""), func(a, b string) int { return len(a) - len(b) })
	return len(run) >= shortest && len(run) < len(x) && 3*residues >= len(x) && distinct(run) >= fewest
}

// Nucleotides with modifications in three notations: usUfsgcAf, where lower case is 2'-methoxy and f 2'-fluoro; mUsfUsmG; and /i2MOErT/*+A*G, as
// suppliers write them. An s or * is a phosphorothioate after the nucleotide.
var modified = []*regexp.Regexp{
	regexp.MustCompile(`(?:[ACGU]f|d[ACGT]|[ACGUacgu])s?|L96`),
	regexp.MustCompile(`(?:moe|lna|fana|bna|[mfdrleb])?[ACGTU](?:s|\*)?|L96`),
	regexp.MustCompile(`(?:/[0-9A-Za-z_-]+/|[mr+]?[ACGTU])\*?`),
}

// Modified returns a function that splits nucleic acids with modifications, as T beside U is one, into their nucleotides, and another string into one; nil if
// not all strings, but one or one in ten, are such.
func Modified(xs []string) func(x string) []string {
	const shortest = 5
	for _, nucleotide := range modified {
		split := func(x string) []string {
			if all := nucleotide.FindAllString(x, -1); strings.Join(all, "") == x {
				return all
			}
			return []string{x}
		}
		wrong := count(xs, func(x string) bool {
			n := len(split(x))
			return n < shortest || n == len(x) && !isChimera(x)
		})
		if len(xs) > 0 && wrong <= max(len(xs)/10, min(1, len(xs)/4)) {
			return split
		}
	}
	return nil
}

// IsNucleotide reports whether a token is a nucleotide with a modification, such as mU.
func IsNucleotide(token string) bool {
	return slices.ContainsFunc(modified, func(m *regexp.Regexp) bool { return m.FindString(token) == token && token != "" })
}

// oneLetter returns a peptide without unmodified ends, H- and -OH, and in letters if it is in three-letter codes.
func oneLetter(text string) string {
	inner := free.FindStringSubmatch(text)[1]
	if m := codes.FindStringSubmatch(inner); m != nil {
		var b strings.Builder
		letters := strings.ToUpper(strings.ReplaceAll(m[2], "-", ""))
		for ; len(letters) >= 3; letters = letters[3:] {
			letter, ok := aminoAcids[letters[:3]]
			if !ok || letter == '*' {
				return text
			}
			b.WriteByte(letter)
		}
		if b.Len() > 1 {
			return m[1] + b.String() + m[3]
		}
	}
	p, more, ok := readParts(inner)
	gap := strings.HasPrefix(text, "H-") && !more && !strings.HasSuffix(text, "-OH") // of an alignment
	if ok && !gap && strings.ToUpper(p.Residues) == p.Residues {
		return inner
	}
	return text
}

// ringStart matches the beginning of a ring: cyclo(Arg-Gly-Asp), Ac-Nle-c[Asp-Lys]-NH2.
var ringStart = regexp.MustCompile(`^(?:cyclo|cyc|c)-?[(\[]-?`)

// openingWord and closingWord match the ends of a ring.
var (
	openingWord = regexp.MustCompile(`^(?:(?:cyclo|cyc|c)-?)?[(\[]-?$`)
	closingWord = regexp.MustCompile(`^-?[)\]]$`)
)

// wordsComment matches what is said of a peptide behind it: H-Cys-Tyr-Cys-NH2 (disulfide).
var wordsComment = regexp.MustCompile(` ` + remark + `$`)

// modifier matches what belongs to the residue behind it: D-Phe, (D)-Phe, N-Me-Val, β-Ala, γ-Glu, 4-Cl-Phe, 2-Nal, homo-Arg, h-Arg.
var modifier = regexp.MustCompile(`^(?:D|L|DL|l|h|\((?:[DLRSdl]|DL|R,S)\)|N|O|S|N?[α-ω]?-?(?:Me|Et|Bn)|N?[α-ω]|(?i:alpha|beta|gamma|delta|epsilon|homo|nor|allo|cis|trans|iso|tert)|[ompd]|\d{1,2}'?|F|Cl|Br|I|NO2|CF3|CN|tBu)$`)

// nameOfResidue matches the beginning of a residue that may be modified: one of several letters, or in brackets.
var nameOfResidue = regexp.MustCompile(`^(?:[A-Za-zα-ω]*[A-Z][a-z]{2}|[([])`)

// Words returns the residues and ends of a peptide that hyphens separate, as in H-D-Phe-Aib-Lys(Ac)-NH2; nil if it is none. Prefixes such as D- and
// N-Me- belong to the residue that follows, and hyphens in other brackets than those of a ring to what they are in. The ends of a ring are words, such as
// cyclo( and ). What is said of a peptide behind it belongs to its end.
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

// pieceEnd returns the index of the first hyphen outside of brackets, or the length of the text; -1: the text is no peptide. So many of its characters
// are the beginning of a ring, with its bracket; 0: it begins with none.
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
	return count(wordPieces(bracketed[1:len(bracketed)-1]), IsResidue) > 1
}

// IsRingEnd reports whether a word is an end of a ring.
func IsRingEnd(word string) bool {
	return openingWord.MatchString(word) || closingWord.MatchString(word)
}

// JoinWords returns the peptide of some words.
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

// HaveWords reports whether strings are peptides of Words, most of which are amino acids but for ends. One may be wrong, or one in ten.
func HaveWords(xs []string) bool {
	const fewest = 4 // words in single letters
	residues, all, wrong := 0, 0, 0
	for _, x := range xs {
		split := Words(x)
		is := IsResidue
		if len(split) >= fewest && !slices.ContainsFunc(split, IsResidue) { // H-A-[Aib]-G
			is = isLetterOfResidue
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
	return 2*residues > all && wrong <= max(len(xs)/10, min(1, len(xs)/4))
}

// IsResidue reports whether a word is the three-letter code of an amino acid, perhaps behind D- or other modifiers, and before something in brackets.
func IsResidue(word string) bool {
	word, _, _ = strings.Cut(word, "(")
	word = word[strings.LastIndexByte(word, '-')+1:]
	letter, ok := aminoAcids[strings.ToUpper(word)]
	return ok && letter != '*'
}

// haveOthers reports whether some of peptides in three-letter codes, as which HaveWords finds them, have other residues than the usual.
func haveOthers(xs []string) bool {
	return slices.ContainsFunc(xs, func(x string) bool { return otherResidue(x) != "" }) && HaveWords(xs)
}

// otherResidue returns the first residue of a peptide in three-letter codes that is no usual one: Nle of Ala-Nle-Trp; "": there is none.
func otherResidue(x string) string {
	all := Words(x)
	i := slices.IndexFunc(all, func(word string) bool { return !IsResidue(word) && NamesResidue(word) })
	if i < 0 || !slices.ContainsFunc(all, IsResidue) {
		return ""
	}
	return all[i]
}

// residueName matches the name of a residue, such as Nle, D-Nal(2) or hPhe, and of some ends.
var residueName = regexp.MustCompile(`^(?:[^\s()-]{1,6}-)*[a-zα-ω]{0,2}[A-Z][a-z]{2}\d?(?:\([^()]+\))?$`)

// endNames are ends that are written as residues are.
var endNames = strings.Fields("Ada Amc Bio Boc Bzl Cbz Dns For Hex Lau Mal Myr Nic Oct Oet Ome Pal Pna Ste Suc Tos")

// NamesResidue reports whether a word is named as residues are: by a code of three letters that no usual end has.
func NamesResidue(word string) bool {
	return residueName.MatchString(word) && !slices.Contains(endNames, word)
}

func isLetterOfResidue(word string) bool {
	return len(word) == 1 && strings.Contains(residues[Protein], word)
}

// threeLetters matches the code of an amino acid that is no part of a word.
var threeLetters = regexp.MustCompile(`(?:^|[^A-Za-z])(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)\b|` +
	`(?:^|[-_. ])(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)\d`)

// separated matches residues in single letters with a separator, which may have names of several letters among them.
var separated = regexp.MustCompile(`^(?:[ACDEFGHIKLMNPQRSTVWY][_.]){3}|[_.][ACDEFGHIKLMNPQRSTVWY][_.][ACDEFGHIKLMNPQRSTVWY][_.][ACDEFGHIKLMNPQRSTVWY][_.]`)

// HaveCodes returns the first of strings most of which have amino acids in three-letter codes, or letters with a separator; "": they have not.
func HaveCodes(xs []string) (first string) {
	const fewest = 3
	n := count(xs, func(x string) bool {
		found := len(threeLetters.FindAllString(x, -1)) >= fewest || separated.MatchString(x)
		if found {
			first = cmp.Or(first, x)
		}
		return found
	})
	if 2*n <= len(xs) {
		return ""
	}
	return first
}
