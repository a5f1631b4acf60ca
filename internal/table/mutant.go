package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// substitution replaces one letter of the wild type: K2R.
type substitution struct {
	text     string
	from, to byte
	position int  // as the table numbers it
	nucleic  bool // it counts along DNA or RNA: c.76A>T
}

// aminoAcids are the three-letter codes of HGVS. Ter is a stop.
var aminoAcids = map[string]byte{
	"ALA": 'A', "ARG": 'R', "ASN": 'N', "ASP": 'D', "CYS": 'C', "GLN": 'Q', "GLU": 'E', "GLY": 'G', "HIS": 'H', "ILE": 'I', "LEU": 'L', "LYS": 'K',
	"MET": 'M', "PHE": 'F', "PRO": 'P', "SER": 'S', "THR": 'T', "TRP": 'W', "TYR": 'Y', "VAL": 'V',
	"ASX": 'B', "GLX": 'Z', "XLE": 'J', "XAA": 'X', "SEC": 'U', "PYL": 'O', "TER": '*',
}

// Parts of the notations below.
const (
	residueLetter = `[ACDEFGHIKLMNPQRSTVWY]`
	threeLetter   = `[A-Z][a-z]{2}`
	residueCode   = `(?:` + threeLetter + `|` + residueLetter + `)`
	plainChange   = residueLetter + `\d{1,7}` + residueLetter
	codedChange   = threeLetter + `\d{1,7}` + threeLetter
	newResidue    = `(?:(?i:pos(?:ition)?)[ _.]?)?\d{1,7}[\s:=_>→-]*` + residueCode
)

