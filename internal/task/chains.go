package task

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// joined are sequences that are more than letters (notation.Parts), and what proposals of their kind may be.
type joined struct {
	Options
	design   Design
	xs       []string
	residues []string // that may be proposed
	forbids  func(x string) bool
}

// partsSpace returns the space of sequences that are more than letters: proposals change residues, and have ends and
// what separates chains as one of the examples has. They are aligned if most have chains of the same lengths. Lengths
// are numbers of residues.
func partsSpace(o Options, d Design) (Space, error) {
	j := joined{Options: o, design: d, xs: d.Strings(), residues: strings.Split(protein.Residues, "")}
	for _, x := range slices.Concat(j.xs, d.Pool) {
		j.residues = append(j.residues, notation.PartsOf(x).Letters()...)
	}
	j.residues = inOrder(j.residues)
	forbidden := o.forbids(bioseq.Protein)
	j.forbids = func(x string) bool { return forbidden != nil && forbidden(notation.PartsOf(x).Residues) }
	frame := j.frame()
	if j.WildType != "" {
		if err := j.placeWildType(&frame); err != nil {
			return Space{}, err
		}
	}
	if frame != "" {
		return j.aligned(frame)
	}
	return j.varying()
}

// placeWildType writes the wild type as sequences of its chains are written, whose frame is that of proposals.
func (j *joined) placeWildType(frame *string) error {
	lengths := func(x string) (all []int) {
		for _, chain := range notation.PartsOf(x).Chains() {
			all = append(all, len(chain))
		}
		return all
	}
	own := lengths(j.WildType)
	like := func(x string) bool { return own != nil && slices.Equal(lengths(x), own) }
	i := slices.IndexFunc(j.xs, func(x string) bool { return like(x) && notation.PartsOf(x).Frame() == *frame })
	if i < 0 {
		i = slices.IndexFunc(j.xs, like)
	}
	if i < 0 {
		return option.Errorf("%s has chains of %s residues, and none of the sequences has: the first has %s; give the one that they are variants of",
			option.Name("wild-type"), enumerated(own), enumerated(lengths(j.xs[0])))
	}
	p := notation.PartsOf(j.xs[i])
	*frame, j.WildType = p.Frame(), p.With(notation.PartsOf(j.WildType).Chains())
	return nil
}

// enumerated lists numbers, for people: "9, 6 and 4".
func enumerated(all []int) string { return usage.List(stats.Map(all, strconv.Itoa)) }

// frame returns the notation.Parts.Frame of most sequences; "" if none is that of most, or another length is asked for.
func (j joined) frame() string {
	frame, _ := usual(j.xs, func(x string) string { return notation.PartsOf(x).Frame() })
	residues := strings.Count(frame, string(notation.AnyResidue))
	if residues == 0 || j.Lengths != (Lengths{}) && j.Lengths != (Lengths{residues, residues}) {
		return ""
	}
	return frame
}

