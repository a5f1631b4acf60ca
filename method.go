package invbo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/vae"
)

// Method is a method of latent Bayesian optimization, as a composition of parts. MethodNamed composes one by
// name, and Methods lists the paper's; any other composition runs just as well.
type Method struct {
	Name   string
	Align  Alignment     // gives strings their latents
	Latest bool          // after an update Align is given D^t only (latest and top k), and all other points keep their latents
	Anchor AnchorRule    // chooses the trust region's centre; nil: no region, the whole latent space
	Tuning FineTuning    // updates the VAE; zero: never
	Region RegionOptions // constants of the trust region
	About  string        // one line for people

	// FromData has a method without a region look around the best fifth of its points for half of its candidates. W-LBO starts
	// half of its ascents of the acquisition from there, and the others from the prior.
	FromData bool

	Active bool // the surrogate sees each latent dimension as far as the encoder uses it; nothing changes in a bounded space

	surrogate         func(p Problem, m vae.Model) Surrogate // in place of the profile's; see OnStructure and OnReencoded
	alignment, anchor string                                 // names of the parts, for Describe
}

// OnStructure returns the method with its surrogate on what latents decode to, that is on the problem's
// features of a string, in place of the profile's surrogate on the latents themselves. The VAE is then
// updated without the surrogate's loss and guidance, which have no gradient in z.
func (m Method) OnStructure() Method {
	return m.reading(func(p Problem, _ vae.Model) Surrogate { return newStructure(p) })
}

// OnReencoded returns the method with its surrogate on the encoder's means of what latents decode to, in place of the profile's
// on the latents themselves: the same latent space, without the moves that do not move the string. It is an exact GP with
// one lengthscale for the dimensions that the encoder uses. This is ours; docs/benchmarks.md has what it does. The VAE is then updated without the
// surrogate's loss and guidance, as in OnStructure.
func (m Method) OnReencoded() Method {
	return m.reading(func(_ Problem, model vae.Model) Surrogate { return newReencoded(model) })
}

// reading returns the method with a surrogate that has no gradient in z.
func (m Method) reading(s func(p Problem, m vae.Model) Surrogate) Method {
	m.Tuning.Surrogate, m.Tuning.Guidance = 0, 0
	m.surrogate = s
	return m
}

// Surrogate returns a new surrogate as a run with this profile fits it to p. model is p's, or the run's copy of it, see Optimizer.Model.
func (m Method) Surrogate(p Problem, profile Profile, model vae.Model) Surrogate {
	if m.surrogate != nil {
		return m.surrogate(p, model)
	}
	s := profile.Surrogate(model)
	if _, reads := s.(Reader); m.Active && !reads && bounds(model) == nil {
		return ActiveDimensions(s, model)
	}
	return s
}

// Describe says in a few words each what a method is made of; of an alignment or anchor rule that did not come by
// name, that it is the method's own.
func (m Method) Describe() (alignment, anchor, region, tuning string) {
	const own = "its own"
	alignment, anchor, region = cmp.Or(m.alignment, own), "–", "whole space"
	if m.FromData {
		region = "whole space and around the best"
	}
	if m.Anchor != nil {
		opts := NewRegion(0, m.Region).opts
		anchor, region = cmp.Or(m.anchor, own), fmt.Sprintf("side %g, halved after %d", opts.Length, opts.Shrink)
	}
	return alignment, anchor, region, m.Tuning.String()
}

// A base is a method of the literature: the names of its alignment and, if it has a region, of its anchor
// rule, and how it updates its VAE.
type base struct {
	name, alignment, anchor string
	tuning                  FineTuning
	region                  RegionOptions
	fromData                bool
	about                   string
}

func bases() []base {
	// LOL-BO's and CoBO's published regions wait for 32 bad batches, InvBO's for 4.
	patient := RegionOptions{Shrink: 32}
	elbo := FineTuning{ELBO: 1}
	weighted := FineTuning{ELBO: 1, Ranked: true, Every: 50}
	guided := FineTuning{ELBO: 1, Ranked: true, Every: 50, Pseudo: true, Guidance: 0.1}
	joint := FineTuning{ELBO: 1, Surrogate: 1}
	smooth := FineTuning{ELBO: 1, Surrogate: 1, Lipschitz: 100, Distance: 0.1, Weighted: true}
	return []base{
		{name: "lbo", alignment: "encoder", tuning: elbo, about: "latent BO on the whole space (LS-BO)"},
		{name: "wlbo", alignment: "encoder", tuning: weighted, fromData: true, about: "latent BO with a VAE that learns most from the best (W-LBO)"},
		{name: "pglbo", alignment: "encoder", tuning: guided, about: "W-LBO that learns from pseudo-labels and the surrogate, too (PG-LBO)"},
		{name: "turbo", alignment: "encoder", anchor: "objective", about: "trust region in a fixed latent space (TuRBO-L; TuRBO on continuous tasks)"},
		{name: "lolbo", alignment: "recenter", anchor: "objective", tuning: joint, region: patient, about: "VAE and surrogate trained together (LOL-BO)"},
		{name: "cobo", alignment: "recenter", anchor: "objective", tuning: smooth, region: patient, about: "LOL-BO with a latent space made smooth for the score (CoBO)"},
	}
}

