package task

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/observed"
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
		{Name: "residues", Value: &s.Residues, Help: "what may stand at positions: `RULES` such as '39:AVILMF;40-42:!C;54:NNK', with ! for what must not be put there ('!CP': anywhere), and degenerate codons for what they encode", Unset: "any, or those that recur at a site of the data"},
		{Name: "mutations", Value: option.Count(&s.Mutations), Help: "propose at most `N` mutations of the wild type", Unset: "two more than nine in ten of the data have, or of the best"},
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

// refuses returns a function that names the option by which a string of a pool is not proposed; "": there is none.
func (s SequenceOptions) refuses(examples []string, alphabet string, kind bioseq.Kind) func(x string) option.Name {
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

// keepsStart reports whether positions of a protein begin with its start, which is methionine in all sequences, and no
// rule says what may stand there.
func (s SequenceOptions) keepsStart(examples []string) bool {
	other := func(x string) bool { return !strings.HasPrefix(x, "M") }
	return s.Offset == 0 && len(s.Positions) > 1 && s.Positions[0] == 1 && strings.HasPrefix(s.WildType, "M") &&
		!slices.ContainsFunc(examples, other) && !s.Residues.name(1)
}

// canonical returns bioseq.Kind.Strand if both strands are one string; otherwise nil.
func (s SequenceOptions) canonical(kind bioseq.Kind) func(x string) string {
	if !s.BothStrands {
		return nil
	}
	return func(x string) string { return kind.Strand(x, s.WildType) }
}

// frame returns the length that aligned sequences have, and how many strings have another; 0: they are not aligned. The
// error says that none has the wild type's.
//
// Sequences are aligned if there is a wild type, or if more than half of them have one length and no other is asked for.
func (s SequenceOptions) frame(xs []string, kind bioseq.Kind) (length, others int, _ error) {
	if kind == bioseq.None {
		return 0, 0, nil
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
		return 0, 0, nil
	}
	if len(xs) > 0 && counts[length] == 0 {
		return 0, 0, option.Errorf("%s has %d letters, and none of the sequences has: the first has %d; give the one that they are variants of", option.Name("wild-type"), length, len(xs[0]))
	}
	return length, len(xs) - counts[length], nil
}

// aligned returns the space of sequences of one length. Examples are some of them. Sequences are compared where
// examples or variants differ. Letters that are kept have the same places in all proposals.
func (s SequenceOptions) aligned(examples, variants []string, alphabet, kept string, length int, only []string) (evolve.Space, error) {
	f := &alignment{SequenceOptions: s, only: only, all: slices.Concat(examples, variants), alphabet: alphabet, length: length, first: s.Offset + 1, residues: map[int]string{}}
	f.reference = cmp.Or(s.WildType, protein.Consensus(examples))
	if s.Mutations > 0 && f.reference == "" {
		return evolve.Space{}, option.Errorf("%s counts mutations of a wild type: give %s", option.Name("mutations"), option.Name("wild-type"))
	}
	for _, set := range []func() error{f.setPositions, f.setResidues, f.setOnly, func() error { f.keep(kept); return nil }, f.checkMotifs} {
		if err := set(); err != nil {
			return evolve.Space{}, err
		}
	}
	opts := protein.Options{Alphabet: alphabet, Reference: s.WildType, Mutations: s.Mutations, Variants: variants, Positions: f.positions}
	if len(f.residues) > 0 {
		opts.Residues = f.residues
	}
	return protein.New(examples, opts)
}

// alignment is what may change in aligned sequences. Positions of options are numbered from first, and all others from 0.
type alignment struct {
	SequenceOptions
	all       []string // sequences that are known, or may be proposed
	reference string   // the wild type, or else the consensus; empty: there is none
	alphabet  string
	length    int
	first     int
	positions []int          // that change; nil: those where sequences differ
	residues  map[int]string // letters that a position may have, of those that have not all
	only      []string       // letters that the data say a position may have; "": any. Nil: they say nothing
}

// setPositions takes the positions that the options name.
func (a *alignment) setPositions() error {
	if err := a.inside(a.Positions, "positions"); err != nil {
		return err
	}
	for _, p := range a.Positions {
		a.positions = append(a.positions, p-a.first)
	}
	return nil
}

// inside returns an error unless the sequences have all of these positions.
func (a *alignment) inside(at Positions, by option.Name) error {
	if i := slices.IndexFunc(at, func(p int) bool { return p < a.first || p >= a.first+a.length }); i >= 0 {
		return option.Errorf("%s: position %d is outside of the sequence, which has %d to %d", by, at[i], a.first, a.first+a.length-1)
	}
	return nil
}

// setResidues takes the letters that rules leave. A rule that names a position opens it, unless it only forbids letters
// there.
func (a *alignment) setResidues() error {
	left := make([]string, a.length) // of positions that rules name
	for _, rule := range a.Residues {
		if err := a.inside(rule.at, "residues"); err != nil {
			return err
		}
		letters, _, err := rule.allowed(a.alphabet)
		if err != nil {
			return option.Errorf("%s: %w", option.Setting{Name: "residues", Value: Residues{rule}.String()}, err)
		}
		for _, p := range rule.places(a.first, a.length) {
			switch i := p - a.first; {
			case a.Positions != nil && !slices.Contains(a.Positions, p) && !rule.not:
				return option.Errorf("%s: position %d is none of %s; add it there, or leave it out", option.Name("residues"), p, option.Setting{Name: "positions", Value: a.Positions.String()})
			case a.WildType != "" && strings.IndexByte(rule.beside(letters, a.reference, i), a.WildType[i]) < 0:
				return option.Errorf("%s: position %d of the wild type is %c, which %s excludes; allow it, too", option.Name("residues"), p, a.WildType[i], rule)
			default:
				if left[i] = rule.beside(both(left[i], letters), a.reference, i); left[i] == "" {
					return option.Errorf("%s: no letter is left at position %d", option.Name("residues"), p)
				}
			}
		}
	}
	if a.Positions == nil && a.Residues != nil {
		a.positions = []int{}
		for i := range a.length {
			if a.varies(i) || a.Residues.name(i+a.first) {
				a.positions = append(a.positions, i)
			}
		}
	}
	for i, letters := range left {
		if letters != "" && a.changes(i) {
			a.residues[i] = letters
		}
	}
	return nil
}

// setOnly takes the letters that the data leave at positions that no rule names. What follows the positions are ends.
func (a *alignment) setOnly() error {
	for i, letters := range a.only[:min(a.length, len(a.only))] {
		if letters == "" || a.residues[i] != "" || !a.changes(i) {
			continue
		}
		for _, x := range append(slices.Clone(a.all), a.reference) { // such as variants of a pool
			if x != "" && !strings.Contains(letters, x[i:i+1]) {
				letters += x[i : i+1]
			}
		}
		a.residues[i] = letters
	}
	return nil
}

// allows returns whether proposals may have a letter at a place, as examples and variants tell or the options say. Only
// has the letters that the data leave there; nil: any.
func (s SequenceOptions) allows(examples, variants, only []string, alphabet string) func(at int, letter byte) bool {
	all := slices.Concat(examples, variants)
	rules := map[int]string{}
	for _, rule := range s.Residues {
		letters, _, err := rule.allowed(alphabet)
		for _, p := range rule.places(s.Offset+1, len(all[0])) {
			if i := p - s.Offset - 1; err == nil { // or aligned refuses the rule
				rules[i] = both(rules[i], letters)
			}
		}
	}
	return func(at int, letter byte) bool {
		has := func(x string) bool { return x[at] == letter }
		named := s.Positions != nil && slices.Contains(s.Positions, at+s.Offset+1) || s.Residues.name(at+s.Offset+1)
		varies := s.Positions == nil && slices.ContainsFunc(all, func(x string) bool { return x[at] != all[0][at] })
		switch {
		case slices.ContainsFunc(all, has) && s.Positions == nil && rules[at] == "":
			return true
		case !named && !varies:
			return has(cmp.Or(s.WildType, all[0]))
		case rules[at] != "":
			return strings.IndexByte(rules[at], letter) >= 0
		}
		return at >= len(only) || only[at] == "" || strings.IndexByte(only[at], letter) >= 0
	}
}

// keep has letters stay where they are: no other place gets one.
func (a *alignment) keep(letters string) {
	if letters == "" {
		return
	}
	free := []int{}
	for i := range a.length { // what follows are ends
		if !a.changes(i) {
			continue
		}
		free = append(free, i)
		a.residues[i] = strings.Map(func(r rune) rune {
			if strings.ContainsRune(letters, r) {
				return -1
			}
			return r
		}, cmp.Or(a.residues[i], a.alphabet))
	}
	a.positions = free
}

// checkMotifs returns an error if a motif that is forbidden is where nothing changes.
func (a *alignment) checkMotifs() error {
	for _, motif := range a.Forbidden {
		for _, at := range regexp.MustCompile("(?i)"+motif).FindAllStringIndex(a.reference, -1) {
			open := false
			for i := at[0]; i < at[1]; i++ {
				open = open || a.changes(i)
			}
			if !open && at[0] < at[1] {
				return option.Errorf("%s: %s is at the positions %d to %d, which no proposal changes; allow these with %s, or leave the motif out",
					option.Name("forbid_motif"), motif, a.first+at[0], a.first+at[1]-1, option.Name("positions"))
			}
		}
	}
	return nil
}

// varies reports whether sequences differ at a position.
func (a *alignment) varies(i int) bool {
	return slices.ContainsFunc(a.all, func(x string) bool { return x[i] != cmp.Or(a.reference, a.all[0])[i] })
}

// changes reports whether proposals may differ at a position.
func (a *alignment) changes(i int) bool {
	if a.positions != nil {
		return slices.Contains(a.positions, i)
	}
	return a.varies(i)
}

// proposing returns the space whose proposals are written by canonical, unless that is nil, and that proposes nothing
// which forbids holds for.
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
	if drift := s.Drift; drift != nil {
		s.Drift = func(known []evolve.Known, n int, rng *rand.Rand) []string {
			made := drift(known, n, rng)
			for i, x := range made {
				made[i] = canonical(x)
			}
			return made
		}
	}
	return s
}

// Sequences of varying length that tell what all begin and end with: at least so many.
const (
	fewSequences = 5
	fewChains    = 3 // that others are joined with, whose lengths are those of domains
)

// keptEnds returns how many tokens proposals keep at either end, as all sequences have them there.
func (s SequenceOptions) keptEnds(sequences [][]string, fewest int) (before, after int) {
	if s.VaryEnds || s.BothStrands {
		return 0, 0
	}
	return observed.Ends(sequences, fewest)
}

// whatAll says what all sequences begin and end with, given one of them; "": nothing.
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
func bothStrands(read func(x string) (evolve.Description, error), kind bioseq.Kind) func(x string) (evolve.Description, error) {
	return func(x string) (evolve.Description, error) {
		d, err := read(x)
		if err != nil {
			return d, err
		}
		other, err := read(kind.ReverseComplement(x))
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

// lengthsOfVariants returns the lengths that variants like some strings may have: as far beyond these as they differ.
func lengthsOfVariants(xs []string) Lengths {
	lengths := make([]int, len(xs))
	for i, x := range xs {
		lengths[i] = len(x)
	}
	least, most := slices.Min(lengths), slices.Max(lengths)
	return Lengths{max(1, least-(most-least)), most + (most - least)}
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