var (
	// change matches one change: a letter or code of the wild type, its position, and what becomes of it.
	change = regexp.MustCompile(`^(?:p\.)?[(\[]*([A-Za-z]{3}|[A-Za-z])(-?\d{1,7})([A-Za-z]+|[=*-])`)

	// ofChain matches a change whose second letter is the chain: KA2R.
	ofChain = regexp.MustCompile(`\b([A-Z])([A-Z])(-?\d{1,7}[A-Z])\b`)

	// ofProtein matches the name of a protein before a change: GFP-K2R, TEM-1 K2R.
	ofProtein = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.]*?(?:[ _-][A-Za-z0-9.]+?)??[ _:-]+)((?:p\.)?[(\[]*(?:[A-Z]|[A-Z][a-z]{2})\d+(?:[A-Z]|[A-Z][a-z]{2})(?:\W.*|_.*)?)$`)

	// chainBehind matches a change with the chain behind it: K2R_A.
	chainBehind = regexp.MustCompile(`\b([A-Z]-?\d{1,7}[A-Z])_([A-Z])($|[\s:;,/+|&])`)

	// arrow matches the arrow of changes such as A24>T, 24A>T and A24 -> T.
	arrow = regexp.MustCompile(`(-?\d{1,7})\s*([A-Za-z]{3}|[A-Za-z])?\s*(?:>|→|->|=>)\s*([A-Za-z])`)

	// apart matches a change with blanks in it: A 24 T.
	apart = regexp.MustCompile(`\b([A-Z][a-z]{2}|[A-Z])\s+(\d{1,7})\s+([A-Z][a-z]{2}|[A-Z])\b`)

	// footnote matches marks behind a mutant, which the table explains elsewhere.
	footnote = regexp.MustCompile(`\s*[†‡§¶ᵃᵇᶜᵈ]+$`)

	// between matches what separates changes. A hyphen separates only behind a change: K2- is a deletion, A-1G is before position 1.
	between = regexp.MustCompile(`^[)\]]*(?:(?i:[\s,]+and\s+)|[\s:;,/+_|&•·-]+)[(\[]*`)

	// listMarks matches what surrounds the changes of a list, as a program prints it: ['K2R', 'T3S'].
	listMarks = regexp.MustCompile(`[\[\](){}'"‘’“”]+`)

	// runTogether matches changes with nothing between them, and oneOf one of these: K2RT3S, Lys2ArgThr3Ser.
	runTogether = regexp.MustCompile(`^(?:` + plainChange + `){2,}$|^(?:` + codedChange + `){2,}$`)
	oneOf       = regexp.MustCompile(plainChange + `|` + codedChange)

	// inPieces matches a change whose letters and position are apart, K-2-R, and positionFirst one that begins with the position, 2_K_R.
	inPieces      = regexp.MustCompile(`(^|[^A-Za-z0-9])(` + residueCode + `)[-–_.:/, ]+(\d{1,7})[-–_.:/, ]+(` + residueCode + `)`)
	positionFirst = regexp.MustCompile(`(^|[^A-Za-z0-9])(\d{1,7})[-–_.:/, ]+(` + residueCode + `)[-–_.:/, ]+(` + residueCode + `)`)

	// ofEach matches the chain or protein before a change, where each of several changes has it: A:K2R,A:T3S.
	ofEach = regexp.MustCompile(`(^|[\s:;,/+|&_(\[-])((?:(?i:chain)[ _-]?)?[A-Za-z][A-Za-z0-9]{0,11}[ :_./-]+)(` + residueCode + `\d{1,7}` + residueCode + `)`)

	// chainWord matches what may stand before the name of a chain.
	chainWord = regexp.MustCompile(`^(?i:chain)[ _-]?`)

	// withoutWildType matches changes without what the wild type has there: 2R, 2R 3S, {2: 'R', 3: 'S'}.
	withoutWildType = regexp.MustCompile(`^` + newResidue + `(?:[\s:;,/+|&_-]+` + newResidue + `)*$`)

	// reference matches the sequence that HGVS names before a change: NP_004324.2:p. or BRAF:p.
	reference = regexp.MustCompile(`^(?:[A-Z]{2,}[A-Za-z0-9_.-]*|[A-Z]\d[A-Z0-9]{3}\d(?:[A-Z0-9]{3}\d)?)(?:\([A-Za-z0-9_.-]*\))?:\(?p\.`)

	// version matches that of a reference, which changes with its annotation.
	version = regexp.MustCompile(`\.\d+$`)

	// nucleic matches the beginning of changes that HGVS counts along DNA or RNA: c.76A>T.
	nucleic = regexp.MustCompile(`^(?:[A-Za-z0-9_.()-]+:)?([cgnrm])\.[\[(]*[-*]?\d`)

	// ofBase matches one of them, of one base or none.
	ofBase = regexp.MustCompile(`^(-?\d{1,7})(?:([ACGTUacgtu])>([ACGTUacgtu])|[ACGTUacgtu]?=)$`)

	// unread matches a change in HGVS that is no substitution.
	unread = regexp.MustCompile(`^(?:p\.)?[(\[]*(?:[A-Z][a-z]{2}|[A-Z])\d+(?:_(?:[A-Z][a-z]{2}|[A-Z])\d+)?(?:delins|del|ins|dup|ext|[A-Z]?[a-z]{0,2}fs|Ter|[*?]$)`)
)

// mutate returns the wild type with substitutions. Its first letter has the position first. contradicts says that a substitution does not fit it.
func mutate(wildType string, first int, all []substitution) (mutant string, contradicts bool, err error) {
	sequence := []byte(wildType)
	changed := map[int]bool{}
	for _, s := range all {
		at := s.position - first
		if s.nucleic {
			if !isNucleic(wildType) {
				return "", true, fmt.Errorf("%s counts along DNA or RNA, and the wild type is a protein: give its DNA, or the changes of the protein, such as K2R", s.text)
			}
			s = s.in(wildType)
		}
		switch {
		case at < 0 || at >= len(sequence):
			return "", true, fmt.Errorf("%s: the wild type has the positions %d to %d", s.text, first, first+len(sequence)-1)
		case changed[at]:
			return "", false, fmt.Errorf("%s: position %d is changed twice", s.text, s.position)
		case wildType[at] != s.from:
			return "", true, fmt.Errorf("%s: position %d of the wild type is %c, not %c", s.text, s.position, wildType[at], s.from)
		}
		sequence[at], changed[at] = s.to, true
	}
	return string(sequence), false, nil
}

// isNucleic reports whether a wild type is DNA or RNA.
func isNucleic(wildType string) bool { return strings.Trim(wildType, "ACGTU") == "" }

// in returns a change of DNA or RNA as one of a wild type that is the other of them.
func (s substitution) in(wildType string) substitution {
	written := strings.NewReplacer("U", "T")
	if strings.Contains(wildType, "U") {
		written = strings.NewReplacer("T", "U")
	}
	s.from, s.to = written.Replace(string(s.from))[0], written.Replace(string(s.to))[0]
	return s
}

// WildType is a Mutant without substitutions.
const WildType = "WT"

// NamesMutants reports whether a column of that name holds mutants.
func NamesMutants(column string) bool { return slices.Contains(mutantNames, quantity.Fold(column)) }

// Mutant writes a sequence as the substitutions that make it of the wild type, whose first letter has the position first: K2R:T3S. It is empty if the sequence has another length, or there is no wild type.
func Mutant(wildType string, first int, sequence string) string {
	if wildType == "" || len(sequence) != len(wildType) {
		return ""
	}
	var all []string
	for i := range len(sequence) {
		if sequence[i] != wildType[i] {
			all = append(all, fmt.Sprintf("%c%d%c", wildType[i], first+i, sequence[i]))
		}
	}
	if all == nil {
		return WildType
	}
	return strings.Join(all, ":")
}

// placeMutants finds the column of mutants, which may be that of the strings: by name or content if the wild type is known. Without
// one, a study knows rows by their mutants as names, and another table is refused.
func (g *grid) placeMutants(o Options, c *columns, q *Question) error {
	if c.input < 0 {
		return nil
	}
	named := func(i int) bool { return slices.Contains(mutantNames, g.heading(i).Base) }
	if cells := g.cells(c.input, sampled); named(c.input) && mostly(cells, isWithoutWildType) && (o.WildType != "" || o.Sequences == Detect) {
		example := usage.Shorten(cells[slices.IndexFunc(cells, isWithoutWildType)], 40)
		return usage.Errorf("column %s holds mutants such as %s, without what the wild type has at the position: write K2R for 2R", g.name(c.input), example)
	}
	holds := g.share(c.input, isMutant) > 0.5
	switch {
	case o.WildType != "" && (holds || named(c.input) && g.share(c.input, isLetters) <= 0.5):
		c.mutant = c.input
	case o.WildType != "":
		taken := c.taken()
		c.mutant = g.one(func(i int) bool {
			return i == c.id && g.share(i, isPlainMutant) > 0.9 || named(i) && (i == c.id || !slices.Contains(taken, i)) && g.share(i, isMutant) > 0.5
		})
	case o.Named && named(c.input) && (holds || c.id == c.input):
		c.id, c.input = c.input, -1
	case holds && named(c.input), o.Sequences == Detect && g.share(c.input, isPlainMutant) > 0.9:
		example := ""
		cells := g.cells(c.input, sampled)
		if i := slices.IndexFunc(cells, isMutant); i >= 0 {
			example = usage.Shorten(cells[i], 40)
		}
		const why = "column %s holds mutants such as %s, and the sequence that they change is not known"
		q.ask(RoleWildType, fmt.Sprintf(why, g.name(c.input), example), g.candidates(c.input))
	}
	return nil
}

// checkParents returns an error if another column says that mutants are of several chains or proteins: the wild type is one. Names of proteins
// that most rows have alone are those of the mutants.
func (g *grid) checkParents(_ Options, c *columns, _ *Question) error {
	for i := range g.header {
		base := g.heading(i).Base
		chains := slices.Contains(chainNames, base)
		if c.mutant < 0 || i == c.mutant || i == c.input || !chains && !(slices.Contains(parentNames, base) && g.share(i, isValue) < 0.5) {
			continue
		}
		var of tally[string]
		rows, line, other := 0, 0, ""
		for r := range g.rows(g.begin()) {
			mutant, name := field(r.cells, c.mutant), field(r.cells, i)
			if r.kind != data || isWildType(mutant) || standsForWildType(mutant) || isMissing(mutant) || isMissing(name) {
				continue
			}
			if of.add(name); len(of.order) == 2 && line == 0 {
				line, other = r.line, mutant
			}
			rows++
		}
		if line > 0 && (chains || 2*len(of.order) <= rows) {
			return usage.Errorf("line %d: %s is a variant of %s %s, and others are of %s; the wild type is one: keep the rows of one of them",
				line, usage.Shorten(other, 40), g.name(i), usage.Shorten(of.order[1], 40), usage.Shorten(of.order[0], 40))
		}
	}
	return nil
}

// isLetters reports whether a cell may be a sequence rather than mutants: it has no digit.
func isLetters(cell string) bool {
	return !strings.ContainsAny(cell, "0123456789") && !isWildType(cell)
}

// isPlainMutant reports whether a cell is of substitutions in capital letters, so that whatever its column is called, it holds mutants.
func isPlainMutant(cell string) bool {
	cell = withoutListMarks(cell)
	_, err := parseChanges(cell) // KA2R and GFP-K2R may be other codes
	return err == nil && (isWildType(cell) || cell == strings.ToUpper(cell) || strings.HasPrefix(cell, "p."))
}

// mutant reads the mutants of a row: as its Input, if that is where they are or there is no sequence, or to be compared with it.
func (r Record) mutant(cell string, isInput bool, o Options) Record {
	all, err := parseMutant(cell)
	if err != nil && (isInput || r.Input == "") && standsForWildType(cell) {
		all, err, r.unmutated = nil, nil, cell
	}
	switch {
	case err != nil && !isInput && (r.Input != "" || o.Named && r.ID != ""): // the sequence says what it is, or the name
		return r
	case err != nil && o.Named && (isTrial(cell) || o.Known != nil && o.Known.named(cell)):
		r.ID, r.Input = cell, ""
		return r
	case err != nil:
		return r.invalid(BadMutant, "%v", err)
	}
	r.mutants = cell
	r.expected, r.contradicts, err = mutate(o.WildType, o.first(), all)
	if err != nil {
		return r.invalid(BadMutant, "%v", err)
	}
	if isInput || r.Input == "" {
		r.Input = r.expected
	}
	return r
}

// noteUnmutated notes what is taken for the wild type.
func (t *Table) noteUnmutated(column string) {
	var words []string
	for _, r := range t.Records {
		if r.unmutated != "" && !slices.Contains(words, r.unmutated) {
			words = append(words, r.unmutated)
		}
	}
	if len(words) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("column %s: %s taken for the wild type", column, usage.Shorten(enumerated(words), 100)+when(len(words) == 1, " is")+when(len(words) > 1, " are")))
	}
}

