package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/lists"
	"github.com/invbo/invbo/space/observed"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/vae/sequence"
)

func buildStrings(_ context.Context, _ Task, o Options) (Parts, error) {
	external, end, err := o.open("x")
	if err != nil {
		return Parts{}, err
	}
	var given *sequence.Alphabet
	if o.Alphabet != "" {
		if given, err = readAlphabet(o.Alphabet); err != nil && !mayBeItems(o.Alphabet) {
			return Parts{}, err
		}
	}
	p := Parts{Oracle: external, Close: end}
	check := func(x string) error {
		if strings.ContainsAny(x, "\r\n") {
			return errors.New("it has a line break, and programs read one string per line")
		}
		if o.Alphabet != "" {
			return inAlphabet(o.Alphabet, given, x)
		}
		_, err := alphabetOr(nil, x)
		return err
	}
	p.Notation = Verbatim("x").checked(check)
	p.Notation.hash = strings.Contains(o.Alphabet, "#")
	if o.Alphabet == "" {
		p.Notation = AnyStrings()
		p.Notation.check = check
	} else {
		normalize := p.Notation.prepare
		p.Notation.prepare = func(t *table.Options) error {
			if t.Alike == nil {
				t.Alike = Alike(o.Alphabet, nil)
			}
			return normalize(t)
		}
	}
	p.Space = func(d Design) (Space, error) { return ownSpace(o, given, d) }
	if l := o.Lengths; given != nil && l != (Lengths{}) {
		symbols := given.Symbols()
		p.Generate = different(func(rng *rand.Rand) string {
			var text strings.Builder
			for range l.Min + rng.IntN(l.Max-l.Min+1) {
				text.WriteString(symbols[rng.IntN(len(symbols))])
			}
			return text.String()
		})
	}
	return p, nil
}

// ownSpace returns the space of a user's own strings: aligned sequences, or strings of varying length. Without an
// alphabet sequences have all letters of their kind, and other strings those that occur.
func ownSpace(o Options, given *sequence.Alphabet, d Design) (Space, error) {
	if addsItems(o.Alphabet, given, d.Strings()) {
		given = nil
	} else if o.Alphabet != "" && given == nil {
		_, err := readAlphabet(o.Alphabet)
		return Space{}, err
	}
	kind, letters := d.Sequences, d.Sequences.Letters()
	if given != nil {
		kind, letters = kindOver(given, kind)
	}
	if err := o.checkSequences(kind); err != nil {
		return Space{}, err
	}
	if given == nil && kind == bioseq.None {
		if out, ok, err := notatedSpace(o, d); ok || err != nil {
			return out, err
		}
	}
	if n := notation.ChainsOf(o.WildType); n > 1 && given == nil {
		return Space{}, option.Errorf("%s has %d chains, and the sequences are not written as chains: give the sequence that they are variants of", option.Name("wild-type"), n)
	}
	symbols, split := residueTokens(given, kind, slices.Concat(d.Strings(), d.Pool))
	if symbols != nil {
		if out, ok, err := alignedTokens(o, d, symbols, split, given == nil); ok || err != nil {
			return out, err
		}
	}
	if kind == bioseq.None {
		if out, ok, err := itemsSpace(o, given, d); ok || err != nil {
			return out, err
		}
		if symbols == nil {
			if err := searchable(d.Strings(), given != nil); err != nil {
				return Space{}, err
			}
		}
	}
	return sequenceSpace(o, given, d, kind, letters, symbols, split)
}

// kindOver returns the kind of sequences over an alphabet, and its letters; kind if its symbols are no letters.
func kindOver(given *sequence.Alphabet, kind bioseq.Kind) (bioseq.Kind, string) {
	letters := strings.Join(given.Symbols(), "")
	if len(letters) > len(given.Symbols()) {
		return kind, letters
	}
	if kind = bioseq.KindOver(letters); kind == bioseq.None && strings.Trim(protein.Residues, letters) == "" {
		kind = bioseq.Protein // with further residues
	}
	return kind, letters
}

