package molecule_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

// LogP is RDKit's to the last bit: the contributions are the same, and the order of the sum.
func TestLogP(t *testing.T) {
	needRDKit(t)
	tests := []struct{ about, smiles string }{
		{"C1, H1", "C CC CCC"},
		{"C2", "CC(C)C CC(C)(C)C C[C-](C)C"},
		{"C3", "CN CO CP CS CF CCl CBr CI CCO FCF C[Si]CF [CH2](F)[Na] [CH3+]F"},
		{"C4", "CC(C)O CC(C)(C)N FC(F)F FC(F)(F)F CC(F)=O [CH](F)([Na])C"},
		{"C5", "C=N C=O CC=S C=* C=[SiH2] O=C=O CN=C"},
		{"C6", "C=C CC=C CC(C)=C C=C=C C=C=O"},
		{"C7", "C#C CC#N [C-]#[O+] C#* [C]#N"},
		{"C8 to C12", "Cc1ccccc1 Cn1cccc1 CCc1ccccc1 NCc1ccccc1 CCn1cccc1 CC(C)c1ccccc1 CC(C)(C)c1ccccc1 CC(C)(C)n1cccc1"},
		{"C13", "Bc1ccccc1 Pc1ccccc1 [SiH3]c1ccccc1 [Na]c1ccccc1 *c1ccccc1 [SeH]c1ccccc1"},
		{"C14 to C18", "Fc1ccccc1 Clc1ccccc1 Brc1ccccc1 Ic1ccccc1 Cl[I+]c1ccccc1 [2H]c1ccccc1 [c-]1ccccc1"},
		{"C19, C20", "c1ccc2ccccc2c1 c1ccc(cc1)c1ccccc1 c1ccn(c1)c1ccccc1 C1=CC=C2C=CC=CC=C12 c1cc2cccc3ccc(c1)c23"},
		{"C21 to C25", "CCc1ccccc1 CNc1ccccc1 COc1ccccc1 CSc1ccccc1 O=c1cc[nH]cc1 C=c1cccc[nH]1 N=c1cccc[nH]1 S=c1cccc[nH]1 O=S(=O)(C)c1ccccc1"},
		{"C26", "C=C(C)c1ccccc1 C=Cc1ccccc1 C=C(c1ccccc1)c1ccccc1 C=C(n1cccc1)n1cccc1 C=Cn1cccc1 CC=c1cccc[nH]1 C=C(c1ccccc1)n1cccc1"},
		{"C27, CS", "C[SiH3] CB C[Na] C[Hg]C C[Se]C C* [C] [CH2] [CH] [CH3-] [CH3+] [C-]#[N+] C$C"},
		{"H1 to HS", "[H][H] [2H][2H] [HH] [H] [H+] [H-] [2H]O [2H]O[2H] O CO Oc1ccccc1 OB OP O* P S B [SiH4] I [AlH3] N c1cc[nH]c1 NO ON=C"},
		{"H4", "CC(=O)O C=CO OC=S OC=N OO OS OS(=O)(=O)O OC(O)=O OC#C O[CH2+] [2H]OC=O [OH3+] [OH2+]C O[n+]1ccccc1 OOO [H]O[C](C)C"},
		{"N1 to N4", "N CN Nc1ccccc1 CNC CNc1ccccc1 CNn1cccc1 NN NO N* Nn1cccc1 c1ccc(cc1)Nc1ccccc1"},
		{"N5 to N9", "C=N CC=N CN=C CN=NC CN(C)C CN(C)c1ccccc1 CN(c1ccccc1)c1ccccc1 c1ccc(cc1)N(c1ccccc1)c1ccccc1 CC#N N#N CN=[SiH2] N=O ON=O [N]"},
		{"N10 to N12", "[NH4+] C[NH3+] C[NH2+]C C[NH+](C)C C=[NH2+] [nH+]1ccccc1 C[n+]1ccccc1 [O-][n+]1ccccc1 c1cc[n-]c1 n1ccccc1 [NH+]#C [NH2+2]"},
		{"N13, N14", "C[N+](C)(C)C C[N+](=O)[O-] C=[N+]=[N-] CN=[N+]=[N-] C[N+]#N [N-]=[N+]=[N-] C[N+]#[C-] C[NH-] [NH2-] C[N+](C)(C)c1ccccc1 C=[N+](C)C C[N+](C)C=O C[N+](=C)c1ccccc1 [N+] N=[N+]=C [N+4]"},
		{"O1 to O4", "c1ccoc1 CO O COC COc1ccccc1 COn1cccc1 c1ccc(cc1)Oc1ccccc1 OC(=O)C COB C1OC1 CO[Na] c1cc[o+]cc1 [OH-]"},
		{"O5, O6", "CN=O CN(=O)=O C[N+](=O)[O-] [O-][n+]1ccccc1 O=O OO CS(C)=O CS(C)(=O)=O CS(=O)(=O)[O-] C[S+](C)[O-] O=s1cccc1 [O-2] C[O+]=S [O-][S-]=O O=[S+]C O=[SH2] O=[S-]"},
		{"O12, O7", "CC(=O)[O-] C[O-] [O-]c1ccccc1 [O-][Si] [O-]P(=O)([O-])[O-] [O-]C(=O)c1ccccc1 [O-]* [O-][O-] [O-]Cl(=O)(=O)=O [O-]B"},
		{"O8 to O10", "O=c1cc[nH]cc1 CC=O C=O CC(C)=O CC(=O)N O=CN O=CO O=C=O O=CS O=Cc1ccccc1 CC(=O)c1ccccc1 O=C(c1ccccc1)c1ccccc1 CC(=O)n1cccc1 O=C(O)c1ccccc1 O=Cn1cccc1 O=C(F)c1ccccc1"},
		{"O11, OS", "NC(N)=O NC(=O)O O=C(Cl)Cl O=C(n1cccc1)n1cccc1 NC(=O)n1cccc1 O=C O=C=C O=C=S [C-]#[O+] [O] O=[Si] O=P(C)(C)C O=*"},
		{"halogens", "F Cl Br I CCl [F-] [Cl-] [Br-] [I-] [I+] C[I+]C [I+2] [I+3] [I-2] [Cl+] [Cl+3] [Br+] FCl"},
		{"P and S", "P CP CP(=O)(O)O c1ccpcc1 C[P+](C)(C)C [PH4+] S CS C[S-] C[S+](C)C CSC CSSC CS(C)=N CS(C)=S CP(C)(C)=S c1ccsc1 c1cc[s+]cc1 [S-2] [S+4] [S+2] [S+6] [S-]S(=S)=O C[S+](=O)C S=* C=S"},
		{"metals", "[Na] [Na+] [Li+] [K+] [Rb+] [Cs+] [Mg+2] [Ca] [Al] [Ga] [In] [Tl] [Si] [Ge] [Sn] [Pb] [As] [Sb] [Bi] [Se] [Te] [Po] [Fe+2] [Cu] [Zn+2] [Ag] [Pd] [Hf] [Pt] [Hg] c1cc[se]c1"},
		{"no type", "* [He] [Xe] [La] [U] [Fr+] [At] [Ra] [*H] [*-] [Rf] [Ne+] [*:1]"},
		{"bonds", "C~C C:C [NH3]->[Cu] [NH3]->[Pt](Cl)Cl C$C c1cc#ccc1 CN->B C->[H+]"},
		{"ions and isotopes", "[Na+].[Cl-] CC(=O)[O-].[Na+] C[NH3+].[Cl-] [13CH4] [2H]C([2H])([2H])O [2H]N [18F]C [2H][CH-][2H] [H+].[Cl-] [2H][Na]"},
		{"stereochemistry", "C[C@H](N)C(=O)O F/C=C/F F/C=C\\F N[C@@H](C)C(=O)O"},
	}
	for _, test := range tests {
		for smiles := range strings.FieldsSeq(test.smiles) {
			checkLogP(t, test.about, smiles)
		}
	}
	rings := strings.Fields("c1ccc(%s)cc1 c1ccn(%s)c1 c1cc(%s)ncn1 c1ccc(%s)[nH]1 c1cc(%s)sc1 c1cc(%s)c2occc2c1 C1CCC(%s)CC1 C1CCN(%s)C1 C1=C(%s)CCC1 O=C(%s)C C=C(%s)c1ccccc1 C[N+](C)=C(%s)N c1c(%s)oc(=O)cc1 O=S(C)(=O)%s C#C%s c1cc[n+](%s)cc1")
	groups := strings.Fields("C CC C(C)C C(C)(C)C C=C C(=C)C C=O C(=O)C C(=O)O C(=O)[O-] C(=O)N C(=O)OC C(=O)Cl C#C C#N C=N C=NO C(F)(F)F CF CO CN C[NH3+] N NC N(C)C N=O N=C [N+](=O)[O-] [N+](C)(C)C N=[N+]=[N-] NN NS(C)(=O)=O NC(N)=O [NH-] O [O-] OC OO ON OC=O OC(=O)N O[Si] O[Na] OP(O)O OB S SC [S-] S(C)=O S(=O)(=O)O S(=O)(=O)N [S+](C)C F Cl Br I [Cl+3] B(O)O [Si](C)(C)C P(C)C P(=O)(O)O [Se]C [Hg]C * [2H] [CH2-] [CH-]C N(c1ccccc1)c1ccccc1 Oc1ccccc1 C(=O)c1ccccc1 c1ccccn1 C(=O)n1cccc1 C(=C)c1ccccc1")
	accepted := 0
	for _, ring := range rings {
		for _, group := range groups {
			smiles := strings.Replace(ring, "%s", group, 1)
			if m, err := molecule.Parse(smiles); err == nil { // a few valences are wrong
				m.Close()
				checkLogP(t, "ring and group", smiles)
				accepted++
			}
		}
	}
	if most := len(rings) * len(groups); accepted < most*9/10 {
		t.Errorf("%d of %d rings with groups are molecules", accepted, most)
	}
}