// joinMutants has mutants that a table spreads over columns read as one, in the last of these: K2R of a position, what the wild type has there and
// what becomes of it, or K2R:T3S of the first mutation and the second. A row with neither is the wild type, unless it may have a name alone.
func (g *grid) joinMutants(o Options) {
	if sequences := g.where(func(i int) bool { return 0 <= g.rank(inputNames[:2], i) && g.filled(i) }); len(sequences) > 0 {
		return
	}
	column := func(names string, is func(cell string) bool) int {
		known := list(names)
		return g.one(func(i int) bool { return slices.Contains(known, g.heading(i).Base) && g.share(i, is) > 0.9 })
	}
	from, at, to := column("mutant from", isResidue), column("mutant position", isWhole), column("mutant to", isResidue)
	numbered := g.where(func(i int) bool {
		cells := g.cells(i, sampled)
		return numberedMutant.MatchString(g.heading(i).Base) &&
			(cells == nil || slices.ContainsFunc(cells, func(cell string) bool { return isMutant(cell) || isMissing(cell) }))
	})
	mutantOrNone := func(cell string) bool { return isMutant(cell) || isMissing(cell) || standsForWildType(cell) }
	if !slices.ContainsFunc(numbered, func(i int) bool { return g.share(i, mutantOrNone) > 0.9 && g.share(i, isMutant) > 0 }) {
		numbered = nil
	}
	var join func(cells []string)
	switch {
	case from >= 0 && at >= 0 && to >= 0:
		g.joined = []int{from, at, to}
		join = func(cells []string) {
			before, position, after := field(cells, from), whole(field(cells, at)), field(cells, to)
			if isResidue(before) && position != "" && after != "" && !isWildType(after) {
				cells[to] = before + position + after
			}
		}
	case len(numbered) > 1:
		g.joined = numbered
		join = func(cells []string) {
			var all []string
			for _, i := range numbered {
				if cell := field(cells, i); !isMissing(cell) && !isWildType(cell) && !standsForWildType(cell) {
					all = append(all, cell)
				}
			}
			last := numbered[len(numbered)-1]
			switch {
			case len(all) > 0:
				cells[last] = strings.Join(all, ":")
			case o.Named:
				cells[last] = field(cells, numbered[0])
			default:
				cells[last] = WildType
			}
		}
	default:
		return
	}
	joined := func(cells []string) []string { // a workbook's are read again, and end where a row does
		cells = append(slices.Clone(cells), make([]string, max(0, slices.Max(g.joined)+1-len(cells)))...)
		join(cells)
		return cells
	}
	g.rewrite(func(r row) row {
		r.cells = joined(r.cells)
		return r
	})
	for _, i := range g.joined {
		g.headings[i] = quantity.ParseHeading("part of a mutant")
	}
	g.headings[g.joined[len(g.joined)-1]] = quantity.ParseHeading(mutantNames[0])
}

