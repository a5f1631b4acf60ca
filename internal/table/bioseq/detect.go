package bioseq

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
)

// Hint is what the name of some texts, such as that of their column, says of them.
type Hint int

const (
	NoHint          Hint = iota // nothing
	OftenSequences              // they may be sequences: peptide, variant
	CalledSequences             // they are sequences, as far as the name tells
)

// Detect returns what texts in letters are: sequences if both their name and most of them say so, or most of them
// beyond doubt; otherwise None.
func Detect(texts []string, hint Hint) Kind {
	cells := make([]string, len(texts))
	for i, text := range texts {
		cells[i] = withoutStrand(text)
	}
	if degenerate(cells) {
		return None
	}
	if hint == NoHint {
		return evident(cells)
	}
	const long = 8
	n, capitals, lower := len(cells), 0, 0
	for _, letters := range cells {
		usual, unusual := residueCount(letters)
		switch {
		case usual == 0:
		case len(letters) >= long && strings.Trim(strings.ToUpper(letters), "ACGTUN"+gaps) == "": // case may tell exons, or what is not coding
			capitals++
		case letters == strings.ToUpper(letters) && 3*unusual <= usual:
			capitals++
		case letters == strings.ToLower(letters) && unusual == 0:
			lower++
		}
	}
	kind := kindOf(cells)
	// Words in lower case may have letters of amino acids only. Hardly all words of a table have, but for one that is wrong.
	const few = 4
	most := 10*(capitals+lower) >= 9*n || n >= few && capitals+lower == n-1
	if 2*capitals > n || n > 0 && most && (kind != Protein || hint == CalledSequences) {
		return kind
	}
	return None
}

// evident returns the kind of bare cells that are sequences whatever their column is called. Either nearly all of them
// are long and have bases only, or residues of proteins in capitals, where most residues occur; or they are many short
// ones of one length, and nearly all residues occur.
func evident(cells []string) Kind {
	const long, most, fewBases, fewResidues = 8, 0.9, 3, 15
	var nucleic, proteins, letters int
	used := map[rune]bool{}
	for _, cell := range cells {
		letters += len(cell)
		upper := strings.ToUpper(cell)
		if strings.Trim(upper, alphabets[DNA]+alphabets[RNA]+"N"+gaps) == "" {
			nucleic++
		}
		if usual, unusual := residueCount(cell); usual > 0 && 10*unusual <= usual && cell == upper {
			proteins++
		}
		for _, r := range upper {
			used[r] = true
		}
	}
	n := len(cells)
	occur := func(letters string) (k int) {
		for _, r := range letters {
			if used[r] {
				k++
			}
		}
		return k
	}
	const many, nearlyAllResidues = 20, 18
	switch {
	case n >= many && proteins == n && len(cells[0]) >= 3 && occur(notation.AminoAcids) >= nearlyAllResidues && occur("BJOUXZ") == 0 && oneLength(cells):
		return Protein // a library of a few sites
	case n < 2 || letters < long*n:
		return None
	case float64(nucleic+coded(cells)) >= most*float64(n) && occur("ACG") == fewBases:
		return kindOf(cells)
	case float64(proteins) >= most*float64(n) && occur(notation.AminoAcids) >= fewResidues && occur("BJOUXZ") <= 1:
		return kindOf(cells)
	case float64(proteins) >= most*float64(n) && areVariants(cells):
		return Protein
	}
	return None
}

// areVariants reports whether bare cells, which nearly all have one length, are variants of one peptide: they differ,
// at few positions, and have letters that codes hardly have.
func areVariants(cells []string) bool {
	const fewest, many, shortest, share, ofFew, nearly, letters, late = 3, 10, 8, 0.4, 0.25, 0.9, 5, 3
	lengths := map[int]int{}
	for _, cell := range cells {
		lengths[len(cell)]++
	}
	length := 0
	for n, k := range lengths {
		if k > lengths[length] || k == lengths[length] && n < length {
			length = n
		}
	}
	var aligned []string
	for _, cell := range cells {
		if len(cell) == length {
			aligned = append(aligned, cell)
		} else if 5*len(cell) < 4*length || 5*len(cell) > 6*length {
			return false
		}
	}
	n := len(aligned)
	used := strings.Join(aligned, "")
	if n < fewest || float64(n) < nearly*float64(len(cells)) || length < shortest || notation.Distinct(used, notation.AminoAcids) < letters || notation.Distinct(used, "KLMNPQRSTVWY") < late {
		return false
	}
	off := 0
	for i := range length {
		var count [256]int
		for _, cell := range aligned {
			count[cell[i]]++
		}
		off += n - slices.Max(count[:])
	}
	most := ofFew
	if n >= many {
		most = share
	}
	return off > 0 && float64(off) <= most*float64(n*length)
}

