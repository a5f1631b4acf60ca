package baseline

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
)

// The published constants of the kernel.
const (
	radius = 3    // of the atom environments, in bonds: ECFP6
	bins   = 2048 // of the folded fingerprint
	scale  = 1    // variance of the prior
	noise  = 1e-4 // variance of the observations
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
// A batch takes n³/3 multiplications and n² numbers of memory for n scored molecules: it is for thousands, not tens of
// thousands.
type Tanimoto struct {
	transform    gp.Transform
	inner        genetic.Options // of the algorithm that maximizes the acquisition
	surrogate    *surrogate.Structure
	seed         uint64
	index        map[int]int // of smiles, by trial
	smiles       []string    // scored molecules, canonical
	y, v         []float64   // their values, larger is better, and the variances of these
	fit, acquire time.Duration
}

// NewTanimoto returns a Tanimoto over canonical SMILES. The same seed and answers give the same search on any number of
// processors. The error is molecule.ErrNoRDKit.
func NewTanimoto(transform gp.Transform, seed uint64) (*Tanimoto, error) {
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	return &Tanimoto{
		transform: transform, seed: seed, index: map[int]int{},
		surrogate: surrogate.NewStructure(fingerprint, gp.MinMaxOptions{Scale: scale, Noise: noise}),
		inner:     genetic.Options{Population: 200, Offspring: 200, Generations: 5, Patience: 5}, // published
	}, nil
}

// Propose returns the n new molecules with the greatest acquisition, or study.ErrExhausted if there is none.
func (t *Tanimoto) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	rng := rand.New(rand.NewPCG(t.seed, uint64(known.Batch())))
	began := time.Now()
	if len(t.y) == 0 {
		return nil, errors.New("no molecule has a score; give other initial molecules")
	}
	units, err := t.learn(ctx, known.Pending())
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
	var found []candidate // all new molecules that the genetic algorithm evaluates
	acquisition := func(ctx context.Context, smiles []string) ([]float64, error) {
		mu, sigma2, err := t.surrogate.Predict(ctx, surrogate.Points{X: smiles})
		if err != nil {
			return nil, err
		}
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

// learn fits the surrogate to the scored molecules, and to pending ones at their predictions. It returns the scale of
// the targets.
func (t *Tanimoto) learn(ctx context.Context, pending []study.Proposal) (gp.Scale, error) {
	units := t.transform.Fit(t.y)
	d := surrogate.Data{Points: surrogate.Points{X: slices.Clone(t.smiles)}, Y: units.Apply(t.y)}
	if slices.Max(t.v) > 0 {
		for _, v := range t.v {
			d.Variance = append(d.Variance, units.Variance(v))
		}
	}
	err := t.surrogate.Fit(ctx, d, nil)
	if err != nil || len(pending) == 0 {
		return units, err
	}
	var more []string
	for _, p := range pending {
		more = append(more, p.Input)
	}
	mu, _, err := t.surrogate.Predict(ctx, surrogate.Points{X: more})
	if err != nil {
		return units, err
	}
	d.X, d.Y = append(d.X, more...), append(d.Y, mu...)
	if d.Variance != nil {
		d.Variance = append(d.Variance, make([]float64, len(mu))...)
	}
	return units, t.surrogate.Fit(ctx, d, nil)
}

// Observe adds scored molecules to the data, and removes those whose score was corrected to a failure.
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

// Report returns the time spent on fitting and on acquisition.
func (t *Tanimoto) Report() study.Report {
	return study.Report{Phases: []study.Phase{{Name: "fit", Time: t.fit}, {Name: "acquire", Time: t.acquire}}}
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