var numberedMutant = regexp.MustCompile(`^(?:mut|mutant|mutation|variant|substitution|sub|aamutation|aasubstitution)[1-9][0-9]?$`)

// isResidue reports whether a cell says what is at a position, or that nothing is.
func isResidue(cell string) bool {
	return aminoAcid(cell) != 0 || isWildType(cell) || slices.Contains([]string{"stop", "ter", "del", "nonsense"}, strings.ToLower(cell))
}

// whole returns the digits of a whole number, which a workbook may hold as 2.0; empty if it is none.
func whole(cell string) string {
	cell = strings.TrimSuffix(cell, ".0")
	if isDigits(strings.TrimPrefix(cell, "-")) {
		return cell
	}
	return ""
}

func isWhole(cell string) bool { return whole(cell) != "" }

// isTrial reports whether a cell is what a study calls a trial without a name: its number, or that after some P.
func isTrial(cell string) bool { return isDigits(strings.TrimLeft(cell, "P")) }

// first returns the position of the first letter of the wild type.
func (o Options) first() int { return o.Offset + 1 }

// compare refuses a row whose sequence is not what its mutants make of the wild type. Mutants do not tell D residues in lower case from others.
func (r *Record) compare(o Options) {
	if r.expected == "" || r.Input == "" || strings.EqualFold(r.Input, r.expected) {
		return
	}
	r.contradicts = true
	if len(r.Input) != len(r.expected) {
		*r = r.invalid(BadMutant, "the sequence has %d letters, and %s of the wild type has %d", len(r.Input), r.mutants, len(r.expected))
		return
	}
	at := 0
	for r.Input[at] == r.expected[at] {
		at++
	}
	*r = r.invalid(BadMutant, "position %d of the sequence is %c, and %c by %s", at+o.first(), r.Input[at], r.expected[at], r.mutants)
}

