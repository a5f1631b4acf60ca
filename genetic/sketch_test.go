package genetic

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/molecule"
)

// merged returns two parents as RDKit merges them.
func merged(t interface{ Fatal(...any) }, p, q *parent) *molecule.Molecule {
	first, err := p.form()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := q.form()
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	both, err := molecule.Merge(first, second)
	if err != nil {
		t.Fatal(err)
	}
	return both
}

// What a sketch writes is the molecule that RDKit's edit makes, and is refused where that is.
func TestSketchIsRDKitsEdit(t *testing.T) {
	needRDKit(t)
	b := mustBreeder(t, Options{})
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p, q := rapid.SampledFrom(seeds).Draw(t, "p"), rapid.SampledFrom(seeds).Draw(t, "q")
		if stereo(p) || stereo(q) {
			t.Skip("RDKit edits these itself")
		}
		pair := map[string]*parent{p: b.read(p), q: b.read(q)}
		both := merged(t, pair[p], pair[q])
		defer both.Close()
		k, err := pair[p].merge(pair[q])
		if err != nil {
			t.Fatal(err)
		}
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
			want, wantErr := both.Edit(e)
			s := sketchOf(k.graph, e)
			got, err := k.edit(s, k.text(s))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s and %s, %+v: error %v, RDKit's %v", p, q, e, err, wantErr)
			}
			if err != nil {
				continue
			}
			valid++
			if got, want := got.SMILES(), want.SMILES(); got != want {
				t.Errorf("%s and %s, %+v: %s, RDKit makes %s", p, q, e, got, want)
			}
			got.Close()
			want.Close()
		}
	})
	if valid == 0 {
		t.Error("no edit was valid; the test is not about anything")
	}
}

// An outline is of the molecule that RDKit makes.
func TestOutline(t *testing.T) {
	needRDKit(t)
	const tolerance = 0.005 // g/mol: of a table with three decimals
	b := mustBreeder(t, Options{})
	for _, smiles := range append(slices.Clone(seeds), "[Na+].[O-]C(=O)c1ccccc1", "C1CCC2CCCCC2C1.O", "OB(O)c1ccc(I)cc1", "C[Si](C)(C)OP(=O)(O)S", "C[Se]C[Te]C", "C[As](C)Br", "C[N+](C)(C)C") {
		m := parse(t, smiles)
		form, err := m.Kekule()
		if err != nil {
			t.Fatal(err)
		}
		for i, mutation := range b.mutations {
			matches := b.places[i].in(surroundingsOf(form.Graph()))
			if len(matches) == 0 {
				continue
			}
			for _, e := range mutation.edits(form.Graph(), matches, rand.New(rand.NewPCG(1, 1))) {
				child, err := form.Edit(e)
				if err != nil {
					continue
				}
				o := sketchOf(form.Graph(), e).outline()
				unusual := strings.Contains(smiles, "Na")
				if got, want := o.Weight, child.Weight(); math.Abs(got-want) > tolerance || math.IsNaN(got) != unusual {
					t.Errorf("%s, %+v: weight %g, of %s it is %g", smiles, e, got, child.SMILES(), want)
				}
				if o.Charge != child.Charge() || o.Rings > child.Rings() {
					t.Errorf("%s, %+v: charge %d and %d rings, %s has %d and %d", smiles, e, o.Charge, o.Rings, child.SMILES(), child.Charge(), child.Rings())
				}
				child.Close()
			}
		}
		form.Close()
	}
}

// Of unconnected and of fused rings.
func TestOutlineRings(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]int{"CCO": 0, "C1CC1.C1CC1": 2, "c1ccc2ccccc2c1": 2, "C1CC2CCC1C2.[Cl-]": 2, "[13CH4]": 0} {
		o := sketchOf(parse(t, smiles).Graph(), molecule.Edit{}).outline()
		if o.Rings != want {
			t.Errorf("%s: %d rings, want %d", smiles, o.Rings, want)
		}
		if isotope := strings.Contains(smiles, "13"); math.IsNaN(o.Weight) != isotope {
			t.Errorf("%s: weight %g", smiles, o.Weight)
		}
	}
}

// sketchOf returns a sketch of a Kekulé form after an edit, drawn over another one.
func sketchOf(g molecule.Graph, e molecule.Edit) *sketch {
	var s sketch
	s.draw(molecule.Graph{Atoms: make([]molecule.Atom, 3)}, molecule.Edit{Link: []molecule.Link{{Begin: 0, End: 1, Order: 3}, {Begin: 1, End: 2, Order: 2}}})
	s.smiles()
	s.draw(g, e)
	return &s
}
