package task

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
)

// Notation is how people write the strings of a model or a search, and what a model or a search makes of them.
type Notation struct {
	Columns   []string                       // of CSV that is written: people's form, if there is one, and the model's
	Translate func(x string) (string, error) // from the model's string to people's; nil: they are the same

	own     []string                          // names of a column with the model's own strings, which is preferred to people's
	prepare func(o *table.Options) error      // says how a table of people's strings is read; nil: as any text
	encode  func(text string) (string, error) // the model's string of what people write; nil: it is the same
	check   func(x string) error              // of the model's strings; nil: there is none
	line    func(text string) error           // why a line of a text file is hardly a string; nil: any may be one
	hash    bool                              // a string may begin with #
	why     func(text string) string          // appended to an error about what the model cannot encode; may be nil
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
func (n Notation) Parse(text string) (x string, err error) {
	if n.encode == nil {
		return text, nil
	}
	return n.encode(text)
}

// Verbatim is the notation of a model whose own strings people write. They are in a column of the given name where they are
// written.
func Verbatim(column string) Notation { return Notation{Columns: []string{column}} }

// AnyStrings is the notation of strings of a user's own. Sequences and lists are read as such.
func AnyStrings() Notation {
	n := Verbatim("x")
	n.prepare = func(o *table.Options) error {
		o.Sequences = table.Detect
		if o.Alike == nil {
			o.Alike = Alike("", nil)
		}
		return nil
	}
	n.line = func(text string) error {
		if strings.ContainsFunc(text, unicode.IsSpace) {
			return fmt.Errorf("%q has a blank, and no column says what the strings are", usage.Shorten(text, 60))
		}
		return nil
	}
	return n
}

// checked is n for strings that pass a check.
func (n Notation) checked(check func(x string) error) Notation {
	n.prepare = func(o *table.Options) error {
		o.Normalize = func(text string) (string, string, error) { return text, "", check(text) }
		return nil
	}
	return n
}

// SMILES is the notation of models of molecules, whose own strings are SELFIES. Those of an earlier run are preferred
// to its SMILES, which may have other spellings. A molecule that needs no more than another spelling is encoded as it
// is spelled.
func SMILES() Notation {
	return Notation{
		Columns: []string{"smiles", "selfies"}, Translate: canonical, own: []string{"selfies", "selfie"},
		prepare: ofMolecules(table.Strip{}), encode: selfies.Encode, why: notFlat,
	}
}

// Molecules is the notation of searches without a model, whose strings are canonical SMILES. Salts are stripped and
// charges removed unless they are to be kept.
func Molecules(strip table.Strip) Notation {
	return Notation{Columns: []string{"smiles"}, prepare: ofMolecules(strip)}
}

func ofMolecules(strip table.Strip) func(o *table.Options) error {
	return func(o *table.Options) (err error) {
		o.Molecules = true
		o.Normalize, err = table.Molecules(strip)
		return err
	}
}

// Spelled is SMILES for training data: it needs no RDKit, and takes molecules as they are spelled. Only salts are
// stripped, if there is RDKit.
func Spelled() Notation {
	n := SMILES()
	n.prepare = func(o *table.Options) error {
		o.Molecules = true
		stripped, _ := table.Molecules(table.Strip{}) // nil without RDKit
		o.Normalize = func(text string) (string, string, error) {
			if stripped != nil && strings.Contains(text, ".") {
				return stripped(text)
			}
			_, err := selfies.Encode(text)
			return text, "", err
		}
		return nil
	}
	return n
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
