package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/tanimoto"
)

// search spends the budget of a run. What it found until an error comes with it, unless nothing was begun.
type search func(context.Context, invbo.Problem, invbo.Options) (outcome, error)

// outcome is where a search ended.
type outcome interface {
	Trials() []invbo.Trial
	Best() invbo.Trial
	Status() invbo.Status
}

// inLatents is the search of all of invbo.Methods.
func inLatents(ctx context.Context, p invbo.Problem, o invbo.Options) (outcome, error) {
	found, err := invbo.Run(ctx, p, o)
	if found == nil {
		return nil, err
	}
	return found, err
}

// control is a search among molecules themselves, which one in latent space has to beat. Its strings are SMILES.
type control struct {
	name, about string
	flags       []string // parts of a method that mean something to it
	search      search
}

func controls() []control {
	return []control{
		{"gbga", "graph genetic algorithm (GB-GA), for molecules; no model", nil, gbga},
		{"gp-tanimoto", "GP on fingerprints, and GB-GA on its acquisition, for molecules; no model", []string{"batch", "transform"}, gpTanimoto},
	}
}

// controlNamed returns the row of controls with that name, if there is one.
func controlNamed(name string) (control, bool) {
	all := controls()
	i := slices.IndexFunc(all, func(c control) bool { return c.name == name })
	if i < 0 {
		return control{}, false
	}
	return all[i], true
}

// refuse refuses parts of a method that mean nothing to c.
func (c control) refuse(f *pflag.FlagSet) error {
	names := []string{"batch"}
	new(methodFlags).group().flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, name := range names {
		if f.Changed(name) && !slices.Contains(c.flags, name) {
			return usagef("--%s is not for the method %s; leave it out", name, c.name)
		}
	}
	return nil
}

// keep returns the flags of a method that mean something to c.
func (c control) keep(f methodFlags) methodFlags {
	var kept methodFlags
	if slices.Contains(c.flags, "batch") {
		kept.batch = f.batch
	}
	if slices.Contains(c.flags, "transform") {
		kept.transform = f.transform
	}
	return kept
}

// among returns the parts of a search by c: of a task of molecules, with SMILES for strings.
func (c control) among(t task, p parts) (parts, error) {
	if p.translate == nil {
		return parts{}, usagef("the method %s is for molecules, and the task %s has none; see invbo methods", c.name, t.name)
	}
	show, generate := p.show, p.generate
	p.generate = func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		xs, err := generate(ctx, rng, n)
		for i, x := range xs {
			xs[i] = show(x)
		}
		return xs, err
	}
	p.notation, p.model = molecules(), nil
	return p, nil
}

// gbga is genetic.Run with the constants of its benchmark, except that a search without gain ends with its budget, as others do.
func gbga(ctx context.Context, p invbo.Problem, o invbo.Options) (outcome, error) {
	return ledger(genetic.Run(ctx, molecular(p), genetic.RunOptions{
		Options: recorded(o), Constants: genetic.Options{Patience: o.Budget}, Seed: o.Seed,
	}))
}

func gpTanimoto(ctx context.Context, p invbo.Problem, o invbo.Options) (outcome, error) {
	return ledger(tanimoto.Run(ctx, molecular(p), tanimoto.Options{
		Options: recorded(o), Batch: o.Batch, Transform: o.Profile.Transform, Seed: o.Seed,
	}))
}

func molecular(p invbo.Problem) evaluate.Problem {
	return evaluate.Problem{Oracle: p.Oracle, Minimize: p.Minimize, Init: p.Init, Feasible: p.Feasible}
}

func recorded(o invbo.Options) evaluate.Options {
	return evaluate.Options{Budget: o.Budget, Record: o.Record, Watch: o.Watch, Logger: o.Logger}
}

// ledger returns no outcome where there is none.
func ledger(l *evaluate.Ledger, err error) (outcome, error) {
	if l == nil {
		return nil, err
	}
	return l, err
}

// methodNames returns the names of controls and of methods that parts may be added to.
func methodNames() []string {
	var names []string
	for _, m := range bases() {
		names = append(names, m.Name)
	}
	for _, c := range controls() {
		names = append(names, c.name)
	}
	return names
}

// noParts refuses a control with parts, such as gbga+pas.
func noParts(name string) error {
	base, rest, _ := strings.Cut(name, "+")
	if c, ok := controlNamed(base); ok {
		return usagef("the method %s has no latent space, and no part %q; leave it out", c.name, rest)
	}
	return nil
}
