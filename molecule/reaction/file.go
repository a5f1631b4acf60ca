package reaction

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// selective separates a reaction from the groups of Beside in a line of a file.
var selective = regexp.MustCompile(`\s*;\s*not beside\b`)

// Parse reads a line of a reaction file: reaction SMARTS, then optionally a name, then optionally "; not beside " and the groups of Beside. The error
// says what is wrong with the SMARTS, or names a group that is unknown.
func Parse(line string) (*Reaction, error) {
	parts := selective.Split(line, 2)
	fields := strings.Fields(parts[0])
	if len(fields) == 0 {
		return New("", "")
	}
	name, smarts := strings.Join(fields[1:], " "), fields[0]
	if len(parts) == 2 {
		return NewSelective(name, smarts, strings.TrimSpace(parts[1])) // an empty list is an unknown group
	}
	return New(name, smarts)
}

// WriteBuiltIn writes the built-in reactions as lines that Parse reads, with comments: below # the groups, and an example of each reaction.
func WriteBuiltIn(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`# The built-in reactions: SMARTS, name, and the groups that no reactant may have beside
# those that react ("a/b": a where b reacts). Edit the list and give it to --reactions.
# A reaction with "not beside" is also refused if a reactant has the group of another
# reactant, reacts with itself, or has a hot group that does not react.
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
