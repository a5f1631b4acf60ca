package core_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
)

// Of a symmetric core, points have the groups that are within their limits, and otherwise like those of known molecules.
func TestArrangement(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	aryl, err := molecule.CompilePattern("c")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, core string
		limits     map[int]core.Limit
		known      []string
		smiles     string
		want       string
	}{
		{"limits", "[*:1]NC(=O)N[*:2]", map[int]core.Limit{1: {Require: []*molecule.Pattern{aryl}}, 2: {MaxAtoms: 3}}, nil, "CCCNC(=O)NCc1ccccc1", "c1ccc(C[*:1])cc1 CCC[*:2]"},
		{"limits on one atom", "[*:1]C1([*:2])CCNCC1", map[int]core.Limit{1: {MaxAtoms: 1}, 2: {Require: []*molecule.Pattern{aryl}}}, nil, "CC1(c2ccccc2)CCNCC1", "C[*:1] c1ccc([*:2])cc1"},
		{"known molecules", "[*:1]N1CCN([*:2])CC1", nil, []string{"CN1CCN(c2ccc(F)cc2)CC1", "CCN1CCN(c2ccc(Cl)cc2)CC1"}, "FC(F)(F)c1ccc(N2CCN(CCC)CC2)cc1", "CCC[*:1] FC(F)(F)c1ccc([*:2])cc1"},
		{"none fits", "[*:1]NC(=O)N[*:2]", map[int]core.Limit{1: {MaxAtoms: 1}, 2: {MaxAtoms: 1}}, nil, "CCNC(=O)NCC", "CC[*:1] CC[*:2]"},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		groups, ok := core.Arrange(c, nil, test.limits, test.known).Groups(test.smiles)
		if got := strings.Join(groups, " "); !ok || got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if joined, err := c.Join(groups); err != nil || molecule.Family(joined) != molecule.Family(test.smiles) {
			t.Errorf("%s: the groups make %s, %v", test.name, joined, err)
		}
	}
	c, err := molecule.ParseCore("[*:1]NC(=O)N[*:2]")
	if err != nil {
		t.Fatal(err)
	}
	if groups, ok := core.Arrange(c, nil, nil, nil).Groups("CCO"); ok {
		t.Errorf("ethanol has the groups %v of a urea", groups)
	}
}
