package main

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
)

// notation is how people write the strings of a model, where they do not write as the model does.
type notation struct {
	forms     []form                         // how a CSV file may hold a string, by preference
	plain     form                           // of a string on a line of its own
	named     bool                           // a name may follow it there, after a blank
	columns   []string                       // of CSV that is written: people's, if there is one, and the model's
	translate func(x string) (string, error) // from the model's string to people's; nil: they are the same
}

// form is a way to write a string.
type form struct {
	columns []string                                // names of a CSV file's column, by preference
	read    func(text string) (x string, err error) // the model's string; nil: it is the text
	why     func(text string) string                // ends an error on what the model cannot write; nil: nothing is known
}

// parse returns the model's string for a text.
func (f form) parse(text string) (string, error) {
	if f.read == nil {
		return text, nil
	}
	return f.read(text)
}

// fields returns a string for the columns: what people read of it, and x.
func (n notation) fields(shown, x string) []string {
	if n.translate == nil {
		return []string{x}
	}
	return []string{shown, x}
}

// show returns what people read of x; empty if x stands for nothing.
func (n notation) show(x string) string {
	if n.translate == nil {
		return x
	}
	shown, err := n.translate(x)
	if err != nil {
		return ""
	}
	return shown
}

// verbatim is the notation of a model whose strings people write as it does, in a column of one of these names.
func verbatim(columns ...string) notation {
	f := form{columns: columns}
	return notation{forms: []form{f}, plain: f, columns: columns[:1]}
}

// expressions is the notation of a grammar's strings.
func expressions() notation { return verbatim("x", "expression", "string") }

// sequences is the notation of strings over any alphabet.
func sequences() notation { return verbatim("x", "string", "sequence") }

// smiles is the notation of molecules: models write SELFIES, and people SMILES.
func smiles() notation {
	f := form{columns: []string{"smiles", "smile", "SMILES"}, read: selfiesOf, why: notFlat}
	return notation{
		// SELFIES first: those of an earlier run are the model's own, and its SMILES may have others.
		forms: []form{{columns: []string{"selfies", "selfie"}}, f},
		plain: f, named: true, columns: []string{"smiles", "selfies"}, translate: canonical,
	}
}

// molecules is the notation of searches without a model, whose strings are canonical SMILES.
func molecules() notation {
	f := form{columns: []string{"smiles", "smile", "SMILES"}, read: func(text string) (string, error) {
		x, err := molecule.Canonical(text)
		if err != nil {
			return "", fmt.Errorf("%q is no molecule: %w", shorten(text, 60), err)
		}
		return x, nil
	}}
	return notation{forms: []form{f, {columns: []string{"selfies", "selfie"}, read: canonical}}, plain: f, named: true, columns: f.columns[:1]}
}

// spelled is smiles for what only learns from molecules: it asks no RDKit whether they are any.
func spelled() notation {
	n := smiles()
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
		return "", fmt.Errorf("%q is no molecule: %w", shorten(smiles, 60), err)
	}
	m.Close()
	return selfies.Encode(smiles)
}

// notFlat says what a SMILES has that few models write.
func notFlat(smiles string) string {
	const mend = " (obabel FILE -r -xi -O flat.smi takes that away)"
	switch {
	case strings.Contains(smiles, "."):
		return "; it is several molecules, perhaps a salt" + mend
	case strings.ContainsAny(smiles, `@/\`):
		return "; it has stereochemistry" + mend
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
