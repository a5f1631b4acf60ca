// Package tokens is the space of strings over an alphabet, for package evolve: peptides, expressions, or any other text
// that is made of tokens.
//
// New returns the whole space. Edits are its operators alone.
package tokens

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
)

// Options say what strings consist of. The zero Options take the characters of the examples.
type Options struct {
	Alphabet []string                         // tokens; nil: those of the examples
	Split    func(x string) ([]string, error) // into tokens; nil: characters. It is called from several goroutines
	Join     func(tokens []string) string     // the reverse of Split; nil: without a separator

	// Open lets strings have tokens that are not of the Alphabet; proposals have only those of their parents and of the
	// Alphabet.
	Open bool

	// Shortest and Longest are the numbers of tokens that proposals may have; 0: as New says.
	Shortest, Longest int

	// Before and After are the numbers of tokens at either end that proposals have of a known string, as all have the
	// same there.
	Before, After int

	// Homologous says that strings are variants of each other: see Edits.
	Homologous bool

	// Shifted says that positions mean nothing though strings have one length: they are alike where parts of them are
	// moved. A child has one parent then, of which one to three tokens are replaced.
	Shifted bool

	// Check returns why a string of tokens is not of the space, for one by a grammar. Nil: all are. It is called from
	// several goroutines.
	Check func(x string) error
}

// longestGap is the greatest distance of pairs of tokens that the surrogate looks at.
const longestGap = 20

// New returns the space of strings like the examples. If all of these have one length in tokens, so have all proposals,
// unless options say otherwise. Else lengths vary, to one and a half times the longest example, and one more.
//
// Strings are compared by pairs of tokens at distances up to 20, and by tokens at positions where the length is fixed,
// or else by runs of one to four tokens. Where the length is fixed, few of these are expected to matter (gp.Sparse),
// and strings drift: a share of each batch differs from a best one in many places that do not seem to matter. A string
// that cannot be scored may owe it to any pair of neighbours. Shifted strings are compared as if lengths varied.
//
// Without examples lengths vary, from 1 to any, unless the options bound them. The error says which example cannot be
// split, that there is no token, or which option is out of range.
func New(examples []string, opts Options) (evolve.Space, error) {
	if opts.Split == nil {
		opts.Split = func(x string) ([]string, error) { return strings.Split(x, ""), nil }
	}
	fixed, longest := true, 0
	var occurring []string
	for _, x := range examples {
		tokens, err := opts.Split(x)
		if err != nil {
			return evolve.Space{}, fmt.Errorf("tokens: split the example %q: %w", x, err)
		}
		fixed = fixed && (longest == 0 || len(tokens) == longest)
		longest = max(longest, len(tokens))
		occurring = append(occurring, tokens...)
	}
	if opts.Alphabet == nil {
		slices.Sort(occurring)
		opts.Alphabet = slices.Compact(occurring)
	}
	if len(opts.Alphabet) == 0 {
		return evolve.Space{}, errors.New("tokens: there are no tokens; give an Alphabet, or examples")
	}
	if slices.Contains(opts.Alphabet, "") {
		return evolve.Space{}, errors.New("tokens: the Alphabet has an empty token; leave it out")
	}
	if opts.Shortest < 0 || opts.Longest < 0 || opts.Longest > 0 && opts.Longest < opts.Shortest || opts.Before < 0 || opts.After < 0 {
		return evolve.Space{}, fmt.Errorf("tokens: lengths from %d to %d, and %d and %d tokens that stay at the ends: give numbers from 0, and a Longest of at least Shortest",
			opts.Shortest, opts.Longest, opts.Before, opts.After)
	}
	split := func(x string) []string {
		tokens, _ := opts.Split(x) // check has found no error
		return tokens
	}
	fixed = fixed && longest > 0 && (opts.Shortest == 0 || opts.Shortest == longest) && (opts.Longest == 0 || opts.Longest == longest)
	edits := Edits{Alphabet: opts.Alphabet, Split: split, Join: opts.Join, Fixed: fixed, Shortest: opts.Shortest, Longest: opts.Longest, Before: opts.Before, After: opts.After, Single: opts.Shifted, Homologous: opts.Homologous}
	if edits.Longest == 0 && longest > 0 {
		edits.Longest = longest + longest/2 + 1
	}
	gaps, neighbours := gp.TokenGaps(split, longestGap), gp.TokenGaps(split, 1)
	parts, kernels := gp.TokenRuns(split), [2]gp.Kernel{gp.Overlap, gp.Tanimoto}
	fixed = fixed && !opts.Shifted
	if fixed { // where lengths vary, Sparse would expect most of the longest strings, which have most features
		parts, kernels = gp.TokenPositions(split), [2]gp.Kernel{gp.Sparse, gp.Sparse}
	}
	space := evolve.Space{
		Operators: edits.Operators(), Check: opts.check,
		Kernels: []gp.Term{{Kernel: kernels[0], Groups: []int{0}}, {Kernel: kernels[1], Groups: []int{1}}},
	}
	if fixed {
		space.Drift = edits.drift
	}
	space.Read = func(x string) (evolve.Description, error) {
		if err := opts.check(x); err != nil {
			return evolve.Description{}, err
		}
		return evolve.Description{Groups: []gp.Counts{gaps(x), parts(x)}, Risks: neighbours(x).IDs}, nil
	}
	return space, nil
}

// check returns an error if x is not a string of the space.
func (o Options) check(x string) error {
	if o.Check != nil {
		if err := o.Check(x); err != nil {
			return err
		}
	}
	tokens, err := o.Split(x)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		if !o.Open && !slices.Contains(o.Alphabet, t) {
			return fmt.Errorf("%q is not in the alphabet of %d tokens", t, len(o.Alphabet))
		}
	}
	return nil
}
