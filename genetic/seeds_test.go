package genetic

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

// seeds are simple molecules to start from: chains, rings, aromatic ones, salts, charges, configurations.
var seeds = []string{
	"CCCCCC", "CCCCCCO", "CC(C)CC(C)(C)C", "CCOC(=O)CC", "CCN(CC)CC", "NCCCCN", "CC(=O)NCCO", "CCSCCCl", "C#CCCCC", "C=CCC=CC",
	"C1CCCCC1", "C1CCNCC1", "C1COCCN1", "C1CC1CCC", "CC1CCCC1=O", "O=C1CCCN1C", "C1CCC2CCCCC2C1", "C1CCCCCC1",
	"Cc1ccccc1", "Oc1ccccc1C", "c1ccc2ccccc2c1", "c1ccncc1CC", "Cc1cc[nH]c1", "Cc1ccco1", "Cc1nccs1", "c1ccc2[nH]ccc2c1", "Cn1cnc2ccccc21",
	"CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccc(O)cc1", "CN1CCCC1c1cccnc1", "NS(=O)(=O)c1ccccc1", "O=[N+]([O-])c1ccccc1", "C[N+](C)(C)CCO",
	"C[C@H](N)C(=O)NCC", "C/C=C/CCC(F)F", "Brc1ccc(Cl)cc1F", "CC(=O)[O-].[Na+]",
}

func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

func parse(t testing.TB, smiles string) *molecule.Molecule {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return m
}

func mustBreeder(t testing.TB, opts Options) *breeder {
	t.Helper()
	b, err := newBreeder(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
