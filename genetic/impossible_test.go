package genetic

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/molecule"
)

func TestImpossible(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		edit         molecule.Edit
		want         bool
	}{
		{"carbon with four bonds", "CC(C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{bond(1, 4, 1)}}, false},
		{"carbon with five bonds", "CC(C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{bond(1, 4, 2)}}, true},
		{"one bond fewer", "CC(C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{bond(1, 4, 2)}, Remove: []int{0}}, false},
		{"nitrogen with four bonds", "CN(C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{bond(1, 4, 1)}}, true},
		{"charged nitrogen", "C[NH+](C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{bond(1, 4, 1)}}, false},
		{"a nitro group as RDKit mends it", "CN=O", molecule.Edit{Add: []int{8}, Link: []molecule.Link{bond(1, 3, 2)}}, false},
		{"oxygen with three bonds", "COC", molecule.Edit{Link: []molecule.Link{bond(0, 1, 2)}}, true},
		{"sulfur may", "CSC", molecule.Edit{Link: []molecule.Link{bond(0, 1, 2)}}, false},
		{"carbon becomes oxygen", "CC(C)C", molecule.Edit{Change: []molecule.Element{{Atom: 1, Number: 8}}}, true},
		{"a ring of 6", "CCCCCC", molecule.Edit{Link: []molecule.Link{bond(0, 5, 1)}}, false},
		{"a ring of 7", "CCCCCCC", molecule.Edit{Link: []molecule.Link{bond(0, 6, 1)}}, true},
		{"a bond across a ring of 7", "C1CCCCCC1", molecule.Edit{Link: []molecule.Link{bond(0, 3, 1)}}, false},
		{"another order in a ring of 7", "C1CCCCCC1", molecule.Edit{Link: []molecule.Link{bond(0, 1, 2)}}, true},
		{"a ring cut open", "C1CCCCCC1", molecule.Edit{Link: []molecule.Link{bond(0, 1, 0)}}, false},
	}
	for _, test := range tests {
		s := sketchOf(parse(t, test.smiles).Graph(), test.edit)
		if got := s.impossible(); got != test.want {
			t.Errorf("%s: impossible(%s, %+v) = %t", test.name, test.smiles, test.edit, got)
		}
	}
}

// RDKit rejects the edits that are impossible, or their results fail ringsOK.
func TestImpossibleIsNeverMade(t *testing.T) {
	needRDKit(t)
	b := mustBreeder(t, Options{})
	refused, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p, q := rapid.SampledFrom(seeds).Draw(t, "p"), rapid.SampledFrom(seeds).Draw(t, "q")
		pair := map[string]*parent{p: b.read(p), q: b.read(q)}
		both := merged(t, pair[p], pair[q])
		defer both.Close()
		i := rapid.IntRange(0, len(b.mutations)-1).Draw(t, "mutation")
		var edits []molecule.Edit
		if places := b.places[i].in(surroundingsOf(both.Graph())); len(places) > 0 {
			edits = b.mutations[i].edits(both.Graph(), places, rng)
		}
		for _, cutter := range []func(*parent, *rand.Rand) (cut, bool){cutChain, cutRing} {
			first, ok1 := cutter(pair[p], rng)
			second, ok2 := cutter(pair[q], rng)
			if ok1 && ok2 {
				edits = append(edits, joins(first, second)...)
			}
		}
		for _, e := range edits {
			all++
			if s := sketchOf(both.Graph(), e); !s.impossible() && !s.strained() {
				continue
			}
			refused++
			child, err := both.Edit(e)
			if err != nil {
				continue
			}
			if b.ringsOK(child, usualRing) {
				t.Errorf("%s and %s: %+v is impossible, and gives %s", p, q, e, child.SMILES())
			}
			child.Close()
		}
	})
	if refused == 0 { // with random seeds no share is certain
		t.Errorf("none of %d edits is impossible; the test is not about anything", all)
	}
}