func TestLogPOfLibrary(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	every := 3
	if testing.Short() {
		every = 20
	}
	all := library.SMILES()
	for i := 0; i < len(all); i += every {
		checkLogP(t, "library", all[i])
	}
}

func checkLogP(t *testing.T, about, smiles string) {
	t.Helper()
	m := parse(t, smiles)
	defer m.Close()
	if got, want := m.CrippenLogP(), m.RDKitLogP(); got != want {
		t.Errorf("%s: LogP of %s = %.17g, want %.17g", about, smiles, got, want)
	}
}

// RDKit stops after 1000 matches of a type, and the last quaternary carbons of a long chain get another one.
func TestLogPOfPolymer(t *testing.T) {
	needRDKit(t)
	m := parse(t, "C"+strings.Repeat("C(C)(C)", 60)+"C")
	if got, want := m.LogP(), m.RDKitLogP(); got != want {
		t.Errorf("LogP = %.17g, want RDKit's %.17g", got, want)
	}
	if got, rdkit := m.CrippenLogP(), m.RDKitLogP(); got == rdkit {
		t.Errorf("CrippenLogP = RDKit's %.17g, which had a limit of matches", got)
	}
}

func BenchmarkLogP(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	b.Run("Go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.CrippenLogP()
		}
	})
	b.Run("RDKit", func(b *testing.B) { // of a new molecule each time: RDKit remembers what it computed
		for b.Loop() {
			b.StopTimer()
			m := parse(b, osimertinib)
			b.StartTimer()
			m.RDKitLogP()
			b.StopTimer()
			m.Close()
			b.StartTimer()
		}
	})
}
