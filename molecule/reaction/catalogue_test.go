package reaction_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/molecule/reaction"
)

func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

// Each built-in reaction makes of the reactants of its example the product of its example, and nothing else, and the
// set knows them for such reactants.
func TestCatalogue(t *testing.T) {
	needRDKit(t)
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Reactions); n < 60 {
		t.Errorf("%d reactions, want 60 at least", n)
	}
	for name, example := range reaction.Cases() {
		r := set.Named(name)
		before, after, _ := strings.Cut(example, ">>")
		var parts []*reaction.Route
		for i, smiles := range strings.Split(before, ".") {
			canonical, err := molecule.Canonical(smiles)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, smiles, err)
			}
			parts = append(parts, &reaction.Route{Product: canonical})
			places, err := set.Places(canonical)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, p := range places {
				found = found || p.Name == name && p.Position == i
			}
			if !found {
				t.Errorf("%s: %s is not reactant %d", name, smiles, i+1)
			}
		}
		if len(parts) != r.Arity() {
			t.Errorf("%s: an example with %d reactants for %d", name, len(parts), r.Arity())
			continue
		}
		want, err := molecule.Canonical(after)
		if err != nil {
			t.Fatalf("%s: %s: %v", name, after, err)
		}
		made, err := r.Run(parts...)
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case made.Product != want:
			t.Errorf("%s: product %s, want %s", name, made.Product, want)
		}
	}
}

// Screens never hide a pattern.
func TestScreens(t *testing.T) {
	needRDKit(t)
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	all := library.SMILES()
	for i := 0; i < len(all); i += 40 {
		m, err := molecule.Parse(all[i])
		if err != nil {
			t.Fatal(err)
		}
		if with, without := set.Screened(m); !slices.Equal(with, without) {
			t.Errorf("%s: %v with screens, %v without", all[i], with, without)
		}
		m.Close()
	}
	for _, example := range reaction.Cases() {
		for smiles := range strings.SplitSeq(strings.Replace(example, ">>", ".", 1), ".") {
			m, err := molecule.Parse(smiles)
			if err != nil {
				t.Fatal(err)
			}
			if with, without := set.Screened(m); !slices.Equal(with, without) {
				t.Errorf("%s: %v with screens, %v without", smiles, with, without)
			}
			m.Close()
		}
	}
}
