package guacamol_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/oracle/oracletest"
)

const (
	albuterol    = "CC(C)(C)NCC(O)c1ccc(O)c(CO)c1"
	aripiprazole = "Clc4cccc(N3CCN(CCCCOc2ccc1c(NC(=O)CC1)c2)CC3)c4Cl"
	fexofenadine = "CC(C)(C(=O)O)c1ccc(cc1)C(O)CCCN2CCC(CC2)C(O)(c3ccccc3)c4ccccc4"
	ranolazine   = "COc1ccccc1OCC(O)CN2CCN(CC(=O)Nc3c(C)cccc3C)CC2"
	sildenafil   = "CCCC1=NN(C2=C1N=C(NC2=O)C3=C(C=CC(=C3)S(=O)(=O)N4CCN(CC4)C)OCC)C"
	zaleplon     = "O=C(C)N(CC)C1=CC=CC(C2=CC=NC3=C(C=NN23)C#N)=C1"
)

// Want the scores of guacamol 0.5.5 with RDKit 2022.09.3.
func TestScore(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		task, smiles string
		want         float64
	}{
		{"celecoxib_rediscovery", "CC1=CC=C(C=C1)C1=CC(=NN1C1=CC=C(C=C1)S(N)(=O)=O)C(F)(F)F", 1},
		{"celecoxib_rediscovery", zaleplon, 0.1929824561},
		{"troglitazone_rediscovery", "Cc1c(C)c2OC(C)(COc3ccc(CC4SC(=O)NC4=O)cc3)CCc2c(C)c1O", 1},
		{"troglitazone_rediscovery", sildenafil, 0.178807947},
		{"thiothixene_rediscovery", "CN(C)S(=O)(=O)c1ccc2Sc3ccccc3C(=CCCN4CCN(C)CC4)c2c1", 1},
		{"thiothixene_rediscovery", sildenafil, 0.3014705882},
		{"aripiprazole_similarity", aripiprazole, 1},
		{"aripiprazole_similarity", ranolazine, 0.345323741},
		{"albuterol_similarity", albuterol, 1},
		{"albuterol_similarity", zaleplon, 0.2962962963},
		{"mestranol_similarity", "COc1ccc2[C@H]3CC[C@@]4(C)[C@@H](CC[C@@]4(O)C#C)[C@@H]3CCc2c1", 1},
		{"mestranol_similarity", albuterol, 0.2413087935},
		{"isomers_c11h24", "CCCCCCCCCCC", 1},
		{"isomers_c11h24", albuterol, 0.07873506527},
		{"isomers_c9h10n2o2pf2cl", "N=CCc1cc(NP(=O)(O)C(F)F)ccc1Cl", 1},
		{"isomers_c9h10n2o2pf2cl", "NCCc1cc(NP(=O)(O)C(F)F)ccc1Cl", math.Exp(-0.5 * (2*2 + 1*1) / 8)}, // two H too many: 2σ of H, 1σ of all
		{"isomers_c7h8n2o2", "Nc1ccc(N)c(C(=O)O)c1", 1},
		{"isomers_c7h8n2o2", "Cc1ccccc1", math.Exp(-0.5 * (2*2 + 2*2 + 2*2) / 5)}, // two N and two O too few: 2σ of each, 2σ of all
		{"isomers_c9h10n2o2pf2cl", zaleplon, 0.0002132330199},
		{"med1", "CC1(C)C2CCC1(C)C(=O)C2", 0.4},
		{"med1", fexofenadine, 0.0762000762},
		{"med2", sildenafil, 0.3623715377},
		{"med2", aripiprazole, 0.1483638579},
		{"osmb", sildenafil, 0.729289352},
		{"osmb", zaleplon, 0.2405180559},
		{"fexo", fexofenadine, 0.5973402619},
		{"fexo", sildenafil, 0.5515384921},
		{"rano", fexofenadine, 0.5061103536},
		{"rano", sildenafil, 0.01726344825},
		{"pdop", ranolazine, 0.3572948005},
		{"pdop", sildenafil, 0.133629109},
		{"adip", zaleplon, 0.3930286818},
		{"adip", ranolazine, 0.4520835786},
		{"siga", zaleplon, 0.09691697385},
		{"siga", albuterol, 0.01777043725},
		{"zale", zaleplon, 0.4664987212},
		{"zale", sildenafil, 6.229358705e-08},
		{"valt", "CCCCC(=O)N(Cc1ccc(cc1)-c1ccccc1-c1nn[nH]n1)C(C(C)C)C(O)=O", 9.540221554e-11}, // valsartan
		{"valt", sildenafil, 0},
		{"dhop", sildenafil, 0.5631573384},
		{"dhop", zaleplon, 0.5511156187},
		{"shop", "CCCOc1cc2ncnc(Nc3ccc4ncsc4c3)c2cc1S(=O)(=O)C(C)(C)C", 2.0 / 3},
		{"shop", sildenafil, 0.4287710891},
		{"qed", "CC(=O)Oc1ccccc1C(=O)O", 0.5501217966938848},
		{"sa", "CC(=O)Oc1ccccc1C(=O)O", 1.580039750008826},
		{"logp", "CC(=O)Oc1ccccc1C(=O)O", 1.3101},
	}
	tried := map[string]bool{}
	for _, test := range tests {
		tried[test.task] = true
		got, err := oracle.One(t.Context(), newOracle(t, test.task), test.smiles)
		if bound := 1e-9*math.Abs(test.want) + 1e-15; err != nil || got.Reason != "" || !(math.Abs(got.Score-test.want) <= bound) {
			t.Errorf("%s of %s: %+v, %v, want %g", test.task, test.smiles, got, err, test.want)
		}
	}
	for _, task := range guacamol.Tasks() {
		if !tried[task.Name] {
			t.Errorf("%s is not in the table", task.Name)
		}
	}
}

