package molecule_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule/library"
)

// Environments are those of RDKit.
func TestEnvironments(t *testing.T) {
	needRDKit(t)
	smiles := []string{"C", "CC", "CO", "C=O.CC", "[Na+].[Cl-]", "[13CH4]", "[2H]O", "[H][H]", "[NH3]->[Cu]", "C~C", "C$C", "*C", "C[C@H](N)F", "C[N+](=O)[O-]", "[CH3-]", "c1cc[nH]c1"}
	all := library.SMILES()
	for i := 0; i < len(all); i += 20 {
		smiles = append(smiles, all[i])
	}
	for _, s := range smiles {
		m := parse(t, s)
		if got, want := m.Environments(), m.ECFP(1).IDs; !slices.Equal(got, want) {
			t.Errorf("Environments of %s = %d, want %d", s, got, want)
		}
		m.Close()
	}
}

func BenchmarkEnvironments(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	m.Graph()
	for name, call := range map[string]func(){"Environments": func() { m.Environments() }, "ECFP": func() { m.ECFP(1) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call()
			}
		})
	}
}
