package invbo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/generate"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// Strings is the space of what the oracle reads, for a Method that evolves strings.
type Strings struct {
	evolve.Space
	Parse func(input string) (x string, err error) // the model's string of an input; nil: they are the same
	Show  func(x string) (input string, err error) // and back; nil: they are the same
}

// evolution finds the batches of a Method that evolves strings. Moves in the trust region and draws from the prior are among its
// operators; what it chooses gets its latent by the method's alignment, before the next batch.
type evolution struct {
	*evolve.Searcher
	strings Strings
	model   func() vae.Model // with all updates so far
	from    generate.Source  // of latent moves, for the batch
}

func newEvolution(s Strings, model func() vae.Model, seed uint64) (*evolution, error) {
	e := &evolution{strings: s, model: model}
	latent := func(name string, generator generate.Generator) evolve.Operator {
		return evolve.Operator{Name: name, Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]string, error) {
			return e.decoded(ctx, generator, len(pairs), rng)
		}}
	}
	space := s.Space
	space.Operators = append(space.Operators[:len(space.Operators):len(space.Operators)], latent("prior", generate.Prior), latent("latent", e.move))
	var err error
	e.Searcher, err = evolve.New(space, evolve.Options{Seed: seed})
	return e, err
}

// move makes moves in the trust region, or around the best points in a method without one.
func (e *evolution) move(ctx context.Context, n int, from generate.Source, rng *rand.Rand) (surrogate.Points, error) {
	if from.Center == nil {
		return generate.NearBest(ctx, n, from, rng)
	}
	return generate.Region(ctx, n, from, rng)
}

// decoded returns what n candidates of a generator decode to, as the oracle reads it; "" where that is nothing.
func (e *evolution) decoded(ctx context.Context, generator generate.Generator, n int, rng *rand.Rand) ([]string, error) {
	at, err := generator(ctx, n, e.from, rng)
	if err != nil {
		return nil, err
	}
	x, err := decode(ctx, e.model(), at.Z)
	if err != nil {
		return nil, fmt.Errorf("decode %d candidates: %w", n, err)
	}
	for i, s := range x {
		if s != "" && e.strings.Show != nil {
			if x[i], err = e.strings.Show(s); err != nil {
				x[i] = ""
			}
		}
	}
	return x, nil
}

// read returns the model's string of an input; an error if the model cannot encode it.
func (e *evolution) read(input string) (x string, err error) {
	x = input
	if e.strings.Parse != nil {
		if x, err = e.strings.Parse(input); err != nil {
			return "", err
		}
	}
	return x, e.model().Check(x)
}

// Observe learns from trials by what the oracle read.
func (e *evolution) Observe(ctx context.Context, trials ...study.Trial) error {
	trials = slices.Clone(trials)
	for i := range trials {
		trials[i].X = trials[i].Input
	}
	return e.Searcher.Observe(ctx, trials...)
}

// inputs is a Ledger that is asked about inputs.
type inputs struct {
	study.Ledger
	read func(input string) (x string, err error)
}

// Lookup reports inputs that the model cannot encode as Invalid.
func (i inputs) Lookup(input string) study.Trial {
	x, err := i.read(input)
	if err != nil {
		return study.Trial{Proposal: study.Proposal{X: input}, State: study.Invalid, Reason: err.Error()}
	}
	return i.Ledger.Lookup(x)
}

// evolve proposes a batch of n.
func (o *Optimizer) evolve(ctx context.Context, books study.Ledger, from generate.Source, n int) ([]study.Proposal, error) {
	defer since(&o.timing.acquire, time.Now())
	o.strings.from = from
	chosen, err := o.strings.Propose(ctx, inputs{books, o.strings.read}, n)
	if err != nil {
		return nil, err
	}
	for i := range chosen {
		if chosen[i].X, err = o.strings.read(chosen[i].X); err != nil {
			return nil, err
		}
		chosen[i].Kind, chosen[i].Model = study.Acquired, o.updates
	}
	return chosen, nil
}
