package generate_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/generate"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// between proposes points on the lines between the data.
func between(_ context.Context, n int, from generate.Source, rng *rand.Rand) (surrogate.Points, error) {
	var at surrogate.Points
	for range n {
		a, b, u := from.Data.Z[rng.IntN(len(from.Data.Z))], from.Data.Z[rng.IntN(len(from.Data.Z))], rng.Float64()
		z := make([]float64, len(a))
		for j := range z {
			z[j] = a[j] + u*(b[j]-a[j])
		}
		at.Z = append(at.Z, z)
	}
	return at, nil
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
