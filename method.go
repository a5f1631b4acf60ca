package invbo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// Method is a method of latent Bayesian optimization, as a composition of slots. MethodNamed composes one by
// name, and Methods lists the paper's; any other composition works as well.
type Method struct {
	Name      string
	Align     Alignment     // gives strings their latents
	Anchor    Anchor        // chooses the trust region's center; zero: no region
	Region    RegionOptions // constants of the trust region
	Surrogate Surrogate     // models the score; nil: Latent
	Generate  Generator     // makes candidates; nil: InRegion, or without a region FromPrior
	Tuning    FineTuning    // updates the VAE; zero: never
	About     string        // one line for people
}

// Surrogate makes the surrogate of a search over the latents of m. features are for one that looks at structure.
type Surrogate func(m vae.Model, features surrogate.Features) surrogate.Surrogate

// Values of the slot Method.Surrogate.
var (
	// Latent is a GP on latents: the paper's sparse one with a deep kernel, fitted until it explains the data,
	// or in a bounded space TuRBO's exact one.
	Latent = onLatents(surrogate.NewLatent)

	// PublishedLatent is Latent with the training schedule and noise of the paper's code.
	PublishedLatent = onLatents(surrogate.NewPublished)

	// Structure is a GP on features of what latents decode to.
	Structure Surrogate = func(_ vae.Model, features surrogate.Features) surrogate.Surrogate {
		return surrogate.NewStructure(features)
	}
)

func onLatents[S surrogate.Surrogate](sparse func() S) Surrogate {
	return func(m vae.Model, _ surrogate.Features) surrogate.Surrogate {
		if _, _, bounded := vae.Bounds(m); bounded {
			return surrogate.NewExact()
		}
		return sparse()
	}
}

// NewSurrogate returns what the method's slot makes for the latents of a model.
func (m Method) NewSurrogate(model vae.Model, features surrogate.Features) surrogate.Surrogate {
	if features == nil {
		features = surrogate.Runs(model)
	}
	if m.Surrogate == nil {
		return Latent(model, features)
	}
	return m.Surrogate(model, features)
}

func (m Method) generator() Generator {
	switch {
	case m.Generate != nil:
		return m.Generate
	case m.Anchor.Choose != nil:
		return InRegion
	}
	return FromPrior
}

// Describe names in a few words what is in the slots for alignment, anchor, region and fine-tuning.
func (m Method) Describe() (alignment, anchor, region, tuning string) {
	alignment, anchor, region = m.Align.Name, "–", "whole space"
	if m.Generate != nil {
		region = "whole space and around the best"
	}
	if m.Anchor.Choose != nil {
		opts := NewRegion(0, m.Region).opts
		anchor, region = m.Anchor.Name, fmt.Sprintf("side %g, halved after %d", opts.Length, opts.Shrink)
	}
	return alignment, anchor, region, m.Tuning.String()
}

// bases returns the methods of the literature.
func bases() []Method {
	// LOL-BO's and CoBO's published regions wait for 32 bad batches, InvBO's for 4.
	patient := RegionOptions{Shrink: 32}
	elbo := FineTuning{ELBO: 1}
	weighted := FineTuning{ELBO: 1, Ranked: true, Every: 50}
	guided := FineTuning{ELBO: 1, Ranked: true, Every: 50, Pseudo: true, Guidance: 0.1}
	joint := FineTuning{ELBO: 1, Surrogate: 1}
	smooth := FineTuning{ELBO: 1, Surrogate: 1, Lipschitz: 100, Distance: 0.1, Weighted: true}
	return []Method{
		{Name: "lbo", Align: Encoder, Tuning: elbo, About: "latent BO in the whole space (LS-BO)"},
		{Name: "wlbo", Align: Encoder, Tuning: weighted, Generate: NearBest, About: "latent BO with a VAE that is updated mostly on the best strings (W-LBO)"},
		{Name: "pglbo", Align: Encoder, Tuning: guided, About: "W-LBO's updates, also on pseudo-labels and guided by the surrogate (PG-LBO)"},
		{Name: "turbo", Align: Encoder, Anchor: Incumbent, About: "trust region in a fixed latent space (TuRBO-L without updates of the VAE; TuRBO on continuous tasks)"},
		{Name: "lolbo", Align: Recenter, Anchor: Incumbent, Tuning: joint, Region: patient, About: "VAE and surrogate trained together (LOL-BO)"},
		{Name: "cobo", Align: Recenter, Anchor: Incumbent, Tuning: smooth, Region: patient, About: "LOL-BO with a latent space that is smooth for the score (CoBO)"},
	}
}

// Part is what a name may add to that of a method, after a "+".
type Part struct {
	Name  string
	Of    []string // slots that it fills: alignment, anchor, surrogate, loss
	About string   // one line for people

	change func(Method) Method
}

