package genetic_test

import (
	"context"
	"errors"
	"math"
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

func logP(t testing.TB, smiles string) float64 {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return m.LogP()
}

// byLogP is a Fitness.
func byLogP(t testing.TB) genetic.Fitness {
	return func(_ context.Context, smiles []string) ([]float64, error) {
		fit := make([]float64, len(smiles))
		for i, s := range smiles {
			fit[i] = logP(t, s)
		}
		return fit, nil
	}
}

func TestEvolveWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	_, err := genetic.Evolve(t.Context(), start, nil, genetic.Options{}, rand.New(rand.NewPCG(1, 1)))
	if !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("Evolve: %v, want ErrNoRDKit", err)
	}
}

func TestEvolveImproves(t *testing.T) {
	needRDKit(t)
	for name, opts := range map[string]genetic.Options{
		"benchmark's": {Generations: 5},
		"Jensen's":    {Population: 20, Offspring: 20, Mutation: 0.05, Patience: 50, Generations: 10}, // of 50
		"acquisition": {Generations: 2, Offspring: 200, Population: 100},
	} {
		population, err := genetic.Evolve(t.Context(), start, byLogP(t), opts, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		const before = 2 // about that of the best, nicotine or cresol
		if population[0].Fitness < before+1 {
			t.Errorf("%s: best logP %g, want more than %d", name, population[0].Fitness, before+1)
		}
		seen := map[string]bool{}
		for i, p := range population {
			if i > 0 && p.Fitness > population[i-1].Fitness || seen[p.SMILES] {
				t.Errorf("%s: individual %d, %v, is out of order or comes twice", name, i, p)
			}
			seen[p.SMILES] = true
			if p.Fitness != logP(t, p.SMILES) {
				t.Errorf("%s: fitness of %s is %g, want %g", name, p.SMILES, p.Fitness, logP(t, p.SMILES))
			}
		}
	}
}

func TestEvolveIsReproducible(t *testing.T) {
	needRDKit(t)
	evolve := func(seed uint64, procs int) []genetic.Individual {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		population, err := genetic.Evolve(t.Context(), start, byLogP(t), genetic.Options{Generations: 3, Mutation: 0.5}, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return population
	}
	first := evolve(1, 1)
	for _, procs := range []int{1, 3} {
		if !slices.Equal(evolve(1, procs), first) {
			t.Errorf("another population on %d processors", procs)
		}
	}
	if slices.Equal(evolve(2, 1), first) {
		t.Error("the same population from another seed")
	}
}

func TestEvolveAsksOnce(t *testing.T) {
	needRDKit(t)
	asked := map[string]int{}
	generations := 0
	fitness := func(_ context.Context, smiles []string) ([]float64, error) {
		generations++
		fit := make([]float64, len(smiles))
		for i, s := range smiles {
			asked[s]++
			if strings.Contains(s, "N") {
				fit[i] = math.NaN()
			}
		}
		return fit, nil
	}
	population, err := genetic.Evolve(t.Context(), append(slices.Clone(start), "OCCCCCC"), fitness, genetic.Options{Patience: 3}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for s, n := range asked {
		if n > 1 {
			t.Errorf("%s was asked for %d times", s, n)
		}
	}
	for _, p := range population {
		if strings.Contains(p.SMILES, "N") {
			t.Errorf("%s has no fitness and lives", p.SMILES)
		}
	}
	if generations != 4 { // the start and three that bring nothing
		t.Errorf("%d calls of a constant fitness, want 4", generations)
	}
}

// Children that are not feasible are not asked for; molecules to start from are exempt.
func TestOnlyFeasibleChildrenLive(t *testing.T) {
	needRDKit(t)
	branched := func(s string) bool { return strings.Contains(s, "(") }
	asked := 0
	fitness := func(_ context.Context, smiles []string) ([]float64, error) {
		if asked++; asked > 1 && slices.ContainsFunc(smiles, branched) {
			t.Errorf("generation %d holds branched molecules: %q", asked-1, smiles)
		}
		return make([]float64, len(smiles)), nil
	}
	opts := genetic.Options{Generations: 3, Feasible: func(s string) (bool, error) { return !branched(s), nil }}
	population, err := genetic.Evolve(t.Context(), start, fitness, opts, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if asked < 2 || !slices.ContainsFunc(population, func(p genetic.Individual) bool { return branched(p.SMILES) }) {
		t.Errorf("%d generations, and a population without branches: the test is not about anything", asked-1)
	}
}

func TestAdmit(t *testing.T) {
	needRDKit(t)
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name    string
		smiles  []string
		fitness []float64
		want    []genetic.Individual // of a population of three
	}{
		{"the fittest first", []string{"C", "N", "O"}, []float64{1, 3, 2}, []genetic.Individual{{"N", 3}, {"O", 2}, {"C", 1}}},
		{"the fittest survive", []string{"C", "N", "O", "F"}, []float64{1, 3, 2, 4}, []genetic.Individual{{"F", 4}, {"N", 3}, {"O", 2}}},
		{"of equals, the older", []string{"C", "N", "O", "F"}, []float64{1, 1, 1, 1}, []genetic.Individual{{"C", 1}, {"N", 1}, {"O", 1}}},
		{"not without a fitness", []string{"C", "N", "O"}, []float64{nan, inf, 2}, []genetic.Individual{{"O", 2}}},
		{"another fitness", []string{"C", "N", "C"}, []float64{1, 2, 3}, []genetic.Individual{{"C", 3}, {"N", 2}}},
		{"no fitness any more", []string{"C", "N", "C"}, []float64{1, 2, nan}, []genetic.Individual{{"N", 2}}},
	}
	for _, test := range tests {
		for _, atOnce := range []bool{true, false} {
			p, err := genetic.NewPopulation(genetic.Options{Population: 3})
			if err != nil {
				t.Fatal(err)
			}
			if atOnce {
				p.Admit(test.smiles, test.fitness)
			} else {
				for i := range test.smiles {
					p.Admit(test.smiles[i:i+1], test.fitness[i:i+1])
				}
			}
			if got := p.Members(); !slices.Equal(got, test.want) {
				t.Errorf("%s, at once %t: %v, want %v", test.name, atOnce, got, test.want)
			}
		}
	}
}

// Nobody has children, and molecules that are too small have none either.
func TestChildren(t *testing.T) {
	needRDKit(t)
	p, err := genetic.NewPopulation(genetic.Options{Offspring: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, parents := range [][]string{nil, {"C", "O"}} {
		p.Admit(parents, make([]float64, len(parents)))
		if children, err := p.Children(t.Context(), rand.New(rand.NewPCG(1, 1))); err != nil || len(children) > 0 {
			t.Errorf("children of %v: %v, %v, want none", parents, children, err)
		}
	}
	p.Admit(start, make([]float64, len(start)))
	if children, err := p.Children(t.Context(), rand.New(rand.NewPCG(1, 1))); err != nil || len(children) == 0 || len(children) > 10 {
		t.Errorf("%d children, %v, want at most 10", len(children), err)
	}
}

func TestEvolveErrors(t *testing.T) {
	needRDKit(t)
	broken := errors.New("broken")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	constant := func(_ context.Context, smiles []string) ([]float64, error) { return make([]float64, len(smiles)), nil }
	tests := []struct {
		name    string
		ctx     context.Context
		start   []string
		fitness genetic.Fitness
		opts    genetic.Options
		want    string
	}{
		{"cancelled", cancelled, start, constant, genetic.Options{}, "broken"},
		{"fitness", t.Context(), start, func(context.Context, []string) ([]float64, error) { return nil, broken }, genetic.Options{}, "broken"},
		{"no initial molecules", t.Context(), nil, constant, genetic.Options{}, "none of the 0 initial molecules"},
		{"no molecule", t.Context(), []string{"CCO", "C("}, constant, genetic.Options{}, `initial molecule 2, "C("`},
		{"feasible", t.Context(), start, constant, genetic.Options{Feasible: func(string) (bool, error) { return true, broken }}, "feasible: broken"},
		{"options", t.Context(), start, constant, genetic.Options{Offspring: -1}, "offspring -1"},
	}
	for _, test := range tests {
		_, err := genetic.Evolve(test.ctx, test.start, test.fitness, test.opts, rand.New(rand.NewPCG(1, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
