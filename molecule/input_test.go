package molecule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// alanine and acetate are as RDKit 2022.09.3 writes C[C@H](N)C(=O)O and, as V3000, CC(=O)[O-].[Na+].
const alanine = `alanine
     RDKit          2D

  6  5  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.2990    0.7500    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.2990    2.2500    0.0000 N   0  0  0  0  0  0  0  0  0  0  0  0
    2.5981   -0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.5981   -1.5000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
    3.8971    0.7500    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  2  1  1  6
  2  3  1  0
  2  4  1  0
  4  5  2  0
  4  6  1  0
M  END
`

const acetate = `acetate
     RDKit          2D

  0  0  0  0  0  0  0  0  0  0999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 5 3 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0.000000 0.000000 0.000000 0
M  V30 2 C 1.299038 0.750000 0.000000 0
M  V30 3 O 1.299038 2.250000 0.000000 0
M  V30 4 O 2.598076 -0.000000 0.000000 0 CHG=-1 VAL=1
M  V30 5 Na 0.000000 3.250000 0.000000 0 CHG=1 VAL=-1
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 2 2 2 3
M  V30 3 1 2 4
M  V30 END BOND
M  V30 END CTAB
M  END
`

// chain returns the molblock of n carbon atoms in a row, without coordinates.
func chain(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n\n%3d%3d  0  0  0  0  0  0  0  0999 V2000\n", n, n-1)
	for range n {
		b.WriteString("    0.0000    0.0000    0.0000 C   0  0\n")
	}
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "%3d%3d  1  0\n", i, i+1)
	}
	return b.String() + "M  END\n"
}

func TestBlockSMILES(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct{ name, block, want string }{
		{"V2000 with a wedge", alanine, "C[C@H](N)C(=O)O"},
		{"V2000 with the other wedge", strings.Replace(alanine, "2  1  1  6", "2  1  1  1", 1), "C[C@@H](N)C(=O)O"},
		{"V2000 without a wedge", strings.Replace(alanine, "2  1  1  6", "2  1  1  0", 1), "CC(N)C(=O)O"},
		{"V3000 with charges and two parts", acetate, "CC(=O)[O-].[Na+]"},
		{"no coordinates", chain(3), "CCC"},
		{"lines that end in CR LF", strings.ReplaceAll(alanine, "\n", "\r\n"), "C[C@H](N)C(=O)O"},
		{"without M  END", strings.TrimSuffix(alanine, "M  END\n"), "C[C@H](N)C(=O)O"},
		{"a map number", strings.Replace(alanine, "C   0  0  0  0  0  0  0  0  0  0  0  0", "C   0  0  0  0  0  0  0  0  0  7  0  0", 1), "C[C@H](N)C(=O)O"},
	} {
		got, err := molecule.BlockSMILES(test.block)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		same(t, test.name, got, test.want)
	}
	for _, test := range []struct{ name, block, want string }{
		{"empty", "", "no atoms"},
		{"no atom", "\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n", "no atoms"},
		{"cut off", alanine[:300], "line"},
		{"an R group", strings.Replace(alanine, " N   0", " R#  0", 1), "atom 3 is a wildcard"},
		{"any atom", strings.Replace(alanine, " N   0", " A   0", 1), "atom 3 is a wildcard"},
		{"a dummy atom", strings.Replace(alanine, " N   0", " *   0", 1), "atom 3 is a wildcard"},
		{"an atom list", strings.Replace(strings.Replace(alanine, " N   0", " L   0", 1), "M  END", "M  ALS   3  2 F N   O   \nM  END", 1), "atom 3 is a wildcard"},
		{"any bond", strings.Replace(alanine, "  2  3  1  0", "  2  3  8  0", 1), "bond 2 is a query"},
		{"a polymer", strings.Replace(alanine, "M  END", "M  STY  1   1 SRU\nM  SAL   1  2   1   2\nM  SBL   1  1   3\nM  SMT   1 n\nM  END", 1), "a polymer"},
		{"too many atoms", strings.Replace(acetate, "COUNTS 5 3", "COUNTS 5000 3", 1), "5000 atoms; the limit is 1000"},
		{"a valence", strings.Replace(alanine, "4  5  2", "4  5  3", 1), "valence"},
		{"too long", strings.Repeat(" ", molecule.MaxBlock+1), "limit"},
	} {
		_, err := molecule.BlockSMILES(test.block)
		if !isLine(err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want one line about %q", test.name, err, test.want)
		}
	}
}

