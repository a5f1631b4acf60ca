package molecule_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
)

// odd are molecules that are hard to read, write, draw or order: for their symmetry, stereochemistry, bonds or elements.
var odd = strings.Fields(`
	C1c2ccccc2CN1Cc1ccccc1CN1Cc2ccccc2C1
	[Na+].c1ccc([SH+][GeH2+]2[SH+]c3ccccc3[SH+]2)c([SH+][GeH2+]2[SH+]c3ccccc3[SH+]2)c1
	C1CCCN1CCCCN1CCCC1 C12C3C4C1C5C2C3C45 C1CC2CCC1CC2 C1N2CN3CN1CN(C2)C3
	O1[Si]2O[Si]3O[Si]1O[Si]4O[Si](O2)O[Si](O3)O4
	C12C3C4C5C1C6C7C2C8C3C9C4C1C5C6C2C7C8C9C12
	[O-][N+](=O)c1cccc(c1)[C@@H]1OC[C@@]2(CO1)CO[C@H](OC2)c1cccc(c1)[N+](=O)[O-]
	[O-][N+](=O)c1cccc(c1)[C@@H]1OC[C@]2(CO1)CO[C@@H](OC2)c1cccc(c1)[N+](=O)[O-]
	O[C@H]1C[C@@]2(C1)C[C@H](O)C2 O=C1O[C@@H]2C[C@H]1C2 C12[C@H]3C4[C@H]1[C@@H]1[C@H]2[C@H]3C41
	C1([C@H]2[C@H]3CCC2CC3)C2CCC1CC2 C1CC2[C@H]([C@H]3[C@H]4CCC3CC4)[C@@H]1CC2 C12[C@H]3O[C@@H]3[C@H]3O[C@@H]3[C@@H]1O2
	C1CCC[C@H]2[C@H]3CCCC[C@H]3[C@@H]12 C12O[C@H]3[C@@H](O)[C@@H]([C@@H](O)[C@H](O1)[C@@H]3O)O2
	F[C@H]1[C@@H](F)[C@H](F)[C@@H](F)[C@H](F)[C@@H]1F C[C@H]1CC[C@@H](C)CC1 C[C@H](O)[C@H](Cl)[C@@H](C)O O[C@H](C(=O)O)[C@@H](O)C(=O)O
	C[C@@]12C[C@H](O)[C@H]3[C@@H](CCC4=CC(=O)CC[C@@]43C)[C@@H]1CC[C@]2(O)C(=O)CO
	CN1CCC[C@H]1c1cccnc1 C[S@](=O)CC C[P@@](CC)c1ccccc1 C[Si@H](F)Cl [C@](F)(Cl)(Br)I [2H][C@H](C)O C[N@@+](CC)(CCC)CCCC
	F/C=C/F F/C=C\F CC=CC CC=C/C=C/C CC=C/C=C\C F/C=C/C=C/F FC=CC=CF CC=C=CC CC(Cl)=CC(Br)C=C(C)Cl CC=NO C/C=N/O N/C(=N/O)c1ccccc1 [H]/N=C(\C)CC CN=NC
	CC=C1C[C@@H](C)C[C@@H](C)C1 CC=C1CCC(=CC)CC1 C/C=C1/CCC[C@H](C)C1
	C1=CCCCCC1 C1=CCCCCCC1 C1CCC/C=C/CC1 C1CCC/C=C\CC1 C1=CCOCCCCCOC1 C1=CCOCCCCCCOC1 C1CCCC/C=C/CCCCC1 C1=CCC/C=C/CCC=CCC1
	C[C@H]1CCC[C@H](O)CCC/C=C/c2cc(O)cc(O)c2C(=O)O1 C[C@H]1CCCC(=O)CCCC=Cc2cc(O)cc(O)c2C(=O)O1
	COc1cc(O)c2c(c1)/C=C/C[C@H](O)[C@H](O)C(=O)/C=C\C[C@H](C)OC2=O
	O [H][H] [HH] [H+] Cl [Na+].[Cl-] N#N [O][O] C[CH2] [CH2] CC1(C)CCCC(C)(C)N1[O] O=[N] [C-]#[O+] C=[N+]=[N-] C[N+]#[C-] C[S+](C)[O-] CP(=O)(O)c1ccccc1
	[13CH4] [2H]C([2H])([2H])Oc1ccccc1 [3H]C [2H]O[2H]
	[O-]Cl(=O)(=O)=O S(F)(F)(F)(F)(F)F I(Cl)(Cl)Cl F[P-](F)(F)(F)(F)F F[Xe]F OB(O)c1ccccc1 [K+].F[B-](F)(F)c1ccccc1 B12B3B4B1B5B2B3B45
	[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1 CN(C)Cc1cc[c-](CNc2ccnc3cc(Cl)ccc23)c1.[Fe+2].c1cc[cH-]c1 [cH+]1cccccc1 c1cc[se]c1 c1cc[te]c1 C[n+]1ccn(C)c1 [O-][n+]1ccccc1
	N->[Pt](Cl)(Cl)<-N O=C1O[Pt]OC(=O)C12CCC2 O=C1O[Pt]2(OC1=O)N[C@@H]1CCCC[C@H]1N2 CCP(CC)(CC)[Au]SC1OC(COC(C)=O)C(OC(C)=O)C(OC(C)=O)C1OC(C)=O
	C[Pt@SP1](F)(Cl)Br F[Fe@OH1](Cl)(Br)(I)(N)O C[Hg]C [Gd+3] O=[Os](=O)(=O)=O [Co+3].N.N.N.[Cl-].[Cl-].[Cl-] C[Mg]Br C$C C:C
	O=c1cc[nH]c(=O)[nH]1 c1nn[nH]n1 Oc1ccccn1 O=c1cccc[nH]1
`)