// aligned returns the space of sequences of one frame. Their ends may differ: a proposal has those of the sequence that
// it is made from.
func (j joined) aligned(frame string) (Space, error) {
	for _, p := range j.Positions {
		if i := p - j.Offset - 1; i >= 0 && i < len(frame) && frame[i] != notation.AnyResidue {
			return Space{}, option.Errorf("%s: position %d is %c, which is no residue and stays; leave it out", option.Name("positions"), p, frame[i])
		}
	}
	var marks, ends []string
	for i := range len(frame) {
		if frame[i] != notation.AnyResidue {
			marks = append(marks, frame[i:i+1])
		}
	}
	end := func(x string) string { // as one token
		p := notation.PartsOf(x)
		return p.Before + string(notation.AnyResidue) + p.After
	}
	inFrame := func(x string) bool { return notation.PartsOf(x).Frame() == frame }
	examples := slices.DeleteFunc(slices.Clone(j.xs), func(x string) bool { return !inFrame(x) })
	for _, x := range examples {
		ends = append(ends, end(x))
	}
	ends = inOrder(ends)
	kept := inOrder(slices.Concat(marks, ends))
	l := newLettered(slices.Concat(j.residues, kept), func(x string) []string {
		if !inFrame(x) {
			return nil
		}
		return append(notation.PartsOf(x).Tokens(), end(x))
	}, func(tokens []string) string {
		last := len(tokens) - 1
		before, after, _ := strings.Cut(tokens[last], string(notation.AnyResidue))
		return before + strings.Join(tokens[:last], "") + after
	})
	if l == nil {
		return j.varying()
	}
	l.ends = true
	var out Space
	if others := len(j.xs) - len(examples); others > 0 {
		out.Notes.Add("proposals have chains of %s residues; sequences of other lengths, which teach the search nothing unless a range of lengths is asked for: %d", lengthsOf(frame), others)
	}
	if len(ends) > 1 {
		out.Notes.Add("sequences have different ends, and a proposal has those of the sequence that it is made from")
	}
	if len(ends) == 1 && strings.HasPrefix(ends[0], string(notation.AnyResidue)) && !slices.ContainsFunc(j.residues, func(r string) bool { return len(r) > 1 }) {
		out.WildType = cmp.Or(j.WildType, protein.Consensus(examples)) // positions are those of its residues
	}
	if j.WildType != "" {
		j.WildType = l.encode(j.WildType)
		out.Notes.Add("mutations are counted from the wild type, and positions along the whole string")
	} else if out.WildType != "" {
		out.Notes.Add("mutations are counted from the consensus, and positions along the whole string: %s", usage.Shorten(out.WildType, 60))
	}
	j.noteMotifs(&out, strings.Join(j.xs, "")+strings.Join(j.residues, ""))
	variants := slices.DeleteFunc(slices.Clone(j.design.Pool), func(x string) bool { return l.encode(x) == "" })
	if err := out.alignAs(l, j.Options, examples, variants, l.encodeTokens(kept), len(frame), j.design.total(examples), j.forbids); err != nil {
		return Space{}, err
	}
	j.know(&out)
	return out, nil
}

// lengthsOf returns the numbers of residues of a frame's chains, such as 9 and 6.
func lengthsOf(frame string) string {
	var all []int
	for chain := range strings.FieldsFuncSeq(frame, func(r rune) bool { return r != notation.AnyResidue }) {
		all = append(all, len(chain))
	}
	return enumerated(all)
}

// varying returns the space of sequences whose chains vary in length. A chain that has one length in most sequences
// keeps it, and another what it begins and ends with in all.
func (j joined) varying() (Space, error) {
	if err := j.needAligned(); err != nil {
		return Space{}, err
	}
	kept, occurring, most := map[string]bool{}, slices.Clone(j.residues), 0
	count := func(x string) int { return len(notation.PartsOf(x).Letters()) }
	for _, x := range j.xs {
		split := splitParts(x)
		kept[notation.PartsOf(x).Kept()] = true
		occurring = append(occurring, split...)
		most = max(most, len(split)-count(x))
	}
	rules, err := j.rules()
	if err != nil {
		return Space{}, err
	}
	if rules.lengths = j.Lengths; rules.lengths == (Lengths{}) {
		sequences := slices.DeleteFunc(slices.Clone(j.design.Init), func(o study.Observation) bool { return count(o.X) == 0 })
		rules.lengths = usualLengths(sequences, j.Minimize, rules.residuesOf)
	}
	lengths := rules.lengths
	space, err := tokens.New(j.xs, tokens.Options{
		Alphabet: inOrder(occurring), Shortest: lengths.Min, Longest: lengths.Max + most,
		Split: func(x string) ([]string, error) { return splitParts(x), nil },
	})
	if err != nil {
		return Space{}, err
	}
	space.Operators, space.Drift = rules.operators(), nil
	space.Breeds = func(x string) bool { return count(x) > 0 }
	out := Space{Space: space, Lengths: lengths}
	if note := rules.note(); note != "" {
		out.Notes.Add("proposals keep of %s (%s and %s let that change)", note, option.Name("length"), option.Name("vary_ends"))
	}
	j.noteMotifs(&out, strings.Join(j.xs, "")+strings.Join(j.residues, ""))
	refuses := j.refuses(nil, protein.Residues, bioseq.Protein)
	out.Refuses = func(x string) option.Name { return refuses(strings.Join(notation.PartsOf(x).Letters(), "")) }
	j.know(&out)
	return out.proposing(func(x string) bool {
		n := count(x)
		return !kept[notation.PartsOf(x).Kept()] || n < lengths.Min || n > lengths.Max || j.forbids(x)
	}, nil), nil
}