// WildTypeError says that most mutants of a table contradict the wild type.
type WildTypeError struct {
	Line     int    // of the first that does
	Reason   string // why it does
	Rows, Of int    // rows that contradict the wild type, and all that have mutants
	OfDNA    bool   // the wild type is DNA, and the mutants are of a protein

	First []int // positions that the wild type's first letter may have so that Fit rows fit, nine in ten or more; may be empty
	Fit   int
}

func (e *WildTypeError) Error() string {
	if e.OfDNA {
		return fmt.Sprintf("line %d: the wild type is DNA, and the mutants are of a protein (%s)", e.Line, e.Reason)
	}
	text := fmt.Sprintf("line %d: %s; %d of %d rows contradict the wild type", e.Line, e.Reason, e.Rows, e.Of)
	if len(e.First) > 0 {
		text += fmt.Sprintf("; if its first letter has position %s, %d fit", strings.Join(firstOf(mapped(e.First, strconv.Itoa), 5), " or "), e.Fit)
	}
	return text
}

// checkWildType compares sequences with their mutants. It returns a *WildTypeError if most of these contradict the wild type.
func (t *Table) checkWildType(o Options) error {
	e := &WildTypeError{}
	var of []string
	for i := range t.Records {
		r := &t.Records[i]
		if r.compare(o); r.mutants == "" || isWildType(r.mutants) || r.unmutated != "" {
			continue
		}
		if _, name, err := parseVariant(r.mutants); err == nil && name != "" && !slices.Contains(of, name) {
			if of = append(of, name); len(of) > 1 {
				return usage.Errorf("line %d: %s is a variant of %s, and others are of %s; the wild type is one: keep the rows of one of them", r.Line, usage.Shorten(r.mutants, 40), name, of[0])
			}
		}
		if e.Of++; r.contradicts {
			if e.Rows++; e.Rows == 1 {
				e.Line, e.Reason = r.Line, r.Reason.Text
			}
		}
	}
	if e.Rows > 0 && t.skipsZero(o) {
		return usage.Errorf("positions go from -1 to 1, without a position 0, which is not read: add 1 to the negative ones, and give the position of the first letter, %d then", o.first()+1)
	}
	if 2*e.Rows <= e.Of {
		return nil
	}
	if e.OfDNA = t.ofDNA(o.WildType); e.OfDNA {
		return e
	}
	e.First, e.Fit = t.numbering(o.WildType)
	if slices.Contains(e.First, o.first()) || 10*e.Fit < 9*e.Of { // the sequences contradict their mutants, or it is another wild type
		e.First, e.Fit = nil, 0
	}
	return e
}

