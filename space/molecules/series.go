package molecules

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
)

// What Series takes for a series, and a group for one of all its molecules.
const (
	apart     = 0.1   // of the molecules of a series may be less alike to the others
	intruders = 0.01  // of other molecules may be more alike to the series
	many      = 100   // molecules, from which the surrogate learns itself how far a series reaches
	nearlyAll = 0.95  // of the molecules have a group
	chance    = 0.001 // that molecules which are not chosen for a group all have it
	others    = 1_000 // molecules of the built-in library, which stand for those of no series
)

//go:embed groups.tsv
var groups string

// Group is a functional group.
type Group struct {
	Name    string
	SMARTS  string
	Example string // a molecule that has it, and little else
}

// Groups returns the functional groups that are looked for. Those that others are a part of follow them.
func Groups() (all []Group) {
	rows := strings.Split(strings.TrimSpace(groups), "\n")
	for _, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		all = append(all, Group{cells[0], cells[1], cells[2]})
	}
	return all
}

// Pattern compiles the SMARTS. The error is molecule.ErrNoRDKit.
func (g Group) Pattern() (*molecule.Pattern, error) { return molecule.CompilePattern(g.SMARTS) }

// Common is what known molecules of one series have in common: what is proposed should have it, too.
type Common struct {
	// Nearest is how similar a proposal should be to the most similar one of them (Tanimoto, ECFP4), halfway between what nine in ten of them
	// reach and what one in a hundred other molecules exceeds. It is 0 where there is no such gap, as the molecules are no series, and for 100
	// molecules and more, which teach the surrogate how far a series reaches.
	Nearest float64

	// Groups are the functional groups that nearly all molecules have, the best included, however many, and not by chance: what scores are
	// without them cannot be learnt from the data. Groups that are a part of others are left out.
	Groups []Group

	// Scaffolds are larger parts of the molecules that are the same in nearly all of them.
	Scaffolds []Scaffold
}

// Series says what the known molecules have in common. Of more than a thousand molecules a thousand are looked at. Strings that are no
// molecules do not count. The error is molecule.ErrNoRDKit.
func Series(known []Known) (c Common, _ error) {
	all := Groups()
	patterns := make([]*molecule.Pattern, len(all))
	for i, g := range all {
		var err error
		if patterns[i], err = g.Pattern(); err != nil {
			return c, err
		}
	}
	smiles, best := make([]string, len(known)), Known{Value: math.Inf(-1)}
	for i, k := range known {
		if smiles[i] = k.SMILES; k.Value > best.Value {
			best = k
		}
	}
	smiles = some(smiles)
	prints, have := describe(smiles, patterns)
	if len(prints) < fewest {
		return c, nil
	}
	library := BuiltIn().Sample(others, rand.New(rand.NewPCG(0, 0)))
	if len(prints) < many {
		c.Nearest = gap(prints, Prints(library))
	}
	for i, g := range all {
		if float64(have[i]) < nearlyAll*float64(len(prints)) {
			continue
		}
		if slices.ContainsFunc(c.Groups, func(s Group) bool { return has(s.Example, patterns[i]) }) {
			continue
		}
		if !math.IsInf(best.Value, -1) && !has(best.SMILES, patterns[i]) {
			continue
		}
		if rare(patterns[i], library, have[i]) {
			c.Groups = append(c.Groups, g)
		}
	}
	var err error
	c.Scaffolds, err = scaffolds(best.SMILES, smiles, library)
	return c, err
}

// rare reports whether a number of molecules of a library hardly ever all have a pattern.
func rare(p *molecule.Pattern, library []string, n int) bool {
	prints, had := describe(library, []*molecule.Pattern{p})
	return math.Pow(float64(had[0])/float64(len(prints)), float64(n)) < chance
}

// some returns at most a thousand of the known molecules, evenly: what nearly all have in common, these have, and a table may have many.
func some(smiles []string) []string {
	const most = 1_000
	if len(smiles) <= most {
		return smiles
	}
	all := make([]string, most)
	for i := range all {
		all[i] = smiles[i*len(smiles)/most]
	}
	return all
}

// Kinds returns the environments and rings of known molecules (SMILES), for corpus.Corpus.With: of more than a thousand those of a thousand.
// Strings that are no molecules have none.
func Kinds(smiles []string) (all []uint64) {
	smiles = some(smiles)
	kinds := make([][]uint64, len(smiles))
	parallel.For(len(smiles), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_ = molecule.Look(smiles[i], func(m *molecule.Molecule) {
				neutral, done := judged(m)
				defer done()
				kinds[i] = corpus.Kinds(neutral)
			})
		}
	})
	return slices.Concat(kinds...)
}

// has reports whether a molecule has a pattern.
func has(smiles string, p *molecule.Pattern) (ok bool) {
	err := molecule.Look(smiles, func(m *molecule.Molecule) { ok = p.In(m) })
	return ok && err == nil
}

// Prints returns what molecules (SMILES) are compared by, for Limits.Known. Strings that are no molecules have none.
func Prints(smiles []string) []molecule.Counts {
	prints, _ := describe(smiles, nil)
	return prints
}

// describe returns what molecules are compared by, and how many have each pattern.
func describe(smiles []string, patterns []*molecule.Pattern) (prints []molecule.Counts, have []int) {
	prints, have = make([]molecule.Counts, len(smiles)), make([]int, len(patterns))
	var mu sync.Mutex // of have
	parallel.For(len(smiles), 16, func(lo, hi int) {
		had := make([]int, len(patterns))
		for i := lo; i < hi; i++ {
			_ = molecule.Look(smiles[i], func(m *molecule.Molecule) { // with an error there is no print
				prints[i] = print(m)
				for k, p := range patterns {
					if p.In(m) {
						had[k]++
					}
				}
			})
		}
		mu.Lock()
		defer mu.Unlock()
		for k, n := range had {
			have[k] += n
		}
	})
	return slices.DeleteFunc(prints, func(c molecule.Counts) bool { return len(c.IDs) == 0 }), have
}

// gap returns a similarity that most of the known molecules exceed with another one, and few others with any; 0 if there is none.
func gap(prints, library []molecule.Counts) float64 {
	var within, beyond, weights []float64
	for i, c := range prints {
		most := 0.0
		for j, other := range prints {
			if s := molecule.Tanimoto(c, other); i != j && s < 1 { // stereoisomers are one molecule
				most = max(most, s)
			}
		}
		within, weights = append(within, most), append(weights, 1)
	}
	reached, _ := bulk(within, weights, apart)
	for _, c := range library {
		beyond = append(beyond, nearestTo(prints, c, math.Inf(1)))
	}
	slices.Sort(beyond)
	exceeded := beyond[int((1-intruders)*float64(len(beyond)-1))]
	if reached <= exceeded {
		return 0
	}
	return math.Floor(50*(reached+exceeded)) / 100
}

// nearestTo returns the greatest similarity of c to one of prints, or one that is not below enough.
func nearestTo(prints []molecule.Counts, c molecule.Counts, enough float64) (most float64) {
	for _, p := range prints {
		if most = max(most, molecule.Tanimoto(p, c)); most >= enough {
			break
		}
	}
	return most
}

// print returns what a molecule is compared by: counts of atom environments up to radius 2 (ECFP4).
func print(m *molecule.Molecule) molecule.Counts { return m.ECFP(2) }
