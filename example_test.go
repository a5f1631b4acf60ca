package invbo_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// An expression that is 7 at x = 2: the score is how far it is from that, and we may look 20 times.
func Example() {
	model, err := grammar.Expression() // a VAE of arithmetic expressions, with weights
	if err != nil {
		log.Fatal(err)
	}
	problem := invbo.Problem{Model: model, Minimize: true, Oracle: oracle.Func(func(x string) oracle.Result {
		y, err := expression.Eval(x, []float64{2})
		if err != nil {
			return oracle.Result{Score: math.NaN(), Reason: err.Error()}
		}
		return oracle.Result{Score: math.Abs(y[0] - 7)}
	})}
	start, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 1)), 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range start {
		problem.Init = append(problem.Init, invbo.Observation{X: x})
	}
	found, err := invbo.Run(context.Background(), problem, invbo.Options{Budget: 20})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", found.Best().Score < 1)
	// Output: within 1 of the target: true
}

// A method of one's own is a composition: inversion, random anchors, and LOL-BO's loss with a little of CoBO's.
func ExampleMethod() {
	mine := invbo.Method{
		Align:  invbo.Inversion,
		Anchor: invbo.RandomAnchor,
		Tuning: invbo.FineTuning{ELBO: 1, Surrogate: 1, Lipschitz: 10},
	}
	found, err := invbo.Run(context.Background(), sevenAtTwo(), invbo.Options{Method: mine, Budget: 30})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", found.Best().Score < 1)
	// Output: within 1 of the target: true
}

// sevenAtTwo is the problem of the first example.
func sevenAtTwo() invbo.Problem {
	model, err := grammar.Expression()
	if err != nil {
		log.Fatal(err)
	}
	problem := invbo.Problem{Model: model, Minimize: true, Oracle: oracle.Func(func(x string) oracle.Result {
		y, err := expression.Eval(x, []float64{2})
		if err != nil {
			return oracle.Result{Score: math.NaN(), Reason: err.Error()}
		}
		return oracle.Result{Score: math.Abs(y[0] - 7)}
	})}
	start, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 1)), 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range start {
		problem.Init = append(problem.Init, invbo.Observation{X: x})
	}
	return problem
}

// The paper's names compose, too, and what they give may be changed.
func ExampleMethodNamed() {
	m, err := invbo.MethodNamed("cobo+inv+random+structure")
	if err != nil {
		log.Fatal(err)
	}
	m.Region.Length = 0.4
	fmt.Println(m.Describe())
	// Output: inv random side 0.4, halved after 4 weighted ELBO + Lipschitz + distance
}

// A surrogate of one's own: the profile's, on the encoder's means of what latents decode to.
func ExampleReader() {
	profile := invbo.Fitted()
	fitted := profile.Surrogate
	profile.Surrogate = func(m vae.Model) invbo.Surrogate {
		return reencoded{fitted(m).(invbo.Trainable), m}
	}
	profile.Candidates, profile.AnchorCandidates, profile.ReadCandidates = 200, 20, 200
	found, err := invbo.Run(context.Background(), sevenAtTwo(), invbo.Options{Profile: profile, Budget: 30})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", found.Best().Score < 1)
	// Output: within 1 of the target: true
}

// reencoded sees a latent z as E(D(z)): a string has many latents, and one such mean.
type reencoded struct {
	invbo.Trainable // the latents that a VAE is updated on are the encoder's anyway
	model           vae.Model
}

func (reencoded) Reads() {}

func (r reencoded) Fit(ctx context.Context, at invbo.Points, y []float64, rng *rand.Rand) error {
	means, _, err := r.means(ctx, at)
	if err != nil {
		return err
	}
	return r.Trainable.Fit(ctx, means, y, rng)
}

func (r reencoded) Predict(at invbo.Points) (mu, sigma2 []float64, err error) {
	means, _, err := r.means(context.Background(), at)
	if err != nil {
		return nil, nil, err
	}
	return r.Trainable.Predict(means)
}

func (r reencoded) Sample(at invbo.Points, k int, rng *rand.Rand) ([][]float64, error) {
	means, read, err := r.means(context.Background(), at)
	if err != nil {
		return nil, err
	}
	draws, err := r.Trainable.Sample(means, k, rng)
	if err != nil {
		return nil, err
	}
	for _, f := range draws {
		for i, ok := range read {
			if !ok { // what decodes to nothing is worth nothing
				f[i] = math.Inf(-1)
			}
		}
	}
	return draws, nil
}

// means returns the points with the encoder's means for latents, and which of them stand for a string.
func (r reencoded) means(ctx context.Context, at invbo.Points) (invbo.Points, []bool, error) {
	if at.X == nil { // latents of an update, which the encoder made
		return at, nil, nil
	}
	means := invbo.Points{Z: slices.Clone(at.Z), X: at.X, ID: at.ID}
	read := make([]bool, len(at.X))
	var strings []string
	var rows []int
	for i, x := range at.X {
		if read[i] = x != ""; read[i] {
			strings, rows = append(strings, x), append(rows, i)
		}
	}
	mu, _, err := r.model.Encode(ctx, strings)
	if err != nil {
		return means, nil, fmt.Errorf("encode %d strings: %w", len(strings), err)
	}
	for k, i := range rows {
		means.Z[i] = mu[k]
	}
	return means, read, nil
}

func ExampleRegion() {
	r := invbo.NewRegion(3.0, invbo.RegionOptions{Grow: 1})
	r = r.Update([]float64{2.9, 3.4})
	fmt.Println(r.Length, r.Best)
	// Output: 1.6 3.4
}
