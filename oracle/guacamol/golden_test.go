package guacamol_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle/guacamol"
)

// column is some columns of the golden scores that one computation gives.
type column struct {
	names              []string
	of                 func(*molecule.Molecule) []float64
	absolute, relative float64 // tolerance
}

// columns returns every column that is a number.
func columns(t *testing.T) []column {
	var all []column
	add := func(name string, absolute, relative float64, of func(*molecule.Molecule) float64) {
		all = append(all, column{[]string{name}, func(m *molecule.Molecule) []float64 { return []float64{of(m)} }, absolute, relative})
	}
	count := func(name string, of func(*molecule.Molecule) int) {
		add(name, 0, 0, func(m *molecule.Molecule) float64 { return float64(of(m)) })
	}
	for _, task := range guacamol.Tasks() {
		absolute, relative := 1e-8, 0.0
		if task.Name == "logp" || task.Name == "qed" {
			absolute, relative = 1e-12, 1e-9 // descriptors
		}
		add(task.Name, absolute, relative, newOracle(t, task.Name).ScoreMolecule)
	}
	add("tpsa", 0, 1e-9, (*molecule.Molecule).TPSA)
	add("bertz", 0, 1e-9, (*molecule.Molecule).Bertz)
	count("num_rings", (*molecule.Molecule).Rings)
	count("num_aromatic_rings", (*molecule.Molecule).AromaticRings)
	count("num_rotatable_bonds", (*molecule.Molecule).RotatableBonds)
	count("heavy_atoms", (*molecule.Molecule).HeavyAtoms)
	count("atoms_with_h", (*molecule.Molecule).Atoms)
	count("num_f", func(m *molecule.Molecule) int {
		n := 0
		for _, a := range m.Graph().Atoms {
			if a.Number == 9 {
				n++
			}
		}
		return n
	})

	osimertinib := parse(t, "COc1cc(N(C)CCN(C)C)c(NC(=O)C=C)cc1Nc2nccc(n2)c3cn(C)c4ccccc34")
	for _, f := range []struct {
		name string
		of   func(*molecule.Molecule) molecule.Counts
	}{
		{"ECFP4", func(m *molecule.Molecule) molecule.Counts { return m.ECFP(2) }},
		{"ECFP6", func(m *molecule.Molecule) molecule.Counts { return m.ECFP(3) }},
		{"FCFP4", func(m *molecule.Molecule) molecule.Counts { return m.FCFP(2) }},
		{"FCFP6", func(m *molecule.Molecule) molecule.Counts { return m.FCFP(3) }},
		{"AP", (*molecule.Molecule).AtomPairs},
	} {
		target := f.of(osimertinib)
		names := []string{"sim_osimertinib_" + f.name, "nnz_" + f.name, "total_" + f.name}
		all = append(all, column{names, func(m *molecule.Molecule) []float64 {
			c := f.of(m)
			return []float64{molecule.Tanimoto(c, target), float64(len(c.IDs)), float64(c.Total())}
		}, 1e-12, 0})
	}

	p, err := molecule.NewPharmacophore()
	if err != nil {
		t.Fatal(err)
	}
	target := p.Fingerprint(osimertinib)
	hop := p.Fingerprint(parse(t, "CCCOc1cc2ncnc(Nc3ccc4ncsc4c3)c2cc1S(=O)(=O)C(C)(C)C"))
	names := []string{"sim_osimertinib_PHCO", "sim_hop_PHCO", "nnz_PHCO"}
	return append(all, column{names, func(m *molecule.Molecule) []float64 {
		c := p.Fingerprint(m)
		return []float64{molecule.Tanimoto(c, target), molecule.Tanimoto(c, hop), float64(len(c.IDs))}
	}, 1e-12, 0})
}

// Every row and every column of golden/guacamol_scores.csv.gz.
func TestGolden(t *testing.T) {
	needRDKit(t)
	rows := golden(t)
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	all := columns(t)
	compared := map[string]bool{"smiles": true, "source": true, "valid": true, "mol_formula": true}
	for _, c := range all {
		for _, name := range c.names {
			compared[name] = true
		}
	}
	if len(compared) != len(at) {
		t.Fatalf("%d columns are compared, want %d", len(compared), len(at))
	}
	for name := range compared {
		if _, ok := at[name]; !ok {
			t.Fatalf("there is no column %s", name)
		}
	}

	check := func(row []string) {
		m, err := molecule.Parse(row[at["smiles"]])
		if valid := row[at["valid"]] == "1"; valid != (err == nil) {
			t.Errorf("Parse(%s): %v, want valid = %t", row[0], err, valid)
		}
		if err != nil {
			return
		}
		defer m.Close()
		if f := m.Formula(); f != row[at["mol_formula"]] {
			t.Errorf("%s: formula %s, want %s", row[0], f, row[at["mol_formula"]])
		}
		for _, c := range all {
			for i, got := range c.of(m) {
				want, err := strconv.ParseFloat(row[at[c.names[i]]], 64)
				if err != nil {
					t.Errorf("%s: %s: %v", row[0], c.names[i], err)
				}
				const printed = 0.5e-9 // relative: ten digits are
				bound := c.absolute + max(c.relative, printed)*math.Abs(want)
				if want == math.Trunc(want) {
					bound = c.absolute + c.relative*math.Abs(want) // as printed
				}
				if !(math.Abs(got-want) <= bound) {
					t.Errorf("%s: %s = %.12g, want %.12g ± %.2g", row[0], c.names[i], got, want, bound)
				}
			}
		}
	}
	rows = rows[1:]
	parallel.For(len(rows), 16, func(lo, hi int) {
		for _, row := range rows[lo:hi] {
			check(row)
		}
	})
}

func golden(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "golden", "guacamol_scores.csv.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs ../shared/golden beside the module")
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
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

func newOracle(t testing.TB, name string) *guacamol.Oracle {
	t.Helper()
	o, err := guacamol.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
