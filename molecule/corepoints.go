package molecule

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var (
	bareR     = regexp.MustCompile(`\[[^\]]*\]|R\d*`)
	pointAtom = regexp.MustCompile(`^(?:\*|\[\*\]|\[(?:(\d*)\*|R(\d*|#)'*)(?::(\d+))?\])$`)
	pointName = regexp.MustCompile(`^_?(?:R|AP)(\d*)$`)
	fileName  = regexp.MustCompile(`(?i)\.(mol|mdl|sdf?|mol2|pdb|rxn|rgf?|mrv|cdx|cdxml|ket|smi|smiles|csv|tsv|txt)$`)
)

// CoreSMILES returns the SMILES of a core, with attachment points [*:1], as sketchers write it: with R groups as [R1],
// R1 or [1*], or as a CXSMILES with labels such as $_R1;;$. A single [R] is point 1. Map numbers of other atoms and
// configurations that a CXSMILES marks as racemic, relative or unknown are left out. A text without these is returned
// as it is.
func CoreSMILES(text string) (string, error) {
	smiles, extension, extended := strings.Cut(strings.TrimSpace(text), "|")
	smiles = strings.TrimSpace(smiles)
	if strings.Contains(text, "M  END") || fileName.MatchString(smiles) {
		return "", errors.New("it is a file, and a core is a SMILES: copy it from the sketcher as SMILES or CXSMILES, and write attachment points as [*:1], [*:2] and so on")
	}
	var groups groups
	var names []string
	if extended {
		var problem string
		if groups, problem = readExtension(extension); problem != "" {
			return "", fmt.Errorf("CXSMILES: %s", problem)
		}
		for _, part := range extensionPart.FindAllString(extension, -1) {
			if strings.HasPrefix(part, "$") && !strings.HasPrefix(part, "$_AV") {
				names = strings.Split(strings.Trim(part, "$"), ";")
			}
		}
	}
	smiles = bareR.ReplaceAllStringFunc(smiles, func(atom string) string {
		if atom[0] == '[' {
			return atom
		}
		return "[" + atom + "]"
	})
	unnumbered, points := 0, 0
	smiles = eachAtom(smiles, func(i int, atom string) string {
		point := pointAtom.FindStringSubmatch(atom)
		if point == nil {
			if groups.racemic[i] || groups.relative[i] || groups.unknown[i] || groups.all {
				atom = configuration.ReplaceAllString(atom, "")
			}
			if atom[0] == '[' && !strings.Contains(atom, "*") {
				atom = isotopes.Replace(mapNumber.ReplaceAllString(atom, "]"))
			}
			return atom
		}
		points++
		number, isR := point[3], strings.Contains(atom, "R") // what is a point by its number, or its name
		for _, other := range []string{point[1], strings.Trim(point[2], "#")} {
			if number == "" {
				number = other
			}
		}
		if i < len(names) {
			if name := pointName.FindStringSubmatch(names[i]); name != nil {
				if isR = true; number == "" {
					number = name[1]
				}
			}
		}
		switch {
		case number != "":
			return "[*:" + number + "]"
		case isR:
			unnumbered++
			return "[*:]"
		}
		return atom
	})
	if unnumbered > 0 && points > 1 {
		return "", errUnnumbered
	}
	return strings.ReplaceAll(smiles, "[*:]", "[*:1]"), nil
}

var errUnnumbered = errors.New("it has an attachment point without a number: write [*:1], [*:2] and so on")
