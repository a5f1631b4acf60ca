package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule/library"
)

// Fingerprints are those of RDKit, whichever way they are computed.
func TestECFP(t *testing.T) {
	needRDKit(t)
	smiles := []string{
		"C", "CC", "CO", "CCC", "C=O.CC", "[Na+].[Cl-]", "[13CH4]", "[2H]O", "[H][H]", "[NH3]->[Cu]", "C~C", "C$C", "*C", "C[C@H](N)F", "C[N+](=O)[O-]", "[CH3-]", "c1cc[nH]c1",
		"C1CC1", "C12C3C4C1C5C2C3C45", "CC(C)(C)C", strings.Repeat("C", 150), "C1CCCCCCCCCCCCCCC1", "c1ccc2ccccc2c1",
	}
	all := library.SMILES()
	for i := 0; i < len(all); i += 20 {
		smiles = append(smiles, all[i])
	}
	for _, s := range smiles {
		m := parse(t, s)
		for radius := range 5 {
			if got, want := m.ECFP(radius), m.RDKitECFP(radius); !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.N, want.N) {
				t.Errorf("ECFP(%d) of %s = %d, want %d", radius, s, got, want)
			}
		}
		m.Close()
	}
}

func BenchmarkECFP(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	m.Graph()
	for name, call := range map[string]func(){"Go": func() { m.ECFP(2) }, "RDKit": func() { m.RDKitECFP(2) }, "Environments": func() { m.Environments() }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call()
			}
		})
	}
}
