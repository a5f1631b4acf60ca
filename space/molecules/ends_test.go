package molecules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Where a linker joins two ends that are the same in all molecules, as in PROTACs, proposals have these ends, and
// nothing more on them.
func TestEnds(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	linkers := []string{"CC", "CCC", "CCCC", "CCOCC", "CCOCCOCC", "CCNC(=O)CC", "C6CCN(CC)CC6", "Cc6ccc(C)cc6", "CC#CC", "CCCCCCC"}
	const (
		inhibitor = "COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1O%s" // of a kinase, on one side
		binder    = "Nc4%sC(=O)N(C4CCC(=O)NC4=O)C5=O"       // of cereblon, at either of two places
	)
	degraders := func(inhibitor string, linkers ...string) (all []string) {
		for _, linker := range linkers {
			for _, place := range []string{"cccc5c4", "ccc5c(c4)"} {
				all = append(all, fmt.Sprintf(inhibitor, linker+fmt.Sprintf(binder, place)))
			}
		}
		return all
	}
	limits := func(all []string) (l molecules.Limits) {
		common, err := molecules.Series(t.Context(), knowns(all...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range common.Scaffolds {
			p, err := s.Pattern()
			if err != nil {
				t.Fatal(err)
			}
			l.Require = append(l.Require, p)
		}
		return l
	}
	both := limits(degraders(inhibitor, linkers...))
	for name, test := range map[string]struct {
		smiles string
		want   bool
	}{
		"a linker":               {degraders(inhibitor, "CCOCCC")[0], true},
		"at the other place":     {degraders(inhibitor, "CC6CCC(C)CC6")[1], true},
		"ethyl for methyl":       {degraders("C"+inhibitor, "CCOCCC")[0], false},
		"chlorine on one end":    {degraders(strings.Replace(inhibitor, "ncnc", "nc(Cl)nc", 1), "CCOCCC")[0], false},
		"bromine for chlorine":   {degraders(strings.Replace(inhibitor, "Cl", "Br", 1), "CCOCCC")[0], false},
		"methyl on the other":    {strings.Replace(degraders(inhibitor, "CCOCCC")[0], "NC4=O", "N(C)C4=O", 1), false},
		"one of the ends, alone": {fmt.Sprintf(inhibitor, "CCOCCO"), false},
	} {
		if got := both.Met(parse(t, test.smiles)); got != test.want {
			t.Errorf("%s: %s meets what degraders have in common: %t, want %t", name, test.smiles, got, test.want)
		}
	}
	var one []string // end, and on the other side what differs
	for _, linker := range linkers {
		one = append(one, fmt.Sprintf(inhibitor, linker))
	}
	if l := limits(one); !l.Met(parse(t, "C"+fmt.Sprintf(inhibitor, "CCCO"))) {
		t.Error("the substituents of a series hold")
	}
	p, err := molecules.Scaffold{SMILES: "*c1ccccc1O", Closed: true}.Pattern()
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{"Oc1ccccc1": true, "Oc1ccccc1C": true, "Oc1ccccc1C(=O)C": true, "COc1ccccc1": false, "Oc1cccc(C)c1": false} {
		if got := p.In(parse(t, smiles)); got != want {
			t.Errorf("%s is a closed phenol: %t, want %t", smiles, got, want)
		}
	}
}
