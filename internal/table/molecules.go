package table

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/salt"
)

// Molecules returns an Options.Normalize for SMILES and CXSMILES, or an error in a build without RDKit. The result is
// the canonical SMILES of what molecule.Read reads. Unless salts are kept, of a molecule of several parts only its
// parent is, the first of salt.Parents:
//
//   - A part that rivals it is an error: a mixture.
//   - Its charges are removed with hydrogens where that is possible, since a salt's are those of the salt.
//   - Hydrogens replace metals of salts that are drawn with a bond to oxygen, nitrogen or sulfur.
//   - Parts without carbon alone, and complexes of metals that are drawn as ions, such as ferrocene, are kept as they are.
//
// Unless charges are kept, those of a molecule of a single part are removed likewise: it is one compound, however it is
// drawn.
func Molecules(strip Strip) (func(text string) (input, note string, err error), error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
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
			if input, note, err = parentOf(input); err != nil {
				return "", "", err
			}
		case !strip.KeepCharges && !strings.Contains(input, ".") && charged.MatchString(input):
			parts, err := salt.Split(input)
			if err != nil {
				return "", "", err
			}
			if p := parts[0]; p.Organic && !p.Anion && p.Neutral != input {
				input, note = p.Neutral, "neutralized ("+input+")"
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

// respelled returns the canonical SMILES of a molecule with the usual spellings of such groups; the molecule is as it
// was if one has no meaning there.
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

// withoutMetals returns a canonical SMILES in which hydrogens replace the metals of salts that are drawn with bonds:
// CC(=O)O[Na].
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

// parentOf returns the parent of a canonical SMILES of several parts, by the rule of Molecules.
func parentOf(smiles string) (input, note string, err error) {
	parts, err := salt.Split(smiles)
	if err != nil {
		return "", "", err
	}
	if salt.IsComplex(parts) {
		return smiles, "kept whole (a metal complex)", nil
	}
	parents := salt.Parents(parts)
	best := parents[0]
	if !best.Organic {
		return smiles, "", nil
	}
	if i := slices.IndexFunc(parents, best.Rivals); i >= 0 {
		return "", "", fmt.Errorf("a mixture of %s and %s: leave one, or keep salts", best.SMILES, parents[i].SMILES)
	}
	i := slices.IndexFunc(parts, func(p salt.Part) bool { return p.SMILES == best.SMILES })
	var removed []string
	for _, p := range slices.Delete(parts, i, i+1) {
		removed = append(removed, p.SMILES)
	}
	note = "desalted (without " + strings.Join(removed, " and ")
	if best.Neutral != best.SMILES {
		note += ", and neutralized"
	}
	return best.Neutral, note + ")", nil
}