// A string that is not a molecule has no score, and RDKit's reason.
func TestScoreOfNoMolecule(t *testing.T) {
	needRDKit(t)
	tests := []struct{ smiles, want string }{
		{"CN(C)(C)(C)C", "Explicit valence for atom # 1 N, 5, is greater than permitted"},
		{"C1CC", "unclosed ring"},
		{"", ""},
	}
	o := newOracle(t, "med2")
	for _, test := range tests {
		got, err := oracle.One(t.Context(), o, test.smiles)
		if err != nil || !math.IsNaN(got.Score) || got.Reason == "" || !strings.Contains(got.Reason, test.want) {
			t.Errorf("Score(%q) = %+v, %v, want NaN because %s", test.smiles, got, err, test.want)
		}
	}
}

func TestOracle(t *testing.T) {
	needRDKit(t)
	for _, task := range []string{"osmb", "valt", "shop", "qed"} {
		t.Run(task, func(t *testing.T) {
			valid := []string{albuterol, aripiprazole, fexofenadine, ranolazine, sildenafil, zaleplon}
			oracletest.Run(t, newOracle(t, task), valid, []string{"C1CC", ""})
		})
	}
}

// Scores are within the bounds of the task, also for small and unusual molecules.
func TestScoreIsWithinBounds(t *testing.T) {
	needRDKit(t)
	for _, task := range guacamol.Tasks() {
		o := newOracle(t, task.Name)
		for _, smiles := range []string{"[H][H]", "[Na+].[Cl-]", "*", "C", "[U]", "N", "C1CC1.O", strings.Repeat("C", 200), sildenafil} {
			m := parse(t, smiles)
			if x := o.ScoreMolecule(m); !(task.Min <= x && x <= task.Max) {
				t.Errorf("%s of %s: %g is not within [%g, %g]", task.Name, smiles, x, task.Min, task.Max)
			}
		}
	}
}

// Scores do not depend on the order of the atoms.
func TestScoreOfReorderedAtoms(t *testing.T) {
	needRDKit(t)
	for _, task := range guacamol.Tasks() {
		o := newOracle(t, task.Name)
		for _, smiles := range []string{albuterol, aripiprazole, fexofenadine, ranolazine, sildenafil, zaleplon} {
			m := parse(t, smiles)
			canonical := parse(t, m.SMILES())
			if a, b := o.ScoreMolecule(m), o.ScoreMolecule(canonical); !(math.Abs(a-b) <= 1e-12) {
				t.Errorf("%s of %s is %g, of %s %g", task.Name, smiles, a, m.SMILES(), b)
			}
		}
	}
}

func TestNew(t *testing.T) {
	needRDKit(t)
	for _, name := range []string{"med2", "MED2", "Median molecules 2", "median Molecules 2"} {
		if got := newOracle(t, name).Task.Name; got != "med2" {
			t.Errorf("New(%q) is %s", name, got)
		}
	}
	for _, task := range guacamol.Tasks() { // names are unique
		for _, name := range []string{task.Name, task.Title} {
			if got := newOracle(t, name).Task.Name; got != task.Name {
				t.Errorf("New(%q) is %s, want %s", name, got, task.Name)
			}
		}
	}
}

func TestNewOfNoTask(t *testing.T) {
	_, err := guacamol.New("med3")
	if err == nil || !strings.Contains(err.Error(), `no such molecule task: "med3"; the tasks are celecoxib_rediscovery, `) {
		t.Errorf("New(med3): %v, want the names that there are", err)
	}
}

func TestNewWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := guacamol.New("med2"); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("New(med2): %v, want %v", err, molecule.ErrNoRDKit)
	}
}

// The score is the geometric mean of its components, which are from 0 to 1.
func TestComponents(t *testing.T) {
	needRDKit(t)
	n := map[string]int{}
	for _, task := range guacamol.Tasks() {
		o := newOracle(t, task.Name).WithComponents()
		got, err := oracle.One(t.Context(), o, sildenafil)
		if err != nil || len(got.Others) != len(task.Components) {
			t.Fatalf("%s: %+v, %v, want components %v", task.Name, got, err, task.Components)
		}
		product := 1.0
		for _, name := range task.Components {
			v, ok := got.Others[name]
			if !ok || !(v >= 0 && v <= 1) {
				t.Errorf("%s: component %s is %g", task.Name, name, v)
			}
			product *= v
		}
		if want := math.Pow(product, 1/float64(len(task.Components))); task.Components != nil && got.Score != want {
			t.Errorf("%s: score %g, want %g", task.Name, got.Score, want)
		}
		n[task.Name] = len(task.Components)
	}
	if n["osmb"] != 4 || n["fexo"] != 3 || n["rano"] != 4 || n["med2"] != 0 {
		t.Errorf("numbers of components: %v", n)
	}
}
