package genetic_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
)

// start are simple molecules to start from.
var start = []string{
	"CCCCCCO", "CCOC(=O)CC", "CCN(CC)CC", "CC(=O)NCCO", "C1CCNCC1", "C1COCCN1", "Oc1ccccc1C", "Cc1ccncc1", "Cc1cc[nH]c1",
	"CC(=O)Nc1ccc(O)cc1", "CN1CCCC1c1cccnc1", "NS(=O)(=O)c1ccccc1", "O=C(O)c1ccccc1O", "OCC(O)C(O)CO",
}

func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

func newBreeder(t testing.TB, opts genetic.Options) *genetic.Breeder[string] {
	t.Helper()
	b, err := genetic.NewBreeder(opts, func(smiles string, _ *molecule.Molecule) string { return smiles })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// operators are those of a Breeder on pairs.
var operators = map[string]func(*genetic.Breeder[string], context.Context, [][2]string, *rand.Rand) ([]string, error){
	"Cross": (*genetic.Breeder[string]).Cross, "Mutate": (*genetic.Breeder[string]).Mutate,
	"Rearrange": (*genetic.Breeder[string]).Rearrange,
}

// all are operators and Breed, whose pool has the first of each pair.
func all() map[string]func(*genetic.Breeder[string], context.Context, [][2]string, *rand.Rand) ([]string, error) {
	all := maps.Clone(operators)
	all["Breed"] = func(b *genetic.Breeder[string], ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]string, error) {
		var pool []string
		for _, pair := range pairs {
			pool = append(pool, pair[0])
		}
		return b.Breed(ctx, pool, len(pairs), 0.5, rng)
	}
	return all
}

// pairsOf returns n random pairs of molecules.
func pairsOf(molecules []string, n int) [][2]string {
	rng := rand.New(rand.NewPCG(1, 2))
	pairs := make([][2]string, n)
	for i := range pairs {
		pairs[i] = [2]string{molecules[rng.IntN(len(molecules))], molecules[rng.IntN(len(molecules))]}
	}
	return pairs
}

