package experiment

import (
	"cmp"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Method is a way to search: one of the paper's in a latent space, with or without parts, or a baseline.
type Method struct {
	Name, About string
	latent      *invbo.Method // its composition; nil: it has no latent space
	needs       need          // of the task
	evolves     bool          // it chooses the transform by the data, and of molecules proposes usual ones unless told otherwise
	pools       bool          // it can propose given strings alone
	without     []Ablation    // of evolve
	batch       int           // proposals that the study asks for at a time; 0: the run's option
	objectives  bool          // it has a use for several, or for none
	searcher    func(*Plan) (study.Searcher, error)
}

// Latent reports whether the method searches the latent space of a model.
func (m Method) Latent() bool { return m.latent != nil }

// need is what a method needs of a task.
type need int

const (
	needsModel     need = iota // with a latent space
	needsSamples               // random strings
	needsSpace                 // strings that can be changed and compared
	needsMolecules             // likewise molecules
)

// noModel reports whether the strings themselves are searched.
func (n need) noModel() bool { return n == needsSpace || n == needsMolecules }

// Methods returns the methods that names may begin with, a row each; parts may be added to those in a latent space.
func Methods() []Method {
	var all []Method
	for _, m := range invbo.Methods() {
		if !strings.Contains(m.Name, "+") {
			all = append(all, latentMethod(m))
		}
	}
	return append(all,
		Method{
			Name: "evolve", About: "evolution of strings on a surrogate of their structure; needs no model, and takes molecules, expressions and strings of any alphabet",
			needs: needsSpace, evolves: true, pools: true, objectives: true,
			searcher: newEvolve,
		},
		Method{
			Name: "gbga", About: "graph genetic algorithm (GB-GA), for molecules; a baseline without a model",
			needs: needsMolecules, batch: generation,
			searcher: func(e *Plan) (study.Searcher, error) { return baseline.NewGBGA(baseline.GBGAOptions{}, e.Spec.Seed) },
		},
		Method{
			Name: "ga", About: "genetic algorithm on strings of any alphabet; a baseline without a model",
			needs: needsSpace,
			searcher: func(e *Plan) (study.Searcher, error) {
				return baseline.NewGA(e.space.Space, e.Spec.Seed), nil
			},
		},
		Method{
			Name: "nsga2", About: "NSGA-II on molecules, expressions and strings of any alphabet, for several objectives; a baseline without a model",
			needs: needsSpace, objectives: true,
			searcher: func(e *Plan) (study.Searcher, error) {
				return baseline.NewNSGA2(e.space.Space, e.Spec.Seed), nil
			},
		},
		Method{
			Name: "gp-tanimoto", About: "GP on fingerprints, GB-GA on its acquisition, for molecules; a baseline without a model",
			needs: needsMolecules,
			searcher: func(e *Plan) (study.Searcher, error) {
				return baseline.NewTanimoto(e.Problem.Feasible, e.Spec.Seed)
			},
		},
		Method{
			Name: "ridge", About: "ridge regression on fingerprints of molecules, letters of aligned sequences or parts of other strings, whose best predictions are proposed; a baseline",
			needs: needsSpace, pools: true, objectives: true,
			searcher: func(e *Plan) (study.Searcher, error) {
				return baseline.NewRidge(e.space.Space, e.Spec.Seed)
			},
		},
		Method{
			Name: "random", About: "random strings like those of the initial design; a baseline",
			needs: needsSamples, objectives: true,
			searcher: func(e *Plan) (study.Searcher, error) {
				generate := e.parts.Generate
				if e.parts.Random != nil {
					generate = e.parts.Random
				}
				return baseline.NewRandom(generate, e.Spec.Seed), nil
			},
		},
	)
}

// defaultProfile is the profile of runs that name none.
var defaultProfile = invbo.Fitted().Name

// generation is how many children GB-GA scores at a time: at least those of a generation.
const generation = 100

func latentMethod(m invbo.Method) Method {
	return Method{Name: m.Name, About: m.About, latent: &m, searcher: func(e *Plan) (study.Searcher, error) {
		return invbo.New(e.parts.Model, e.Options)
	}}
}

// MethodNamed returns the method of that name: a base, and parts after a + each. Of evolve parts can be left out, after
// a − each. What follows a colon are parameters, which are left out.
func MethodNamed(name string) (Method, error) {
	name, _, _ = strings.Cut(name, ":")
	if parts, ok := strings.CutPrefix(name, "evolve-"); ok {
		m, err := MethodNamed("evolve")
		if err != nil {
			return m, err
		}
		return ablated(m, parts)
	}
	base, parts, _ := strings.Cut(name, "+")
	m, err := usage.Find("method", base, Methods(), func(m Method) string { return m.Name })
	if err != nil || parts == "" {
		return m, err
	}
	if m.latent == nil {
		return m, usage.Errorf("the method %s has no latent space, and so no part %q; leave it out", base, parts)
	}
	for part := range strings.SplitSeq(parts, "+") {
		if part == "evolve" {
			continue // invbo.MethodNamed says why it was removed
		}
		if _, err := usage.Find("part", part, invbo.Parts(), func(p invbo.Part) string { return p.Name }); err != nil {
			return m, err
		}
	}
	composed, err := invbo.MethodNamed(name)
	return latentMethod(composed), usage.Wrap(err)
}

// updates reports whether the method updates its VAE.
func (m Method) updates() bool { return m.latent != nil && m.latent.Tuning != (invbo.FineTuning{}) }

// keep returns the options that apply to the method. Of latent methods more are kept than apply, as in the keys of
// published runs.
func (m Method) keep(o MethodOptions) MethodOptions {
	if m.Latent() {
		o.Similarity = 0
		if !m.updates() {
			o.Passes = 0
		}
		return o
	}
	var kept MethodOptions
	if m.Is(evolves) {
		kept.Similarity, kept.Transform = o.Similarity, o.Transform
	}
	if m.Is(inBatches) {
		kept.Batch = o.Batch
	}
	return kept
}

// libraryOptions returns the options of the library's run, except for its inversion, which depends on the model.
func (s RunSpec) libraryOptions(m Method) (o invbo.Options, err error) {
	o = invbo.Options{
		Batch: s.Batch, Top: s.Top, Patience: s.Patience, Seed: s.Seed,
		Region: invbo.RegionOptions{Length: s.Region.Length, Min: s.Region.Min, Max: s.Region.Max},
	}
	if m.latent != nil {
		o.Method = *m.latent
		if m.updates() {
			o.Method.Tuning.Rate, o.Method.Tuning.Passes = s.UpdateRate, s.Passes
		}
		profiles := []invbo.Profile{invbo.Fitted(), invbo.Published()}
		o.Profile, err = usage.Find("profile", cmp.Or(s.Profile, defaultProfile), profiles, func(p invbo.Profile) string { return p.Name })
		if err != nil {
			return o, err
		}
		if o.Profile.Name == invbo.Published().Name && o.Method.Surrogate == nil {
			o.Method.Surrogate = invbo.PublishedLatent
		}
	}
	if s.Transform != "" {
		o.Profile.Transform, err = usage.Find("transform", s.Transform, []gp.Transform{gp.Raw, gp.Standardise, gp.Sqrt, gp.Log, gp.LogRanks, gp.LogDistance}, gp.Transform.String)
	}
	return o, err
}
