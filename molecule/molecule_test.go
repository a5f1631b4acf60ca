package molecule_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// needRDKit skips the test in a build without RDKit.
func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

// same compares molecules by the canonical SMILES of this RDKit: the text depends on its version.
func same(t *testing.T, name, got, want string) {
	t.Helper()
	a, errA := molecule.Canonical(got)
	b, errB := molecule.Canonical(want)
	if errA != nil || errB != nil || a != b {
		t.Errorf("%s: %s (%v), want %s (%v)", name, got, errA, want, errB)
	}
	if a != got {
		t.Errorf("%s: %s is not canonical, which is %s", name, got, a)
	}
}

// reference reports whether this RDKit is of the version that reasons of errors are taken from.
func reference() bool { return strings.HasPrefix(molecule.Version(), "2022.09.") }

// isLine reports whether an error says something, on one line.
func isLine(err error) bool {
	return err != nil && err.Error() != "" && !strings.ContainsAny(err.Error(), "\r\n")
}

func parse(t testing.TB, smiles string) *molecule.Molecule {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return m
}

// TestWithoutRDKit runs only in builds without the tag.
func TestWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := molecule.Parse("C"); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("Parse: %v, want ErrNoRDKit", err)
	}
	if _, err := molecule.CompilePattern("C"); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("CompilePattern: %v, want ErrNoRDKit", err)
	}
	for _, how := range []string{"apt-get install librdkit-dev libboost-dev", "brew install", "conda install", "-tags rdkit"} {
		if text := molecule.ErrNoRDKit.Error(); !strings.Contains(text, how) || strings.ContainsAny(text, ".\n") {
			t.Errorf("%q is not one sentence that says %q", text, how)
		}
	}
}

func TestDescriptors(t *testing.T) {
	needRDKit(t)
	// Formulas, weights and counts are by hand; logP and TPSA are sums over the tables of Wildman & Crippen and of
	// Ertl et al., in benzene 6·(0.1581 + 0.1230).
	tests := []struct {
		name, smiles, formula             string
		weight, logP, tpsa                float64
		rings, aromatic, rotatable, atoms int
	}{
		{"benzene", "c1ccccc1", "C6H6", 78.114, 1.6866, 0, 1, 1, 0, 12},
		{"ethanol", "CCO", "C2H6O", 46.069, -0.0014, 20.23, 0, 0, 0, 9},
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", "C9H8O4", 180.159, 1.3101, 9.23 + 2*17.07 + 20.23, 1, 1, 2, 21},
		{"caffeine", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "C8H10N4O2", 194.194, -1.0293, 3*4.93 + 12.89 + 2*17.07, 2, 2, 0, 24},
		{"ibuprofen", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "C13H18O2", 206.285, 3.0732, 17.07 + 20.23, 1, 1, 4, 33},
		{"cubane", "C12C3C4C1C5C2C3C45", "C8H8", 104.152, math.NaN(), 0, 6, 0, 0, 16}, // five rings are independent, six alike
		{"salt", "[Na+].[Cl-]", "ClNa", 58.443, math.NaN(), 0, 0, 0, 0, 2},
		{"heavy water", "[2H]O[2H]", "H2O", 20.027, math.NaN(), 31.5, 0, 0, 0, 3},
	}
	for _, test := range tests {
		m := parse(t, test.smiles)
		equal(t, test.name, "Formula", m.Formula(), test.formula)
		equal(t, test.name, "Rings", m.Rings(), test.rings)
		equal(t, test.name, "AromaticRings", m.AromaticRings(), test.aromatic)
		equal(t, test.name, "RotatableBonds", m.RotatableBonds(), test.rotatable)
		equal(t, test.name, "Atoms", m.Atoms(), test.atoms)
		near(t, test.name, "TPSA", m.TPSA(), test.tpsa)
		if got := m.Weight(); !(math.Abs(got-test.weight) <= 0.002) { // tables of weights differ in the last digit
			t.Errorf("%s: Weight = %g, want %g", test.name, got, test.weight)
		}
		if got := m.LogP(); !math.IsNaN(test.logP) && !(math.Abs(got-test.logP) <= 1e-9) {
			t.Errorf("%s: LogP = %.17g, want %g", test.name, got, test.logP)
		}
	}
}

func TestHeavyAtoms(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]int{"CCO": 3, "[2H]OC": 2, "[H][H]": 0, "*CC": 2, "[Na+].[Cl-]": 2} {
		equal(t, smiles, "HeavyAtoms", parse(t, smiles).HeavyAtoms(), want)
	}
}

func TestSMILES(t *testing.T) {
	needRDKit(t)
	tests := []struct{ name, smiles, want string }{
		{"another order", "C(C)O", "CCO"},
		{"Kekulé", "C1=CC=CC=C1", "c1ccccc1"},
		{"explicit hydrogens", "[H]C([H])([H])[H]", "C"},
		{"chiral", "N[C@@H](C)C(=O)O", "C[C@H](N)C(=O)O"},
		{"double bond", "F\\C=C\\F", "F/C=C/F"},
		{"isotope", "[13CH4]", "[13CH4]"},
		{"two molecules", "[Na+].[Cl-]", "[Cl-].[Na+]"},
	}
	for _, test := range tests {
		same(t, test.name, parse(t, test.smiles).SMILES(), test.want)
	}
}

func TestParseErrors(t *testing.T) {
	needRDKit(t)
	tests := []struct{ name, smiles, reason string }{
		{"empty", "", "no atoms"},
		{"valence", "CN(C)(C)(C)C", "Explicit valence for atom # 1 N, 5, is greater than permitted"},
		{"no Kekulé form", "c1cccc1", "Can't kekulize mol. Unkekulized atoms: 0 1 2 3 4"},
		{"aromatic chain", "c1ccccc1c", "non-ring atom 6 marked aromatic"},
		{"aromatic bond of a halogen", "[B]:[Cl-]", "explicit valence exceeds atom degree"},
		{"open bracket", "C(", "SMILES Parse Error: syntax error"},
		{"open ring", "C1CC", "SMILES Parse Error: unclosed ring"},
		{"no element", "[Xx]", "SMILES Parse Error: syntax error"},
		{"name", "C methane", "byte 1 (0x20) is a space or not printable ASCII"},
		{"NUL", "C\x00C", "byte 1 (0x00) is a space or not printable ASCII"},
		{"no ASCII", "Cé", "byte 1 (0xc3) is a space or not printable ASCII"},
		{"ten megabytes", strings.Repeat("(", 10<<20), "10485760 bytes long; the limit is 1000"},
	}
	for _, test := range tests {
		_, err := molecule.Parse(test.smiles)
		if !isLine(err) {
			t.Errorf("%s: error %v, want one line", test.name, err)
		} else if reference() {
			equal(t, test.name, "Error", err.Error(), test.reason)
		}
	}
	parse(t, strings.Repeat("*.", molecule.MaxLength/2-1)+"**") // the longest
}

func TestClose(t *testing.T) {
	needRDKit(t)
	m := parse(t, "C")
	m.Close()
	m.Close()
	defer func() {
		if recover() == nil {
			t.Error("LogP after Close did not panic")
		}
	}()
	m.LogP()
}
