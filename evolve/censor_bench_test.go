package evolve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
	"gonum.org/v1/gonum/stat"
)

// BenchmarkBounds shows what bounds are worth. It takes 4,200 molecules with measured logD, and an assay that only says
// of a logD beyond the 70th percentile, or the 30th, that it is beyond. A search from 150 molecules, for high or for
// low logD, asks five times for the 20 with the greatest expected value. A line has the means over seeds, with their
// standard errors: the rank correlation of the predictions after the first 150 with the logD of all others, and of
// those others that are beyond the limit; and the percentile of the mean logD of the 100 molecules that were asked for.
//
//	go test ./evolve -tags rdkit -run '^$' -bench Bounds -benchtime 1x
func BenchmarkBounds(b *testing.B) {
	const seeds = 6
	all := lipophilicity(b)
	var logD []float64
	for _, c := range all {
		logD = append(logD, c.logD)
	}
	slices.Sort(logD)
	space := molecules()
	for b.Loop() {
		for _, percentile := range []int{70, 30} {
			for _, sign := range []float64{1, -1} {
				for _, how := range []string{"exact", "bounds as exact scores", "bounds left out", "bounds"} {
					var rank, beyond, found []float64
					for seed := range uint64(seeds) {
						a := assay{all: all, how: how, sign: sign, limit: logD[len(logD)*percentile/100]}
						r := a.search(b, space, rand.New(rand.NewPCG(seed, 39)))
						rank, beyond, found = append(rank, r.rank), append(beyond, r.beyond), append(found, 100*stat.CDF(r.found, stat.Empirical, logD, nil))
					}
					fmt.Printf("limit %d %%  for %-4s  %-22s  rank correlation %s, beyond the limit %s; percentile found %s\n",
						percentile, map[float64]string{1: "high", -1: "low"}[sign], how, meanOf(rank, 3), meanOf(beyond, 3), meanOf(found, 1))
				}
			}
		}
	}
}

// meanOf writes the mean of v with its standard error.
func meanOf(v []float64, digits int) string {
	mean, deviation := stat.MeanStdDev(v, nil)
	return fmt.Sprintf("%.*f ± %.*f", digits, mean, digits, stat.StdErr(deviation, float64(len(v))))
}

// compound is a molecule of the benchmark.
type compound struct {
	smiles string
	logD   float64
}

// assay measures molecules within a range.
type assay struct {
	all   []compound
	how   string  // what becomes of bounds
	sign  float64 // −1: low logD is better
	limit float64
}

// trial returns what the assay says of a molecule.
func (a assay) trial(i int) study.Trial {
	c := a.all[i]
	t := study.Trial{Proposal: study.Proposal{ID: i + 1, X: c.smiles, Input: c.smiles, Kind: study.Initial}, State: study.Scored, Score: c.logD}
	if c.logD > a.limit && a.how != "exact" {
		t.Score = a.limit
		switch a.how {
		case "bounds":
			t.Bound = study.Above
		case "bounds left out":
			t.State = study.Skipped
		}
	}
	t.Value = a.sign * t.Score
	return t
}

// outcome is that of a search.
type outcome struct{ rank, beyond, found float64 }

func (a assay) search(b *testing.B, space evolve.Space, rng *rand.Rand) (o outcome) {
	b.Helper()
	const first, rounds, batch = 150, 5, 20
	s, err := evolve.New(space, evolve.Options{})
	if err != nil {
		b.Fatal(err)
	}
	left := rng.Perm(len(a.all))
	tell := func(molecules []int) {
		for _, i := range molecules {
			if t := a.trial(i); t.State == study.Scored {
				if err := s.Observe(b.Context(), t); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	tell(left[:first])
	left = left[first:]
	var asked []float64
	for round := range rounds {
		var inputs []string
		for _, i := range left {
			inputs = append(inputs, a.all[i].smiles)
		}
		mean, _, err := s.Predict(b.Context(), inputs)
		if err != nil {
			b.Fatal(err)
		}
		if round == 0 {
			var value, beyond, predicted []float64
			for k, i := range left {
				value = append(value, a.sign*a.all[i].logD)
				if a.all[i].logD > a.limit {
					beyond, predicted = append(beyond, value[k]), append(predicted, mean[k])
				}
			}
			o.rank, o.beyond = stats.Spearman(mean, value), stats.Spearman(predicted, beyond)
		}
		best := map[int]bool{}
		for _, k := range stats.TopK(mean, batch) {
			best[left[k]] = true
			asked = append(asked, a.all[left[k]].logD)
		}
		var next []int
		for _, i := range left {
			if best[i] {
				next = append(next, i)
			}
		}
		tell(next)
		left = slices.DeleteFunc(left, func(i int) bool { return best[i] })
	}
	o.found = stat.Mean(asked, nil)
	return o
}

// molecules is a space of molecules for predictions. They are compared by atom environments, roles, composition and logP.
func molecules() evolve.Space {
	var mu sync.Mutex
	known := map[string]evolve.Description{}
	return evolve.Space{
		Operators: []evolve.Operator{{Name: "none", Make: func(context.Context, [][2]string, *rand.Rand) ([]evolve.Child, error) { return nil, nil }}},
		Kernels: []gp.Term{
			{Kernel: gp.Overlap, Groups: []int{0, 1, 2}}, {Kernel: gp.Overlap, Groups: []int{0, 1}}, {Kernel: gp.Overlap, Groups: []int{3}},
			{Kernel: gp.Laplace, Groups: []int{4}}, {Kernel: gp.Laplace, Groups: []int{5}},
		},
		Read: func(smiles string) (evolve.Description, error) {
			mu.Lock()
			d, ok := known[smiles]
			mu.Unlock()
			if ok {
				return d, nil
			}
			m, err := molecule.Parse(smiles)
			if err != nil {
				return d, err
			}
			defer m.Close()
			g := m.Graph()
			for _, c := range append(g.Shells(2), g.Roles(2), g.Composition()) {
				d.Groups = append(d.Groups, gp.Counts{IDs: c.IDs, N: c.N})
			}
			d.Groups = append(d.Groups, gp.Counts{IDs: []uint64{0}, N: []uint32{uint32(4 * max(0, m.LogP()+5))}})
			mu.Lock()
			known[smiles] = d
			mu.Unlock()
			return d, nil
		},
	}
}

// lipophilicity returns the molecules of shared/data.
func lipophilicity(b *testing.B) []compound {
	b.Helper()
	rows := shared.Rows(b, "data/lipophilicity.csv.gz")
	smiles, logD := slices.Index(rows[0], "smiles"), slices.Index(rows[0], "exp")
	var all []compound
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(r[logD], 64)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, compound{r[smiles], v})
	}
	return all
}