// Part is what a name may add to that of a method, after a "+".
type Part struct {
	Name  string
	Of    []string // what it replaces: alignment, anchor rule, surrogate
	About string   // one line for people

	change func(*Method)
}

// Parts returns all parts. An alignment other than recentering comes with InvBO's region: the patience of
// LOL-BO's and CoBO's is that of codes which recenter.
func Parts() []Part {
	alignment, anchor := []string{"alignment"}, []string{"anchor rule"}
	align := func(name string, a Alignment) func(*Method) {
		return func(m *Method) { m.alignment, m.Align, m.Latest, m.Region = name, a, false, RegionOptions{} }
	}
	recenter := func(name string, a Alignment) func(*Method) {
		return func(m *Method) { m.alignment, m.Align, m.Latest = name, a, true }
	}
	choose := func(name string, a AnchorRule) func(*Method) {
		return func(m *Method) { m.anchor, m.Anchor = name, a }
	}
	inv, pas := align("inv", Inversion), choose("pas", PotentialAware)
	return []Part{
		{"inv", alignment, "inversion: latents that decode to exactly the string", inv},
		{"pas", anchor, "potential-aware anchors: score and what the region may hold", pas},
		{"invbo", []string{"alignment", "anchor rule"}, "InvBO: inv and pas", func(m *Method) { inv(m); pas(m) }},
		{"encoder", alignment, "the encoder's latents, whatever they decode to", align("encoder", Encoder)},
		{"recenter", alignment, "recentering: latents with what they decode to, which is scored", recenter("recenter", Recenter)},
		{"recenter-known", alignment, "recentering without calls: only where the score is known", recenter("recenter-known", RecenterKnown)},
		{"objective", anchor, "anchors by score", choose("objective", Incumbent)},
		{"random", anchor, "anchors by chance", choose("random", RandomAnchor)},
		{"acquisition", anchor, "anchors by what the region may hold", choose("acquisition", Acquisition)},
		{"active", []string{"surrogate"}, "a surrogate that sees each latent dimension as far as the encoder uses it", func(m *Method) { m.Active = true }},
		{"reencoded", []string{"surrogate"}, "a surrogate on the encoder's means of what latents decode to", func(m *Method) { *m = m.OnReencoded() }},
		{"structure", []string{"surrogate"}, "a surrogate on what latents decode to", func(m *Method) { *m = m.OnStructure() }},
	}
}

func partNamed(name string) (Part, bool) {
	all := Parts()
	i := slices.IndexFunc(all, func(p Part) bool { return p.Name == name })
	if i < 0 {
		return Part{}, false
	}
	return all[i], true
}

// Methods returns the methods of the paper: each base alone and with inversion, and those with a trust region also
// with PAS and with both.
func Methods() []Method {
	var all []Method
	for _, b := range bases() {
		for _, parts := range []string{"", "+inv", "+pas", "+invbo"} {
			if m, err := MethodNamed(b.name + parts); err == nil {
				all = append(all, m)
			}
		}
	}
	return all
}

// MethodNamed composes a method: "cobo+inv+random+structure" is the base cobo with these parts in place of its
// own. The error says what there is instead of an unknown name, or why parts do not go together.
func MethodNamed(name string) (Method, error) {
	words := strings.Split(name, "+")
	all := bases()
	i := slices.IndexFunc(all, func(b base) bool { return b.name == words[0] })
	if i < 0 {
		return Method{}, fmt.Errorf("no method %q; there are %s", words[0], list(all, func(b base) string { return b.name }))
	}
	b := all[i]
	m := Method{Name: name, Tuning: b.tuning, Region: b.region, FromData: b.fromData, About: b.about}
	for _, own := range []string{b.alignment, b.anchor} {
		if p, ok := partNamed(own); ok {
			p.change(&m)
		}
	}
	replaced := map[string]string{}
	for _, word := range words[1:] {
		p, ok := partNamed(word)
		if !ok {
			return Method{}, fmt.Errorf("no part %q of a method; there are %s", word, list(Parts(), func(p Part) string { return p.Name }))
		}
		for _, of := range p.Of {
			if other, twice := replaced[of]; twice {
				return Method{}, fmt.Errorf("method %s: %s and %s are two parts for one %s; leave one out", name, other, word, of)
			}
			replaced[of] = word
			if of == "anchor rule" && m.Anchor == nil {
				return Method{}, fmt.Errorf("method %s: %s has no trust region, and so no anchor that %s could choose; leave it out, or take turbo, lolbo or cobo", name, b.name, word)
			}
		}
		p.change(&m)
		if m.Latest && m.Tuning == (FineTuning{}) {
			return Method{}, fmt.Errorf("method %s: %s never updates its VAE, and so never recenters; leave %s out", name, b.name, word)
		}
		m.About += "; " + p.About
	}
	return m, nil
}

func list[T any](all []T, name func(T) string) string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = name(v)
	}
	return strings.Join(names, ", ")
}