// skipsZero reports whether mutants are numbered from a negative position on, without a position 0: hardly any row contradicts the wild type then, and
// more do otherwise.
func (t *Table) skipsZero(o Options) bool {
	if o.first() >= 0 {
		return false
	}
	fits := func(all []substitution, gap int) bool {
		return !slices.ContainsFunc(all, func(s substitution) bool {
			at := s.position - o.first()
			if s.position > 0 {
				at -= gap
			}
			return at < 0 || at >= len(o.WildType) || o.WildType[at] != s.from
		})
	}
	rows, plain, skipping := 0, 0, 0
	for _, r := range t.Records {
		all, err := parseMutant(r.mutants)
		if err != nil || len(all) == 0 {
			continue
		}
		if slices.ContainsFunc(all, func(s substitution) bool { return s.position == 0 }) {
			return false
		}
		rows++
		if fits(all, 0) {
			plain++
		}
		if fits(all, 1) {
			skipping++
		}
	}
	return skipping > plain && 10*skipping >= 9*rows
}

// ofDNA reports whether a wild type is DNA or RNA, and most mutants replace or have amino acids that no base is called as.
func (t *Table) ofDNA(wildType string) bool {
	const bases = "ACGTU"
	proteins, n := 0, 0
	for _, r := range t.Records {
		all, err := parseMutant(r.mutants)
		if err != nil || len(all) == 0 {
			continue
		}
		n++
		if slices.ContainsFunc(all, func(s substitution) bool {
			return !strings.Contains(bases, string(s.from)) || !strings.Contains(bases, string(s.to))
		}) {
			proteins++
		}
	}
	return isNucleic(wildType) && 2*proteins > n
}

// numbering returns the positions that the first letter of the wild type may have so that the most rows fit, and how many do.
func (t *Table) numbering(wildType string) (first []int, fit int) {
	var rows [][]substitution
	var places tally[substitution]
	for _, r := range t.Records {
		all, err := parseMutant(r.mutants)
		if err != nil || len(all) == 0 {
			continue
		}
		rows = append(rows, all)
		for _, s := range all {
			places.add(substitution{from: s.from, position: s.position})
		}
	}
	usual := places.usual()[0] // the wild type has its letter where the first letter has a position that comes into question
	for i := len(wildType) - 1; i >= 0; i-- {
		if wildType[i] != usual.from {
			continue
		}
		at := usual.position - i
		n := count(rows, func(all []substitution) bool {
			return !slices.ContainsFunc(all, func(s substitution) bool {
				i := s.position - at
				return i < 0 || i >= len(wildType) || wildType[i] != s.from
			})
		})
		if n > fit {
			first, fit = nil, n
		}
		if n == fit && n > 0 {
			first = append(first, at)
		}
	}
	return first, fit
}
