package molecule_test

import (
	"errors"
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
		{"cut off", alanine[:300], "EOF"},
		{"a valence", strings.Replace(alanine, "4  5  2", "4  5  3", 1), "valence"},
		{"too long", strings.Repeat(" ", molecule.MaxBlock+1), "limit"},
	} {
		_, err := molecule.BlockSMILES(test.block)
		if invalid, ok := errors.AsType[*molecule.InvalidError](err); !ok || !strings.Contains(invalid.Reason, test.want) || strings.Contains(invalid.Reason, "\n") {
			t.Errorf("%s: %v, want an InvalidError of one line about %q", test.name, err, test.want)
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

// FuzzBlockSMILES checks that any molblock has a SMILES that is not empty, or an InvalidError of one line.
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
		if invalid, ok := errors.AsType[*molecule.InvalidError](err); !ok || invalid.Kind == "" || invalid.Reason == "" || strings.ContainsAny(invalid.Reason, "\r\n") {
			t.Errorf("%q: %#v, want an InvalidError with a kind and a line", block, err)
		}
	})
}

// A molblock that was written is read as the same molecule, stereochemistry and charges included.
func TestBlock(t *testing.T) {
	needRDKit(t)
	for _, smiles := range []string{"C", "CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", "F/C=C/F", "C[N+](C)(C)CC(=O)[O-]", "c1ccc2[nH]ccc2c1"} {
		m := parse(t, smiles)
		block, err := m.Block()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := molecule.BlockSMILES(block); err != nil || got != m.SMILES() {
			t.Errorf("%s is %s (%v) after it was written as\n%s", smiles, got, err, block)
		}
	}
}
