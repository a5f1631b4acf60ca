package task

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
)

// Notation is how people write the strings of a model, where that differs from the model's own strings.
type Notation struct {
	forms     []form                         // how a CSV file may hold a string, by preference
	plain     form                           // of a string on a line of its own
	named     bool                           // a name may follow it there, after a blank
	Columns   []string                       // of CSV that is written: people's form, if there is one, and the model's
	Translate func(x string) (string, error) // from the model's string to people's; nil: they are the same
}

// form is one way to write a string.
type form struct {
	columns []string                                // names of a CSV file's column, by preference
	read    func(text string) (x string, err error) // the model's string; nil: it is the text
	why     func(text string) string                // appended to an error about what the model cannot encode; may be nil
}

// parse returns the model's string for a text.
func (f form) parse(text string) (string, error) {
	if f.read == nil {
		return text, nil
	}
	return f.read(text)
}

// Fields returns a string for Columns: what people read, and the model's x.
func (n Notation) Fields(shown, x string) []string {
	if n.Translate == nil {
		return []string{x}
	}
	return []string{shown, x}
}

// Show returns what people read for x; empty if x is invalid.
func (n Notation) Show(x string) string {
	if n.Translate == nil {
		return x
	}
	shown, err := n.Translate(x)
	if err != nil {
		return ""
	}
	return shown
}

// Parse returns the model's string for what people write.
func (n Notation) Parse(text string) (x string, err error) { return n.plain.parse(text) }

// Verbatim is the notation of a model whose own strings people write, in a column of one of these names.
func Verbatim(columns ...string) Notation {
	f := form{columns: columns}
	return Notation{forms: []form{f}, plain: f, Columns: columns[:1]}
}

// Expressions is the notation of a grammar's strings.
func Expressions() Notation { return Verbatim("x", "expression", "string") }

// Sequences is the notation of strings over any alphabet.
func Sequences() Notation { return Verbatim("x", "string", "sequence") }

// checked is n for strings that pass a check.
func (n Notation) checked(check func(x string) error) Notation {
	n.plain.read = func(text string) (string, error) { return text, check(text) }
	n.forms = []form{n.plain}
	return n
}

// SMILES is the notation of models of molecules, whose own strings are SELFIES.
func SMILES() Notation {
	f := form{columns: []string{"smiles", "smile", "SMILES"}, read: selfiesOf, why: notFlat}
	return Notation{
		// SELFIES first: those of an earlier run are the model's own; its SMILES may have other spellings.
		forms: []form{{columns: []string{"selfies", "selfie"}}, f},
		plain: f, named: true, Columns: []string{"smiles", "selfies"}, Translate: canonical,
	}
}

// Molecules is the notation of searches without a model, whose strings are canonical SMILES.
func Molecules() Notation {
	f := form{columns: []string{"smiles", "smile", "SMILES"}, read: func(text string) (string, error) {
		x, err := molecule.Canonical(text)
		if err != nil {
			return "", fmt.Errorf("%q is no molecule: %w", usage.Shorten(text, 60), err)
		}
		return x, nil
	}}
	return Notation{forms: []form{f, {columns: []string{"selfies", "selfie"}, read: canonical}}, plain: f, named: true, Columns: f.columns[:1]}
}

// Spelled is SMILES for training data: it does not ask RDKit whether they are valid.
func Spelled() Notation {
	n := SMILES()
	n.plain.read = selfies.Encode
	for i := range n.forms {
		if n.forms[i].read != nil {
			n.forms[i].read = selfies.Encode
		}
	}
	return n
}

// selfiesOf returns the SELFIES of a SMILES as it is spelled.
func selfiesOf(smiles string) (string, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", fmt.Errorf("%q is no molecule: %w", usage.Shorten(smiles, 60), err)
	}
	m.Close()
	return selfies.Encode(smiles)
}

// notFlat names features of a SMILES that few models can encode.
func notFlat(smiles string) string {
	const remedy = " (obabel FILE -r -xi -O flat.smi removes that)"
	switch {
	case strings.Contains(smiles, "."):
		return "; it is several molecules, perhaps a salt" + remedy
	case strings.ContainsAny(smiles, `@/\`):
		return "; it has stereochemistry" + remedy
	}
	return ""
}

// canonical returns RDKit's SMILES of a SELFIES.
func canonical(x string) (string, error) {
	text, err := selfies.Decode(x)
	if err != nil {
		return "", err
	}
	return molecule.Canonical(text)
}
