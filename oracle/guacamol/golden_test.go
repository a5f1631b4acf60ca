package guacamol_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
)

// column is one or more columns of the golden scores with the function that computes them.
type column struct {
	names              []string
	of                 func(*molecule.Molecule) []float64
	absolute, relative float64 // tolerance
}

// columns returns the columns of all tasks, and of descriptors that are computed in Go.
func columns(t *testing.T) []column {
	var all []column
	add := func(name string, absolute, relative float64, of func(*molecule.Molecule) float64) {
		all = append(all, column{[]string{name}, func(m *molecule.Molecule) []float64 { return []float64{of(m)} }, absolute, relative})
	}
	for _, task := range guacamol.Tasks() {
		if task.Name == "isomers_c7h8n2o2" || task.Name == "sa" {
			continue // the file does not have them
		}
		absolute, relative := 1e-8, 0.0
		if task.Name == "logp" || task.Name == "qed" {
			absolute, relative = 1e-12, 1e-9 // descriptors
		}
		add(task.Name, absolute, relative, newOracle(t, task.Name).ScoreMolecule)
	}
	add("bertz", 0, 1e-9, (*molecule.Molecule).Bertz)
	add("num_f", 0, 0, func(m *molecule.Molecule) float64 {
		n := 0.0
		for _, a := range m.Graph().Atoms {
			if a.Number == 9 {
				n++
			}
		}
		return n
	})

	osimertinib := parse(t, "COc1cc(N(C)CCN(C)C)c(NC(=O)C=C)cc1Nc2nccc(n2)c3cn(C)c4ccccc34").Pharmacophore()
	hop := parse(t, "CCCOc1cc2ncnc(Nc3ccc4ncsc4c3)c2cc1S(=O)(=O)C(C)(C)C").Pharmacophore()
	names := []string{"sim_osimertinib_PHCO", "sim_hop_PHCO", "nnz_PHCO"}
	return append(all, column{names, func(m *molecule.Molecule) []float64 {
		c := m.Pharmacophore()
		return []float64{molecule.Tanimoto(c, osimertinib), molecule.Tanimoto(c, hop), float64(len(c.IDs))}
	}, 1e-12, 0})
}

// Compares every row of golden/guacamol_scores.csv.gz, and the columns that the tests of package molecule do not.
func TestGolden(t *testing.T) {
	needRDKit(t)
	rows := shared.Rows(t, "golden/guacamol_scores.csv.gz")
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	all := columns(t)
	for _, c := range all {
		for _, name := range c.names {
			if _, ok := at[name]; !ok {
				t.Fatalf("there is no column %s", name)
			}
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
	if testing.Short() {
		rows = rows[:300] // the targets, the paper's initial molecules and some like the targets
	}
	parallel.For(len(rows), 16, func(lo, hi int) {
		for _, row := range rows[lo:hi] {
			check(row)
		}
	})
}

// The initial molecules of the paper, with its scores to the last digit. The paper's logp is penalized and not
// compared; fexo is missing.
func TestInitialMolecules(t *testing.T) {
	needRDKit(t)
	rows := shared.Rows(t, "data/guacamol_first_100.csv")
	at := slices.Index(rows[0], "smile")
	for _, name := range []string{"med1", "med2", "osmb", "rano", "pdop", "adip", "siga", "zale", "valt", "dhop", "shop"} {
		o := newOracle(t, name)
		column := slices.Index(rows[0], name)
		for _, row := range rows[1:] {
			want, err := strconv.ParseFloat(row[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			got, err := oracle.One(t.Context(), o, row[at])
			if err != nil || !(math.Abs(got.Score-want) <= 1e-15) {
				t.Errorf("%s of %s: %+v, %v, want %g", name, row[at], got, err, want)
			}
		}
	}
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
