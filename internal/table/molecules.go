package table

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/molecule"
)

// Molecules returns an Options.Normalize for SMILES and CXSMILES, or an error in a build without RDKit. The result is the canonical
// SMILES of what molecule.Read reads. Unless salts are kept, of a molecule of several parts only its parent is:
//
//   - a part with carbon that is on no list; else one of agents, amino acids, ions, bases or solvents, in this order. Of several such parts it is the one
//     with the most atoms other than hydrogen. Different ones of the same size are an error, a mixture, and so are parts on no list one of
//     which is at least half as large as the other.
//   - Its charges are removed with hydrogens where that is possible, since a salt's are those of the salt.
//   - Hydrogens replace metals of salts that are drawn with a bond to oxygen, nitrogen or sulfur.
//   - Parts without carbon alone, and complexes of metals that are drawn as ions, such as ferrocene, are kept as they are.
//
// Unless charges are kept, those of a molecule of a single part are removed likewise: it is one compound, however it is drawn.
func Molecules(strip Strip) (func(text string) (input, note string, err error), error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	stripper := sync.OnceValues(newStripper) // for the first molecule of several parts: it reads the lists
	return func(text string) (input, note string, err error) {
		r, err := molecule.Read(whitespace.Trim(text))
		if err != nil {
			return "", "", fmt.Errorf("no molecule: %w", err)
		}
		input = r.SMILES
		if !strip.KeepCharges {
			input = respelled(input)
		}
		metals := ""
		if !strip.KeepSalts {
			if input, metals, err = withoutMetals(input); err != nil {
				return "", "", err
			}
		}
		switch {
		case !strip.KeepSalts && strings.Contains(input, "."):
			s, err := stripper()
			if err == nil {
				input, note, err = s.parent(input)
			}
			if err != nil {
				return "", "", err
			}
		case !strip.KeepCharges && !strings.Contains(input, ".") && charged.MatchString(input):
			p, err := newPart(input)
			if err != nil {
				return "", "", err
			}
			if p.organic && !p.anion && p.neutral != input {
				input, note = p.neutral, "neutralized ("+input+")"
			}
		}
		return input, joined("; ", changes(r, joined("; ", metals, note)), when(radical.MatchString(input), "radical (an atom in brackets has no hydrogens but those that are written)")), nil
	}, nil
}

// Strip says which forms of a compound are one.
type Strip struct {
	KeepSalts   bool // salts and solvates are compounds of their own
	KeepCharges bool // ions of a single part are
}

// respellings are of groups that some draw with charges and others without, or with other ones.
var respellings = []struct {
	written *regexp.Regexp
	as      string
}{
	{regexp.MustCompile(`\[([SP])\+\]((?:\([^()]*\))*)\(\[O-\]\)`), "$1$2(=O)"}, // sulfoxides and phosphine oxides
	{regexp.MustCompile(`\[([SP]@+)\+\]((?:\([^()]*\))*)\(\[O-\]\)`), "[$1]$2(=O)"},
	{regexp.MustCompile(`\[([SP])\+\]((?:\([^()]*\))*)\[O-\]`), "$1$2=O"},
	{regexp.MustCompile(`\[([SP]@+)\+\]((?:\([^()]*\))*)\[O-\]`), "[$1]$2=O"},
	{regexp.MustCompile(`\[O-\]\[([SP])\+\]`), "O=$1"},
	{regexp.MustCompile(`\[O-\]\[([SP]@+)\+\]`), "O=[$1]"},
	{regexp.MustCompile(`\[N-\]\[N\+\]#N`), "N=[N+]=[N-]"}, // azides
	{regexp.MustCompile(`N#\[N\+\]\[N-\]`), "[N-]=[N+]=N"},
}

// respelled returns the canonical SMILES of a molecule with the usual spellings of such groups; the molecule is as it was if one has no meaning there.
func respelled(smiles string) string {
	if !charged.MatchString(smiles) {
		return smiles
	}
	text := smiles
	for _, s := range respellings {
		text = s.written.ReplaceAllString(text, s.as)
	}
	if text == smiles {
		return smiles
	}
	if canonical, err := molecule.Canonical(text); err == nil {
		return canonical
	}
	return smiles
}

