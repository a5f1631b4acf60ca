package alerts_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/molecule/library"
)

func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

func compile(t testing.TB, rules []alerts.Rule) *alerts.Set {
	t.Helper()
	s, err := alerts.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func excluding(rules []alerts.Rule) []alerts.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r alerts.Rule) bool { return r.Flag })
}

// The rules that exclude are those that RDKit finds, molecule by molecule.
func TestVerdicts(t *testing.T) {
	needRDKit(t)
	set := compile(t, excluding(alerts.NIBR()))
	matched := 0
	for _, row := range shared.Rows(t, "golden/sa_nibr.csv.gz")[1:] {
		m, err := molecule.Parse(row[0])
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range set.In(m) {
			names = append(names, r.Name)
		}
		var want []string
		for name := range strings.SplitSeq(row[2], ";") {
			if name = strings.TrimSpace(name); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(names)
		slices.Sort(want)
		if !slices.Equal(names, want) {
			t.Errorf("%s matches %q, want %q", row[0], names, want)
		}
		if set.Any(m) != (len(want) > 0) {
			t.Errorf("%s is excluded: %t, want %t", row[0], set.Any(m), len(want) > 0)
		}
		matched += len(want)
		m.Close()
	}
	if matched == 0 {
		t.Error("no molecule matches a rule: the test is about nothing")
	}
}

func TestNIBR(t *testing.T) {
	needRDKit(t)
	rules := alerts.NIBR()
	counted := 0
	for _, r := range rules {
		if r.Count > 1 {
			counted++
		}
	}
	if exclude := len(excluding(rules)); exclude != 260 || len(rules)-exclude != 77 || counted == 0 {
		t.Errorf("%d rules exclude and %d flag, %d with a count; want 260, 77 and some", exclude, len(rules)-exclude, counted)
	}
}

// Each rule matches its example and says why; drugs match none.
func TestUnstable(t *testing.T) {
	needRDKit(t)
	text, err := os.ReadFile("unstable.tsv")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "\t")
		examples[cells[0]] = cells[2]
	}
	rules := alerts.Unstable()
	set := compile(t, rules)
	in := func(smiles string) (names []string) {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
		defer m.Close()
		for _, r := range set.In(m) {
			names = append(names, r.Name)
		}
		return names
	}
	for _, r := range rules {
		if r.Reason == "" || r.Flag || !slices.Contains(in(examples[r.Name]), r.Name) {
			t.Errorf("%s: reason %q, flags: %t; its example %s matches %q", r.Name, r.Reason, r.Flag, examples[r.Name], in(examples[r.Name]))
		}
	}
	for _, smiles := range []string{ // groups of laboratories' cases
		"OCNc1ccccc1", "CC(O)OC", "CNCNC(=O)c1ccoc1", "CS(=O)(=O)N1CCCCC1Nc1ncccc1", "CS(=O)(=O)CN1CCOCC1", "Oc1occc1C(=O)NC", "CNC(C)(O)C", "CC=CO", "O=C(Cl)c1ccccc1", "NNNC", "C1=CC=CCC1", "O=CC(O)c1ccccc1", "CC(=N)C", "C1OO1", "ClN1CCCC1", "CC(F)OC", "OC(=Nc1ccccc1)C1CC1", "C=CC(=O)Nc1cc2c(cc1OC)=NCC=2Nc1ccccc1", "O=C1N=c2ccccc2=C1Nc1ccccc1", "Nc1c2ccccc2c(OCC)[nH]1", "C=CC(=O)C(=O)Nc1ccccc1", "C=CC=O", "O=CN(C)OC(=O)NC", "COC(=N)c1ccccc1",
		"O=C(CF)Nc1ccccc1", "O=C(C=CC=O)N1CCCC1", "O=C(C=CBr)N1CCCC1", "CCOCSc1ccccc1", "CC(C)OCOCC", "CC(=O)OCOc1ccccc1", "CC(=O)ON=C1CCCC1", "CC=NNc1ncccn1", "O=CN(C)C(=O)c1ccccc1", "CC=CN(C)c1ccccc1", "CC=c1ccc(=CC)[nH]1", "O=C1CCC(n2cnc3c2ncnc3N)O1", "C=CC(=O)N1CCCC1n1nc(C)c2c1ncnc2N",
		"OC1=NCCC1", "CN=C(S)c1ccccc1", "N=C(O)NC", "OC(=NN)c1ccncc1",
		"C=CC(=O)N1CCCC=C1C", "C=CC(=O)N1CC=CC=C1C", "Brc1cccc(OC2CCO2)c1", "C=CC(=O)N1CC(N)C1Oc1ccccc1", "CC(=NNC)c1ccccc1", "CC(=N)n1cccn1", "O=C(Nc1ccccn1)n1cccn1",
		"O=C(Nc1ccon1)C=C(O)NC(=O)c1ccccn1", "COC(O)=CC(=O)C", "CN1C(O)=CCC1=O", "O=C(CCC(=O)Nc1ccon1)NC(=O)c1ccccn1", "CC(=O)N(C)C(=O)C", "O=C(NCCOC(=O)C(F)(F)F)c1ccsc1", "CCOC(=O)C(Cl)Cl", "Cc1ccn(S(=O)(=O)c2ccsc2)n1",
		"COc1cc(OC)c(C(C)(C)C)c(C(C)(C)C)c1", "NS(=O)(=O)c1ccc(OC(=O)Oc2ccccc2)cc1", "O=C(Oc1ccccc1)C(=O)N1CCCCC1", "COc1ccccc1OC(=O)CNC1CC1", "COc1cc2nc(F)nc(NC)c2cc1", "NCCCl", "CN(C)c1cnc2c(O)c[nH]c2n1",
		"Nc1cc2nccnc2[nH]1", "C=CC(=O)N(O)c1ccccc1", "C1CC(N2CCN(N3CCNCC3)CC2)CCO1", "O=C1C=C(Oc2ccccc2)C(=O)N1", "COc1ccccc1C(=O)OC1CC(O)C(CO)O1", "NN=C(OCC)c1ccccc1", "CC(C)CC(C)OC(=O)OC(C)(C)C",
		"O=C(C(=O)c1ccccc1)C(=O)N1CCCC1", "O=C1NC(=O)C(=O)C(=O)N1", "Cc1ccc(N=Nc2ccccc2)cc1", "NNC(=O)c1ccccc1", "CC(=O)N(C#N)C", "CN(c1ccccc1)C(F)(F)F", "CN(C)NS(=O)(=O)c1ccccc1", "CC(=O)NCN(C)S(=O)(=O)C",
	} {
		if len(in(smiles)) == 0 {
			t.Errorf("%s matches nothing", smiles)
		}
	}
	for name, smiles := range map[string]string{
		"paracetamol": "CC(=O)Nc1ccc(O)cc1", "aspirin": "CC(=O)Oc1ccccc1C(=O)O", "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "nifedipine": "COC(=O)C1=C(C)NC(C)=C(C1c1ccccc1[N+](=O)[O-])C(=O)OC",
		"sildenafil": "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1", "metformin": "CN(C)C(=N)NC(N)=N", "omeprazole": "COc1ccc2[nH]c(nc2c1)S(=O)Cc1ncc(C)c(OC)c1C",
		"gemcitabine": "Nc1ccn(C2OC(CO)C(O)C2(F)F)c(=O)n1", "diazepam": "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12", "penicillin G": "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O",
		"progesterone": "CC(=O)C1CCC2C3CCC4=CC(=O)CCC4(C)C3CCC12C", "acetazolamide": "CC(=O)Nc1nnc(s1)S(N)(=O)=O", "phenytoin": "O=C1NC(=O)C(N1)(c1ccccc1)c1ccccc1",
		"tadalafil": "O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C", "valsartan": "CCCCC(=O)N(Cc1ccc(cc1)-c1ccccc1-c1nnn[nH]1)C(C(C)C)C(=O)O",
		"oxime ether": "CON=C(C)c1ccccc1", "pyridone": "O=c1cc[nH]cc1", "sulfonamide": "NS(=O)(=O)c1ccccc1", "aryl bromide": "Brc1ccccc1", "OCHF2": "FC(F)Oc1ccccc1", "indene": "C1C=Cc2ccccc12", "acrylamide": "C=CC(=O)Nc1ccccc1", "phthalimide": "O=C1NC(=O)c2ccccc12", "2H-indazole": "Cn1cc2ccccc2n1", "oxazoline": "CC1=NCCO1", "hydroxamate": "CC(=O)NOCc1ccccc1", "pyrrolopyrimidinedione": "Cn1c(=O)c2cn(C)cc2n(C)c1=O", "dimethyl fumarate": "COC(=O)C=CC(=O)OC", "pivampicillin": "CC1(C)SC2C(NC(=O)C(N)c3ccccc3)C(=O)N2C1C(=O)OCOC(=O)C(C)(C)C", "tegafur": "O=c1[nH]c(=O)n(C2CCCO2)cc1F", "aciclovir": "Nc1nc2c(ncn2COCCO)c(=O)[nH]1",
		"tenofovir disoproxil": "CC(Cn1cnc2c(N)ncnc21)OCP(=O)(OCOC(=O)OC(C)C)OCOC(=O)OC(C)C", "brivudine": "O=c1[nH]c(=O)n(C2CC(O)C(CO)O2)cc1C=CBr", "capivasertib's pyrrolidine": "CC(=O)N1CCCC1c1ncc[nH]1", "piperine's dioxole": "C1Oc2ccccc2O1", "fluoxetine's kin": "CNCCC(Oc1ccc(F)cc1)c1ccccc1", "flumethasone": "CC1CC2C3CC(F)C4=CC(=O)C=CC4(C)C3(F)C(O)CC2(C)C1(O)C(=O)CO", "nitrofurantoin": "O=C1CN(N=Cc2ccc([N+](=O)[O-])o2)C(=O)N1", "leucovorin's formamide": "O=CN1CCCCC1", "sunitinib": "CCN(CC)CCNC(=O)c1c(C)[nH]c(C=C2C(=O)Nc3ccc(F)cc32)c1C",
		"cefalexin": "CC1=C(N2C(C(C2=O)NC(=O)C(N)c2ccccc2)SC1)C(=O)O", "meropenem": "CC1C2C(C(C)O)C(=O)N2C(C(=O)O)=C1SC1CNC(C(=O)N(C)C)C1", "an oxetane": "C1(COC1)N1CCNCC1", "dantrolene": "O=C1CN(N=Cc2ccc(o2)-c2ccc(cc2)[N+](=O)[O-])C(=O)N1",
		"teriflunomide": "CC(O)=C(C#N)C(=O)Nc1ccc(cc1)C(F)(F)F", "meloxicam": "CN1C(C(=O)Nc2ncc(C)s2)=C(O)c2ccccc2S1(=O)=O", "thalidomide": "O=C1CCC(N2C(=O)c3ccccc3C2=O)C(=O)N1", "an acylurea": "CC(=O)NC(=O)NC", "an N-sulfonylindole": "CS(=O)(=O)n1ccc2ccccc12", "an N-acylsulfonamide": "CC(=O)NS(C)(=O)=O", "a trifluoroacetamide": "O=C(Nc1ccccc1)C(F)(F)F", "warfarin": "CC(=O)CC(c1ccccc1)c1c(O)c2ccccc2oc1=O", "piroxicam's kin": "O=C1C=C(O)c2ccccc2N1C",
		"meta di-tert-butyl": "CC(C)(C)c1cccc(C(C)(C)C)c1", "an aryl carbamate": "CNC(=O)Oc1ccccc1", "an alkyl oxamate": "COC(=O)C(=O)NC", "an amino acid's ester": "CCOC(=O)CN", "4-fluoropyrimidine's ring": "Cc1cncnc1", "a fluoroethylamine": "NCCF", "chlorpromazine's chain": "CN(C)CCCN1c2ccccc2Sc2ccc(Cl)cc21",
		"5-hydroxyindole": "Oc1ccc2[nH]ccc2c1", "2-aminobenzimidazole": "Nc1nc2ccccc2[nH]1", "6-aminoquinoline": "Nc1ccc2ncccc2c1", "a hydroxamic acid": "CC(=O)NO", "succinimide": "O=C1CCC(=O)N1", "tetrahydrofurfuryl acetate": "CC(=O)OCC1CCCO1", "an ether of a thioether": "COCCSC", "a Boc amine": "CC(C)(C)OC(=O)N1CCNCC1", "diacylhydrazine": "CC(=O)NNC(C)=O", "difluoromethylpyrazole": "FC(F)n1cccn1", "a cyanoguanidine": "CNC(=NC#N)NC",
		"the 1,2-dicarbonyl of sirolimus": "COC(=O)C1CCCCN1C(=O)C(=O)C(C)(C)C", "a ketoamide": "CC(=O)C(=O)NC", "benzenesulfinic acid's sulfoxide": "CS(=O)c1ccccc1", "dithiocarbamate": "CSC(=S)N(C)C", "dimesitylborane": "Cc1cc(C)cc(C)c1B(c1ccccc1)c1ccccc1",
		"a spirocyclic imidazolidinone": "O=C1NCN(c2ccccc2)C12CCNCC2",
	} {
		if names := in(smiles); len(names) > 0 {
			t.Errorf("%s matches %q", name, names)
		}
	}
}