// checkSequences returns an error if options are for other strings than those of a kind, or contradict each other.
func (o Options) checkSequences(kind bioseq.Kind) error {
	if o.BothStrands && kind != bioseq.DNA && kind != bioseq.RNA {
		return option.Errorf("%s is for DNA and RNA, and the strings are none", option.Name("reverse_complement"))
	}
	if n := len(o.WildType) - max(0, notation.ChainsOf(o.WildType)-1); n > 0 && o.Lengths != (Lengths{}) && o.Lengths != (Lengths{n, n}) {
		return option.Errorf("%s: variants of the wild type have %d letters; leave it or the wild type out", option.Setting{Name: "length", Value: o.Lengths.String()}, n)
	}
	return nil
}

// notatedSpace returns the space of sequences in a notation that says more than letters; ok is false if they are in none.
func notatedSpace(o Options, d Design) (out Space, ok bool, err error) {
	xs := d.Strings()
	switch {
	case notation.HaveParts(xs):
		if x := notation.Phosphorylated(xs); x != "" {
			return Space{}, false, option.Errorf("%s: pS, pT and pY look like phosphorylated residues, and are read as D-proline before another residue; write [pS], [pT] and [pY], or all symbols with %s", usage.Shorten(x, 60), option.Name("alphabet"))
		}
		out, err = partsSpace(o, d)
		return o.keepClosers(keepStaples(o.keepCysteines(out, d, cysteinesOfParts), d, staplesOfParts), d, closersOfParts), true, err
	case notation.HaveWords(xs):
		out, err = wordsSpace(o, d)
		return o.keepClosers(keepStaples(o.keepCysteines(out, d, cysteineWords), d, stapleWords), d, closersOfWords), true, err
	}
	return Space{}, false, nil
}

// itemsSpace returns the space of strings that are lists of items, or codes; ok is false if they are none.
func itemsSpace(o Options, given *sequence.Alphabet, d Design) (out Space, ok bool, err error) {
	if o.WildType != "" {
		return Space{}, false, nil
	}
	l, ok := d.lists(given)
	if !ok && given == nil && o.Lengths == (Lengths{}) {
		l, ok = lists.Codes(d.Strings(), o.Measured)
	}
	if !ok {
		return Space{}, false, nil
	}
	out, err = listsSpace(l, o, given, d)
	if err == nil && given == nil && nameResidues(inOrder(itemsOf(l, d.Strings()))) {
		out = o.keepCysteines(out, d, func(x string) int { return countCysteines(l.Split(x)) })
	}
	return out, true, err
}

// sequenceSpace returns the space of strings of letters, or of symbols: aligned, or of varying length.
func sequenceSpace(o Options, given *sequence.Alphabet, d Design, kind bioseq.Kind, letters string, symbols []string, split func(x string) ([]string, error)) (out Space, _ error) {
	length, others, err := o.frame(d.Strings(), kind)
	if err != nil {
		return Space{}, err
	}
	var windows, shifted bool
	if o.needAligned() == nil && o.WildType == "" && o.Lengths == (Lengths{}) { // nothing says that positions are to be compared
		var between []string
		if between, windows = d.windows(kind); len(between) > 0 || windows && d.Pool != nil {
			return windowsSpace(o, d, kind, between)
		}
		if d.severalLengths(length, others, o.Minimize) {
			length = 0
		} else if shifted = d.shifted(length); shifted {
			length = 0
		}
	}
	if length > 0 && !(o.BothStrands && o.WildType == "") {
		out, err = alignedSpace(o, d, kind, letters, length, others)
	} else if err = o.needAligned(); err == nil {
		out, err = varyingSpace(o, given, d, kind, letters, symbols, split, shifted)
	}
	if err == nil && kind == bioseq.Protein {
		out = o.keepCysteines(out, d, cysteines)
	}
	if windows {
		out.Notes.Add("the sequences are windows of a target, and all between them are measured: proposals are other sequences, which no longer match it; %s proposes other windows", option.Setting{Name: "pool", Value: "FILE"})
	}
	return out, err
}

