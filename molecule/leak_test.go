package molecule_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// TestNoLeak repeats each call so often that losing a single small allocation per call would exceed the bound three times.
// It must not run in parallel with other tests.
func TestNoLeak(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	if resident(t) == 0 {
		t.Skip("needs /proc/self/statm")
	}
	m := parse(t, "CCO") // small, to be quick
	p, err := molecule.CompilePattern("C[OH]")
	if err != nil {
		t.Fatal(err)
	}
	isotope, err := molecule.CompilePattern("[1000C]") // which no screen takes
	if err != nil {
		t.Fatal(err)
	}
	oxidation, err := molecule.CompileReaction("[C:1][OH:2]>>[C:1]=[O:2]")
	if err != nil {
		t.Fatal(err)
	}
	esterification, err := molecule.CompileReaction("[C:1](=[O:2])[OH].[OH:3][C:4]>>[C:1](=[O:2])[O:3][C:4]")
	if err != nil {
		t.Fatal(err)
	}
	screen, err := molecule.NewScreen([]*molecule.Pattern{p}, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	must := func(m *molecule.Molecule, err error) *molecule.Molecule {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	core, err := molecule.ParseCore("CC([*:1])O")
	if err != nil {
		t.Fatal(err)
	}
	const bound = 96 << 10
	tests := []struct {
		name  string
		bytes int // of the smallest thing to lose, as malloc rounds it
		call  func()
	}{
		{"parse", 2000, func() { parse(t, "CCO").Close() }},
		{"cut and join", 300, func() { // a molecule at least
			pieces, err := m.Cut(molecule.Cut{Begin: 0, End: 1, Label: 1})
			if err == nil {
				_, err = molecule.Join(pieces...)
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"a core with the configuration of a molecule", 300, func() {
			if _, why := core.Fit("C[C@H](F)O"); why != molecule.NoMisfit {
				t.Fatal("no core")
			}
		}},
		{"run", 300, func() { // likewise
			if _, err := oxidation.Run("CCO"); err != nil {
				t.Fatal(err)
			}
		}},
		{"run with two reactants", 300, func() {
			if products, err := esterification.Run("CC(=O)O", "OC"); err != nil || len(products) == 0 {
				t.Fatal(products, err)
			}
		}},
		{"a reaction with bad syntax", 64, func() { molecule.CompileReaction("[C:1]>>[C:1") }},
		{"screen", 2000, func() {
			if _, err := molecule.NewScreen([]*molecule.Pattern{p}, nil); err != nil {
				t.Fatal(err)
			}
		}},
		{"screen for what cannot be", 2000, func() {
			if _, err := molecule.NewScreen([]*molecule.Pattern{p, isotope}, nil); err == nil {
				t.Fatal("no error")
			}
		}},
		{"In", 32, func() { screen.In(m) }},
		{"Any", 32, func() { screen.Any(m) }},
		{"Stereocenters", 32, func() { m.Stereocenters() }},
		{"Undefined", 32, func() { m.Undefined() }},
		{"Bridges", 32, func() { m.Bridges() }},
		{"a core", 2000, func() {
			c, err := molecule.ParseCore("C[*:1]")
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := c.Groups("CO"); !ok {
				t.Fatal("no groups")
			}
		}},
		{"a core that is none", 64, func() { molecule.ParseCore("C([*:1]") }},
		{"compile a reaction", 2000, func() {
			if _, err := molecule.CompileReaction("[C:1]>>[C:1]"); err != nil {
				t.Fatal(err)
			}
		}},
		{"sites", 32, func() { m.Sites([]*molecule.Pattern{p}) }},
		{"parse, left to the garbage collector", 2000, func() { parse(t, "CCO") }},
		{"bad syntax", 64, func() { molecule.Parse("C(") }},
		{"bad valence", 112, func() { molecule.Parse("CN(C)(C)(C)C") }},
		{"strings", 32, func() { m.Formula() }},
		{"numbers", 2000, func() { n := parse(t, "CCO"); n.LogP(); n.Close() }},
		{"FCFP", 96, func() { m.FCFP(2) }},
		{"AtomPairs", 64, func() { m.AtomPairs() }},
		{"Graph", 300, func() { n := parse(t, "CCO"); n.Graph(); n.Close() }},
		{"Matches", 32, func() { p.Matches(m, true) }},
		{"CompilePattern", 1000, func() { molecule.CompilePattern("C[OH]") }},
		{"Kekule", 2000, func() { must(m.Kekule()).Close() }},
		{"Merge", 2000, func() { must(molecule.Merge(m, m)).Close() }},
		{"Edit", 32, func() { must(m.Edit(molecule.Edit{Remove: []int{0}})).Close() }},
		{"BlockSMILES", 32, func() { molecule.BlockSMILES(chain(2)) }},
		{"a canonical form that is read", 32, func() { molecule.Canonical("[Na]") }},
		{"Vaguer", 2000, func() { molecule.Vaguer("FC=C/C=C/F", "F/C=C/C=C/F") }},
		{"Block", 32, func() { m.Block() }},
		{"Neutral", 2000, func() { must(m.Neutral()).Close() }},
		{"Draw", 2000, func() { molecule.Draw([]molecule.Drawing{{m, "x"}}, 1, 100) }},
	}
	runtime.LockOSThread() // one thread, one arena of malloc
	defer runtime.UnlockOSThread()
	for _, test := range tests {
		times := 3 * bound / test.bytes
		repeat := func() {
			for i := range times {
				test.call()
				if i%500 == 0 {
					runtime.GC()
				}
			}
			runtime.GC()
		}
		repeat()
		growth := 0
		for range 3 { // a leak grows every time; what malloc and the collector keep in reserve does not
			before := resident(t)
			repeat()
			if growth = resident(t) - before; growth <= bound {
				break
			}
		}
		if growth > bound {
			t.Errorf("%s: %d bytes more after %d calls", test.name, growth, times)
		}
	}
}

// resident returns the resident memory of the process in bytes, 0 if unknown.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, pages int
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
