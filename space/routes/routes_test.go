package routes_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/space/routes"
	"github.com/invbo/invbo/study"
)

// few are blocks of bench/blocks.smi that several reactions take.
func few(t testing.TB) *reaction.Blocks { return index(t, readBlocks(t)[:300]) }

func space(t testing.TB, blocks *reaction.Blocks) evolve.Space {
	t.Helper()
	products, err := molecules.New(nil, molecules.Options{Pool: molecules.BuiltIn()})
	if err != nil {
		t.Fatal(err)
	}
	return routes.New(products, blocks)
}

// valid checks that a text is a route from blocks whose steps give its product.
func valid(t *testing.T, blocks *reaction.Blocks, x string) {
	t.Helper()
	r, err := blocks.Set.Route(x)
	if err != nil {
		t.Errorf("%s: %v", x, err)
		return
	}
	if n := r.Steps(); n < 1 || n > reaction.MaxSteps {
		t.Errorf("%s: %d steps", x, n)
	}
	for _, b := range r.Blocks() {
		if _, ok := blocks.Find(b); !ok {
			t.Errorf("%s: %s is no block", x, b)
		}
	}
	canonical, err := molecule.Canonical(r.Product)
	if err != nil || canonical != reaction.Product(x) || r.String() != x {
		t.Errorf("%s: its product is %s, canonically %s, %v, and its text %s", x, r.Product, canonical, err, r)
	}
}

// What is drawn and what each operator makes can be made, and is the same on any number of processors.
func TestOperatorsMakeRoutes(t *testing.T) {
	needRDKit(t)
	blocks := few(t)
	make1 := func() (all []string) {
		rng := rand.New(rand.NewPCG(5, 0))
		s := space(t, blocks)
		pool := s.Pool(100, rng)
		all = append(all, pool...)
		for _, op := range s.Operators {
			pairs := make([][2]string, 40)
			for i := range pairs {
				pairs[i] = [2]string{pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]}
			}
			pairs[0] = [2]string{} // no parents
			children, err := op.Make(t.Context(), pairs, rng)
			if err != nil {
				t.Fatal(err)
			}
			made := 0
			for _, c := range children {
				if c.X != "" {
					made++
					all = append(all, c.X)
				}
			}
			if made < len(pairs)/4 {
				t.Errorf("%s made %d children of %d pairs", op.Name, made, len(pairs))
			}
		}
		return all
	}
	want := make1()
	for _, x := range want {
		valid(t, blocks, x)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := make1(); !slices.Equal(got, want) {
		t.Error("other routes on one processor")
	}
}

func TestDesign(t *testing.T) {
	needRDKit(t)
	blocks := few(t)
	good := func(smiles string) (bool, error) { return strings.Contains(smiles, "N"), nil }
	xs, err := routes.Design(t.Context(), blocks, 20, rand.New(rand.NewPCG(0, 0)), good)
	if err != nil {
		t.Fatal(err)
	}
	products := map[string]bool{}
	for _, x := range xs {
		valid(t, blocks, x)
		products[reaction.Product(x)] = true
		if ok, _ := good(reaction.Product(x)); !ok {
			t.Errorf("%s is not good", x)
		}
	}
	if len(products) != 20 {
		t.Errorf("%d products, want 20", len(products))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := routes.Design(ctx, blocks, 20, rand.New(rand.NewPCG(0, 0)), good); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a design that is stopped", err)
	}
}

