package task

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// partsSpace returns the space of sequences that are more than letters (table.Parts): proposals change residues, and have ends and chains
// as one of the examples has. Examples that have these at the same places are aligned. Lengths are numbers of residues.
func partsSpace(o Options, d Design) (Space, error) {
	xs := d.Strings()
	kept, shapes := map[string]bool{}, map[string]bool{}
	residues, others, occurring := strings.Split(protein.Residues, ""), "", []string{}
	most := 0 // tokens that are no residues
	for _, x := range xs {
		p, split := table.PartsOf(x), splitParts(x)
		kept[p.Kept()], shapes[p.Shape()] = true, true
		residues = append(residues, p.Letters()...)
		most = max(most, len(split)-len(p.Letters()))
		occurring = append(occurring, split...)
	}
	unique := func(all []string) []string {
		slices.Sort(all)
		return slices.Compact(all)
	}
	residues = unique(residues)
	for _, r := range unique(strings.Split(strings.Join(xs, ""), "")) {
		if !slices.Contains(residues, r) {
			others += r
		}
	}
	forbidden := o.forbids(table.Protein)
	forbids := func(x string) bool { return forbidden != nil && forbidden(table.PartsOf(x).Residues) }
	if len(shapes) == 1 && o.Lengths == (Lengths{}) {
		out := Space{Aligned: true}
		if table.PartsOf(xs[0]).Before == "" { // otherwise mutations would not have the numbers of residues
			out.WildType = protein.Consensus(xs)
		}
		if out.WildType != "" {
			out.note("mutations are counted from the consensus, and positions along the whole string: %s", usage.Shorten(out.WildType, 60))
		}
		alphabet := strings.Join(residues, "") + others
		o.noteMotifs(&out, alphabet)
		pool := slices.DeleteFunc(slices.Clone(d.Pool), func(x string) bool { return !shapes[table.PartsOf(x).Shape()] })
		shape := table.PartsOf(xs[0]).Shape()
		for _, p := range o.Positions {
			if i := p - o.Offset - 1; i >= 0 && i < len(shape) && shape[i] != table.AnyResidue {
				return Space{}, option.Errorf("%s: position %d is %c, which is no residue and stays; leave it out", option.Name("positions"), p, xs[0][i])
			}
		}
		residuesAlone := o.SequenceOptions
		residuesAlone.Forbidden = nil // ends match no motif
		var err error
		out.Space, err = residuesAlone.aligned(xs, pool, alphabet, others, len(xs[0]))
		out.Refuses = o.refuses(xs, alphabet, table.Protein)
		o.know(&out)
		return out.proposing(func(x string) bool { return table.PartsOf(x).Shape() != shape || forbids(x) }, nil), err
	}
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	count := func(x string) int { return len(table.PartsOf(x).Letters()) }
	lengths := o.Lengths
	if lengths == (Lengths{}) {
		sequences := slices.DeleteFunc(slices.Clone(d.Init), func(o study.Observation) bool { return count(o.X) == 0 })
		lengths = usualLengths(sequences, o.Minimize, count)
	}
	space, err := tokens.New(xs, tokens.Options{
		Alphabet: unique(append(residues, occurring...)), Shortest: lengths.Min, Longest: lengths.Max + most,
		Split: func(x string) ([]string, error) { return splitParts(x), nil },
	})
	out := Space{Space: space, Lengths: lengths}
	o.noteMotifs(&out, strings.Join(residues, "")+others)
	refuses := o.refuses(nil, protein.Residues, table.Protein)
	out.Refuses = func(x string) option.Name { return refuses(strings.Join(table.PartsOf(x).Letters(), "")) }
	o.know(&out)
	return out.proposing(func(x string) bool {
		n := count(x)
		return !kept[table.PartsOf(x).Kept()] || n < lengths.Min || n > lengths.Max || forbids(x)
	}, nil), err
}

// wordsSpace returns the space of peptides whose residues hyphens separate (table.Words). A word that begins or ends examples and is never
// inside one stays there; proposals begin and end as one of the examples does. Lengths are numbers of words.
func wordsSpace(o Options, d Design) (Space, error) {
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	split := func(x string) []string {
		if words := table.Words(x); words != nil {
			return words
		}
		return []string{x}
	}
	xs := d.Strings()
	inside := map[string]bool{}
	for _, x := range xs {
		words := split(x)
		for _, w := range words[min(1, len(words)-1) : len(words)-1] {
			inside[w] = true
		}
	}
	residue := func(w string) bool { return inside[w] || table.IsResidue(w) }
	ends := func(words []string) [2]string { // those that are no residues
		e := [2]string{words[0], words[len(words)-1]}
		for i := range e {
			if residue(e[i]) {
				e[i] = ""
			}
		}
		return e
	}
	kept := map[[2]string]bool{}
	for _, x := range xs {
		kept[ends(split(x))] = true
	}
	forbidden, lengths := o.forbids(table.NoSequences), o.Lengths
	if lengths == (Lengths{}) {
		lengths = usualLengths(d.Init, o.Minimize, func(x string) int { return len(split(x)) })
	}
	space, err := tokens.New(xs, tokens.Options{
		Split: func(x string) ([]string, error) { return split(x), nil }, Join: func(words []string) string { return strings.Join(words, "-") },
		Shortest: lengths.Min, Longest: lengths.Max,
	})
	out := Space{Space: space, Lengths: lengths}
	o.know(&out)
	return out.proposing(func(x string) bool {
		words := split(x)
		within := words[min(1, len(words)-1) : len(words)-1]
		return !kept[ends(words)] || slices.ContainsFunc(within, func(w string) bool { return !residue(w) }) || forbidden != nil && forbidden(x)
	}, nil), err
}

// splitParts returns the tokens of a sequence: its ends, residues and what separates its chains; the characters of another string.
func splitParts(x string) []string {
	p := table.PartsOf(x)
	split := slices.Concat([]string{p.Before}, strings.Split(p.Residues, ""), []string{p.After})
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
