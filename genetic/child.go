package genetic

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
)

// child is a molecule that an edit gives.
type child struct {
	edit     string             // what it is remembered by
	molecule *molecule.Molecule // nil: it was made lately, and only its SMILES is remembered
	canon    string             // SMILES of one that was made lately; "": it was not wanted
}

// smiles returns the canonical SMILES of a child that is wanted.
func (c *child) smiles() string {
	if c.molecule == nil {
		return c.canon
	}
	return c.molecule.SMILES()
}

// close frees memory that only one user of c has.
func (c *child) close() {
	if c.molecule != nil {
		c.molecule.Close()
	}
}

// outcome is what became of an edit.
type outcome struct {
	impossible bool   // RDKit makes no molecule of it, or one with rings that are not allowed
	smiles     string // canonical, of a child that was wanted; "": it was not
}

// Edits that are remembered, and up to twice as many, at some 200 bytes each. A quarter of the children of a search were
// made before, for an earlier batch or by another operator.
const rememberedEdits = 20_000

// remember adds what was learned while children were made.
func (b *breeder) remember(all []recall) {
	b.made.age(rememberedEdits)
	for _, r := range all {
		for edit, o := range r.fresh {
			b.made.put(edit, o)
		}
	}
}

// recall is what is remembered while a child is made, and what becomes of further edits. The breeder learns these
// afterwards, so that what it remembers does not depend on the number of goroutines. Nil: nothing is remembered.
type recall struct {
	made  *lately[outcome]
	fresh map[string]outcome
}

func (r *recall) get(edit string) (outcome, bool) {
	if r == nil {
		return outcome{}, false
	}
	if o, ok := r.fresh[edit]; ok {
		return o, true
	}
	return r.made.get(edit)
}

func (r *recall) put(edit string, o outcome) {
	if r == nil {
		return
	}
	if r.fresh == nil {
		r.fresh = map[string]outcome{}
	}
	r.fresh[edit] = o
}

// name returns what an edit of k is remembered by: the SMILES of the result or, where configurations are kept, the parent
// and the edit. rings says whether its rings are looked at.
func (k kekule) name(s *sketch, text string, rings bool) string {
	if k.molecule != nil {
		text = fmt.Sprint(k.smiles, s.edit)
	}
	if rings {
		return fmt.Sprint(text, " ", k.largest)
	}
	return text
}
