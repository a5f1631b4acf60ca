package core_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// What nearly all groups at a point have, and those of other molecules have not, is in common.
func TestCommon(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name, core, group string // a molecule but for its group
		groups            []string
		want              map[int]string
	}{
		{"amides of an acid", "c1ccc(C(=O)[*:1])cc1", "%sC(=O)c1ccccc1", []string{"CN", "CCN", "C1CCN1", "CCN(C)", "N", "OCCN", "C=CCN", "C1CCN(C)C1N", "CC(C)N", "FCCN", "C1CN1", "CCCN"}, map[int]string{1: "[#0]~[#7]"}},
		{"esters of a phenol", "c1ccc(O[*:1])cc1", "c1ccccc1O%s", []string{"C(C)=O", "C(=O)CC", "C(=O)NC", "P(=O)(O)O", "C(=O)OC", "C(=O)C1CC1", "S(C)(=O)=O", "C(=O)CN"}, map[int]string{1: "[#0]~[$(*=[#7,#8,#16])]"}},
		{"one of ten is another thing", "c1ccc(O[*:1])cc1", "c1ccccc1O%s", []string{"C(C)=O", "C(=O)CC", "C(=O)NC", "P(=O)(O)O", "C(=O)OC", "C(=O)C1CC1", "S(C)(=O)=O", "C(=O)CN", "C(=O)CO", "CC"}, map[int]string{1: "[#0]~[$(*=[#7,#8,#16])]"}},
		{"the best one is another thing", "c1ccc(O[*:1])cc1", "c1ccccc1O%s", []string{"CC", "C(=O)CC", "C(=O)NC", "P(=O)(O)O", "C(=O)OC", "C(=O)C1CC1", "S(C)(=O)=O", "C(=O)CN", "C(=O)CO", "C(C)=O"}, map[int]string{1: "[#0]~[!#1]"}},
		{"substituents of a ring", "c1ccc([*:1])cc1", "c1ccccc1%s", []string{"F", "Cl", "C", "CC", "OC", "N(C)C", "C#N", "CF", "[H]", "c1ccccc1"}, map[int]string{}},
		{"hydrogens, most often", "c1ccc([*:1])cc1", "c1ccccc1%s", append(slices.Repeat([]string{"[H]"}, 19), "C"), map[int]string{}},
		{"too few", "c1ccc(O[*:1])cc1", "c1ccccc1O%s", []string{"C(C)=O", "C(=O)CC"}, map[int]string{}},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		var known []string
		for _, g := range test.groups {
			smiles, err := molecule.Canonical(fmt.Sprintf(test.group, g))
			if err != nil {
				t.Fatal(err)
			}
			known = append(known, smiles)
		}
		if got, err := arranged(t, c, nil, nil, known).Common(t.Context(), known, molecules.BuiltIn().Sample); err != nil || !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}
