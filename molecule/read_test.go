package molecule_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestRead(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name, text, want string
		changed          molecule.Reading // but for SMILES
	}{
		{"a SMILES", "OCC", "CCO", molecule.Reading{}},
		{"a racemate", "C[C@H](N)c1ccccc1 |&1:1|", "CC(N)c1ccccc1", molecule.Reading{Racemic: 1}},
		{"a racemate of two centers", "C[C@H](N)[C@@H](O)C |&1:1,3|", "CC(N)C(C)O", molecule.Reading{Racemic: 2}},
		{"two groups", "C[C@H](N)[C@@H](O)C |&1:1,o2:3|", "CC(N)C(C)O", molecule.Reading{Racemic: 1, Relative: 1}},
		{"one of two centers is absolute", "C[C@H](N)[C@@H](O)C |a:1,&1:3|", "CC(O)[C@H](C)N", molecule.Reading{Racemic: 1}},
		{"an absolute center", "C[C@H](N)c1ccccc1 |a:1|", "C[C@H](N)c1ccccc1", molecule.Reading{}},
		{"a relative center", "C[C@H](O)c1ccccc1 |o1:1|", "CC(O)c1ccccc1", molecule.Reading{Relative: 1}},
		{"all relative", "C[C@H](O)[C@@H](N)C |r|", "CC(N)C(C)O", molecule.Reading{Relative: 2}},
		{"a wavy bond", "C[C@H](O)c1ccccc1 |w:1.0|", "CC(O)c1ccccc1", molecule.Reading{}},
		{"atoms are counted with Cl, Br and brackets", "ClBr.[Na+].C[C@H](F)N |&1:4|", "CC(N)F.ClBr.[Na+]", molecule.Reading{Racemic: 1}},
		{"ring numbers are no atoms", "C%12CC%12[C@H](F)N |&1:3|", "NC(F)C1CC1", molecule.Reading{Racemic: 1}},
		{"a center that the SMILES leaves open", "CC(O)c1ccccc1 |&1:1|", "CC(O)c1ccccc1", molecule.Reading{}},
		{"a name after the extension", "C[C@H](O)c1ccccc1 |&1:1| racemate 12", "CC(O)c1ccccc1", molecule.Reading{Racemic: 1}},
		{"no blank before the extension", "C[C@H](O)c1ccccc1|&1:1|", "CC(O)c1ccccc1", molecule.Reading{Racemic: 1}},
		{"labels with numbers and commas", "CC |$a,&1:0;b$,^1:0|", "CC", molecule.Reading{Extension: true}},
		{"coordinates", "C[C@H](F)N |(0,0,;1,0,;2,1,;2,-1,),&1:1|", "CC(N)F", molecule.Reading{Racemic: 1, Extension: true}},
		{"an empty extension", "CC ||", "CC", molecule.Reading{}},
		{"a map number", "[CH3:5][OH:1]", "CO", molecule.Reading{Maps: true}},
		{"a map number of a center", "[C@H:3](F)(Cl)Br", "F[C@@H](Cl)Br", molecule.Reading{Maps: true}},
		{"a map number of an ion", "[NH4+:12]", "[NH4+]", molecule.Reading{Maps: true}},
		{"deuterium", "[D]C([D])([D])O", "[2H]C([2H])([2H])O", molecule.Reading{}},
		{"an isotope", "[13CH3]C", "C[13CH3]", molecule.Reading{}},
		{"a dative bond", "N->[Pt](Cl)(Cl)<-N", "N->[Pt](<-N)(Cl)Cl", molecule.Reading{}},
		{"an aromatic anion", "C1=CC=C[CH-]1.C1=CC=C[CH-]1.[Fe+2]", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", molecule.Reading{}},
		{"a rare element", "[Rb+].[Ra+2].[Re]", "[Ra+2].[Rb+].[Re]", molecule.Reading{}},
		{"a radical", "C[CH2]", "[CH2]C", molecule.Reading{}},
	} {
		got, err := molecule.Read(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		same(t, test.name, got.SMILES, test.want)
		if got.SMILES = ""; got != test.changed {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.changed)
		}
	}
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "no atoms"},
		{"a reaction", "CCO>>CC=O", "a reaction"},
		{"a reaction with an agent", "CCO>[Pt]>CC=O", "a reaction"},
		{"a wildcard", "*c1ccccc1", "* is a wildcard"},
		{"a wildcard with a map number", "[*:1]c1ccccc1", "[*:1] is a wildcard"},
		{"an attachment point", "[1*]C", "[1*] is a wildcard"},
		{"an R group", "C1CC1[R1]", "[R1] is an R group"},
		{"an R group without a number", "C[R]", "[R] is an R group"},
		{"an R group of a molfile", "C[R#]", "[R#] is an R group"},
		{"an atomic number", "[#6]c1ccccc1", "[#6] is a query"},
		{"a list", "[C,N]C", "[C,N] is a query"},
		{"a negation", "[!C]C", "[!C] is a query"},
		{"an environment", "[$(C=O)]C", "is a query"},
		{"any bond", "C~C", "the bond ~ is a query"},
		{"no element", "[X]C", "[X] is no element"},
		{"a polymer", "CC(O)C |Sg:n:0,1::ht|", "a polymer"},
		{"a variable position", "Cc1ccccc1 |m:0:1.2.3|", "a variable structure"},
		{"a coordinate bond", "N[Pt] |C:0.0|", "coordinate or hydrogen bonds"},
		{"a list that is none", "CC |&1:x|", "&1:x"},
		{"a cell that was cut", "C[C@H](N)[C@@H](O)C |&1:1", "quote cells"},
		{"a name", "CCCl chloroethane", "text after the SMILES"},
		{"an InChI", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3", "an InChI"},
		{"an open bracket", "C[NH3+", "SMILES Parse Error"},
		{"a valence", "CN(C)(C)(C)C", "valence"},
	} {
		_, err := molecule.Read(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want one about %q", test.name, err, test.want)
		}
	}
}

// FuzzRead checks that what Read accepts is canonical and has neither map numbers nor wildcards.
func FuzzRead(f *testing.F) {
	needRDKit(f)
	for _, seed := range []string{
		"", "C[C@H](N)c1ccccc1 |&1:1|", "C |$a;b$,(1,2),&1:0,1,o2:3,w:1.0|", "[CH3:5]O", "[*:1]C", "CC>>C", "C |", "[", "[]", "[:1]", "|||", "C |$|", "C |(|", "C |&|", "|&:\r|", "[\r#]", "[B:0:0]", "B[CH](B):1bb1", "Bc1#CbB1", "[C@TH1:3](F)(Cl)(Br)I",
	} {
		f.Add(seed)
	}
	refused := regexp.MustCompile(`\*|~|:\d+\]`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := molecule.Read(text)
		if err != nil {
			if !isLine(err) {
				t.Errorf("%q: %#v, want one line", text, err)
			}
			return
		}
		if canonical, err := molecule.Canonical(r.SMILES); canonical != r.SMILES || refused.MatchString(r.SMILES) {
			t.Errorf("%q: %s, whose canonical form is %s (%v)", text, r.SMILES, canonical, err)
		}
	})
}
