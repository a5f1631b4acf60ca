package invbo_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// An expression that is 7 at x = 2: the score is how far it is from that, and the budget is 20 calls.
func Example() {
	ctx := context.Background()
	model, err := grammar.Expression() // a VAE of arithmetic expressions, with weights
	if err != nil {
		log.Fatal(err)
	}
	search, err := invbo.New(model, invbo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := study.New(ctx, sevenAtTwo(), search, study.Options{Budget: 20})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Run(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", s.Best().Score < 1)
	// Output: within 1 of the target: true
}

// sevenAtTwo returns the problem of the example, with an initial design of ten random expressions.
func sevenAtTwo() study.Problem {
	problem := study.Problem{Minimize: true, Oracle: oracle.Func(func(x string) oracle.Result {
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
		problem.Init = append(problem.Init, study.Observation{X: x})
	}
	return problem
}

// Any composition of slots is a method: here inversion, random anchors, and LOL-BO's loss with a little of CoBO's.
func ExampleMethod() {
	model, err := grammar.Expression()
	if err != nil {
		log.Fatal(err)
	}
	search, err := invbo.New(model, invbo.Options{Method: invbo.Method{
		Align:  invbo.Inversion,
		Anchor: invbo.RandomAnchor,
		Tuning: invbo.FineTuning{ELBO: 1, Surrogate: 1, Lipschitz: 10},
	}})
	if err != nil {
		log.Fatal(err)
	}
	s, err := study.New(context.Background(), sevenAtTwo(), search, study.Options{Budget: 30})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 1 of the target:", s.Best().Score < 1)
	// Output: within 1 of the target: true
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

func ExampleRegion() {
	r := invbo.NewRegion(3.0, invbo.RegionOptions{Grow: 1})
	r = r.Update([]float64{2.9, 3.4})
	fmt.Println(r.Length, r.Best)
	// Output: 1.6 3.4
}

// between proposes points on the lines between the data.
func between(_ context.Context, n int, from invbo.Source, rng *rand.Rand) ([][]float64, error) {
	var candidates [][]float64
	for range n {
		a, b, u := from.Data.Z[rng.IntN(len(from.Data.Z))], from.Data.Z[rng.IntN(len(from.Data.Z))], rng.Float64()
		z := make([]float64, len(a))
		for j := range z {
			z[j] = a[j] + u*(b[j]-a[j])
		}
		candidates = append(candidates, z)
	}
	return candidates, nil
}

// A generator is a function, and a method with it is a value.
func ExampleGenerator() {
	model, err := vae.NewIdentity([]float64{-2}, []float64{2}) // numbers from -2 to 2
	if err != nil {
		log.Fatal(err)
	}
	search, err := invbo.New(model, invbo.Options{Method: invbo.Method{Name: "between", Align: invbo.Encoder, Generate: between}})
	if err != nil {
		log.Fatal(err)
	}
	square := oracle.Func(func(x string) oracle.Result {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return oracle.Result{Score: math.NaN(), Reason: err.Error()}
		}
		return oracle.Result{Score: v * v}
	})
	problem := study.Problem{Oracle: square, Minimize: true, Init: []study.Observation{{X: "-1"}, {X: "2"}}}
	s, err := study.New(context.Background(), problem, search, study.Options{Budget: 20})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 0.1 of the minimum:", s.Best().Score < 0.01)
	// Output: within 0.1 of the minimum: true
}