// bestElsewhere reports whether most of the best tenth of strings, and of five at least, have another length: then
// others teach more than positions do.
func (d Design) bestElsewhere(length int, minimize bool) bool {
	const share, fewest, most = 0.1, 5, 0.7
	var values []float64
	var xs []string
	for _, o := range d.Init {
		if v := o.Value(minimize); !math.IsNaN(v) {
			values, xs = append(values, v), append(xs, o.X)
		}
	}
	best := stats.Pick(xs, stats.TopK(values, max(fewest, int(share*float64(len(xs))))))
	others := 0
	for _, x := range best {
		if len(x) != length {
			others++
		}
	}
	return len(best) >= fewest && float64(others) > most*float64(len(best))
}

// alignedSpace returns the space of sequences of one length. others is the number of sequences with another length.
func alignedSpace(o Options, d Design, kind bioseq.Kind, letters string, length, others int) (Space, error) {
	if i := strings.IndexFunc(o.WildType, func(r rune) bool { return letters != "" && !strings.ContainsRune(letters, r) }); i >= 0 {
		return Space{}, option.Errorf("%s has %q as letter %d, and the sequences have the letters %s", option.Name("wild-type"), o.WildType[i], i+1, letters)
	}
	examples, variants := ofLength(d.Strings(), length), ofLength(d.Pool, length)
	var starts []int // of the blocks of chimeras, where mutations are not counted
	if o.WildType == "" && o.Positions == nil && o.Residues == nil && o.Mutations == 0 {
		starts = observed.Blocks(examples)
	}
	out := Space{Aligned: true}
	if o.WildType == "" && starts == nil {
		if o.WildType = d.wildType(length); o.WildType != "" {
			out.Notes.Add("mutations are counted from the sequence that is named the wild type; %s gives another: %s", option.Name("wild-type"), usage.Shorten(o.WildType, 60))
		}
	}
	if out.WildType = o.WildType; out.WildType == "" && starts == nil {
		if out.WildType = protein.Consensus(examples); out.WildType != "" {
			out.Notes.Add("mutations are counted from the consensus, as no wild type is given: %s", usage.Shorten(out.WildType, 60))
		}
	}
	if others > 0 {
		out.Notes.Add("proposals have %d letters; sequences of another length, which teach the search nothing unless a range of lengths is asked for: %d", length, others)
		if n := len(d.best(o.Minimize)); n > 0 && n != length {
			out.Notes.Add("the best sequence has %d letters: %s searches sequences like it", n, option.Setting{Name: "length", Value: strconv.Itoa(n)})
		}
	}
	for _, rule := range o.Residues {
		if _, note, err := rule.allowed(letters); err == nil && note != "" {
			out.Notes.Add("%s: %s", option.Name("residues"), note)
		}
	}
	o.noteMotifs(&out, letters)
	if kind == bioseq.Protein && o.keepsStart(examples) {
		o.Positions = o.Positions[1:]
		out.Notes.Add("position 1 stays M, where translation starts; a rule for it in %s lets it change", option.Name("residues"))
	}
	coding, err := out.coded(&o.SequenceOptions, d, examples, kind)
	if err != nil {
		return Space{}, err
	}
	breaks := coding.forbids
	o.noteOwnMotifs(&out, kind)
	if starts != nil {
		if ok, err := out.chimeras(starts, o, d, examples, variants, either(breaks, o.forbids(kind)), o.canonical(kind)); ok || err != nil {
			return out, err
		}
	}
	var chosen []string
	if o.Positions == nil {
		if kind == bioseq.Protein {
			chosen = observed.Hits(examples, out.WildType, d.values(o.Minimize), d.total(examples))
		}
		if chosen != nil {
			out.Notes.Add("the data are a few mutations that are better than the wild type, or whose wild type has no score: proposals combine these; %s lets others in", option.Name("residues"))
		} else {
			chosen = observed.Letters(examples, len(letters), false, d.total(examples))
			out.noteOnly(chosen, letters, o.SequenceOptions)
		}
	}
	out.Space, err = o.aligned(examples, variants, letters, "", length, chosen)
	if unknown := o.WildType != "" && !slices.Contains(examples, o.WildType); chosen != nil && out.Reference != "" && !slices.Contains(examples, out.Reference) {
		out.Reference = "" // that most mutations are for the worse does not hold
	} else if o.Measured && unknown {
		out.Notes.Add("the wild type has no score: it is taken to be as good as the best tenth, as most mutations are for the worse; a row WT says better")
	}
	out.Refuses = o.refuses(examples, letters, kind)
	o.know(&out)
	canonical := o.canonical(kind)
	if one := coding.canonical(cmp.Or(o.WildType, protein.Consensus(examples)), kind, o.allows(examples, variants, chosen, letters)); canonical == nil && one != nil {
		canonical = one
		out.Notes.Add("no two sequences encode one protein: proposals encode new proteins, each once, with the codons of most sequences where they encode the same")
	}
	return out.proposing(either(breaks, o.forbids(kind)), canonical), err
}