// A route that takes more steps than one from two of its blocks is replaced by that, also as a part of a longer one.
func TestShorten(t *testing.T) {
	needRDKit(t)
	blocks := index(t, []string{"COC(=O)c1ccc(Br)cc1", "C1COCCN1", "OB(O)c1ccncc1", "CC(=O)O", "NCc1ccccc1", "O=C(O)c1ccccc1"})
	for _, test := range []struct{ long, short string }{
		{"O=C(c1ccc(Br)cc1)N1CCOCC1 COC(=O)c1ccc(Br)cc1 >ester_hydrolysis C1COCCN1 >amide_coupling",
			"O=C(c1ccc(Br)cc1)N1CCOCC1 COC(=O)c1ccc(Br)cc1 C1COCCN1 >aminolysis_of_an_ester"},
		{"O=C(c1ccc(-c2ccncc2)cc1)N1CCOCC1 COC(=O)c1ccc(Br)cc1 >ester_hydrolysis C1COCCN1 >amide_coupling OB(O)c1ccncc1 >Suzuki_coupling",
			"O=C(c1ccc(-c2ccncc2)cc1)N1CCOCC1 COC(=O)c1ccc(Br)cc1 C1COCCN1 >aminolysis_of_an_ester OB(O)c1ccncc1 >Suzuki_coupling"},
		{"CC(=O)NCc1ccccc1 CC(=O)O NCc1ccccc1 >amide_coupling", "CC(=O)NCc1ccccc1 CC(=O)O NCc1ccccc1 >amide_coupling"},
		{"O=C(c1ccc(-c2ccncc2)cc1)N1CCOCC1 COC(=O)c1ccc(Br)cc1 OB(O)c1ccncc1 >Suzuki_coupling C1COCCN1 >aminolysis_of_an_ester", ""},
	} {
		long, err := blocks.Set.Route(test.long)
		if err != nil {
			t.Fatal(err)
		}
		if test.short == "" {
			test.short = test.long
		}
		if got := routes.Shorten(blocks, long).String(); got != test.short {
			t.Errorf("%s becomes %s, want %s", test.long, got, test.short)
		}
	}
}

// While all scores are equal, routes are proposed, too.
func TestEqualScores(t *testing.T) {
	needRDKit(t)
	blocks := few(t)
	s, err := evolve.New(space(t, blocks), evolve.Options{Children: 20, Generations: 1, Pool: 50})
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(t.Context(), study.Problem{
		Translate: func(x string) (string, error) { return reaction.Product(x), nil },
		Oracle:    oracle.Func(func(string) oracle.Result { return oracle.Result{} }),
		Init:      []study.Observation{{X: "CCO"}, {X: "c1ccccc1"}},
	}, s, study.Options{Budget: 10, Batch: 5})
	if err == nil {
		err = st.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range st.Trials() {
		if trial.Kind != study.Initial {
			valid(t, blocks, trial.X)
		}
	}
}

// A search proposes routes alone, though the known molecules have none, each of another product; and it learns.
func TestSearch(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	blocks := few(t)
	o, err := guacamol.New("med2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := evolve.New(space(t, blocks), evolve.Options{Children: 50, Generations: 3, Pool: 200})
	if err != nil {
		t.Fatal(err)
	}
	problem := study.Problem{Oracle: o, Translate: func(x string) (string, error) { return reaction.Product(x), nil }}
	for _, smiles := range []string{"CCO", "c1ccccc1C(=O)NC", "CC(=O)Nc1ccccc1", "CN1CCN(S(C)(=O)=O)CC1"} {
		problem.Init = append(problem.Init, study.Observation{X: smiles})
	}
	st, err := study.New(t.Context(), problem, s, study.Options{Budget: 30, Batch: 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	best := 0.0
	n := 0
	for _, trial := range st.Trials() {
		if trial.Kind == study.Initial {
			best = max(best, trial.Score)
			continue
		}
		n++
		valid(t, blocks, trial.X)
		if trial.Input != reaction.Product(trial.X) {
			t.Errorf("trial %d: %s is scored, and the route makes %s", trial.ID, trial.Input, trial.X)
		}
	}
	if n != 30 {
		t.Errorf("%d proposals, want 30", n)
	}
	if got := st.Ranked()[0].Score; got <= best {
		t.Errorf("best score %g, no more than the %g of the start", got, best)
	}
}
