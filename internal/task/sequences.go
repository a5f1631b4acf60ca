package task

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
)

// SequenceOptions say which sequences of one's own may be proposed. None of them limits what is measured.
type SequenceOptions struct {
	WildType string `json:"wild_type,omitzero"` // that mutations are counted from
	Offset   int    `json:"offset,omitzero"`    // position of its first letter, minus 1

	Positions   Positions `json:"positions,omitzero"` // that may change, as the wild type is numbered; nil: those that vary
	Residues    Residues  `json:"residues,omitzero"`  // that may stand at positions
	Mutations   int       `json:"mutations,omitzero"` // of a proposal at most; 0: about as many as the data have
	Lengths     Lengths   `json:"lengths,omitzero"`   // of proposals; zero: those of the data
	Forbidden   []string  `json:"forbid_motif,omitzero"`
	BothStrands bool      `json:"reverse_complement,omitzero"` // a string and its reverse complement are one
	Coding      Coding    `json:"coding,omitzero"`
	VaryEnds    bool      `json:"vary_ends,omitzero"` // what all sequences begin and end with may change
}

// length declares the option of lengths.
func (s *SequenceOptions) length() *option.Option {
	return &option.Option{Name: "length", Value: &s.Lengths, Help: "propose only strings of `N|MIN:MAX` tokens; with --alphabet and without --init, N is the length of random ones, too", Unset: "that of most of the data, or those of what scores well",
		Tasks: []string{OwnStrings}, Table: "strings", Commands: option.Run | option.Grid | option.New}
}

// proposals declares the other options, which are parameters of tasks.
func (s *SequenceOptions) proposals() []*option.Option {
	all := []*option.Option{
		{Name: "positions", Value: &s.Positions, Help: "change only positions in `LIST`, such as 39,41,54 or 10-20", Unset: "those where the data differ"},
		{Name: "residues", Value: &s.Residues, Help: "what may stand at positions: `RULES` such as '39:AVILMF;40-42:!C;54:NNK', with ! for what must not be put there ('!CP': anywhere), and degenerate codons for what they encode", Unset: "any"},
		{Name: "mutations", Value: option.Count(&s.Mutations), Help: "propose at most `N` mutations of the wild type", Unset: "two more than nine in ten of the data have"},
		{Name: "forbid_motif", Value: option.List(&s.Forbidden, parseMotif), Help: "propose nothing that a regular `EXPRESSION` matches, such as 'N[^P][ST]'; may be given several times", Unset: "anything may be"},
		{Name: "coding", Value: &s.Coding, Help: "`WHAT` proposals of coding DNA or RNA keep: protein, frame (no stop inside) or none", Unset: "what the data keep"},
		{Name: "vary_ends", Value: option.Switch(&s.VaryEnds), Help: "change what all sequences of varying length begin and end with, too", Default: "false"},
		{Name: "reverse_complement", Value: option.Switch(&s.BothStrands), Help: "DNA and its reverse complement are one string", Default: "false"},
	}
	for _, o := range all {
		o.Tasks, o.Table, o.Commands = []string{OwnStrings, LandscapeTask}, "strings", option.Run|option.Grid|option.New
	}
	return all
}

func parseMotif(text string) (string, error) {
	_, err := regexp.Compile(text)
	return text, err
}

// Positions are positions as people write them: 39,41 or 10-20.
type Positions []int

// Set, String and Type let a flag hold them.
func (p *Positions) Set(text string) error {
	at, err := parsePositions(text)
	if err == nil {
		*p = at
	}
	return err
}

func (p Positions) String() string {
	var parts []string
	for i := 0; i < len(p); {
		j := i + 1
		for j < len(p) && p[j] == p[j-1]+1 {
			j++
		}
		part := strconv.Itoa(p[i])
		if j-i > 1 {
			part += "-" + strconv.Itoa(p[j-1])
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, ",")
}

func (p Positions) Type() string                     { return "string" }
func (p Positions) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Positions) UnmarshalText(text []byte) error { return p.Set(string(text)) }