// Parts returns all parts. An alignment other than recentering comes with InvBO's region: the patience of
// LOL-BO's and CoBO's belongs to codes that recenter.
func Parts() []Part {
	align := func(a Alignment) func(Method) Method {
		return func(m Method) Method {
			m.Align = a
			if !a.RecentOnly {
				m.Region = RegionOptions{}
			}
			return m
		}
	}
	choose := func(a Anchor) func(Method) Method {
		return func(m Method) Method { m.Anchor = a; return m }
	}
	// These have no gradient in z: the VAE is updated without the surrogate's loss and guidance.
	ofStrings := func(s Surrogate) func(Method) Method {
		return func(m Method) Method {
			m.Tuning.Surrogate, m.Tuning.Guidance = 0, 0
			m.Surrogate = s
			return m
		}
	}
	inv, pas := align(Inversion), choose(PotentialAware)
	alignment, anchor, surrogate := []string{"alignment"}, []string{"anchor"}, []string{"surrogate"}
	return []Part{
		{"inv", alignment, "inversion: latents that decode exactly to the string", inv},
		{"pas", anchor, "potential-aware anchor selection: by score and by what the region may hold", pas},
		{"invbo", []string{"alignment", "anchor"}, "InvBO: inv and pas", func(m Method) Method { return pas(inv(m)) }},
		{"encoder", alignment, "the encoder's means, whatever they decode to", align(Encoder)},
		{"recenter", alignment, "recentering: sampled latents with what they decode to, which is scored", align(Recenter)},
		{"recenter-known", alignment, "recentering without calls: only where the score is known", align(RecenterKnown)},
		{"objective", anchor, "anchors by score", choose(Incumbent)},
		{"random", anchor, "random anchors", choose(RandomAnchor)},
		{"acquisition", anchor, "anchors by what the region may hold", choose(Acquisition)},
		{"structure", surrogate, "a surrogate on the structure of what latents decode to", ofStrings(Structure)},
		{"elbo", []string{"loss"}, "updates of the VAE by the ELBO alone", func(m Method) Method {
			m.Tuning = FineTuning{ELBO: 1, Ranked: m.Tuning.Ranked, Pseudo: m.Tuning.Pseudo, Every: m.Tuning.Every} // the data stay
			return m
		}},
	}
}

// Methods returns the methods of the paper: each base alone and with inversion, and those with a trust region also
// with PAS and with both.
func Methods() []Method {
	var all []Method
	for _, b := range bases() {
		for _, parts := range []string{"", "+inv", "+pas", "+invbo"} {
			if m, err := MethodNamed(b.Name + parts); err == nil {
				all = append(all, m)
			}
		}
	}
	return all
}

// MethodNamed composes a method: "cobo+inv+random+structure" is the base cobo with these parts in place of its
// own. The error lists the names to choose from, or says why parts do not go together.
func MethodNamed(name string) (Method, error) {
	words := strings.Split(name, "+")
	all := bases()
	i := slices.IndexFunc(all, func(b Method) bool { return b.Name == words[0] })
	if i < 0 {
		return Method{}, fmt.Errorf("no method %q; there are %s", words[0], list(all, func(b Method) string { return b.Name }))
	}
	m := all[i]
	m.Name = name
	filled, parts := map[string]string{}, Parts()
	for _, word := range words[1:] {
		if word == "evolve" { // a part of earlier versions
			return Method{}, fmt.Errorf("method %s: the part evolve was removed, because with it cobo+invbo found no more than the method evolve alone; take evolve", name)
		}
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == word })
		if i < 0 {
			return Method{}, fmt.Errorf("no part %q of a method; there are %s", word, list(parts, func(p Part) string { return p.Name }))
		}
		p := parts[i]
		for _, slot := range p.Of {
			if other, twice := filled[slot]; twice {
				return Method{}, fmt.Errorf("method %s: %s and %s are two parts for one %s; leave one out", name, other, word, slot)
			}
			filled[slot] = word
			if slot == "anchor" && m.Anchor.Choose == nil {
				return Method{}, fmt.Errorf("method %s: %s has no trust region, and so no anchor that %s could choose; leave it out, or take turbo, lolbo or cobo", name, words[0], word)
			}
			if slot == "loss" && m.Tuning == (FineTuning{}) {
				return Method{}, fmt.Errorf("method %s: %s never updates its VAE, and so has no loss that %s could replace; leave it out", name, words[0], word)
			}
		}
		m = p.change(m)
		if m.Align.RecentOnly && m.Tuning == (FineTuning{}) {
			return Method{}, fmt.Errorf("method %s: %s never updates its VAE, and so never recenters; leave %s out", name, words[0], word)
		}
		m.About += "; " + p.About
	}
	return m, nil
}

func list[T any](all []T, name func(T) string) string {
	return strings.Join(stats.Map(all, name), ", ")
}