// TestCanonicalIsItsOwnCanonicalForm is what identifies molecules: what was written is read as the same.
func TestCanonicalIsItsOwnCanonicalForm(t *testing.T) {
	needRDKit(t)
	for _, smiles := range odd {
		canonical, err := molecule.Canonical(smiles)
		if err != nil {
			t.Errorf("%s: %v", smiles, err)
			continue
		}
		same(t, smiles, canonical, canonical)
		m := parse(t, smiles)
		if m.SMILES() != canonical {
			t.Errorf("%s: SMILES is %s, Canonical %s", smiles, m.SMILES(), canonical)
		}
		m.Close()
	}
}

// Two orders of atoms give different SMILES of RDKit 2022.09, which are read as one another.
func TestCanonicalOfCycle(t *testing.T) {
	needRDKit(t)
	same(t, "atoms in another order", mustCanonical(t, "c1ccc2c(c1)CN(Cc1ccccc1CN1Cc3ccccc3C1)C2"), mustCanonical(t, "c1ccc(CN2Cc3ccccc3C2)c(CN2Cc3ccccc3C2)c1"))
}

// A canonical form may be longer than what was read, and must be readable itself.
func TestCanonicalIsNotTooLong(t *testing.T) {
	needRDKit(t)
	for n, want := range map[int]bool{70: true, 100: false} { // C[N+](=O)[O-] has 13 bytes
		_, err := molecule.Canonical(strings.TrimSuffix(strings.Repeat("CN(=O)=O.", n), "."))
		if (err == nil) != want || !want && !strings.Contains(err.Error(), "the limit is 1000") {
			t.Errorf("%d molecules of nitromethane: %v, accepted: %t", n, err, want)
		}
	}
}

func mustCanonical(t *testing.T, smiles string) string {
	t.Helper()
	c, err := molecule.Canonical(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return c
}

// TestCorpora holds the laws of single molecules against thousands of real ones.
func TestCorpora(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	for _, corpus := range []struct {
		file   string
		column int
		every  int
	}{{"assays/hiv.csv.gz", 0, 150}, {"assays/biogen_logS.csv.gz", 2, 20}, {"enamine10k_docking.csv.gz", 0, 80}, {"init_10k.csv.gz", 0, 80}} {
		for i, row := range shared.Rows(t, "data/"+corpus.file)[1:] {
			if i%corpus.every != 0 {
				continue
			}
			m, err := molecule.Parse(row[corpus.column])
			if err != nil {
				continue // some of hiv.csv have wrong valences
			}
			same(t, row[corpus.column], m.SMILES(), m.SMILES())
			block, err := m.Block()
			if err != nil {
				t.Fatalf("%s: %v", m.SMILES(), err)
			}
			readsAs(t, block, m.SMILES())
			m.Close()
		}
	}
}