var positionRange = regexp.MustCompile(`^(-?\d{1,7})(?:(?:-|\.\.)(-?\d{1,7}))?$`)

// parsePositions returns positions in ascending order, each once.
func parsePositions(text string) (all []int, _ error) {
	for part := range strings.SplitSeq(text, ",") {
		m := positionRange.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, usage.Errorf("%q is no position: give numbers and ranges, such as 39,41,54 or 10-20", part)
		}
		from, _ := strconv.Atoi(m[1]) // at most seven digits
		to, _ := strconv.Atoi(cmp.Or(m[2], m[1]))
		if from > to || to-from > longest {
			return nil, usage.Errorf("%q is no range: give its lower end first, and at most %d positions", part, longest)
		}
		for at := from; at <= to; at++ {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Residues say which residues may stand at positions: 39:AVILMF;54:!C.
type Residues []rule

// rule is what may stand at some positions.
type rule struct {
	at      Positions // nil: everywhere, of what must not stand there
	not     bool      // letters must not be put there; otherwise they alone may stand there
	letters string    // or degenerate codons; parts are separated by commas
}

// Set, String and Type let a flag hold them.
func (r *Residues) Set(text string) error {
	var all Residues
	for part := range strings.SplitSeq(strings.TrimRight(text, "; "), ";") {
		part = strings.TrimSpace(part)
		where, what, ok := strings.Cut(part, ":")
		everywhere := !ok && strings.HasPrefix(part, "!")
		if everywhere {
			what, ok = part, true
		}
		what, not := strings.CutPrefix(strings.TrimSpace(what), "!")
		what = strings.ToUpper(strings.Join(strings.FieldsFunc(what, func(r rune) bool { return r == ',' || r == ' ' }), ","))
		if !ok || what == "" || strings.Trim(what, "ABCDEFGHIJKLMNOPQRSTUVWXYZ,") != "" {
			return usage.Errorf("%q is no rule: give POSITIONS:LETTERS, such as 39:AVILMF, POSITIONS:!LETTERS for all others, or !LETTERS for all positions", part)
		}
		var at Positions
		if !everywhere {
			var err error
			if at, err = parsePositions(where); err != nil {
				return err
			}
		}
		all = append(all, rule{at, not, what})
	}
	*r = all
	return nil
}

func (r Residues) String() string {
	var parts []string
	for _, rule := range r {
		if where := rule.at.String(); where != "" {
			parts = append(parts, where+":"+rule.String())
		} else {
			parts = append(parts, rule.String())
		}
	}
	return strings.Join(parts, ";")
}

func (r Residues) Type() string                     { return "string" }
func (r Residues) MarshalText() ([]byte, error)     { return []byte(r.String()), nil }
func (r *Residues) UnmarshalText(text []byte) error { return r.Set(string(text)) }

// places returns the positions of a rule in sequences of a length, whose first letter has position first.
func (r rule) places(first, length int) Positions {
	if r.at != nil {
		return r.at
	}
	all := make(Positions, length)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// beside returns the letters that a rule allows at the i-th place: also that of a reference, "" for none, if others must not be put there.
func (r rule) beside(letters, reference string, i int) string {
	if r.not && i < len(reference) && strings.IndexByte(letters, reference[i]) < 0 {
		return letters + reference[i:i+1]
	}
	return letters
}

// both returns the letters that are among some, any if there are none, and others.
func both(some, others string) string {
	if some == "" {
		return others
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(some, r) {
			return r
		}
		return -1
	}, others)
}

// allowed returns the letters that a rule leaves of an alphabet. note says of letters that they may be a codon, too; it may be empty.
func (r rule) allowed(alphabet string) (left, note string, _ error) {
	letters := strings.ReplaceAll(r.letters, ",", "")
	if alphabet == protein.Residues {
		parts := strings.Split(r.letters, ",")
		if slices.ContainsFunc(parts, isCodon) && !slices.ContainsFunc(parts, func(part string) bool { return encodedBy(part) == "" }) {
			letters = ""
			for _, codon := range parts {
				letters += encodedBy(codon)
			}
		} else if encoded := encodedBy(r.letters); encoded != "" {
			note = fmt.Sprintf("%s stands for the residues %s; the codon encodes %s", r.letters, strings.Join(strings.Split(r.letters, ""), ", "), encoded)
		}
	}
	if odd := strings.Trim(letters, alphabet); odd != "" {
		return "", "", fmt.Errorf("%c is none of the letters %s", odd[0], alphabet)
	}
	for i := range len(alphabet) {
		if (strings.IndexByte(letters, alphabet[i]) >= 0) != r.not {
			left += alphabet[i : i+1]
		}
	}
	if left == "" {
		return "", "", fmt.Errorf("no letter of %s is left", alphabet)
	}
	return left, note, nil
}

// String returns the rule as people write it.
func (r rule) String() string {
	mark := ""
	if r.not {
		mark = "!"
	}
	return mark + r.letters
}

// bases are what the letters of degenerate codons stand for.
var bases = map[byte]string{
	'A': "A", 'C': "C", 'G': "G", 'T': "T", 'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
	'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
}

// code is the standard genetic code, of codons in the order of their bases T, C, A, G.
const code = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"

// isCodon reports whether three letters are a degenerate codon rather than three residues: one that libraries are made with, or one with B, which
// is no residue, or with a letter twice.
func isCodon(text string) bool {
	usual := []string{"NNN", "NNB", "NNK", "NNS", "NDT", "DBK", "NRT", "VHG", "VNK", "VNS", "NYN", "NTN", "RVK", "DVT", "VRK", "NHT"}
	twice := len(text) == 3 && (text[0] == text[1] || text[1] == text[2] || text[0] == text[2])
	return encodedBy(text) != "" && (twice || strings.Contains(text, "B") || slices.Contains(usual, text))
}

// encodedBy returns the residues that a degenerate codon encodes; "": it is none, or a stop.
func encodedBy(codon string) string {
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

// Lengths are the lengths that strings may have, in tokens; zero: any.
type Lengths struct{ Min, Max int }

// Set, String and Type let a flag hold them, as N or MIN:MAX.
func (l *Lengths) Set(text string) error {
	from, to, isRange := strings.Cut(text, ":")
	if !isRange {
		to = from
	}
	lo, errLo := strconv.Atoi(cmp.Or(from, "1"))
	hi, errHi := strconv.Atoi(cmp.Or(to, strconv.Itoa(longest)))
	if errLo != nil || errHi != nil || from == "" && to == "" || lo < 1 || hi < lo || hi > longest {
		return usage.Errorf("give a length from 1 to %d, or MIN:MAX", longest)
	}
	*l = Lengths{lo, hi}
	return nil
}

func (l Lengths) String() string {
	switch {
	case l == Lengths{}:
		return ""
	case l.Min == l.Max:
		return strconv.Itoa(l.Min)
	}
	return fmt.Sprintf("%d:%d", l.Min, l.Max)
}

func (l Lengths) Type() string                     { return option.NumberOrText }
func (l Lengths) MarshalText() ([]byte, error)     { return []byte(l.String()), nil }
func (l *Lengths) UnmarshalText(text []byte) error { return l.Set(string(text)) }

// forbids returns a test of strings that must not be proposed, by their motifs; nil: there are none. Sequences are searched without regard to
// case, and nucleic acids with T and U alike; if both strands are one string, on either.
func (s SequenceOptions) forbids(kind table.Sequences) func(x string) bool {
	var motifs []*regexp.Regexp
	for _, m := range s.Forbidden {
		if kind != table.NoSequences {
			m = "(?i)" + m
		}
		motifs = append(motifs, regexp.MustCompile(m)) // parseMotif has
	}
	if motifs == nil {
		return nil
	}
	has := func(x string) bool {
		return slices.ContainsFunc(motifs, func(m *regexp.Regexp) bool { return m.MatchString(x) })
	}
	alike := strings.NewReplacer("T", "U", "U", "T")
	nucleic := kind == table.DNA || kind == table.RNA
	return func(x string) bool {
		forms := []string{x}
		if s.BothStrands {
			forms = append(forms, table.Complementary(x, kind))
		}
		return slices.ContainsFunc(forms, func(x string) bool { return has(x) || nucleic && has(alike.Replace(x)) })
	}
}

// noteMotifs says which motifs match nothing, as they name a character that no sequence has.
func (s SequenceOptions) noteMotifs(out *Space, alphabet string) {
	has := func(r rune) bool {
		return strings.ContainsRune(alphabet, r) || strings.ContainsRune(alphabet, unicode.ToUpper(r))
	}
	if strings.Trim(alphabet, "ACGTU") == "" {
		alphabet = "ACGTU" // T and U are alike
	}
	for _, motif := range s.Forbidden {
		parsed, err := syntax.Parse(motif, syntax.Perl)
		if err != nil { // parseMotif has
			continue
		}
		if odd := needless(parsed, has); odd != 0 {
			meant := ". stands for any letter, and [^P] for any but P"
			if b := bases[byte(odd)]; b != "" && alphabet == "ACGTU" {
				meant = fmt.Sprintf("write [%s] for %c", b, odd)
			}
			out.note("the motif %s matches nothing, as no sequence has %c; %s", motif, odd, meant)
		}
	}
}

// noteOwnMotifs says which motifs the wild type has itself: all proposals have to change them.
func (s SequenceOptions) noteOwnMotifs(out *Space, kind table.Sequences) {
	for _, motif := range s.Forbidden {
		var at []string
		for _, m := range regexp.MustCompile("(?i)"+motif).FindAllStringIndex(out.WildType, -1) {
			if m[0] < m[1] {
				at = append(at, strconv.Itoa(m[0]+s.Offset+1))
			}
		}
		if len(at) > 0 {
			instead := ""
			if kind == table.Protein {
				instead = "; --residues '!C' forbids new ones alone, as of cysteine"
			}
			out.note("the wild type has the motif %s itself, at position %s, so that all proposals have to change it%s", motif, usage.Shorten(strings.Join(at, ", "), 40), instead)
		}
	}
}

// keepsStart reports whether positions of a protein begin with its start, which is methionine in all sequences, and no rule says what may stand there.
func (s SequenceOptions) keepsStart(examples []string) bool {
	other := func(x string) bool { return !strings.HasPrefix(x, "M") }
	named := func(r rule) bool { return !r.not && slices.Contains(r.at, 1) }
	return s.Offset == 0 && len(s.Positions) > 1 && s.Positions[0] == 1 && strings.HasPrefix(s.WildType, "M") &&
		!slices.ContainsFunc(examples, other) && !slices.ContainsFunc(s.Residues, named)
}

// needless returns a character that all matches of an expression have, and that has reports no sequence has; 0: there is none.
func needless(e *syntax.Regexp, has func(r rune) bool) rune {
	switch e.Op {
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			if !has(r) {
				return r
			}
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range e.Sub {
			if odd := needless(sub, has); odd != 0 {
				return odd
			}
		}
	case syntax.OpRepeat:
		if e.Min > 0 {
			return needless(e.Sub[0], has)
		}
	}
	return 0
}

// refuses returns a function that names the option by which a string of a pool is not proposed; "": there is none.
func (s SequenceOptions) refuses(examples []string, alphabet string, kind table.Sequences) func(x string) option.Name {
	forbidden, first := s.forbids(kind), s.Offset+1
	reference := cmp.Or(s.WildType, protein.Consensus(examples))
	allowed := map[int]string{} // letters, by place
	for _, rule := range s.Residues {
		letters, _, err := rule.allowed(alphabet)
		for _, p := range rule.places(first, len(reference)) {
			if i := p - first; err == nil && i >= 0 && i < len(reference) { // or aligned refuses the rule
				allowed[i] = rule.beside(both(allowed[i], letters), reference, i)
			}
		}
	}
	return func(x string) option.Name {
		framed := reference != "" && len(x) == len(reference)
		switch {
		case s.Lengths != (Lengths{}) && (len(x) < s.Lengths.Min || len(x) > s.Lengths.Max):
			return "length"
		case forbidden != nil && forbidden(x):
			return "forbid_motif"
		case framed && s.Mutations > 0 && stats.Hamming(x, reference) > s.Mutations:
			return "mutations"
		}
		for i := 0; framed && i < len(x) && s.Positions != nil; i++ {
			known := func(y string) bool { return len(y) == len(x) && y[i] == x[i] }
			if x[i] != reference[i] && !slices.Contains(s.Positions, i+first) && !slices.ContainsFunc(examples, known) {
				return "positions"
			}
		}
		for i, letters := range allowed {
			if framed && i >= 0 && i < len(x) && strings.IndexByte(letters, x[i]) < 0 {
				return "residues"
			}
		}
		return ""
	}
}

// canonical returns table.Strand if both strands are one string; otherwise nil.
func (s SequenceOptions) canonical(kind table.Sequences) func(x string) string {
	if !s.BothStrands {
		return nil
	}
	return func(x string) string { return table.Strand(x, s.WildType, kind) }
}

// frame returns the length that aligned sequences have, and how many strings have another; 0: they are not aligned.
//
// Sequences are aligned if there is a wild type, or if more than half of them have one length and no other is asked for.
func (s SequenceOptions) frame(xs []string, kind table.Sequences) (length, others int) {
	if kind == table.NoSequences {
		return 0, 0
	}
	counts := map[int]int{}
	for _, x := range xs {
		counts[len(x)]++
	}
	length = len(s.WildType)
	if length == 0 {
		for n, k := range counts {
			if 2*k > len(xs) {
				length = n
			}
		}
	}
	if length == 0 || s.Lengths != (Lengths{}) && s.Lengths != (Lengths{length, length}) {
		return 0, 0
	}
	return length, len(xs) - counts[length]
}

// aligned returns the space of sequences of one length, of which examples are some. They are compared where they or variants differ. No
// proposal has another place of letters that are kept.
func (s SequenceOptions) aligned(examples, variants []string, alphabet, kept string, length int) (evolve.Space, error) {
	opts := protein.Options{Alphabet: alphabet, Reference: s.WildType, Mutations: s.Mutations, Variants: variants}
	reference := cmp.Or(s.WildType, protein.Consensus(examples))
	if s.Mutations > 0 && reference == "" {
		return evolve.Space{}, option.Errorf("%s counts mutations of a wild type: give %s", option.Name("mutations"), option.Name("wild-type"))
	}
	first := s.Offset + 1
	inside := func(at Positions, by option.Name) error {
		if i := slices.IndexFunc(at, func(p int) bool { return p < first || p >= first+length }); i >= 0 {
			return option.Errorf("%s: position %d is outside of the sequence, which has %d to %d", by, at[i], first, first+length-1)
		}
		return nil
	}
	if err := inside(s.Positions, "positions"); err != nil {
		return evolve.Space{}, err
	}
	for _, p := range s.Positions {
		opts.Positions = append(opts.Positions, p-first)
	}
	left := make([]string, length) // by Residues, of positions that they name
	for _, rule := range s.Residues {
		if err := inside(rule.at, "residues"); err != nil {
			return evolve.Space{}, err
		}
		letters, _, err := rule.allowed(alphabet)
		if err != nil {
			return evolve.Space{}, option.Errorf("%s: %w", option.Setting{Name: "residues", Value: Residues{rule}.String()}, err)
		}
		for _, p := range rule.places(first, length) {
			switch i := p - first; {
			case s.Positions != nil && !slices.Contains(s.Positions, p) && !rule.not:
				return evolve.Space{}, option.Errorf("%s: position %d is none of %s; add it there, or leave it out", option.Name("residues"), p, option.Setting{Name: "positions", Value: s.Positions.String()})
			case s.WildType != "" && strings.IndexByte(rule.beside(letters, reference, i), s.WildType[i]) < 0:
				return evolve.Space{}, option.Errorf("%s: position %d of the wild type is %c, which %s excludes; allow it, too", option.Name("residues"), p, s.WildType[i], rule)
			default:
				if left[i] = rule.beside(both(left[i], letters), reference, i); left[i] == "" {
					return evolve.Space{}, option.Errorf("%s: no letter is left at position %d", option.Name("residues"), p)
				}
			}
		}
	}
	varies := func(i int) bool {
		return slices.ContainsFunc(slices.Concat(examples, variants), func(x string) bool { return x[i] != cmp.Or(reference, examples[0])[i] })
	}
	opened := func(i int) bool { // what must not be put at a position does not open it
		return slices.ContainsFunc(s.Residues, func(r rule) bool { return !r.not && slices.Contains(r.at, i+first) })
	}
	if s.Positions == nil && s.Residues != nil {
		opts.Positions = []int{}
		for i := range length {
			if varies(i) || opened(i) {
				opts.Positions = append(opts.Positions, i)
			}
		}
	}
	changes := func(i int) bool {
		if opts.Positions != nil {
			return slices.Contains(opts.Positions, i)
		}
		return varies(i)
	}
	for i, letters := range left {
		if letters != "" && changes(i) {
			if opts.Residues == nil {
				opts.Residues = map[int]string{}
			}
			opts.Residues[i] = letters
		}
	}
	for i := 0; i < length && kept != ""; i++ {
		if changes(i) {
			if opts.Residues == nil {
				opts.Residues = map[int]string{}
			}
			opts.Residues[i] = strings.Map(func(r rune) rune {
				if strings.ContainsRune(kept, r) {
					return -1
				}
				return r
			}, cmp.Or(opts.Residues[i], alphabet))
		}
	}
	if kept != "" && opts.Positions == nil {
		free := []int{}
		for i := range length { // what follows are ends
			if changes(i) {
				free = append(free, i)
			}
		}
		opts.Positions = free
	}
	for _, motif := range s.Forbidden {
		for _, at := range regexp.MustCompile("(?i)"+motif).FindAllStringIndex(reference, -1) {
			open := false
			for i := at[0]; i < at[1]; i++ {
				open = open || changes(i)
			}
			if !open && at[0] < at[1] {
				return evolve.Space{}, option.Errorf("%s: %s is at the positions %d to %d, which no proposal changes; allow these with %s, or leave the motif out",
					option.Name("forbid_motif"), motif, first+at[0], first+at[1]-1, option.Name("positions"))
			}
		}
	}
	return protein.New(examples, opts)
}

// proposing returns the space whose proposals are written by canonical, unless that is nil, and that proposes nothing which forbids holds for.
func (s Space) proposing(forbids func(x string) bool, canonical func(x string) string) Space {
	if read := s.Read; forbids != nil && read != nil {
		s.Read = func(x string) (evolve.Description, error) {
			d, err := read(x)
			d.Infeasible = d.Infeasible || err == nil && forbids(x)
			return d, err
		}
	}
	if canonical == nil {
		return s
	}
	s.Operators = slices.Clone(s.Operators)
	for i, op := range s.Operators {
		s.Operators[i].Make = func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
			made, err := op.Make(ctx, pairs, rng)
			for i := range made {
				if made[i].X != "" {
					made[i].X = canonical(made[i].X)
				}
			}
			return made, err
		}
	}
	return s
}

// Sequences of varying length that tell what all begin and end with: at least so many.
const (
	fewSequences = 5
	fewChains    = 3 // that others are joined with, whose lengths are those of domains
)

// ends returns how many tokens all sequences begin and end with, if there are enough, and either is beyond chance: by the frequencies of the
// tokens in all of them.
func (s SequenceOptions) ends(sequences [][]string, fewest int) (before, after int) {
	const chance = 1e-4 // that the others begin, or end, as the first does
	seen, n := map[string]bool{}, map[string]int{}
	var all [][]string
	total := 0
	for _, x := range sequences {
		if key := strings.Join(x, " "); !seen[key] {
			seen[key] = true
			all = append(all, x)
			total += len(x)
			for _, t := range x {
				n[t]++
			}
		}
	}
	if s.VaryEnds || s.BothStrands || len(all) < fewest {
		return 0, 0
	}
	shortest := len(slices.MinFunc(all, func(a, b []string) int { return len(a) - len(b) }))
	common := func(most int, at func(x []string, i int) string) (k int) {
		p := 1.0
		for k < most && !slices.ContainsFunc(all, func(x []string) bool { return at(x, k) != at(all[0], k) }) {
			p *= math.Pow(float64(n[at(all[0], k)])/float64(total), float64(len(all)-1))
			k++
		}
		if p > chance {
			return 0
		}
		return k
	}
	before = common(shortest, func(x []string, i int) string { return x[i] })
	after = common(shortest-before, func(x []string, i int) string { return x[len(x)-1-i] })
	return before, after
}

// whatAll says what all sequences, of which one is an example, begin and end with; "": nothing.
func whatAll(example []string, before, after int) string {
	first := usage.Shorten(strings.Join(example[:before], ""), 40)
	last := usage.Shorten(strings.Join(example[len(example)-after:], ""), 40)
	switch {
	case before > 0 && after > 0:
		return fmt.Sprintf("begin and end with, %q and %q", first, last)
	case before > 0:
		return fmt.Sprintf("begin with, %q", first)
	case after > 0:
		return fmt.Sprintf("end with, %q", last)
	}
	return ""
}

// bothStrands returns read for strings that stand for both strands: their features are those of either.
func bothStrands(read func(x string) (evolve.Description, error), kind table.Sequences) func(x string) (evolve.Description, error) {
	return func(x string) (evolve.Description, error) {
		d, err := read(x)
		if err != nil {
			return d, err
		}
		other, err := read(table.Complementary(x, kind))
		for i := range other.Groups {
			d.Groups[i] = together(d.Groups[i], other.Groups[i])
		}
		return d, err
	}
}

// together returns the features of two strings, counted together.
func together(a, b gp.Counts) gp.Counts {
	sums := map[uint64]uint32{}
	for _, c := range []gp.Counts{a, b} {
		for k, id := range c.IDs {
			sums[id] += c.N[k]
		}
	}
	return gp.CountsOf(sums)
}

// usualLengths returns the lengths of the better half of the scored strings, or of all if none is scored.
func usualLengths(init []study.Observation, minimize bool, length func(x string) int) Lengths {
	scored := slices.DeleteFunc(slices.Clone(init), func(o study.Observation) bool { return math.IsNaN(o.Value(minimize)) })
	slices.SortStableFunc(scored, func(a, b study.Observation) int { return cmp.Compare(b.Value(minimize), a.Value(minimize)) })
	var lengths []int
	for _, o := range scored[:(len(scored)+1)/2] {
		lengths = append(lengths, length(o.X))
	}
	if lengths == nil {
		for _, o := range init {
			lengths = append(lengths, length(o.X))
		}
	}
	return Lengths{slices.Min(lengths), slices.Max(lengths)}
}
