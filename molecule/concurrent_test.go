package molecule_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// describeAll returns everything that concurrent goroutines must agree on.
func describeAll(m *molecule.Molecule, patterns []*molecule.Pattern) string {
	var b strings.Builder
	fmt.Fprint(&b, m.SMILES(), m.Formula(), m.LogP(), m.TPSA(), m.Weight(), m.RotatableBonds(),
		m.ECFP(2), m.FCFP(3), m.AtomPairs(), m.Graph())
	for _, p := range patterns {
		fmt.Fprint(&b, p.Matches(m, false))
	}
	svg, err := molecule.Draw([]molecule.Drawing{{m, "x"}, {m, "y"}}, 2, 100)
	fmt.Fprint(&b, string(svg), err)
	return b.String()
}

// TestConcurrent shares molecules and patterns between goroutines, which also parse valid and invalid SMILES.
func TestConcurrent(t *testing.T) {
	needRDKit(t)
	t.Parallel()
	smiles := []string{"CC(=O)Oc1ccccc1C(=O)O", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "C[C@H](N)C(=O)O", osimertinib}
	var patterns []*molecule.Pattern
	for _, smarts := range []string{"[$([N;!H0;v3]),$([n;H1;+0]),$([O;$(O=C)])]", "c1ccccc1", "*~*~*"} {
		p, err := molecule.CompilePattern(smarts)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	want := make([]string, len(smiles))
	shared := make([]*molecule.Molecule, len(smiles))
	for i, s := range smiles {
		shared[i] = parse(t, s)
		want[i] = describeAll(parse(t, s), patterns)
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for k := range 8 {
				i := (g + k) % len(smiles)
				if got := describeAll(shared[i], patterns); got != want[i] {
					t.Errorf("%s: described beside others\n%s\nalone\n%s", smiles[i], got, want[i])
				}
				own, err := molecule.Parse(smiles[i])
				if err != nil {
					t.Errorf("%s: %v", smiles[i], err)
					continue
				}
				if got := describeAll(own, patterns); got != want[i] {
					t.Errorf("%s: one's own molecule described\n%s\nalone\n%s", smiles[i], got, want[i])
				}
				own.Close()
				bad := fmt.Sprintf("C%dCC[", g)
				if _, err := molecule.Parse(bad); err == nil || err.Error() != "SMILES Parse Error: syntax error" {
					t.Errorf("%s: error %v", bad, err)
				}
			}
		})
	}
	wg.Wait()
}
