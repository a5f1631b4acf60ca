package molecules_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

func TestPropertyNamed(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const aspirin = "CC(=O)Oc1ccccc1C(=O)O"
	m, err := molecule.Parse(aspirin)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for name, want := range map[string]float64{"weight": m.Weight(), "TPSA": m.TPSA(), "logP": m.LogP(), "similarity:" + aspirin: 1, "Similarity:" + aspirin: 1, "rings": 1, "charge": 0} {
		p, err := molecules.PropertyNamed(name)
		if err != nil || p == nil || p(m) != want {
			t.Errorf("%s: %v, want %g", name, err, want)
		}
	}
	if p, err := molecules.PropertyNamed("pIC50"); p != nil || err != nil {
		t.Errorf("there is a property pIC50: %v", err)
	}
	if _, err := molecules.PropertyNamed("similarity:C1CC"); err == nil || !strings.Contains(err.Error(), `similarity to "C1CC": `) {
		t.Errorf("similarity to no molecule: %v", err)
	}
}

// A space describes all molecules with the properties that it knows, those that its operators make, too.
func TestKnownProperties(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	weight, err := molecules.PropertyNamed("weight")
	if err != nil {
		t.Fatal(err)
	}
	space, err := molecules.New([]string{"CCO"}, molecules.Options{Knows: []string{"mass"}, Properties: []molecules.Property{weight}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := space.Read("CCO")
	if err != nil || len(d.Known) != 1 || d.Known[0] < 46 || d.Known[0] > 46.1 || len(space.Knows) != 1 {
		t.Errorf("known %v, %v, want the weight of ethanol", d.Known, err)
	}
}
