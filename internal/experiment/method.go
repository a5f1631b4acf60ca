package experiment

import (
	"context"
	"slices"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/tanimoto"
)

// Method is a way to search: one of the paper's in a latent space, with or without parts, or a baseline.
type Method struct {
	Name, About string
	Options     []string      // of MethodOptions, those that apply, by their flags; nil: all
	latent      *invbo.Method // its composition; nil: it searches molecules themselves, without a model
	search      search
}

// search spends the budget of a run. What it has found comes with an error, too, unless nothing was begun.
type search func(context.Context, invbo.Problem, invbo.Options) (ledger, error)

// ledger is where a search ended.
type ledger interface {
	Trials() []Trial
	Best() Trial
	Status() Status
}

// Molecular reports whether the method searches molecules themselves, without a model.
func (m Method) Molecular() bool { return m.latent == nil }

// Methods returns the methods that --method may begin with, a row each; parts may be added to those in a latent space.
func Methods() []Method {
	var all []Method
	for _, m := range invbo.Methods() {
		if !strings.Contains(m.Name, "+") {
			all = append(all, latentMethod(m))
		}
	}
	return append(all,
		Method{
			Name: "gbga", About: "graph genetic algorithm (GB-GA), for molecules; a baseline without a model",
			Options: []string{}, search: runGBGA,
		},
		Method{
			Name: "gp-tanimoto", About: "GP on fingerprints, GB-GA on its acquisition, for molecules; a baseline without a model",
			Options: []string{"batch", "transform"}, search: runTanimoto,
		},
	)
}

func latentMethod(m invbo.Method) Method {
	return Method{Name: m.Name, About: m.About, latent: &m, search: func(ctx context.Context, p invbo.Problem, o invbo.Options) (ledger, error) {
		found, err := invbo.Run(ctx, p, o)
		if found == nil {
			return nil, err
		}
		return found, err
	}}
}

// MethodNamed returns the method of that name: a base, and parts after a + each.
func MethodNamed(name string) (Method, error) {
	base, parts, _ := strings.Cut(name, "+")
	m, err := usage.Find("method", base, Methods(), func(m Method) string { return m.Name })
	if err != nil || parts == "" {
		return m, err
	}
	if m.Molecular() {
		return m, usage.Errorf("the method %s has no latent space, and so no part %q; leave it out", base, parts)
	}
	for part := range strings.SplitSeq(parts, "+") {
		if _, err := usage.Find("part", part, invbo.Parts(), func(p invbo.Part) string { return p.Name }); err != nil {
			return m, err
		}
	}
	composed, err := invbo.MethodNamed(name)
	return latentMethod(composed), usage.Wrap(err)
}

// refuse returns an error if one of the method's options that were given does not apply to it.
func (m Method) refuse(given []string) error {
	for _, name := range given {
		if m.Options != nil && !slices.Contains(m.Options, name) {
			return usage.Errorf("--%s does not apply to the method %s; leave it out", name, m.Name)
		}
	}
	return nil
}

// keep returns the options that apply to the method.
func (m Method) keep(o MethodOptions) MethodOptions {
	if m.Options == nil {
		return o
	}
	var kept MethodOptions
	if slices.Contains(m.Options, "batch") {
		kept.Batch = o.Batch
	}
	if slices.Contains(m.Options, "transform") {
		kept.Transform = o.Transform
	}
	return kept
}

// runGBGA uses the constants of GB-GA's benchmark, except that a search without progress ends with its budget, as others do.
func runGBGA(ctx context.Context, p invbo.Problem, o invbo.Options) (ledger, error) {
	l, err := genetic.Run(ctx, molecular(p), genetic.RunOptions{
		Options: recorded(o), Constants: genetic.Options{Patience: o.Budget}, Seed: o.Seed,
	})
	return orNone(l, err)
}

func runTanimoto(ctx context.Context, p invbo.Problem, o invbo.Options) (ledger, error) {
	l, err := tanimoto.Run(ctx, molecular(p), tanimoto.Options{
		Options: recorded(o), Batch: o.Batch, Transform: o.Profile.Transform, Seed: o.Seed,
	})
	return orNone(l, err)
}

func molecular(p invbo.Problem) evaluate.Problem {
	return evaluate.Problem{Oracle: p.Oracle, Minimize: p.Minimize, Init: p.Init, Feasible: p.Feasible}
}

func recorded(o invbo.Options) evaluate.Options {
	return evaluate.Options{Budget: o.Budget, Record: o.Record, Watch: o.Watch, Logger: o.Logger}
}

func orNone(l *evaluate.Ledger, err error) (ledger, error) {
	if l == nil {
		return nil, err
	}
	return l, err
}

// libraryOptions returns the options of the library's run, except for its inversion, which depends on the model.
func (s RunSpec) libraryOptions(m Method) (o invbo.Options, err error) {
	o = invbo.Options{
		Budget: s.Budget, Batch: s.Batch, Top: s.Top, Patience: s.Patience, Seed: s.Seed,
		Region: invbo.RegionOptions{Length: s.Region.Length, Min: s.Region.Min, Max: s.Region.Max},
	}
	if m.latent != nil {
		o.Method = *m.latent
		if o.Method.Tuning != (invbo.FineTuning{}) {
			o.Method.Tuning.Rate = s.UpdateRate
		}
		if o.Profile, err = profileNamed(s.Profile); err != nil {
			return o, err
		}
	}
	if s.Transform != "" {
		o.Profile.Transform, err = transformNamed(s.Transform)
	}
	return o, err
}

// transformNamed returns the transform of scores with that name.
func transformNamed(name string) (func([]float64) []float64, error) {
	type transform struct {
		name  string
		apply func([]float64) []float64
	}
	t, err := usage.Find("transform", name, []transform{
		{gp.Raw.String(), gp.Raw.Apply}, {gp.Standardise.String(), gp.Standardise.Apply}, {gp.LogRank.String(), invbo.LogRanks},
	}, func(t transform) string { return t.name })
	return t.apply, err
}

func defaultProfile() invbo.Profile { return invbo.Fitted() }

// profileNamed returns the profile of that name; the default one if it is empty.
func profileNamed(name string) (invbo.Profile, error) {
	if name == "" {
		return defaultProfile(), nil
	}
	return usage.Find("profile", name, []invbo.Profile{invbo.Fitted(), invbo.Published()}, func(p invbo.Profile) string { return p.Name })
}
