// Package tanimoto searches molecules with Bayesian optimization on their fingerprints, without a generative model: the control
// that a search in latent space has to beat (Tripp & Hernández-Lobato 2023, "Genetic algorithms are strong baselines for
// molecule generation", and the GP-BO of Gao et al. 2022).
//
// The surrogate is an exact GP whose kernel is the Tanimoto similarity of counts of atom environments; nothing of it
// is fitted. What maximizes its upper confidence bound is looked for by the graph genetic algorithm of
// package genetic, among children of the best molecules so far. Start reading at Run.
//
// It needs RDKit: see package molecule.
package tanimoto

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// The published constants: the kernel's, and those of the genetic algorithm that maximizes the acquisition.
const (
	radius = 3    // of the atom environments, in bonds: ECFP6
	bins   = 2048 // that they are counted in
	scale  = 1    // variance of the prior
	noise  = 1e-4 // and of the observations

	generations = 5
	offspring   = 200
)

// Options holds what a run may vary. A zero field takes the value in the comment.
type Options struct {
	evaluate.Options                             // those of any search
	Batch            int                         // molecules asked for at a time; 5
	Transform        func(y []float64) []float64 // of the scores (larger is better), for the GP, whose mean is 0; gp.Standardise
	Seed             uint64                      // the same seed and answers give the same run
}

// Run scores the initial data and then, batch by batch, the molecules of the greatest acquisition that are not known
//
//	mu + beta·sigma    log₁₀ beta ~ U(−2, 0)
//
// until the budget is spent, or no child of the best molecules is new. beta is drawn once a batch: most batches use what is
// known, and some look around. The same seed and answers give the same trials on any number of processors.
//
// An iteration takes n³/3 multiplications for n scored molecules, and memory for n² numbers: thousands, not tens of thousands.
//
// The error wraps ctx's cause if ctx ended the run; with it comes the Ledger of the trials until then.
func Run(ctx context.Context, p evaluate.Problem, opts Options) (*evaluate.Ledger, error) {
	if opts.Batch < 0 {
		return nil, fmt.Errorf("tanimoto: batch %d must not be negative", opts.Batch)
	}
	opts.Batch = cmp.Or(opts.Batch, 5)
	if opts.Transform == nil {
		opts.Transform = gp.Standardise.Apply
	}
	l, err := evaluate.New(p, opts.Options)
	if err != nil {
		return nil, err
	}
	if _, err := l.Start(ctx); err != nil {
		return l, err
	}
	s := &search{ledger: l, opts: opts, feasible: p.Feasible, counts: map[string]gp.Counts{}}
	for n := uint64(1); ; n++ {
		batch, err := s.propose(ctx, rand.New(rand.NewPCG(opts.Seed, n)))
		if err != nil {
			return l, fmt.Errorf("batch %d: %w", n, err)
		}
		if len(batch) == 0 {
			return l, nil
		}
		if err := l.Batch(ctx, batch); errors.Is(err, invbo.ErrDone) {
			return l, nil
		} else if err != nil {
			return l, err
		}
	}
}

// search is the state of a Run.
type search struct {
	ledger   *evaluate.Ledger
	opts     Options
	feasible func(smiles string) (bool, error) // may be nil
	counts   map[string]gp.Counts              // of molecules seen lately
}

// propose returns the batch of unknown molecules with the greatest acquisition.
func (s *search) propose(ctx context.Context, rng *rand.Rand) ([]evaluate.Proposal, error) {
	began := time.Now()
	smiles, y := s.ledger.Scored()
	if len(y) == 0 {
		return nil, errors.New("tanimoto: no molecule has a score; give others to start from")
	}
	known, err := s.fingerprints(smiles)
	if err != nil {
		return nil, err
	}
	surrogate, err := gp.FitMinMax(ctx, known, s.opts.Transform(y), gp.MinMaxOptions{Scale: scale, Noise: noise})
	if err != nil {
		return nil, err
	}
	s.ledger.Timing.Fit += time.Since(began)

	began = time.Now()
	beta := math.Pow(10, 2*rng.Float64()-2)
	type candidate struct {
		evaluate.Proposal
		value float64
	}
	var found []candidate // all that the genetic algorithm comes across, each once
	acquisition := func(_ context.Context, smiles []string) ([]float64, error) {
		c, err := s.fingerprints(smiles)
		if err != nil {
			return nil, err
		}
		mu, sigma2 := surrogate.Predict(c)
		value := make([]float64, len(smiles))
		for i, m := range smiles {
			value[i] = mu[i] + beta*math.Sqrt(sigma2[i])
			if _, known := s.ledger.Value(m); !known {
				found = append(found, candidate{evaluate.Proposal{SMILES: m, Predicted: mu[i]}, value[i]})
			}
		}
		return value, nil
	}
	constants := genetic.Options{Population: offspring, Offspring: offspring, Generations: generations, Patience: generations, Feasible: s.feasible}
	if _, err := genetic.Evolve(ctx, fittest(smiles, y, offspring), acquisition, constants, rng); err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
	batch := make([]evaluate.Proposal, min(s.opts.Batch, len(found)))
	for i := range batch {
		batch[i] = found[i].Proposal
	}
	s.ledger.Timing.Acquire += time.Since(began)
	return batch, nil
}

// fittest returns the n molecules of the greatest values, the greatest first, the older of equals first.
func fittest(smiles []string, y []float64, n int) []string {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[b], y[a]) })
	best := make([]string, min(n, len(order)))
	for i := range best {
		best[i] = smiles[order[i]]
	}
	return best
}

// remembered bounds the molecules whose counts are kept: the candidates of some fifty batches, in about as many megabytes.
const remembered = 50_000

// fingerprints returns the counts of the atom environments of molecules.
func (s *search) fingerprints(smiles []string) ([]gp.Counts, error) {
	if len(s.counts) > remembered {
		clear(s.counts)
	}
	counts := make([]gp.Counts, len(smiles))
	errs := make([]error, len(smiles))
	parallel.For(len(smiles), 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var ok bool
			if counts[i], ok = s.counts[smiles[i]]; !ok {
				counts[i], errs[i] = fingerprint(smiles[i])
			}
		}
	})
	for i, m := range smiles {
		if errs[i] != nil {
			return nil, fmt.Errorf("fingerprint of %s: %w", m, errs[i])
		}
		s.counts[m] = counts[i]
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