// residueCount counts the usual letters of sequences, and others but for gaps. Of what has more than letters, gaps and * none is usual.
func residueCount(letters string) (usual, unusual int) {
	isRNA := strings.Trim(strings.ToUpper(letters), "ACGUN"+gaps) == ""
	for _, r := range letters {
		switch upper := capital(r); {
		case isRNA && upper == 'U', strings.ContainsRune(notation.AminoAcids, upper):
			usual++
		case 'A' <= upper && upper <= 'Z', r == '*':
			unusual++
		case !strings.ContainsRune(gaps, r):
			return 0, len(letters)
		}
	}
	return usual, unusual
}

func oneLength(cells []string) bool {
	return !slices.ContainsFunc(cells, func(x string) bool { return len(x) != len(cells[0]) })
}

// kindOf returns what bare sequences are: DNA or RNA if most consist of its letters and nearly all may, otherwise Protein.
func kindOf(cells []string) Kind {
	var nucleic, bases, proteins, t, u int
	for _, letters := range cells {
		letters = strings.ToUpper(letters)
		switch {
		case strings.Trim(letters, "ACGTUN"+gaps) == "":
			nucleic++
			bases += len(letters)
			t += strings.Count(letters, "T")
			u += strings.Count(letters, "U")
		case strings.ContainsAny(letters, "EFILPQ"): // no code of bases
			proteins++
		}
	}
	n := len(cells)
	const short = 6 // peptides of fewer letters may by chance have those of DNA only
	switch {
	case 10*proteins > n, 2*(nucleic+coded(cells)) <= n, coded(cells) == 0 && bases < short*nucleic && nucleic < n:
		return Protein
	case u > t:
		return RNA
	}
	return DNA
}

// baseCodes are the letters of DNA and RNA with those that stand for several bases. All but B and U are residues of
// proteins, too.
const baseCodes = "ACGTURYSWKMBDHVN"

// coded returns how many bare cells are DNA or RNA with codes of several bases, such as ATGNNKCTG. Only cells beside
// them that have the bases alone, all four of them, tell that they are no peptides.
func coded(cells []string) int {
	const long = 8
	codes, clear, letters := 0, 0, 0
	missing := []string{"A", "C", "G", "TU"}
	for _, cell := range cells {
		upper := strings.ToUpper(cell)
		switch {
		case strings.Trim(upper, "ACGTU"+gaps) == "":
			clear, letters = clear+1, letters+len(upper)
			missing = slices.DeleteFunc(missing, func(base string) bool { return strings.ContainsAny(upper, base) })
		case strings.Trim(upper, "ACGTUN"+gaps) != "" && strings.Trim(upper, baseCodes+gaps) == "":
			codes++
		}
	}
	if letters < long*clear || len(missing) > 0 {
		return 0
	}
	return codes
}

// degenerate reports whether bare cells are primers or probes of several sequences each: bases with codes for several
// of them. Peptides hardly have so many letters of bases.
func degenerate(cells []string) bool {
	var coded, letters, bases int
	for _, cell := range cells {
		upper := strings.ToUpper(cell)
		if strings.Trim(upper, baseCodes) != "" {
			return false
		}
		n := 0
		for _, base := range "ACGTU" {
			n += strings.Count(upper, string(base))
		}
		letters, bases = letters+len(upper), bases+n
		if n < len(upper) {
			coded++
		}
	}
	const long, most = 8, 0.7
	return 2*coded > len(cells) && letters >= long*len(cells) && float64(bases) >= most*float64(letters)
}