// radical matches a canonical SMILES with an atom that lacks a bond or a hydrogen.
var radical = regexp.MustCompile(`\[(?:C|N|O)(?:H\d?)?\]`)

// charged matches a SMILES with a charge.
var charged = regexp.MustCompile(`[+-]\d*\]`)

// withoutMetals returns a canonical SMILES in which hydrogens replace the metals of salts that are drawn with bonds: CC(=O)O[Na].
func withoutMetals(smiles string) (rest, note string, err error) {
	if !drawnMetal.MatchString(smiles) {
		return smiles, "", nil
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", "", err
	}
	defer m.Close()
	var e molecule.Edit
	var removed []string
	g := m.Graph()
	for i, around := range g.Neighbours() {
		symbol, ok := saltMetals[g.Atoms[i].Number]
		if ok && len(around) > 0 && !slices.ContainsFunc(around, func(n molecule.Neighbour) bool {
			of, b := g.Atoms[n.Atom].Number, g.Bonds[n.Bond]
			return of != 7 && of != 8 && of != 16 || b.Order != 1 || b.Dative
		}) {
			e.Remove, removed = append(e.Remove, i), append(removed, symbol)
		}
	}
	if len(removed) == 0 {
		return smiles, "", nil
	}
	bare, err := m.Edit(e)
	if err != nil {
		return "", "", err
	}
	defer bare.Close()
	return bare.SMILES(), "desalted (without " + strings.Join(removed, " and ") + ")", nil
}

// saltMetals are metals that form salts, by atomic number.
var saltMetals = map[int]string{3: "Li", 11: "Na", 12: "Mg", 19: "K", 20: "Ca", 37: "Rb", 38: "Sr", 55: "Cs", 56: "Ba"}

// drawnMetal matches one without a charge.
var drawnMetal = regexp.MustCompile(`\[\d*(Li|Na|Mg|K|Ca|Rb|Sr|Cs|Ba)\]`)

// changes says what was changed: first what changes the molecule.
func changes(r molecule.Reading, desalted string) string {
	centers := func(n int, what string) string {
		return when(n > 0, fmt.Sprintf("%s (%s without configuration)", what, plural(n, "center", "centers")))
	}
	return joined("; ", centers(r.Racemic, "racemic"), centers(r.Relative, "of relative configuration"), desalted,
		when(r.Maps, "atom map numbers left out"), when(r.Extension, "CXSMILES extension left out"))
}

// A role says how likely a part of a salt is what was measured.
type role int

const (
	solvent role = iota
	base
	ion
	amino
	agent
	unlisted
)

var roles = map[string]role{"solvent": solvent, "base": base, "ion": ion, "amino": amino, "agent": agent}

// A stripper finds the parents of salts.
type stripper struct {
	roles   map[string]role // of what is on a list, by part.neutral without stereochemistry
	largest int             // atoms of what is on a list
	known   sync.Map        // part by SMILES, of those that recur: what is on a list or has no carbon
}

//go:embed salts.tsv
var salts string

func newStripper() (*stripper, error) {
	s := &stripper{roles: map[string]role{}}
	for line := range strings.Lines(salts) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(whitespace.Trim(line), "\t")
		p, err := newPart(fields[1])
		flat := ""
		if err == nil {
			flat, err = molecule.Flat(p.neutral)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[1], err)
		}
		s.roles[flat], s.largest = roles[fields[0]], max(s.largest, p.atoms)
	}
	return s, nil
}

