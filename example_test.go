package invbo_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

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

// A surrogate of one's own, which reads what latents decode to: scores are those of similar strings.
func ExampleReader() {
	profile := invbo.Fitted()
	profile.Surrogate = func(m vae.Model) invbo.Surrogate { return &similar{distance: invbo.TokenDistance(m)} }
	method, err := invbo.MethodNamed("turbo+invbo")
	if err != nil {
		log.Fatal(err)
	}
	found, err := invbo.Run(context.Background(), sevenAtTwo(), invbo.Options{Method: method, Profile: profile, Budget: 30})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", found.Best().Score < 1)
	// Output: within 1 of the target: true
}

// similar is kernel regression on edit distances. It is as unsure of a string as that is far from all others.
type similar struct {
	distance func(a, b string) float64 // from 0 to 1
	x        []string
	y        []float64
}

func (*similar) Reads() {}

func (s *similar) Fit(_ context.Context, at invbo.Points, y []float64, _ *rand.Rand) error {
	s.x, s.y = at.X, y
	return nil
}

func (s *similar) Predict(at invbo.Points) (mu, sigma2 []float64, err error) {
	for _, x := range at.X {
		var sum, weights float64
		nearest := 1.0
		for i, known := range s.x {
			d := s.distance(x, known)
			w := math.Exp(-10 * d)
			sum, weights, nearest = sum+w*s.y[i], weights+w, min(nearest, d)
		}
		mu, sigma2 = append(mu, sum/weights), append(sigma2, nearest*nearest)
	}
	return mu, sigma2, nil
}

func (s *similar) Sample(at invbo.Points, k int, rng *rand.Rand) ([][]float64, error) {
	mu, sigma2, err := s.Predict(at)
	if err != nil {
		return nil, err
	}
	draws := make([][]float64, k)
	for i := range draws {
		for j, x := range at.X {
			f := mu[j] + math.Sqrt(sigma2[j])*rng.NormFloat64()
			if x == "" { // what decodes to nothing is worth nothing
				f = math.Inf(-1)
			}
			draws[i] = append(draws[i], f)
		}
	}
	return draws, nil
}

func ExampleRegion() {
	r := invbo.NewRegion(3.0, invbo.RegionOptions{Grow: 1})
	r = r.Update([]float64{2.9, 3.4})
	fmt.Println(r.Length, r.Best)
	// Output: 1.6 3.4
}