// Rules that are left out are those of no compiled set but the new one, and may be left out in steps.
func TestWithout(t *testing.T) {
	needRDKit(t)
	set := compile(t, []alerts.Rule{{Name: "nitrile", SMARTS: "C#N", Count: 1}, {Name: "nitro", SMARTS: "[N+](=O)[O-]", Count: 1}, {Name: "thiol", SMARTS: "[SH]", Count: 1}})
	without := func(s *alerts.Set, name string) *alerts.Set {
		return s.Without(func(r alerts.Rule) bool { return r.Name == name })
	}
	m, err := molecule.Parse("N#CCC[N+](=O)[O-]")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, test := range []struct {
		set   *alerts.Set
		rules string
		in    string
	}{
		{set, "nitrile nitro thiol ", "nitrile nitro "},
		{without(set, "other"), "nitrile nitro thiol ", "nitrile nitro "},
		{without(set, "nitrile"), "nitro thiol ", "nitro "},
		{without(without(set, "nitrile"), "nitro"), "thiol ", ""},
	} {
		var rules, in string
		for _, r := range test.set.Rules() {
			rules += r.Name + " "
		}
		for _, r := range test.set.In(m) {
			in += r.Name + " "
		}
		if rules != test.rules || in != test.in || test.set.Any(m) != (test.in != "") {
			t.Errorf("rules %q, in the molecule %q, any: %t; want %q and %q", rules, in, test.set.Any(m), test.rules, test.in)
		}
	}
}

