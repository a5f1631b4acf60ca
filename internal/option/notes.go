package option

import "strings"

// Notes are remarks for people, in which the names of options are written as each interface does. The zero value has none.
type Notes []*Error

// Add adds a remark, with arguments as those of Errorf.
func (n *Notes) Add(format string, args ...any) { *n = append(*n, &Error{format, args}) }

// AddText adds a text that names no options, unless it is empty.
func (n *Notes) AddText(text string) {
	if text != "" {
		n.Add("%s", text)
	}
}

// Say returns the remarks, one per line, with what name makes of the names of options.
func (n Notes) Say(name func(Name) string) string {
	lines := make([]string, len(n))
	for i, e := range n {
		lines[i] = e.say(name)
	}
	return strings.Join(lines, "\n")
}

// String returns the remarks with the plain names of options.
func (n Notes) String() string { return n.Say(func(n Name) string { return string(n) }) }
