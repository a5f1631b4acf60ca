package molecule

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Reading is the molecule of a SMILES as files have it, and what Read changed.
type Reading struct {
	SMILES    string // canonical
	Racemic   int    // centers left without a configuration, since they are mixtures of both
	Relative  int    // centers left without a configuration, since only their relative configuration is known
	Maps      bool   // atom map numbers were left out
	Extension bool   // other parts of a CXSMILES were left out, such as coordinates
}

// Read reads a SMILES or CXSMILES as files have it. Unlike Parse it accepts single, known structures only: reactions,
// wildcards, R groups, queries, polymers and variable structures are errors that say so. It leaves out atom map
// numbers, so that [CH3:5] is CH3, and the configurations of centers that a CXSMILES marks as racemic (&), relative (o,
// r) or unknown (w). [D] and [T] are isotopes of hydrogen. The error is one line, or ErrNoRDKit.
func Read(text string) (Reading, error) {
	refuse := func(format string, args ...any) (Reading, error) {
		return Reading{}, fmt.Errorf(format, args...)
	}
	smiles, extension, extended := strings.Cut(text, "|")
	smiles = strings.TrimSpace(smiles)
	switch bonds := strings.ReplaceAll(smiles, "->", ""); {
	case strings.HasPrefix(smiles, "InChI="):
		return refuse("an InChI; SMILES are read")
	case strings.ContainsAny(smiles, " \t"):
		return refuse("text after the SMILES: write it to another column")
	case strings.Contains(bonds, ">"):
		return refuse("a reaction, not a molecule")
	case strings.Contains(bonds, "~"):
		return refuse("the bond ~ is a query")
	}
	if err := readable(smiles, MaxLength); err != nil {
		return Reading{}, err
	}
	var r Reading
	var groups groups
	if extended {
		var problem string
		if groups, problem = readExtension(extension); problem != "" {
			return refuse("CXSMILES: %s", problem)
		}
		r.Extension = groups.others
	}
	var problem string
	smiles = eachAtom(smiles, func(i int, atom string) string {
		if bad := unlike(atom); bad != "" && problem == "" {
			problem = bad
		}
		if atom[0] != '[' {
			return atom
		}
		if without := mapNumber.ReplaceAllString(atom, "]"); without != atom {
			atom, r.Maps = without, true
		}
		if without := configuration.ReplaceAllString(atom, ""); without != atom {
			switch {
			case groups.racemic[i]:
				atom = without
				r.Racemic++
			case groups.relative[i] || groups.all:
				atom = without
				r.Relative++
			case groups.unknown[i]:
				atom = without
			}
		}
		return isotopes.Replace(atom)
	})
	if problem != "" {
		return refuse("%s", problem)
	}
	var err error
	r.SMILES, err = Canonical(smiles)
	return r, err
}

var (
	mapNumber     = regexp.MustCompile(`(:\d+)+\]$`)
	configuration = regexp.MustCompile(`@((TH|AL|SP|TB|OH)\d+|@?)`)
	isotopes      = strings.NewReplacer("[D]", "[2H]", "[T]", "[3H]", "[D+]", "[2H+]", "[T+]", "[3H+]")

	rGroup  = regexp.MustCompile(`^\[\d*R(\d*|#)'*(:\d+)?\]$`)
	element = regexp.MustCompile(`^\[\d*([A-Za-z][a-z]?)`)
)

// unlike returns why an atom of a SMILES is no atom of a molecule, as far as RDKit does not say so; else "".
func unlike(atom string) string {
	switch {
	case strings.Contains(atom, "*"):
		return atom + " is a wildcard"
	case atom[0] != '[':
		return ""
	case rGroup.MatchString(atom):
		return atom + " is an R group"
	case strings.ContainsAny(atom, "#,;!&$^"):
		return atom + " is a query"
	}
	symbol := element.FindStringSubmatch(atom)
	if symbol == nil {
		return ""
	}
	name := strings.ToUpper(symbol[1][:1]) + symbol[1][1:]
	if name == "D" || name == "T" || slices.Contains(symbols, name) || slices.Contains(symbols, name[:1]) {
		return ""
	}
	return atom + " is no element"
}

// eachAtom returns a SMILES with what replace returns in place of each atom. Atoms are numbered from 0, as in CXSMILES.
func eachAtom(smiles string, replace func(i int, atom string) string) string {
	var b strings.Builder
	for i := 0; smiles != ""; {
		size := 1
		switch c := smiles[0]; {
		case c == '[':
			if size = strings.IndexByte(smiles, ']') + 1; size == 0 {
				return b.String() + smiles // RDKit says what is wrong
			}
		case strings.HasPrefix(smiles, "Cl"), strings.HasPrefix(smiles, "Br"):
			size = 2
		case c != '*' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'): // a bond, a branch or a ring
			b.WriteByte(c)
			smiles = smiles[1:]
			continue
		}
		b.WriteString(replace(i, smiles[:size]))
		smiles = smiles[size:]
		i++
	}
	return b.String()
}

// flatten returns a SMILES without configurations.
func flatten(smiles string) string {
	flat := eachAtom(smiles, func(_ int, atom string) string { return configuration.ReplaceAllString(atom, "") })
	return strings.NewReplacer("/", "", `\`, "").Replace(flat)
}

// groups says for which atoms a CXSMILES leaves the configuration open.
type groups struct {
	racemic, relative, unknown map[int]bool
	all                        bool // the configurations of all are relative
	others                     bool // there are parts that do not matter here
}

// extensionPart is a part of a CXSMILES extension: labels $...$, coordinates (...), or a name such as &1 with a list of
// atoms.
var extensionPart = regexp.MustCompile(`\$[^$]*\$|\([^)]*\)|[^, ][^,:]*(:[^,]*(,\d[^,]*)*)?`)

// readExtension reads what follows the first | of a CXSMILES, or says what is wrong with it.
func readExtension(text string) (g groups, problem string) {
	end := strings.LastIndexByte(text, '|')
	if end < 0 {
		return g, "no | at its end: quote cells that contain the separator"
	}
	g = groups{racemic: map[int]bool{}, relative: map[int]bool{}, unknown: map[int]bool{}}
	for _, part := range extensionPart.FindAllString(text[:end], -1) {
		name, list, _ := strings.Cut(part, ":")
		var atoms map[int]bool
		switch kind := strings.TrimRight(name, "0123456789"); kind {
		case "&":
			atoms = g.racemic
		case "o":
			atoms = g.relative
		case "w":
			atoms = g.unknown
		case "r":
			g.all = true
			continue
		case "a":
			continue
		case "Sg":
			return g, "a polymer or mixture (Sg)"
		case "m", "LN", "RG", "LOG":
			return g, "a variable structure (" + kind + ")"
		case "C", "H":
			return g, "coordinate or hydrogen bonds (" + kind + ")"
		default:
			g.others = true
			continue
		}
		for item := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' }) {
			atom, _, _ := strings.Cut(item, ".") // w:ATOM.BOND
			i, err := strconv.Atoi(atom)
			if err != nil {
				return g, fmt.Sprintf("%q is no list of atoms", part)
			}
			atoms[i] = true
		}
	}
	return g, ""
}
