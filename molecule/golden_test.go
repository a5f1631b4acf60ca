package molecule_test

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
)

// golden reads a file of reference values made with RDKit 2022.09.3; its README says how.
func golden(t *testing.T, name string) []byte {
	t.Helper()
	b, err := io.ReadAll(shared.Open(t, "golden/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rows splits a file of tab-separated values.
func rows(b []byte) [][]string {
	var rows [][]string
	for line := range strings.Lines(string(b)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func TestGoldenDetails(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	var details []struct {
		SMILES         string
		Canonical      string
		Atoms          []string
		Aromatic       []int
		TotalH         []int `json:"total_h"`
		Charge         []int
		InRing         []int `json:"in_ring"`
		Hybridization  []string
		Bonds          [][]float64
		Rings          [][]int
		LogP           float64
		TPSA           float64
		Rotatable      int
		NumRings       int      `json:"num_rings"`
		NumAromatic    int      `json:"num_aromatic_rings"`
		ECFPInvariants []uint64 `json:"ecfp_invariants"`
		Fingerprints   map[string]map[string]uint32
	}
	if err := json.Unmarshal(golden(t, "mol_details.json.gz"), &details); err != nil {
		t.Fatal(err)
	}
	if len(details) != 165 {
		t.Errorf("%d molecules, want 165", len(details))
	}
	hybridizations := map[string]molecule.Hybridization{"UNSPECIFIED": 0, "S": molecule.S, "SP": molecule.SP, "SP2": molecule.SP2,
		"SP3": molecule.SP3, "SP2D": 5, "SP3D": 6, "SP3D2": 7, "OTHER": 8}
	for _, want := range details {
		m := parse(t, want.SMILES)
		if !strings.ContainsAny(want.SMILES, `@/\`) { // the reference is without stereochemistry
			same(t, want.SMILES, m.SMILES(), want.Canonical)
			if reference() {
				equal(t, want.SMILES, "SMILES", m.SMILES(), want.Canonical)
			}
		}
		near(t, want.SMILES, "LogP", m.LogP(), want.LogP)
		near(t, want.SMILES, "TPSA", m.TPSA(), want.TPSA)
		equal(t, want.SMILES, "RotatableBonds", m.RotatableBonds(), want.Rotatable)
		equal(t, want.SMILES, "Rings", m.Rings(), want.NumRings)
		equal(t, want.SMILES, "AromaticRings", m.AromaticRings(), want.NumAromatic)

		g := m.Graph()
		equal(t, want.SMILES, "atoms", len(g.Atoms), len(want.Atoms))
		equal(t, want.SMILES, "bonds", len(g.Bonds), len(want.Bonds))
		degrees := make([]int, len(g.Atoms))
		for i, b := range want.Bonds {
			equal(t, want.SMILES, "bond", g.Bonds[i], molecule.Bond{Begin: int(b[0]), End: int(b[1]), Order: b[2],
				Aromatic: b[2] == 1.5, InRing: b[3] == 1, Conjugated: b[4] == 1})
			degrees[int(b[0])]++
			degrees[int(b[1])]++
		}
		for i, a := range g.Atoms {
			equal(t, want.SMILES, "atom", a, molecule.Atom{Number: a.Number, Isotope: a.Isotope, Charge: want.Charge[i], Hydrogens: want.TotalH[i],
				Degree: degrees[i], Hybridization: hybridizations[want.Hybridization[i]], Aromatic: want.Aromatic[i] == 1, InRing: want.InRing[i] == 1})
			if radius0 := m.ECFP(0); !slices.Contains(radius0.IDs, want.ECFPInvariants[i]) {
				t.Errorf("%s: atom %d: invariant %d is not in ECFP(0)", want.SMILES, i, want.ECFPInvariants[i])
			}
		}
		if !slices.EqualFunc(g.Rings, want.Rings, slices.Equal) {
			t.Errorf("%s: Rings = %v, want %v", want.SMILES, g.Rings, want.Rings)
		}
		for name, got := range map[string]molecule.Counts{"ECFP4": m.ECFP(2), "ECFP6": m.ECFP(3), "FCFP4": m.FCFP(2), "FCFP6": m.FCFP(3), "AP": m.AtomPairs()} {
			wanted := want.Fingerprints[name]
			equal(t, want.SMILES, name+" features", len(got.IDs), len(wanted))
			for i, id := range got.IDs {
				equal(t, want.SMILES, name+" count of "+strconv.FormatUint(id, 10), got.N[i], wanted[strconv.FormatUint(id, 10)])
			}
		}
		m.Close()
	}
}

func TestGoldenScores(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	records, err := csv.NewReader(strings.NewReader(string(golden(t, "guacamol_scores.csv.gz")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, records := records[0], records[1:]
	equal(t, "file", "rows", len(records), 3000)
	osimertinib := parse(t, "COc1cc(N(C)CCN(C)C)c(NC(=O)C=C)cc1Nc2nccc(n2)c3cn(C)c4ccccc34")
	kinds := map[string]func(*molecule.Molecule) molecule.Counts{
		"ECFP4": func(m *molecule.Molecule) molecule.Counts { return m.ECFP(2) },
		"ECFP6": func(m *molecule.Molecule) molecule.Counts { return m.ECFP(3) },
		"FCFP4": func(m *molecule.Molecule) molecule.Counts { return m.FCFP(2) },
		"FCFP6": func(m *molecule.Molecule) molecule.Counts { return m.FCFP(3) },
		"AP":    (*molecule.Molecule).AtomPairs,
	}
	for i, record := range records {
		if testing.Short() && i%10 != 0 {
			continue
		}
		row := map[string]string{}
		for i, name := range header {
			row[name] = record[i]
		}
		smiles := row["smiles"]
		m, err := molecule.Parse(smiles)
		if accepted := row["valid"] == "1"; accepted != (err == nil) {
			t.Errorf("%s: accepted %t, want %t", smiles, !accepted, accepted)
		}
		if err != nil {
			continue
		}
		wantInt := func(column string, got int) { equal(t, smiles, column, strconv.Itoa(got), row[column]) }
		wantFloat := func(column string, got float64) {
			want, err := strconv.ParseFloat(row[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			near(t, smiles, column, got, want)
		}
		wantFloat("logp", m.LogP())
		wantFloat("tpsa", m.TPSA())
		wantInt("num_rings", m.Rings())
		wantInt("num_aromatic_rings", m.AromaticRings())
		wantInt("num_rotatable_bonds", m.RotatableBonds())
		wantInt("atoms_with_h", m.Atoms())
		equal(t, smiles, "mol_formula", m.Formula(), row["mol_formula"])
		for kind, fingerprint := range kinds {
			c := fingerprint(m)
			wantInt("nnz_"+kind, len(c.IDs))
			wantInt("total_"+kind, c.Total())
			wantFloat("sim_osimertinib_"+kind, molecule.Tanimoto(c, fingerprint(osimertinib)))
		}
		m.Close()
	}
}

func TestGoldenValidity(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	table := rows(golden(t, "smiles_validity.tsv.gz"))
	equal(t, "file", "rows", len(table), 20000)
	for _, row := range table {
		m, err := molecule.Parse(row[0])
		if err == nil {
			m.Close()
			equal(t, row[0], "accepted", "1", row[1])
			continue
		}
		equal(t, row[0], "accepted", "0", row[1])
	}
}

func TestGoldenAtoms(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	table := rows(golden(t, "atom_flags.tsv.gz"))[1:]
	equal(t, "file", "rows", len(table), 8000)
	for _, row := range table {
		m := parse(t, row[0])
		var aromatic, hydrogens, hybridization, inRing strings.Builder
		for _, a := range m.Graph().Atoms {
			aromatic.WriteByte(bit(a.Aromatic))
			hydrogens.WriteString(strconv.Itoa(a.Hydrogens))
			hybridization.WriteByte("u0123d45o"[a.Hybridization])
			inRing.WriteByte(bit(a.InRing))
		}
		equal(t, row[0], "aromatic", aromatic.String(), row[2])
		equal(t, row[0], "hydrogens", hydrogens.String(), row[3])
		equal(t, row[0], "hybridization", hybridization.String(), row[4])
		equal(t, row[0], "in ring", inRing.String(), row[5])
		equal(t, row[0], "rings", strconv.Itoa(m.Rings()), row[6])
		equal(t, row[0], "aromatic rings", strconv.Itoa(m.AromaticRings()), row[7])
		equal(t, row[0], "formula", m.Formula(), row[8])
		m.Close()
	}
}

func bit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}

func equal[T comparable](t *testing.T, smiles, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s = %v, want %v", smiles, what, got, want)
	}
}

// near allows a relative error of 1e-9: the references have ten digits.
func near(t *testing.T, smiles, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s: %s = %.17g, want %.17g", smiles, what, got, want)
	}
}