// noteOnly notes at which positions proposals have only letters of the data, though not all of an alphabet.
func (out *Space) noteOnly(only []string, alphabet string, o SequenceOptions) {
	const most = 6 // positions that are named
	var all []string
	for i, letters := range only {
		varies := strings.ContainsFunc(letters, func(r rune) bool { return byte(r) != letters[0] })
		if position := i + o.Offset + 1; varies && len(letters) < len(alphabet) && !o.Residues.name(position) {
			all = append(all, fmt.Sprintf("%d (%s)", position, letters))
		}
	}
	if n := len(all); n > most {
		all = append(all[:most-1], fmt.Sprintf("%d more", n-most+1))
	}
	if len(all) > 0 {
		out.Notes.Add("proposals have only the letters that recur at these positions: %s; %s lets others in", strings.Join(all, ", "), option.Name("residues"))
	}
}

// varyingSpace returns the space of strings of varying length over an alphabet; nil: the letters of their kind, or
// those that occur. symbols and split are those of residues whose names have several letters; nil: there are none.
func varyingSpace(o Options, given *sequence.Alphabet, d Design, kind bioseq.Kind, letters string, symbols []string, split func(x string) ([]string, error), shifted bool) (Space, error) {
	xs, a := d.Strings(), given
	if a == nil && kind != bioseq.None {
		var err error
		if a, err = sequence.NewAlphabet(strings.Split(letters, "")); err != nil {
			return Space{}, err
		}
	}
	a, err := alphabetOr(a, xs...)
	if err != nil {
		return Space{}, err
	}
	lengths := o.Lengths
	if lengths == (Lengths{}) && kind != bioseq.None && !shifted { // whose proposals keep the length of a sequence
		lengths = usualLengths(d.Init, o.Minimize, func(x string) int { return len(x) })
	}
	out := Space{Lengths: lengths}
	opts := tokens.Options{Alphabet: a.Symbols(), Split: a.Tokens, Shortest: lengths.Min, Longest: lengths.Max, Shifted: shifted}
	if symbols != nil {
		opts.Alphabet, opts.Split = symbols, split
	}
	if kind != bioseq.None || symbols != nil {
		var sequences [][]string
		for _, x := range xs {
			one, _ := opts.Split(x) // alphabetOr has found no error
			sequences = append(sequences, one)
		}
		opts.Before, opts.After = o.keptEnds(sequences, fewSequences)
		for i, one := range sequences { // what all begin and end with tells nothing of the rest
			sequences[i] = one[opts.Before : len(one)-opts.After]
		}
		if opts.Homologous = !shifted && tokens.AreHomologous(sequences); opts.Homologous && o.Lengths == (Lengths{}) {
			out.Lengths = lengthsOfVariants(xs)
			opts.Shortest, opts.Longest = out.Lengths.Min, out.Lengths.Max
		}
		if some := observed.Alphabet(sequences, len(opts.Alphabet)); given == nil && kind != bioseq.None && some != nil {
			opts.Alphabet, opts.Open = some, true
			out.Notes.Add("proposals have only the letters of what varies in the data, %s; %s sets others", strings.Join(some, ""), option.Name("alphabet"))
		}
	}
	if out.Space, err = tokens.New(xs, opts); err != nil {
		return Space{}, err
	}
	if opts.Before+opts.After > 0 {
		first, _ := opts.Split(xs[0])
		out.Notes.Add("proposals keep what all sequences %s; %s lets it change", whatAll(first, opts.Before, opts.After), option.Name("vary_ends"))
	}
	if shifted {
		out.Notes.Add("the sequences have one length, and are alike only where parts of them are moved: proposals are sequences of the data with %d other letters at most; %s compares them position by position", mostReplaced, option.Setting{Name: "length", Value: strconv.Itoa(len(xs[0]))})
	}
	if opts.Homologous {
		out.Notes.Add("the sequences are variants of different lengths: proposals change only what varies in the data, and have its insertions and deletions")
	}
	if o.BothStrands {
		out.Space.Read = bothStrands(out.Space.Read, kind)
	}
	out.Refuses = o.refuses(nil, letters, kind)
	if kind != bioseq.None {
		o.noteMotifs(&out, letters)
	}
	o.know(&out)
	coded, err := out.coded(&o.SequenceOptions, d, xs, kind)
	if err != nil {
		return Space{}, err
	}
	breaks := coded.forbids
	if shifted {
		breaks = either(breaks, func(x string) bool { return farFrom(xs, x) })
	}
	if kind == bioseq.None && observed.Bracketed(slices.Concat(xs, d.Pool)) {
		breaks = either(breaks, func(x string) bool { return !observed.Balanced(x) })
		out.Notes.Add("all strings have balanced brackets, and so have proposals")
	}
	if name := observed.Name(xs); given == nil && kind == bioseq.None && symbols == nil && name != "" {
		out.Notes.Add("strings are changed by single characters, which breaks up names such as %s: list what stays whole with %s, as in 'x + sin( ( )'", name, option.Name("alphabet"))
	}
	return out.proposing(either(breaks, o.forbids(kind)), o.canonical(kind)), nil
}

