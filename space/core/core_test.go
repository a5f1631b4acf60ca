package core_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/space/core"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

const benzamide = "c1ccc([*:1])cc1C(=O)N[*:2]"

func known() []string {
	return []string{"COc1cccc(C(=O)NCc2ccccc2)c1", "O=C(NC1CC1)c1cccc(F)c1", "CNC(=O)c1ccccc1", "CCO", "O=C(Nc1ccccc1)c1ccccc1"}
}

func parseCore(t testing.TB) *molecule.Core {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	c, err := molecule.ParseCore(benzamide)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// space is that of benzamides, with a sample of the library.
func space(t testing.TB, c *molecule.Core, init []string, limits map[int]core.Limit) evolve.Space {
	t.Helper()
	products, err := molecules.New(init, molecules.Options{Pool: molecules.BuiltIn()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := core.New(t.Context(), products, c, init, core.Options{Limits: limits, Sample: func(n int, rng *rand.Rand) []string {
		all := library.SMILES()
		some := make([]string, min(n, 200))
		for i := range some {
			some[i] = all[rng.IntN(len(all))]
		}
		return some
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is drawn and what each operator makes has the core and groups within the limits, and is the same on any number
// of processors.
func TestOperatorsKeepTheCore(t *testing.T) {
	c := parseCore(t)
	limits := map[int]core.Limit{
		1: {MaxAtoms: 5, MaxRings: -1, Forbid: []*molecule.Pattern{molecule.MustCompilePattern("F")}},
		2: {MinAtoms: 3, MaxAtoms: 12, MinRings: 1, MaxRings: 2, Require: []*molecule.Pattern{molecule.MustCompilePattern("C")}},
	}
	make1 := func() (all []string) {
		rng := rand.New(rand.NewPCG(3, 0))
		s := space(t, c, known(), limits)
		pool := s.Pool(200, rng)
		all = append(all, pool...)
		parents := append(slices.Clone(pool), known()[:3]...)
		for _, op := range s.Operators {
			pairs := make([][2]string, 60)
			for i := range pairs {
				pairs[i] = [2]string{parents[rng.IntN(len(parents))], parents[rng.IntN(len(parents))]}
			}
			children, err := op.Make(t.Context(), pairs, rng)
			if err != nil {
				t.Fatal(err)
			}
			made := 0
			for _, child := range children {
				if child.X != "" {
					made++
					all = append(all, child.X)
				}
			}
			if made < 5 {
				t.Errorf("%s made %d children of %d pairs", op.Name, made, len(pairs))
			}
		}
		return all
	}
	all := make1()
	for _, smiles := range all {
		groups, ok := c.Groups(smiles)
		if !ok {
			t.Errorf("%s has not the core", smiles)
			continue
		}
		for i, g := range groups {
			if !limits[i+1].Allows(g) {
				t.Errorf("%s: group %s at point %d is beyond the limits", smiles, g, i+1)
			}
		}
		if canonical, err := molecule.Canonical(smiles); err != nil || canonical != smiles {
			t.Errorf("%s is canonically %s, %v", smiles, canonical, err)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if again := make1(); !slices.Equal(again, all) {
		t.Error("other molecules on one processor")
	}
}

func TestLimit(t *testing.T) {
	parseCore(t)
	for _, test := range []struct {
		name  string
		limit core.Limit
		group string
		want  bool
	}{
		{"no limit", core.Limit{}, "C1CC1[*:1]", true},
		{"attachment points are no atoms", core.Limit{MaxAtoms: 1}, "C[*:1]", true},
		{"hydrogen has no atoms", core.Limit{MaxAtoms: 1}, "[H][*:1]", true},
		{"hydrogen is too small", core.Limit{MinAtoms: 1}, "[H][*:1]", false},
		{"too large", core.Limit{MaxAtoms: 1}, "CC[*:1]", false},
		{"no rings", core.Limit{MaxRings: -1}, "C1CC1[*:1]", false},
		{"one ring", core.Limit{MaxRings: 1}, "C1CC1[*:1]", true},
		{"a ring is wanted", core.Limit{MinRings: 1}, "CC[*:1]", false},
	} {
		if got := test.limit.Allows(test.group); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Groups are bound by weak bonds, such as N–O, only where known molecules are. Molecules of another configuration than
// the core's lend their groups.
func TestGroupsOfKnown(t *testing.T) {
	parseCore(t)
	tests := []struct {
		name, core, any string
		known           []string
		child           string // of the first two; they are crossed until there is one
		want            bool
	}{
		{"N–O", "CC(=O)N[*:1]", "", []string{"CC(=O)NCC", "CCOC"}, "CC(=O)NOC", false},
		{"N–O as in the data", "CC(=O)N[*:1]", "", []string{"CC(=O)NCC", "CC(=O)NOCC", "CCOC"}, "CC(=O)NOC", true},
		{"N–N", "CC(=O)N[*:1]", "", []string{"CC(=O)NCC", "CCN(C)C"}, "CC(=O)NN(C)C", false},
		{"N–S(II)", "CC(=O)N[*:1]", "", []string{"CC(=O)NCC", "CSCC"}, "CC(=O)NSC", false},
		{"N–S(VI)", "CC(=O)N[*:1]", "", []string{"CC(=O)NCC", "CS(=O)(=O)CC"}, "CC(=O)NS(C)(=O)=O", true},
		{"S(II)–S(II)", "CCS[*:1]", "", []string{"CCSC", "CSCC"}, "CCSSC", false},
		{"S(VI)–N", "CS(=O)(=O)[*:1]", "", []string{"CS(=O)(=O)CC", "CN(C)CC"}, "CN(C)S(C)(=O)=O", true},
		{"C–O", "CC(=O)NC[*:1]", "", []string{"CC(=O)NCC", "CCOC"}, "COCNC(C)=O", true},
		{"another configuration", "C[C@H](O)[*:1]", "CC(O)[*:1]", []string{"C[C@H](O)C1CC1", "C[C@@H](O)CF"}, "C[C@H](O)CF", true},
	}
	for _, test := range tests {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		opts := core.Options{}
		if test.any != "" {
			looser, err := molecule.ParseCore(test.any)
			if err != nil {
				t.Fatal(err)
			}
			opts.Arrangement = arranged(t, c, looser, nil, test.known)
		}
		products, err := molecules.New(test.known, molecules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var known []string
		for _, smiles := range test.known {
			canonical, err := molecule.Canonical(smiles)
			if err != nil {
				t.Fatal(err)
			}
			known = append(known, canonical)
		}
		s, err := core.New(t.Context(), products, c, known, opts)
		if err != nil {
			t.Fatal(err)
		}
		want, err := molecule.Canonical(test.child)
		if err != nil {
			t.Fatal(err)
		}
		pairs := slices.Repeat([][2]string{{known[0], known[1]}}, 150)
		found := false
		for _, op := range s.Operators[:2] { // exchange and fragment
			children, err := op.Make(t.Context(), pairs, rand.New(rand.NewPCG(1, 0)))
			if err != nil {
				t.Fatal(err)
			}
			for _, child := range children {
				found = found || child.X == want
				if child.X == "" {
					continue
				}
				if fit, why := c.Fit(child.X); why != molecule.NoMisfit || fit.Core != c.SMILES {
					t.Errorf("%s: %s has not the core", test.name, child.X)
				}
			}
		}
		if found != test.want {
			t.Errorf("%s: made %s: %v, want %v", test.name, want, found, test.want)
		}
	}
}

// While all scores are equal, molecules with the core are proposed, too.
func TestEqualScores(t *testing.T) {
	c := parseCore(t)
	s, err := evolve.New(space(t, c, known(), nil), evolve.Options{Children: 20, Generations: 1, Pool: 50})
	if err != nil {
		t.Fatal(err)
	}
	problem := study.Problem{Oracle: oracle.Func(func(string) oracle.Result { return oracle.Result{} })}
	for _, smiles := range known() {
		problem.Init = append(problem.Init, study.Observation{X: smiles})
	}
	st, err := study.New(t.Context(), problem, s, study.Options{Budget: 10, Batch: 5})
	if err == nil {
		err = st.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range st.Trials() {
		if _, ok := c.Groups(trial.Input); trial.Kind != study.Initial && !ok {
			t.Errorf("%s has not the core", trial.Input)
		}
	}
}

// A search changes the groups alone, and learns from molecules without the core, too.
func TestSearch(t *testing.T) {
	c := parseCore(t)
	if testing.Short() {
		t.Skip("long")
	}
	o, err := guacamol.New("med2")
	if err != nil {
		t.Fatal(err)
	}
	for _, init := range [][]string{known(), {"CCO", "CCN"}} { // the second has no molecule with the core
		s, err := evolve.New(space(t, c, init, nil), evolve.Options{Children: 50, Generations: 3, Pool: 200})
		if err != nil {
			t.Fatal(err)
		}
		problem := study.Problem{Oracle: o}
		for _, smiles := range init {
			problem.Init = append(problem.Init, study.Observation{X: smiles})
		}
		st, err := study.New(t.Context(), problem, s, study.Options{Budget: 20, Batch: 5})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		best, n := 0.0, 0
		for _, trial := range st.Trials() {
			if trial.Kind == study.Initial {
				best = max(best, trial.Score)
				continue
			}
			n++
			if _, ok := c.Groups(trial.Input); !ok {
				t.Errorf("%s has not the core", trial.Input)
			}
		}
		if n != 20 || st.Ranked()[0].Score <= best {
			t.Errorf("%d proposals, the best of %g, want 20 and more than %g", n, st.Ranked()[0].Score, best)
		}
	}
}
