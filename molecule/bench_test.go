package molecule_test

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

// osimertinib is a drug of usual size: 37 heavy atoms.
const osimertinib = "COc1cc(N(C)CCN(C)C)c(NC(=O)C=C)cc1Nc2nccc(n2)c3cn(C)c4ccccc34"

func BenchmarkParse(b *testing.B) {
	needRDKit(b)
	for b.Loop() {
		parse(b, osimertinib).Close()
	}
}

func BenchmarkParseECFP4(b *testing.B) {
	needRDKit(b)
	for b.Loop() {
		m := parse(b, osimertinib)
		m.ECFP(2)
		m.Close()
	}
}

func BenchmarkMethods(b *testing.B) {
	needRDKit(b)
	amide, err := molecule.CompilePattern("[#6]C(=O)[NH]")
	if err != nil {
		b.Fatal(err)
	}
	methods := []struct {
		name string
		call func(*molecule.Molecule)
	}{
		{"SMILES", func(m *molecule.Molecule) { m.SMILES() }},
		{"LogP", func(m *molecule.Molecule) { m.LogP() }},
		{"TPSA", func(m *molecule.Molecule) { m.TPSA() }},
		{"RotatableBonds", func(m *molecule.Molecule) { m.RotatableBonds() }},
		{"FCFP4", func(m *molecule.Molecule) { m.FCFP(2) }},
		{"AtomPairs", func(m *molecule.Molecule) { m.AtomPairs() }},
		{"Graph", func(m *molecule.Molecule) { m.Graph() }},
		{"In", func(m *molecule.Molecule) { amide.In(m) }},
	}
	for _, method := range methods {
		b.Run(method.name, func(b *testing.B) { // of a new molecule each time: RDKit remembers what it computed
			for b.Loop() {
				m := parse(b, osimertinib)
				method.call(m)
				m.Close()
			}
		})
	}
}

func BenchmarkFeatures(b *testing.B) {
	needRDKit(b)
	g := parse(b, osimertinib).Graph()
	for _, f := range []struct {
		name string
		call func()
	}{{"Pairs", func() { g.Pairs(10) }}, {"Shells", func() { g.Shells(3) }}, {"Distances", func() { g.Distances() }}} {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.call()
			}
		})
	}
}

func BenchmarkFamily(b *testing.B) {
	needRDKit(b)
	smiles, err := molecule.Canonical("CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		molecule.Family(smiles)
	}
}