// searchable returns an error for sequences in a notation that changes of single characters would break, unless an
// alphabet names what stays whole.
func searchable(xs []string, named bool) error {
	coded := notation.Coded(xs)
	unread, residue := notation.Unread(xs)
	switch {
	case notation.HaveInChI(xs):
		return option.Errorf("%s is an InChI, which is not searched; give SMILES", usage.Shorten(xs[0], 60))
	case notation.OddHELM(xs) != "":
		return option.Errorf("%s is in HELM of other chains or bonds than most strings, such as %s, and HELM is searched where strings differ in monomers alone; leave it out",
			usage.Shorten(notation.OddHELM(xs), 80), usage.Shorten(notation.UsualHELM(xs), 60))
	case notation.HaveHELM(xs):
		return option.Errorf("%s is in HELM, which is not searched; give sequences in letters with other residues in brackets, such as H[Aib]EGT for PEPTIDE1{H.[Aib].E.G.T}$$$$", usage.Shorten(xs[0], 60))
	case !named && notation.Repeated(xs) != "":
		return option.Errorf("%s is written as repeats, which a change of a single character would break: write all residues, as in GGGGSGGGGS for (GGGGS)2, or give all symbols with %s", usage.Shorten(notation.Repeated(xs), 60), option.Name("alphabet"))
	case !named && notation.HaveCodes(xs) != "":
		return option.Errorf("%s looks like a peptide in a notation that is not read, which a change of a single character would break; separate residues with hyphens alone, as in H-Aib-Glu-Gly-NH2 or cyclo(Arg-Gly-Asp), or give all symbols with %s", usage.Shorten(notation.HaveCodes(xs), 60), option.Name("alphabet"))
	case !named && coded != "" && residue != "":
		name := "[Orn]"
		if inner := strings.Trim(residue, "()[]{}"); len(inner) > 1 {
			name = "[" + inner + "]"
		}
		return option.Errorf("%s has %s, which is no residue: write residues other than the 20 in brackets, such as %s, or give all symbols with %s", usage.Shorten(unread, 60), residue, name, option.Name("alphabet"))
	case !named && coded != "":
		return option.Errorf("%s looks like a sequence with codes in it, which a change of a single character would break; give residues in letters and others in brackets, such as H[Aib]EGT, or all symbols with %s", usage.Shorten(coded, 60), option.Name("alphabet"))
	}
	return nil
}