// A rule that a molecule matches is matched by others that match it more often.
func TestBeyond(t *testing.T) {
	needRDKit(t)
	set := compile(t, []alerts.Rule{{Name: "nitrile", SMARTS: "C#N", Count: 1}, {Name: "nitro", SMARTS: "[N+](=O)[O-]", Count: 1}})
	look := func(smiles string, use func(m *molecule.Molecule)) {
		if err := molecule.Look(smiles, use); err != nil {
			t.Fatal(err)
		}
	}
	look("N#CCC", func(own *molecule.Molecule) {
		beyond, err := set.Beyond(own)
		if err != nil {
			t.Fatal(err)
		}
		for smiles, want := range map[string]string{"N#CCC": "", "N#CCCC": "", "N#CCC#N": "nitrile", "N#CCC[N+](=O)[O-]": "nitro"} {
			look(smiles, func(m *molecule.Molecule) {
				in := ""
				for _, r := range beyond.In(m) {
					in += r.Name
				}
				if in != want || beyond.Any(m) != (want != "") {
					t.Errorf("%s matches %q, any: %t, want %q", smiles, in, beyond.Any(m), want)
				}
			})
		}
	})
}

// Hydrogens of rules, as those of RDKit's PAINS filters have, match those that molecules do not show.
func TestHydrogens(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	set, err := alerts.Compile([]alerts.Rule{{Name: "catechol", SMARTS: "c:1:c:c(:c(:c:c1)-[#8]-[#1])-[#8]-[#1]", Count: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{"Oc1ccccc1O": true, "COc1ccccc1O": false} {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if got := set.Any(m); got != want {
			t.Errorf("%s matches: %v, want %v", smiles, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name, text string
		want       []alerts.Rule
	}{
		{"lines", "# nitro\n[N+](=O)[O-] nitro group\n\nC#N\n", []alerts.Rule{{Name: "nitro group", SMARTS: "[N+](=O)[O-]", Count: 1}, {Name: "C#N", SMARTS: "C#N", Count: 1}}},
		{"a table", "name,SMARTS,min_count,severity\nthiols,[SH],2,FLAG\nnitro,[N+](=O)[O-],,\nx,C,1,ANNOTATION\n",
			[]alerts.Rule{{Name: "thiols", SMARTS: "[SH]", Count: 2, Flag: true}, {Name: "nitro", SMARTS: "[N+](=O)[O-]", Count: 1}}},
		{"a table with reasons", "\ufeffsmarts\treason\nC=O \tis reactive\r\n", []alerts.Rule{{Name: "C=O", SMARTS: "C=O", Count: 1, Reason: "is reactive"}}},
	} {
		got, err := alerts.Read(strings.NewReader(test.text))
		if err != nil || len(got) != len(test.want) {
			t.Fatalf("%s: %+v (%v), want %+v", test.name, got, err, test.want)
		}
		for i, w := range test.want {
			if g := got[i]; g.Name != w.Name || g.SMARTS != w.SMARTS || g.Count != w.Count || g.Flag != w.Flag || g.Reason != w.Reason {
				t.Errorf("%s: rule %+v, want %+v", test.name, g, w)
			}
		}
	}
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "it contains no SMARTS"},
		{"comments", "# C\n", "it contains no SMARTS"},
		{"a broken line", "C=O\nC(=O nitro\n", "line 2: SMARTS"},
		{"a broken row", "name,smarts\na,C\n\nb,C1CC\n", "line 4: SMARTS"},
		{"a count", "smarts,min_count\nC,0\n", `line 2: min_count "0"`},
		{"a severity", "smarts,severity\nC,BAD\n", `line 2: severity "BAD"`},
	} {
		if rules, err := alerts.Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v (%v), want an error with %q", test.name, rules, err, test.want)
		}
	}
}

// All rules of NIBR and of unstable groups in one pass.
func BenchmarkSet(b *testing.B) {
	needRDKit(b)
	rules := slices.Concat(alerts.NIBR(), alerts.Unstable())
	for _, bench := range []struct {
		name string
		set  *alerts.Set
		any  bool
	}{{"all", compile(b, rules), false}, {"exclude", compile(b, excluding(rules)), true}} {
		var read []*molecule.Molecule
		all := library.SMILES()
		for i := 0; i < len(all); i += 10 {
			m, err := molecule.Parse(all[i])
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			read = append(read, m)
		}
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				for _, m := range read {
					if bench.any {
						bench.set.Any(m)
					} else {
						bench.set.In(m)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(read)), "µs/molecule")
		})
	}
}
