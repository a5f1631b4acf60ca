package reaction

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

var (
	// selective separates a reaction from the groups of Beside in a line of a file.
	selective = regexp.MustCompile(`\s*;\s*not\s+beside\b`)

	// misplaced matches what is meant for selective, in a name or behind a semicolon.
	misplaced = regexp.MustCompile(`(?i)\bnot\s*(?:be|next|near)|^not\b`)
)

// Parse reads a line of a reaction file: reaction SMARTS, then optionally a name, then optionally "; not beside " and
// the groups of Beside. The error says what is wrong with the SMARTS or with the words after a semicolon, or names a
// group that is unknown.
func Parse(line string) (*Reaction, error) {
	parts := selective.Split(line, 2)
	fields := strings.Fields(parts[0])
	if len(fields) == 0 {
		return New("", "")
	}
	smarts, name := fields[0], strings.Join(fields[1:], " ")
	if before, ended := strings.CutSuffix(smarts, ";"); ended {
		smarts, name = before, "; "+name
	}
	if _, after, ok := strings.Cut(name, ";"); ok && (misplaced.MatchString(strings.TrimSpace(after)) || namesGroup(after)) {
		return nil, fmt.Errorf("%q after the semicolon; write NAME; not beside GROUP, GROUP", strings.TrimSpace(after))
	}
	if misplaced.MatchString(name) {
		return nil, fmt.Errorf("%q is no name; write groups after a semicolon: NAME; not beside GROUP, GROUP", name)
	}
	if len(parts) == 2 {
		return NewSelective(name, smarts, strings.TrimSpace(parts[1])) // an empty list is an unknown group
	}
	return New(name, smarts)
}

// namesGroup reports whether a list holds the name of a group or a family.
func namesGroup(list string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(part string) bool {
		name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "beside"))
		return slices.ContainsFunc(groups, func(g group) bool { return g.name == name }) ||
			slices.ContainsFunc(families, func(f family) bool { return f.name == name })
	})
}

// WriteBuiltIn writes the built-in reactions as lines that Parse reads, with comments: below # the groups, and an
// example of each reaction.
func WriteBuiltIn(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`# The built-in reactions: SMARTS, name, and the groups that no reactant may have beside
# those that react ("a/b": a where b reacts). Edit the list and give it to --reactions.
# A reaction with "not beside" is also refused if a reactant has the group of another
# reactant, reacts with itself, or has a hot group that does not react. Without "not
# beside" other groups are not checked. Agents, as in A.B>[Na+]>C, are ignored.
#
# Families of groups:
`)
	for _, f := range families {
		fmt.Fprintf(&b, "#   %s: %s\n", f.name, f.of)
	}
	b.WriteString("#\n# Groups:\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "#   %s: %s\n", g.name, g.smarts)
	}
	for _, e := range catalogue() {
		fmt.Fprintf(&b, "\n# %s\n%s %s; not beside %s\n", e.example, e.expanded(), e.name, e.beside)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