// residueTokens returns the tokens of sequences whose residues have names of several letters, in a given alphabet or as
// nucleotides with modifications, and splits strings into these; nil: the strings are no such sequences.
func residueTokens(given *sequence.Alphabet, kind bioseq.Kind, xs []string) (symbols []string, split func(x string) ([]string, error)) {
	if kind != bioseq.None {
		return nil, nil
	}
	if given != nil {
		if symbols = given.Symbols(); nameResidues(symbols) {
			return symbols, given.Tokens
		}
		return nil, nil
	}
	nucleotides := notation.Modified(xs)
	if nucleotides == nil {
		return nil, nil
	}
	for _, x := range xs {
		symbols = append(symbols, nucleotides(x)...)
	}
	return inOrder(symbols), func(x string) ([]string, error) { return nucleotides(x), nil }
}

// either returns a test that holds where one of two does; either may be nil.
func either(a, b func(x string) bool) func(x string) bool {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func(x string) bool { return a(x) || b(x) }
}

// readAlphabet reads tokens: the characters of a word, or words with blanks or commas between them.
func readAlphabet(text string) (*sequence.Alphabet, error) {
	tokens := strings.FieldsFunc(text, separatesTokens)
	if !strings.ContainsFunc(text, separatesTokens) {
		tokens = strings.Split(text, "")
	}
	if len(tokens) == 0 {
		return nil, option.Errorf("%s %q has no token; give a word of characters, or tokens with blanks between them", option.Name("alphabet"), text)
	}
	for i, t := range tokens {
		if slices.Contains(tokens[:i], t) {
			return nil, option.Errorf("%s: the token %q is repeated; give it once", option.Name("alphabet"), t)
		}
	}
	a, err := sequence.NewAlphabet(tokens)
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Name("alphabet"), err)
	}
	return a, nil
}

// InAlphabet returns a test of strings: the error says which symbol is not in the alphabet. Where it may name items of
// lists, all strings tell what it is: see Alike.
func InAlphabet(alphabet string) (func(x string) error, error) {
	a, err := readAlphabet(alphabet)
	if err != nil && !mayBeItems(alphabet) {
		return nil, err
	}
	return func(x string) error { return inAlphabet(alphabet, a, x) }, nil
}

// inAlphabet returns an error if x cannot be a string of an alphabet, which is nil if its tokens can be items of lists
// alone.
func inAlphabet(alphabet string, a *sequence.Alphabet, x string) error {
	if mayBeItems(alphabet) && mayBeList(x) {
		return nil
	}
	if a == nil {
		return fmt.Errorf("%s is no list of items", usage.Shorten(x, 60))
	}
	err := over(a, x)
	if err != nil && mayBeList(x) && utf8.RuneCountInString(alphabet) > 2 {
		return fmt.Errorf("%w; the alphabet is read as characters: to add an item to lists give its position, too, as in 1:%s", err, alphabet)
	}
	return err
}

// over returns an error if x is neither written in an alphabet nor a list of its symbols.
func over(a *sequence.Alphabet, x string) error {
	_, err := a.Tokens(x)
	if err != nil {
		if _, ok := listsOf(a, []string{x}); ok {
			return nil
		}
	}
	return err
}

// alphabetOr returns an alphabet that all strings consist of: a or, if a is nil, that of their own characters and
// bracketed groups.
func alphabetOr(a *sequence.Alphabet, xs ...string) (*sequence.Alphabet, error) {
	if a == nil {
		return sequence.AlphabetOf(slices.Values(xs))
	}
	for _, x := range xs {
		if _, err := a.Tokens(x); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// spaceOf returns the space of strings over an alphabet that pass a check; nil: all.
func spaceOf(a *sequence.Alphabet, d Design, check func(x string) error) (Space, error) {
	space, err := tokens.New(d.Strings(), tokens.Options{Alphabet: a.Symbols(), Split: a.Tokens, Check: check})
	return Space{Space: space}, err
}

// different returns a generator of n different strings.
func different(draw func(*rand.Rand) string) func(context.Context, *rand.Rand, int) ([]string, error) {
	const tries = 100 // for each string
	return func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		var xs []string
		seen := map[string]bool{}
		for range tries * n {
			if x := draw(rng); !seen[x] {
				seen[x] = true
				xs = append(xs, x)
			}
			if len(xs) == n {
				return xs, nil
			}
		}
		return nil, fmt.Errorf("%d draws gave only %d different strings; give a smaller number", tries*n, len(xs))
	}
}
