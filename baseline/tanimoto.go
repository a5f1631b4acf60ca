package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// The published constants of the kernel.
const (
	radius = 3    // of the atom environments, in bonds: ECFP6
	bins   = 2048 // that they are counted in
	scale  = 1    // variance of the prior
	noise  = 1e-4 // and of the observations
)

// Tanimoto is Bayesian optimization on fingerprints: the surrogate is an exact GP whose kernel is the Tanimoto
// similarity of counted atom environments, with fixed parameters and mean 0. A batch is the new molecules with
// the greatest upper confidence bounds
//
//	mu + beta·sigma    log₁₀ beta ~ U(−2, 0)
//
// that the graph genetic algorithm of package genetic finds among children of the best. beta is drawn once a
// batch: most batches exploit, and some explore. Pending molecules count as measured at their predictions.
//
// A batch takes n³/3 multiplications for n scored molecules, and memory for n² numbers: thousands, not tens of thousands.
type Tanimoto struct {
	transform    gp.Transform
	inner        genetic.Options // of the algorithm that maximizes the acquisition
	seed         uint64
	index        map[int]int          // of smiles, by trial
	smiles       []string             // scored molecules, canonical
	y, v         []float64            // their values, larger is better, and the variances of these
	counts       map[string]gp.Counts // of molecules seen lately
	fit, acquire time.Duration
}

// NewTanimoto returns a Tanimoto over canonical SMILES. The same seed and answers give the same search on any number of
// processors. The error is molecule.ErrNoRDKit.
func NewTanimoto(transform gp.Transform, seed uint64) (*Tanimoto, error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	return &Tanimoto{
		transform: transform, seed: seed, index: map[int]int{}, counts: map[string]gp.Counts{},
		inner: genetic.Options{Population: 200, Offspring: 200, Generations: 5, Patience: 5}, // published
	}, nil
}

// Propose returns the n new molecules with the greatest acquisition, or study.ErrExhausted if there is none.
func (t *Tanimoto) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	rng := rand.New(rand.NewPCG(t.seed, uint64(known.Batch())))
	began := time.Now()
	if len(t.y) == 0 {
		return nil, errors.New("no molecule has a score; give other initial molecules")
	}
	surrogate, units, err := t.surrogate(ctx, known.Pending())
	if err != nil {
		return nil, err
	}
	t.fit += time.Since(began)

	began = time.Now()
	beta := math.Pow(10, 2*rng.Float64()-2)
	type candidate struct {
		study.Proposal
		acquisition float64
	}
	var found []candidate // all that the genetic algorithm comes across, each once
	acquisition := func(_ context.Context, smiles []string) ([]float64, error) {
		c, err := t.fingerprints(smiles)
		if err != nil {
			return nil, err
		}
		mu, sigma2 := surrogate.Predict(c)
		value := make([]float64, len(smiles))
		for i, m := range smiles {
			sigma := math.Sqrt(sigma2[i])
			value[i] = mu[i] + beta*sigma
			if known.Lookup(m).State == study.Unseen {
				p := study.Proposal{X: m}
				p.Mean, p.SD = units.Inverse(mu[i], sigma)
				found = append(found, candidate{p, value[i]})
			}
		}
		return value, nil
	}
	constants := t.inner
	constants.Feasible = known.Feasible
	var parents []string
	for _, i := range stats.TopK(t.y, t.inner.Population) {
		parents = append(parents, t.smiles[i])
	}
	if _, err := genetic.Evolve(ctx, parents, acquisition, constants, rng); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, study.ErrExhausted
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.acquisition, a.acquisition) })
	batch := make([]study.Proposal, min(n, len(found), known.Left()))
	for i := range batch {
		batch[i] = found[i].Proposal
	}
	t.acquire += time.Since(began)
	return batch, nil
}

// surrogate returns the GP of the scored molecules, and of pending ones at their predictions, with the scale of its targets.
func (t *Tanimoto) surrogate(ctx context.Context, pending []study.Proposal) (*gp.MinMax, gp.Scale, error) {
	units := t.transform.Fit(t.y)
	smiles, y := slices.Clone(t.smiles), units.Apply(t.y)
	opts := gp.MinMaxOptions{Scale: scale, Noise: noise}
	if slices.Max(t.v) > 0 {
		for _, v := range t.v {
			opts.Variance = append(opts.Variance, units.Variance(v))
		}
	}
	known, err := t.fingerprints(smiles)
	if err != nil {
		return nil, units, err
	}
	surrogate, err := gp.FitMinMax(ctx, known, y, opts)
	if err != nil || len(pending) == 0 {
		return surrogate, units, err
	}
	var more []string
	for _, p := range pending {
		more = append(more, p.Input)
	}
	c, err := t.fingerprints(more)
	if err != nil {
		return nil, units, err
	}
	mu, _ := surrogate.Predict(c)
	if opts.Variance != nil {
		opts.Variance = append(opts.Variance, make([]float64, len(mu))...)
	}
	surrogate, err = gp.FitMinMax(ctx, append(known, c...), append(y, mu...), opts)
	return surrogate, units, err
}

// Observe takes in scored molecules.
func (t *Tanimoto) Observe(_ context.Context, trials ...study.Trial) error {
	for _, trial := range trials {
		i, again := t.index[trial.ID]
		switch {
		case again && trial.State == study.Scored:
			t.y[i], t.v[i] = trial.Value, trial.Variance
		case again: // corrected to a failure
			t.smiles, t.y, t.v = slices.Delete(t.smiles, i, i+1), slices.Delete(t.y, i, i+1), slices.Delete(t.v, i, i+1)
			delete(t.index, trial.ID)
			for id, at := range t.index {
				if at > i {
					t.index[id] = at - 1
				}
			}
		case trial.State == study.Scored:
			t.index[trial.ID] = len(t.y)
			t.smiles, t.y, t.v = append(t.smiles, trial.Input), append(t.y, trial.Value), append(t.v, trial.Variance)
		}
	}
	return nil
}

// Report says where the time went.
func (t *Tanimoto) Report() study.Report {
	return study.Report{Phases: []study.Phase{{Name: "fit", Time: t.fit}, {Name: "acquire", Time: t.acquire}}}
}

// remembered bounds the molecules whose counts are kept: the candidates of some fifty batches, in about as many megabytes.
const remembered = 50_000

// fingerprints returns the counts of the atom environments of molecules.
func (t *Tanimoto) fingerprints(smiles []string) ([]gp.Counts, error) {
	if len(t.counts) > remembered {
		clear(t.counts)
	}
	counts := make([]gp.Counts, len(smiles))
	errs := make([]error, len(smiles))
	parallel.For(len(smiles), 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var ok bool
			if counts[i], ok = t.counts[smiles[i]]; !ok {
				counts[i], errs[i] = fingerprint(smiles[i])
			}
		}
	})
	for i, m := range smiles {
		if errs[i] != nil {
			return nil, fmt.Errorf("fingerprint of %s: %w", m, errs[i])
		}
		t.counts[m] = counts[i]
	}
	return counts, nil
}

func fingerprint(smiles string) (gp.Counts, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return gp.Counts{}, err
	}
	defer m.Close()
	c := m.ECFP(radius).Fold(bins)
	return gp.Counts{IDs: c.IDs, N: c.N}, nil
}
