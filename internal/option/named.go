package option

import (
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// Named is the value of an option that names a task or a method, which has parameters: NAME, or
//
//	NAME:parameter=value,parameter=value
//
// A value with a comma, or one that begins with a quotation mark, is put in quotation marks: receptor='a,b.pdbqt'.
// Within them, two of the same stand for one.
type Named struct {
	Kind       string // what is named, for errors: task or method
	To         *string
	Parameters []*Option
	Accepts    func(name string) (func(*Option) bool, error) // which parameters apply to what is called so
	Several    bool                                          // names with commas between them; To holds all of them
	Calls      *[]string                                     // of several, each with its parameters, as they were given; nil: all parameters are of one run
}

func (n *Named) String() string { return *n.To }

func (n *Named) Type() string { return "string" }

// Set sets the name and the parameters that follow it.
func (n *Named) Set(text string) error { return n.set("", text) }

func (n *Named) set(dir, text string) error {
	calls, err := ParseCalls(text)
	if err != nil {
		return err
	}
	if len(calls) > 1 && !n.Several {
		return usage.Errorf("give one %s; a parameter is NAME=VALUE, and a value with a comma is put in quotation marks", n.Kind)
	}
	var names []string
	for _, c := range calls {
		if n.Calls != nil {
			*n.Calls = append(*n.Calls, c.Text)
		} else if slices.Contains(names, c.Name) && len(c.Parameters) > 0 {
			return usage.Errorf("the %s %s is given twice", n.Kind, c.Name)
		}
		names = append(names, c.Name)
		if err := n.setParameters(dir, c); err != nil {
			return err
		}
	}
	*n.To = strings.Join(names, ",")
	return nil
}

// setParameters sets the parameters of a call.
func (n *Named) setParameters(dir string, c Call) error {
	if len(c.Parameters) == 0 {
		return nil // whether there is something of that name is found out later
	}
	applies, err := n.Accepts(c.Name)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(n.Parameters), func(o *Option) bool { return !applies(o) })
	for _, p := range c.Parameters {
		o := Find(p.Name, own)
		switch {
		case o == nil && Find(p.Name, n.Parameters) != nil:
			return usage.Errorf("%s does not apply to the %s %s; leave it out", p.Name, n.Kind, c.Name)
		case o == nil && len(own) == 0:
			return usage.Errorf("the %s %s has no parameters", n.Kind, c.Name)
		case o == nil:
			var names []string
			for _, o := range own {
				names = append(names, o.Name)
			}
			return usage.Errorf("the %s %s has no parameter %q%s", n.Kind, c.Name, p.Name, usage.Suggest(p.Name, names))
		}
		if err := o.SetIn(dir, p.Value); err != nil {
			return usage.Errorf("%s %s: %w", o.Name, p.Value, err)
		}
	}
	return nil
}

// Call is a name with its parameters.
type Call struct {
	Text       string // as it was given
	Name       string
	Parameters []Parameter
}

// Parameter is a parameter as it was given.
type Parameter struct{ Name, Value string }

// form is what is between two commas: a name, or a name, = and a value.
var form = regexp.MustCompile(`^([^,=]*)(=` + blanks + `('(?:[^']|'')*'|"(?:[^"]|"")*"|[^,]*?)` + blanks + `)?(,|$)`)

const blanks = `[\s\v\x{85}\p{Z}]*` // those of unicode.IsSpace

// quoted is the beginning of a text that is a value in quotation marks.
var quoted = regexp.MustCompile(`^(?:'(?:[^']|'')*'|"(?:[^"]|"")*")`)

// ParseCalls reads names with their parameters, as Named does. Commas are between them.
func ParseCalls(text string) ([]Call, error) {
	var calls []Call
	for rest, comma := text, true; comma; {
		m := form.FindStringSubmatch(rest)
		before, assigns, value := m[1], m[2] != "", m[3]
		piece := strings.TrimSpace(before)
		if assigns {
			piece = strings.TrimSpace(before + "=" + value)
		}
		if value != "" && strings.ContainsRune(`'"`, rune(value[0])) {
			quote := value[:1]
			switch marked := quoted.FindString(strings.TrimSpace(rest[len(before)+len("="):])); {
			case marked == "":
				return nil, usage.Errorf("%s: the quotation mark %s is not closed", strings.TrimSpace(rest), quote)
			case marked != value:
				return nil, usage.Errorf("%s: give a comma after the closing quotation mark", strings.TrimSpace(rest))
			}
			value = strings.ReplaceAll(value[1:len(value)-1], quote+quote, quote)
		}
		name, parameter, called := strings.Cut(before, ":")
		name, parameter = strings.TrimSpace(name), strings.TrimSpace(parameter)
		last := len(calls) - 1
		switch {
		case called && parameter == "", called && !assigns:
			return nil, usage.Errorf("after %s: give NAME=VALUE", name)
		case called && name == "", !called && name == "" && (assigns || last >= 0):
			return nil, usage.Errorf("%q has an empty name in it", text)
		case called:
			calls = append(calls, Call{piece, name, []Parameter{{parameter, value}}})
		case !assigns:
			calls = append(calls, Call{Text: piece, Name: name})
		case last < 0 || len(calls[last].Parameters) == 0:
			return nil, usage.Errorf("%s is a parameter: write it after a name and a colon, as in NAME:%s", piece, piece)
		case slices.ContainsFunc(calls[last].Parameters, func(p Parameter) bool { return Same(p.Name, name) }):
			return nil, usage.Errorf("%s is given twice", name)
		default:
			calls[last].Text += "," + piece
			calls[last].Parameters = append(calls[last].Parameters, Parameter{name, value})
		}
		rest, comma = rest[len(m[0]):], m[4] == ","
	}
	return calls, nil
}
