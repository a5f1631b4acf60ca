package reaction

import (
	"fmt"
	"io"
	"strings"
)

// beside is what a list of groups follows in a line of a file.
const beside = "not beside "

// Parse reads a line of a file of reactions: reaction SMARTS, a name, and after "; not beside " the groups of Beside. The SMARTS alone will do.
func Parse(line string) (*Reaction, error) {
	line, list, selective := strings.Cut(line, "; "+beside)
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return New("", "")
	}
	name, smarts := strings.Join(fields[1:], " "), fields[0]
	if selective {
		return NewSelective(name, smarts, strings.TrimSpace(list))
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
		fmt.Fprintf(&b, "\n# %s\n%s %s; %s%s\n", e.example, e.expanded(), e.name, beside, e.beside)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