// parent returns the parent of a canonical SMILES of several parts, by the rule of Molecules.
func (s *stripper) parent(smiles string) (input, note string, err error) {
	var parts []part
	for text := range strings.SplitSeq(smiles, ".") { // RDKit closes no ring across parts
		p, err := s.part(text)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", text, err)
		}
		parts = append(parts, p)
	}
	if isComplex(parts) {
		return smiles, "kept whole (a metal complex)", nil
	}
	organic := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return !p.organic })
	if len(organic) == 0 {
		return smiles, "", nil
	}
	slices.SortStableFunc(organic, func(a, b part) int { return cmp.Or(cmp.Compare(b.role, a.role), cmp.Compare(b.atoms, a.atoms)) })
	best := organic[0]
	for _, p := range organic[1:] {
		if p.role == best.role && p.neutral != best.neutral && (p.atoms == best.atoms || p.role == unlisted && 2*p.atoms >= best.atoms) {
			return "", "", fmt.Errorf("a mixture of %s and %s: leave one, or keep salts", best.text, p.text)
		}
	}
	i := slices.IndexFunc(parts, func(p part) bool { return p.text == best.text })
	var removed []string
	for _, p := range slices.Delete(parts, i, i+1) {
		removed = append(removed, p.text)
	}
	note = "desalted (without " + strings.Join(removed, " and ")
	if best.neutral != best.text {
		note += ", and neutralized"
	}
	return best.neutral, note + ")", nil
}

// part is a part of a molecule that has no bonds to the others.
type part struct {
	text    string // SMILES
	neutral string // canonical SMILES without charges
	role    role
	atoms   int  // other than hydrogen
	organic bool // has carbon
	metal   int  // atomic number of a part that is a single atom of a metal; 0: it is none
	halide  bool // has a transition metal with bonds, and no carbon: NiCl2
	anion   bool // has an aromatic anion of carbon, such as cyclopentadienide
}

// part returns a part of a canonical SMILES with its role.
func (s *stripper) part(smiles string) (part, error) {
	if p, ok := s.known.Load(smiles); ok {
		return p.(part), nil
	}
	p, err := newPart(smiles)
	if err != nil {
		return part{}, err
	}
	p.role = unlisted
	if p.organic && p.atoms <= s.largest {
		flat, err := molecule.Flat(p.neutral)
		if err != nil {
			return part{}, err
		}
		if r, ok := s.roles[flat]; ok {
			p.role = r
		}
	}
	if !p.organic || p.role != unlisted {
		s.known.Store(smiles, p)
	}
	return p, nil
}

func newPart(smiles string) (part, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return part{}, err
	}
	defer m.Close()
	p := part{text: smiles, neutral: m.SMILES(), atoms: m.HeavyAtoms()}
	atoms := m.Graph().Atoms
	charged := false
	for _, a := range atoms {
		p.organic = p.organic || a.Number == 6
		p.anion = p.anion || a.Number == 6 && a.Aromatic && a.Charge < 0
		p.halide = p.halide || len(atoms) > 1 && isTransition(a.Number)
		charged = charged || a.Charge != 0
	}
	p.halide = p.halide && !p.organic
	if len(atoms) == 1 && isMetal(atoms[0].Number) {
		p.metal = atoms[0].Number
	}
	if !charged {
		return p, nil
	}
	n, err := m.Neutral()
	if err != nil {
		return part{}, err
	}
	defer n.Close()
	p.neutral = n.SMILES()
	return p, nil
}

// isComplex reports whether parts are a metal and its ligands: any metal with aromatic anions of carbon, or a metal that is not
// used as a counterion, or a halide of one as dihalides are drawn, with anything that has carbon.
func isComplex(parts []part) bool {
	has := func(f func(part) bool) bool { return slices.ContainsFunc(parts, f) }
	return has(func(p part) bool { return p.metal > 0 }) && has(func(p part) bool { return p.anion }) ||
		has(func(p part) bool { return isNoble(p.metal) || p.halide }) && has(func(p part) bool { return p.organic })
}

// isTransition reports whether an element is a transition metal but for those of the zinc group, whose halides are counterions.
func isTransition(number int) bool {
	return 21 <= number && number <= 29 || 39 <= number && number <= 47 || 72 <= number && number <= 79
}

// isMetal reports whether an element is a metal, by its atomic number.
func isMetal(number int) bool {
	switch {
	case number <= 2, 5 <= number && number <= 10, 14 <= number && number <= 18, 32 <= number && number <= 36, 52 <= number && number <= 54, number >= 85:
		return false
	}
	return true
}

// isNoble reports whether an element is a lanthanide, technetium, rhenium, gold or of the platinum group.
func isNoble(number int) bool {
	return 57 <= number && number <= 71 || 43 <= number && number <= 46 || 75 <= number && number <= 79
}