// chainRules say how the chains of sequences of varying length change.
type chainRules struct {
	residues []string
	lengths  Lengths             // of all chains of a sequence together
	of       map[int][]chainRule // of the chains of sequences with so many
}

// chainRule says how a chain changes.
type chainRule struct {
	examples      [][]string        // with the length that it keeps; nil: lengths vary
	aligned       []evolve.Operator // that change these; nil: they are all the same
	before, after int               // residues that all have there
	first         []string          // an example
}

// rules returns the rules of chains, without lengths.
func (j joined) rules() (chainRules, error) {
	r := chainRules{residues: j.residues, of: map[int][]chainRule{}}
	sequences := map[int][][][]string{} // chains, by their number
	for _, x := range j.xs {
		chains := notation.PartsOf(x).Chains()
		sequences[len(chains)] = append(sequences[len(chains)], chains)
	}
	delete(sequences, 0)
	for n, all := range sequences {
		kept := j.fixed(all, len(sequences) == 1)
		for k := range n {
			chains := column(all, k)
			rule := chainRule{first: chains[0]}
			if kept[k] == 0 {
				rule.before, rule.after = j.keptEnds(chains, fewChains)
				r.of[n] = append(r.of[n], rule)
				continue
			}
			rule.examples = slices.DeleteFunc(chains, func(c []string) bool { return len(c) != kept[k] })
			if slices.ContainsFunc(rule.examples, func(c []string) bool { return !slices.Equal(c, rule.examples[0]) }) {
				operators, err := alignedChains(j.residues, rule.examples)
				if err != nil {
					return r, err
				}
				rule.aligned = operators
			}
			r.of[n] = append(r.of[n], rule)
		}
	}
	return r, nil
}

// column returns the chains of sequences at one place.
func column(sequences [][][]string, k int) (chains [][]string) {
	for _, s := range sequences {
		chains = append(chains, s[k])
	}
	return chains
}

// fixed returns the length that each chain of sequences keeps, which most have there; 0: it varies. If all chains would
// keep theirs and others are asked for, those chains vary that do in the data, or all. Alone says that all sequences
// have this number of chains.
func (j joined) fixed(sequences [][][]string, alone bool) []int {
	kept, varied, total := make([]int, len(sequences[0])), make([]int, len(sequences[0])), 0
	for k := range kept {
		chains := column(sequences, k)
		n, _ := usual(chains, func(c []string) int { return len(c) })
		kept[k], total = n, total+n
		if !slices.ContainsFunc(chains, func(c []string) bool { return len(c) != n }) {
			varied[k] = n
		}
	}
	l := j.Lengths // of a study those that its first data have
	switch {
	case slices.Contains(kept, 0), l == Lengths{}, l == Lengths{total, total}, !alone && l.Min <= total && total <= l.Max:
		return kept
	case !slices.Contains(varied, 0):
		clear(varied)
	}
	return varied
}

// alignedChains returns the operators of chains of one length, which are not all the same.
func alignedChains(residues []string, chains [][]string) ([]evolve.Operator, error) {
	l := newLettered(residues, func(x string) []string { return notation.PartsOf(x).Tokens() }, func(tokens []string) string { return strings.Join(tokens, "") })
	if l == nil {
		return nil, option.Errorf("the sequences have %d different residues, more than can be aligned; leave some out", len(residues))
	}
	var coded []string
	for _, c := range chains {
		coded = append(coded, l.encode(strings.Join(c, "")))
	}
	space, err := protein.New(coded, protein.Options{Alphabet: l.alphabet})
	return l.space(space).Operators, err
}

// residuesOf returns how many residues a sequence has once its chains have the lengths that they keep.
func (r chainRules) residuesOf(x string) (n int) {
	chains := notation.PartsOf(x).Chains()
	for k, chain := range chains {
		if kept := r.of[len(chains)][k].examples; kept != nil {
			chain = kept[0]
		}
		n += len(chain)
	}
	return n
}

