package invbo

import (
	"fmt"
	"slices"
	"strings"
)

// Method is a method of latent Bayesian optimization, as a composition of parts. Methods lists the
// paper's; any other composition runs just as well.
type Method struct {
	Name   string
	Align  Alignment     // gives strings their latents
	Asks   bool          // Align may ask for scores, so after an update only D^t (latest and top k) is aligned
	Anchor AnchorRule    // chooses the trust region's centre; nil: no region, the whole latent space
	Tuning FineTuning    // updates the VAE when the search stalls; zero: never
	Region RegionOptions // constants of the trust region
	About  string        // one line for people

	structure bool // see OnStructure
}

// OnStructure returns the method with its surrogate on what latents decode to, that is on the problem's
// features of a string, in place of the profile's surrogate on the latents themselves. The VAE is then
// updated without the surrogate's loss, which has no gradient in z. Its name ends in "+structure".
func (m Method) OnStructure() Method {
	m.Name += structureSuffix
	m.About += "; surrogate on structure"
	m.Tuning.Surrogate = 0
	m.structure = true
	return m
}

const structureSuffix = "+structure"

// The published constants: LOL-BO's and CoBO's regions wait for 32 bad batches, InvBO's for 4.
var (
	patient = RegionOptions{Shrink: 32}
	elbo    = FineTuning{ELBO: 1}
	lolbo   = FineTuning{ELBO: 1, Surrogate: 1}
	cobo    = FineTuning{ELBO: 1, Surrogate: 1, Lipschitz: 100, Distance: 0.1, Weighted: true}
)

// Methods returns the methods of the paper, a row each: alignment × anchor rule × region × fine-tuning loss.
func Methods() []Method {
	return []Method{
		{"lbo", Encoder, false, nil, elbo, RegionOptions{}, "latent BO on the whole space (LS-BO)", false},
		{"lbo+inv", Inversion, false, nil, elbo, RegionOptions{}, "LS-BO with inversion", false},
		{"turbo", Encoder, false, Incumbent, FineTuning{}, RegionOptions{}, "trust region in a fixed latent space (TuRBO-L; TuRBO on continuous tasks)", false},
		{"turbo+inv", Inversion, false, Incumbent, FineTuning{}, RegionOptions{}, "TuRBO-L with inversion", false},
		{"turbo+pas", Encoder, false, PotentialAware, FineTuning{}, RegionOptions{}, "TuRBO(-L) with potential-aware anchors", false},
		{"turbo+invbo", Inversion, false, PotentialAware, FineTuning{}, RegionOptions{}, "TuRBO-L with inversion and potential-aware anchors", false},
		{"lolbo", Recenter, true, Incumbent, lolbo, patient, "VAE and surrogate trained together (LOL-BO)", false},
		{"lolbo+inv", Inversion, false, Incumbent, lolbo, RegionOptions{}, "LOL-BO with inversion in place of recentering", false},
		{"lolbo+pas", Recenter, true, PotentialAware, lolbo, patient, "LOL-BO with potential-aware anchors", false},
		{"lolbo+invbo", Inversion, false, PotentialAware, lolbo, RegionOptions{}, "LOL-BO with InvBO", false},
		{"cobo", Recenter, true, Incumbent, cobo, patient, "LOL-BO with a latent space made smooth for the score (CoBO)", false},
		{"cobo+inv", Inversion, false, Incumbent, cobo, RegionOptions{}, "CoBO with inversion in place of recentering", false},
		{"cobo+pas", Recenter, true, PotentialAware, cobo, patient, "CoBO with potential-aware anchors", false},
		{"cobo+invbo", Inversion, false, PotentialAware, cobo, RegionOptions{}, "CoBO with InvBO: the paper's method", false},
	}
}

// MethodNamed returns the row of Methods with that name, or, with "+structure" behind it, that row
// OnStructure. The error lists the names there are.
func MethodNamed(name string) (Method, error) {
	if base, ok := strings.CutSuffix(name, structureSuffix); ok {
		m, err := MethodNamed(base)
		if err != nil {
			return Method{}, err
		}
		return m.OnStructure(), nil
	}
	all := Methods()
	if i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return Method{}, fmt.Errorf("no method %q; there are %s", name, strings.Join(names, ", "))
}