func canonical(t testing.TB, smiles ...string) []string {
	t.Helper()
	var all []string
	for _, s := range smiles {
		c, err := molecule.Canonical(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func TestBreederWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := genetic.NewBreeder(genetic.Options{}, func(smiles string, _ *molecule.Molecule) string { return smiles }); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("NewBreeder: %v, want ErrNoRDKit", err)
	}
}

// Children are delivered as molecules whose SMILES are canonical, the same on any number of processors.
func TestBreeder(t *testing.T) {
	needRDKit(t)
	pairs := pairsOf(canonical(t, start...), 100)
	for name, operator := range all() {
		breed := func(procs int, seed uint64, opts genetic.Options) []string {
			t.Helper()
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			children, err := operator(newBreeder(t, opts), t.Context(), pairs, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				t.Fatal(err)
			}
			return children
		}
		children := breed(1, 1, genetic.Options{})
		if len(children) != len(pairs) {
			t.Fatalf("%s: %d children of %d pairs", name, len(children), len(pairs))
		}
		n := 0
		for i, child := range children {
			if child == "" {
				continue
			}
			n++
			if c, err := molecule.Canonical(child); err != nil || c != child {
				t.Errorf("%s of %s: %s, canonical %s, %v", name, pairs[i], child, c, err)
			}
			if name == "Mutate" && child == pairs[i][0] {
				t.Errorf("%s is its own mutant", child)
			}
		}
		if n < len(pairs)/2 {
			t.Errorf("%s: %d children of %d pairs", name, n, len(pairs))
		}
		if again := breed(3, 1, genetic.Options{}); !slices.Equal(again, children) {
			t.Errorf("%s: on three processors %s\nwant %s", name, again, children)
		}
		if others := breed(1, 2, genetic.Options{}); slices.Equal(others, children) {
			t.Errorf("%s: the same children from another seed", name)
		}
	}
}

// Children that are not wanted are left out, and the others are as without this.
func TestBreederOfWantedChildren(t *testing.T) {
	needRDKit(t)
	pairs := pairsOf(canonical(t, start...), 100)
	for name, operator := range operators {
		all, err := operator(newBreeder(t, genetic.Options{}), t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		even := func(m *molecule.Molecule) bool { return len(m.Graph().Atoms)%2 == 0 }
		some, err := operator(newBreeder(t, genetic.Options{Wanted: even}), t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		wanted, born := 0, 0
		for i, child := range all {
			m, err := molecule.Parse(child)
			if err != nil { // none
				continue
			}
			if even(m) {
				wanted++
			} else if some[i] == child {
				t.Errorf("%s of %s: %s, which is not wanted", name, pairs[i], child)
			}
			m.Close()
			if some[i] != "" {
				born++
				if some[i] != child {
					t.Errorf("%s of %s: %q, want %q", name, pairs[i], some[i], child)
				}
			}
		}
		if !(born >= wanted*9/10 && born <= wanted && wanted < len(all)) { // a pair whose first child is not wanted, and a parent, has none
			t.Errorf("%s: %d children of %d that are wanted, and of %d in all", name, born, wanted, len(all))
		}
	}
}

// Configurations that an edit does not touch are kept.
func TestBreederKeepsConfigurations(t *testing.T) {
	needRDKit(t)
	parent := canonical(t, "C[C@H](N)C(=O)NCCCCCC/C=C/F")[0]
	pairs := slices.Repeat([][2]string{{parent, parent}}, 60)
	for name, operator := range all() {
		children, err := operator(newBreeder(t, genetic.Options{}), t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		both := 0
		for _, child := range children {
			if strings.Contains(child, "@") && strings.ContainsAny(child, `/\`) {
				both++
			}
		}
		if both < 10 {
			t.Errorf("%s: %d of 60 children have both configurations of their parent: %s", name, both, children)
		}
	}
}

// Pairs with a parent that cannot be read, or that is too small, have no child; the others are as without them.
func TestBreederOfUnreadableParents(t *testing.T) {
	needRDKit(t)
	aspirin := canonical(t, "CC(=O)Oc1ccccc1C(=O)O")[0]
	for name, operator := range operators {
		made, err := operator(newBreeder(t, genetic.Options{}), t.Context(),
			[][2]string{{aspirin, aspirin}, {"C(", aspirin}, {aspirin, "C("}, {"", ""}, {"C", "C"}}, rand.New(rand.NewPCG(4, 0)))
		if err != nil {
			t.Fatal(err)
		}
		alone, err := operator(newBreeder(t, genetic.Options{}), t.Context(), [][2]string{{aspirin, aspirin}}, rand.New(rand.NewPCG(4, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if made[0] == "" || made[0] != alone[0] {
			t.Errorf("%s: child %q, without other pairs %q", name, made[0], alone[0])
		}
		if slices.ContainsFunc(made[1:], func(s string) bool { return s != "" }) {
			t.Errorf("%s: children %q, want one", name, made)
		}
		if none, err := operator(newBreeder(t, genetic.Options{}), t.Context(), nil, rand.New(rand.NewPCG(4, 0))); err != nil || len(none) > 0 {
			t.Errorf("%s of nobody: %q, %v", name, none, err)
		}
	}
}

// A Breeder whose ctx ended works again with another.
func TestBreederEnds(t *testing.T) {
	needRDKit(t)
	why := errors.New("enough")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	pairs := pairsOf(canonical(t, start...), 20)
	for name, operator := range all() {
		b := newBreeder(t, genetic.Options{})
		if _, err := operator(b, ended, pairs, rand.New(rand.NewPCG(1, 0))); !errors.Is(err, why) {
			t.Errorf("%s: error %v, want the cause", name, err)
		}
		made, err := operator(b, t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		want, err := operator(newBreeder(t, genetic.Options{}), t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(made, want) {
			t.Errorf("%s after an ended ctx: %s\nwant %s", name, made, want)
		}
	}
}