// operators returns those that change a chain of a sequence.
func (r chainRules) operators() (all []evolve.Operator) {
	var names []string
	for _, rules := range r.of {
		for _, rule := range rules {
			for _, op := range rule.operators(r.residues, Lengths{}) {
				names = append(names, op.Name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		all = append(all, evolve.Operator{Name: name, Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
			made := make([]evolve.Child, len(pairs))
			for i, pair := range pairs {
				x, err := r.child(ctx, name, pair, rng)
				if err != nil {
					return nil, err
				}
				made[i].X = x
			}
			return made, context.Cause(ctx)
		}})
	}
	return all
}

// operators returns those of a chain, whose children have a range of lengths if theirs vary; zero: any.
func (r chainRule) operators(residues []string, l Lengths) []evolve.Operator {
	if r.examples != nil {
		return r.aligned
	}
	split := func(x string) []string { return notation.PartsOf(x).Tokens() }
	return tokens.Edits{Alphabet: residues, Split: split, Before: r.before, After: r.after, Shortest: l.Min, Longest: l.Max}.Operators()
}

// child returns a child of two sequences that an operator makes; "": there is none. It has the ends of the first, and
// chains of the lengths that rules keep.
func (r chainRules) child(ctx context.Context, name string, pair [2]string, rng *rand.Rand) (string, error) {
	parts := notation.PartsOf(pair[0])
	p, q := parts.Chains(), notation.PartsOf(pair[1]).Chains()
	if len(q) != len(p) {
		q = p
	}
	rules, total := r.of[len(p)], 0
	if rules == nil {
		return "", nil
	}
	for k, rule := range rules {
		if rule.examples != nil && len(p[k]) != len(rule.examples[0]) {
			if p[k] = q[k]; len(p[k]) != len(rule.examples[0]) {
				p[k] = rule.examples[rng.IntN(len(rule.examples))]
			}
		}
		total += len(p[k])
	}
	for _, k := range rng.Perm(len(p)) {
		others := total - len(p[k])
		limits := Lengths{max(1, r.lengths.Min-others), r.lengths.Max - others}
		operators := rules[k].operators(r.residues, limits)
		i := slices.IndexFunc(operators, func(op evolve.Operator) bool { return op.Name == name })
		if i < 0 || limits.Max < 1 {
			continue
		}
		mate := q[k]
		if rules[k].examples != nil && len(mate) != len(p[k]) {
			mate = p[k]
		}
		made, err := operators[i].Make(ctx, [][2]string{{strings.Join(p[k], ""), strings.Join(mate, "")}}, rng)
		if err != nil || made[0].X == "" {
			return "", err
		}
		p[k] = notation.PartsOf(made[0].X).Tokens()
		return parts.With(p), nil
	}
	return "", nil
}

// note says what chains keep; "": nothing.
func (r chainRules) note() string {
	if len(r.of) != 1 {
		return ""
	}
	var all []string
	for _, rules := range r.of {
		for k, rule := range rules {
			if what := whatAll(rule.first, rule.before, rule.after); what != "" {
				all = append(all, fmt.Sprintf("chain %d: what all %s", k+1, what))
			}
			if rule.examples != nil {
				all = append(all, fmt.Sprintf("chain %d: its %d residues", k+1, len(rule.examples[0])))
			}
		}
	}
	return strings.Join(all, "; ")
}

// usual returns the value that more than half of all have; ok is false if there is none.
func usual[S any, T comparable](all []S, of func(S) T) (value T, ok bool) {
	counts := map[T]int{}
	for _, x := range all {
		v := of(x)
		if counts[v]++; 2*counts[v] > len(all) {
			return v, true
		}
	}
	return value, false
}

// splitParts returns the tokens of a sequence: its ends, residues and what separates its chains. Another string is one
// token.
func splitParts(x string) []string {
	p := notation.PartsOf(x)
	split := slices.Concat([]string{p.Before}, p.Tokens(), []string{p.After})
	return slices.DeleteFunc(split, func(t string) bool { return t == "" })
}

// needAligned returns an error if an option is given that only aligned sequences have.
func (s SequenceOptions) needAligned() error {
	for _, name := range []struct {
		option.Name
		given bool
	}{{"positions", s.Positions != nil}, {"residues", s.Residues != nil}, {"mutations", s.Mutations > 0}} {
		if name.given {
			return option.Errorf("%s is for aligned sequences, and these have no common length; give %s, or leave it out", name.Name, option.Name("wild-type"))
		}
	}
	return nil
}
