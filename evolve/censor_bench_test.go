package evolve_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// BenchmarkBounds shows what bounds are worth. It takes 4,200 molecules with measured logD, and an assay that says no more than that a
// logD is beyond the 70th percentile. A search from 150 molecules, for high or for low logD, asks for the 20 with the greatest expected
// value, five times. The table has the means over seeds: rank correlation of the predictions after the first 150 with the logD of all others,
// and of those that are beyond the limit of the assay; and the mean logD of the 100 molecules that were asked for, as its percentile.
//
//	go test ./evolve -tags rdkit -run '^$' -bench Bounds -benchtime 1x
func BenchmarkBounds(b *testing.B) {
	const seeds, first, rounds, batch = 6, 150, 5, 20
	all := lipophilicity(b)
	var logD []float64
	for _, m := range all {
		logD = append(logD, m.logD)
	}
	slices.Sort(logD)
	limit := logD[len(logD)*7/10]
	for b.Loop() {
		for _, sign := range []float64{1, -1} {
			for _, how := range []string{"all are exact", "bounds as exact scores", "bounds left out", "bounds"} {
				var rank, beyond, found []float64
				for seed := range uint64(seeds) {
					of := assayed{all, how, sign, limit}
					r, s, f := of.search(b, rand.New(rand.NewPCG(seed, 39)), first, rounds, batch)
					rank, beyond, found = append(rank, r), append(beyond, s), append(found, 100*stat.CDF(f, stat.Empirical, logD, nil))
				}
				name := map[float64]string{1: "high", -1: "low"}[sign]
				mean := func(v []float64) string {
					return fmt.Sprintf("%.3f ± %.3f", stat.Mean(v, nil), stat.StdErr(stat.StdDev(v, nil), seeds))
				}
				fmt.Printf("%-4s  %-22s  rank correlation %s, beyond the limit %s, percentile found %.1f ± %.1f\n",
					name, how, mean(rank), mean(beyond), stat.Mean(found, nil), stat.StdErr(stat.StdDev(found, nil), seeds))
			}
		}
	}
}

// compound is a molecule of the benchmark.
func noChildren(context.Context, [][2]string, *rand.Rand) ([]string, error) { return nil, nil }

type compound struct {
	smiles string
	logD   float64
}

// assayed are molecules with an assay of limited range, for a search.
type assayed struct {
	all   []compound
	how   string  // what becomes of bounds
	sign  float64 // −1: for low logD
	limit float64
}

func (a assayed) trial(i int) study.Trial {
	t := study.Trial{Proposal: study.Proposal{ID: i + 1, X: a.all[i].smiles, Input: a.all[i].smiles, Kind: study.Initial}, State: study.Scored, Score: a.all[i].logD}
	if t.Score > a.limit && a.how != "all are exact" {
		t.Score = a.limit
		if a.how == "bounds" {
			t.Bound = study.Above
		}
		if a.how == "bounds left out" {
			t.State = study.Skipped
		}
	}
	t.Value = a.sign * t.Score
	return t
}

func (a assayed) search(b *testing.B, rng *rand.Rand, first, rounds, batch int) (rank, beyond, found float64) {
	b.Helper()
	s, err := evolve.New(molecules(), evolve.Options{})
	if err != nil {
		b.Fatal(err)
	}
	order := rng.Perm(len(a.all))
	var trials []study.Trial
	for _, i := range order[:first] {
		trials = append(trials, a.trial(i))
	}
	left := slices.Clone(order[first:])
	var asked []float64
	for round := range rounds {
		for _, t := range trials {
			if t.State == study.Scored {
				if err := s.Observe(b.Context(), t); err != nil {
					b.Fatal(err)
				}
			}
		}
		var inputs []string
		var logD, behindLimit, predicted []float64
		for _, i := range left {
			inputs, logD = append(inputs, a.all[i].smiles), append(logD, a.sign*a.all[i].logD)
		}
		mean, _, err := s.Predict(b.Context(), inputs)
		if err != nil {
			b.Fatal(err)
		}
		if round == 0 {
			for k, i := range left {
				if a.all[i].logD > a.limit {
					behindLimit, predicted = append(behindLimit, logD[k]), append(predicted, mean[k])
				}
			}
			rank, beyond = stats.Spearman(mean, logD), stats.Spearman(predicted, behindLimit)
		}
		trials = nil
		var rest []int
		best := stats.TopK(mean, batch)
		for k, i := range left {
			if slices.Contains(best, k) {
				trials = append(trials, a.trial(i))
				asked = append(asked, a.all[i].logD)
			} else {
				rest = append(rest, i)
			}
		}
		left = rest
	}
	return rank, beyond, stat.Mean(asked, nil)
}

// molecules is a space of molecules for predictions, compared by atom environments, roles and quantities.
func molecules() evolve.Space {
	return evolve.Space{
		Operators: []evolve.Operator{{Name: "none", Make: noChildren}},
		Kernels: []gp.Term{{Kernel: gp.Overlap, Groups: []int{0, 1, 2}}, {Kernel: gp.Overlap, Groups: []int{0, 1}}, {Kernel: gp.Overlap, Groups: []int{3}},
			{Kernel: gp.Laplace, Groups: []int{4}}, {Kernel: gp.Laplace, Groups: []int{5}}},
		Read: func(smiles string) (evolve.Description, error) {
			m, err := molecule.Parse(smiles)
			if err != nil {
				return evolve.Description{}, err
			}
			defer m.Close()
			g := m.Graph()
			var d evolve.Description
			for _, c := range append(g.Shells(2), g.Roles(2), g.Composition()) {
				d.Groups = append(d.Groups, gp.Counts{IDs: c.IDs, N: c.N})
			}
			d.Groups = append(d.Groups, gp.Counts{IDs: []uint64{0}, N: []uint32{uint32(4 * max(0, m.LogP()+5))}})
			return d, nil
		},
	}
}

// lipophilicity returns the molecules of shared/data.
func lipophilicity(b *testing.B) []compound {
	b.Helper()
	f, err := os.Open(filepath.Join("..", "..", "shared", "data", "lipophilicity.csv.gz"))
	if err != nil {
		b.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
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