// Enhanced stereochemistry, of V3000 only, is CXSMILES.
func TestBlockGroups(t *testing.T) {
	needRDKit(t)
	const block = `butanol
     RDKit          2D

  0  0  0  0  0  0  0  0  0  0999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 6 5 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0.0 0.0 0.0 0
M  V30 2 C 1.3 0.75 0.0 0
M  V30 3 N 1.3 2.25 0.0 0
M  V30 4 C 2.6 0.0 0.0 0
M  V30 5 O 2.6 -1.5 0.0 0
M  V30 6 C 3.9 0.75 0.0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 2 1 2 3 CFG=1
M  V30 3 1 2 4
M  V30 4 1 4 5 CFG=1
M  V30 5 1 4 6
M  V30 END BOND
M  V30 BEGIN COLLECTION
M  V30 MDLV30/STERAC1 ATOMS=(1 2)
M  V30 MDLV30/STEREL2 ATOMS=(1 4)
M  V30 END COLLECTION
M  V30 END CTAB
M  END
`
	for _, test := range []struct {
		name, block, want string
		changed           molecule.Reading
	}{
		{"a racemic and a relative center", block, "CC(N)C(C)O", molecule.Reading{Racemic: 1, Relative: 1}},
		{"two racemic centers", strings.Replace(strings.Replace(block, "(1 2)", "(2 2 4)", 1), "M  V30 MDLV30/STEREL2 ATOMS=(1 4)\n", "", 1), "CC(N)C(C)O", molecule.Reading{Racemic: 2}},
		{"absolute centers", strings.Replace(strings.Replace(block, "STERAC1", "STEABS", 1), "STEREL2", "STEABS", 1), "C[C@@H](O)[C@H](C)N", molecule.Reading{}},
	} {
		smiles, err := molecule.BlockSMILES(test.block)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got, err := molecule.Read(smiles)
		if err != nil {
			t.Fatalf("%s: %s: %v", test.name, smiles, err)
		}
		if test.changed == (molecule.Reading{}) {
			test.want = got.SMILES // the wedges of this drawing are not what is tested
			if !strings.Contains(got.SMILES, "@") {
				t.Errorf("%s: %s has no center", test.name, got.SMILES)
			}
		}
		same(t, test.name, got.SMILES, test.want)
		if got.SMILES = ""; got != test.changed {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.changed)
		}
	}
}

func TestNeutral(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct{ name, smiles, want string }{
		{"an acid", "CC(=O)[O-]", "CC(=O)O"},
		{"an amine", "C[NH3+]", "CN"},
		{"a zwitterion", "[NH3+]CC(=O)[O-]", "NCC(=O)O"},
		{"a nitro group", "C[N+](=O)[O-]", "C[N+](=O)[O-]"},
		{"a quaternary nitrogen", "C[N+](C)(C)C", "C[N+](C)(C)C"},
		{"stereochemistry and isotopes", "[2H]C[C@H]([NH3+])C(=O)OC", "[2H]C[C@H](N)C(=O)OC"},
		{"nothing to do", "CCO", "CCO"},
		{"an aromatic anion of carbon", "c1cc[cH-]c1", "c1cc[cH-]c1"},
		{"an aromatic anion of carbon and an amine", "C[NH2+]Cc1cc[cH-]c1", "CNCc1cc[cH-]c1"},
		{"an aromatic anion of nitrogen", "c1c[n-]cn1", "c1c[nH]cn1"},
		{"an aromatic cation of carbon", "c1ccc[cH+]cc1", "c1ccc[cH+]cc1"},
		{"a carbanion", "N#C[CH-]C#N", "N#CCC#N"},
	} {
		m := parse(t, test.smiles)
		n, err := m.Neutral()
		if err != nil {
			t.Fatalf("%s: %v", test.smiles, err)
		}
		same(t, test.name, n.SMILES(), test.want)
		n.Close()
		m.Close()
	}
}

// FuzzBlockSMILES checks that any molblock has a SMILES that is not empty, or an error of one line.
func FuzzBlockSMILES(f *testing.F) {
	needRDKit(f)
	for _, seed := range []string{"", alanine, acetate, chain(3), alanine[:200], "a\nb\nc\n  1  0  0  0  0  0            999 V2000\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		smiles, err := molecule.BlockSMILES(block)
		if err == nil {
			if smiles == "" {
				t.Errorf("%q: no SMILES and no error", block)
			}
			return
		}
		if !isLine(err) {
			t.Errorf("%q: %#v, want one line", block, err)
		}
	})
}

// A molblock that was written is read as the same molecule, stereochemistry and charges included, whatever there is to draw.
func TestBlock(t *testing.T) {
	needRDKit(t)
	for _, smiles := range append(odd, "C", "CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", "C[N+](C)(C)CC(=O)[O-]", "c1ccc2[nH]ccc2c1") {
		m := parse(t, smiles)
		block, err := m.Block()
		if err != nil {
			t.Fatal(err)
		}
		readsAs(t, block, m.SMILES())
		readsAs(t, strings.ReplaceAll(block, "\n", "\r\n"), m.SMILES())
		m.Close()
	}
}

// readsAs checks that a molblock is read as a molecule.
func readsAs(t *testing.T, block, smiles string) {
	t.Helper()
	got, err := molecule.BlockSMILES(block)
	if err == nil {
		got, err = molecule.Canonical(got)
	}
	if err != nil || got != smiles {
		t.Errorf("%s is %s (%v) after it was written as\n%s", smiles, got, err, block)
	}
}

// What RDKit cannot draw is in the comment, unless another program wrote the molblock.
func TestBlockCarriesSMILES(t *testing.T) {
	needRDKit(t)
	m := parse(t, "C1CCC/C=C/CC1") // trans-cyclooctene: RDKit draws rings convex
	block, err := m.Block()
	if err != nil {
		t.Fatal(err)
	}
	readsAs(t, block, m.SMILES())
	readsAs(t, strings.Replace(block, "     invbo          2D", "  Editor  0101260000", 1), mustCanonical(t, "C1=CCCCCCC1"))
}
