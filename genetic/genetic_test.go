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

// evolved returns the population after some generations that are scored by logP.
func evolved(t testing.TB, generations int, opts genetic.Options, seed uint64) []genetic.Individual {
	t.Helper()
	p, err := genetic.NewPopulation(opts)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	children := start
	for range generations + 1 {
		fitness := make([]float64, len(children))
		for i, s := range children {
			fitness[i] = logP(t, s)
		}
		p.Admit(children, fitness)
		if children, err = p.Children(t.Context(), rng); err != nil {
			t.Fatal(err)
		}
	}
	return p.Members()
}

func TestWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := genetic.NewPopulation(genetic.Options{}); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("NewPopulation: %v, want ErrNoRDKit", err)
	}
}

func TestImproves(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name        string
		generations int
		opts        genetic.Options
	}{
		{"benchmark's", 5, genetic.Options{}},
		{"Jensen's", 10, genetic.Options{Population: 20, Offspring: 20, Mutation: 0.05}}, // of 50
	} {
		population := evolved(t, test.generations, test.opts, 1)
		const before = 2 // about that of the best, nicotine or cresol
		if population[0].Fitness < before+1 {
			t.Errorf("%s: best logP %g, want more than %d", test.name, population[0].Fitness, before+1)
		}
		seen := map[string]bool{}
		for i, p := range population {
			if i > 0 && p.Fitness > population[i-1].Fitness || seen[p.SMILES] {
				t.Errorf("%s: individual %d, %v, is out of order or comes twice", test.name, i, p)
			}
			seen[p.SMILES] = true
		}
	}
}

func TestReproducible(t *testing.T) {
	needRDKit(t)
	after := func(seed uint64, procs int) []genetic.Individual {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		return evolved(t, 3, genetic.Options{Mutation: 0.5}, seed)
	}
	first := after(1, 1)
	for _, procs := range []int{1, 3} {
		if !slices.Equal(after(1, procs), first) {
			t.Errorf("another population on %d processors", procs)
		}
	}
	if slices.Equal(after(2, 1), first) {
		t.Error("the same population from another seed")
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

func TestErrors(t *testing.T) {
	needRDKit(t)
	if _, err := genetic.NewPopulation(genetic.Options{Offspring: -1}); err == nil || !strings.Contains(err.Error(), "offspring -1") {
		t.Errorf("negative offspring: %v", err)
	}
	p, err := genetic.NewPopulation(genetic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Admit(start, make([]float64, len(start)))
	broken := errors.New("broken")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, err := p.Children(ctx, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, broken) {
		t.Errorf("children with a cancelled context: %v, want its cause", err)
	}
}
