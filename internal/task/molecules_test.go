package task

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Random molecules of the built-in model are different, made of what is usual, and the same for the same generator.
func TestRandomMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	med2, err := Named("med2")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := BuiltIn(MoleculeModel)
	if err != nil {
		t.Fatal(err)
	}
	p, err := med2.Build(t.Context(), med2, Options{Weights: weights, Plausible: true})
	if err != nil {
		t.Fatal(err)
	}
	const n = 10
	draw := func() []string {
		x, err := p.Generate(t.Context(), rand.New(rand.NewPCG(1, 0)), n)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	xs := draw()
	if !slices.Equal(xs, draw()) {
		t.Error("the same generator draws others")
	}
	seen := map[string]bool{}
	for _, x := range xs {
		smiles, err := p.Translate(x)
		if err != nil {
			t.Fatal(err)
		}
		seen[smiles] = true
		if ok, err := p.Feasible(smiles); !ok || err != nil {
			t.Errorf("%s: feasible %v, %v", smiles, ok, err)
		}
	}
	if len(seen) != n {
		t.Errorf("%d different molecules, want %d", len(seen), n)
	}
}

// In a study of a user's own molecules, glucose with a centre undefined or turned is the glucose that was measured; a
// benchmark scores it anew. In a pool, which has the configurations that can be ordered, only the former is known. A
// tautomer is known where a turned centre is.
func TestStereochemistryOfKnown(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	pool := File{Path: "pool"} // which Build does not read
	for _, test := range []struct {
		name          string
		pool          File
		known, turned bool
	}{{"molecules", File{}, true, true}, {"molecules", pool, true, false}, {"med2", File{}, false, false}} {
		own, err := Named(test.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := own.Build(t.Context(), own, Options{Measured: true, Pool: test.pool})
		if err != nil {
			t.Fatal(err)
		}
		if (p.Vaguer != nil) != test.known {
			t.Errorf("%s compares molecules: %t, want %t", test.name, p.Vaguer != nil, test.known)
		}
		if p.Vaguer == nil {
			continue
		}
		const glucose, undefined, galactose = "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O", "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O", "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@H]1O"
		if p.Family(glucose) != p.Family(undefined) || !p.Vaguer(undefined, glucose) {
			t.Errorf("%s: glucose without a centre is not known", test.name)
		}
		if p.Vaguer(galactose, glucose) != test.turned || p.Vaguer(glucose, undefined) != test.turned {
			t.Errorf("%s, pool %q: galactose and glucose are known by one another: %t and %t, want %t", test.name, test.pool.Path,
				p.Vaguer(galactose, glucose), p.Vaguer(glucose, undefined), test.turned)
		}
		const pyridone, pyridinol = "O=c1cccc[nH]1", "Oc1ccccn1"
		if p.Vaguer(pyridone, pyridinol) != test.turned {
			t.Errorf("%s, pool %q: 2-pyridone is known by 2-hydroxypyridine: %t, want %t", test.name, test.pool.Path, !test.turned, test.turned)
		}
		const anisole, labelled = "COc1ccccc1", "[2H]C([2H])([2H])Oc1ccccc1"
		if p.Family(anisole) != p.Family(labelled) || !p.Vaguer(anisole, labelled) || !p.Vaguer("[2H]COc1ccccc1", labelled) || p.Vaguer("CCOc1ccccc1", labelled) {
			t.Errorf("%s: a molecule with other isotopes is not known", test.name)
		}
		if p.Vaguer("no molecule", glucose) {
			t.Errorf("%s: what is no molecule is known", test.name)
		}
	}
}
