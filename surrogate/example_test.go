package surrogate_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// nearest predicts the score of the nearest point, and is as unsure as that is far away.
type nearest struct{ data surrogate.Data }

func (s *nearest) Fit(_ context.Context, d surrogate.Data, _ *rand.Rand) error {
	s.data = d
	return nil
}

func (s *nearest) Predict(_ context.Context, at surrogate.Points) (mu, sigma2 []float64, err error) {
	for _, z := range at.Z {
		y, least := 0.0, math.Inf(1)
		for i, known := range s.data.Z {
			if d := math.Abs(z[0] - known[0]); d < least {
				y, least = s.data.Y[i], d
			}
		}
		mu, sigma2 = append(mu, y), append(sigma2, least)
	}
	return mu, sigma2, nil
}

func (s *nearest) Sample(k int, rng *rand.Rand) surrogate.Draws {
	slopes := make([]float64, k)
	for i := range slopes {
		slopes[i] = rng.NormFloat64()
	}
	return drawn{s, slopes}.at
}

// drawn are functions: each a number of deviations above the mean.
type drawn struct {
	*nearest
	slopes []float64
}

func (d drawn) at(ctx context.Context, at surrogate.Points) ([][]float64, error) {
	mu, sigma2, err := d.Predict(ctx, at)
	draws := make([][]float64, len(d.slopes))
	for i, slope := range d.slopes {
		for j := range mu {
			draws[i] = append(draws[i], mu[j]+slope*math.Sqrt(sigma2[j]))
		}
	}
	return draws, err
}

// A surrogate is three methods, and a method with it is a value.
func ExampleSurrogate() {
	model, err := vae.NewIdentity([]float64{-2}, []float64{2}) // numbers from -2 to 2
	if err != nil {
		log.Fatal(err)
	}
	search, err := invbo.New(model, invbo.Options{Method: invbo.Method{
		Name: "nearest", Align: invbo.Encoder, Anchor: invbo.Incumbent,
		Surrogate: func(vae.Model, surrogate.Features) surrogate.Surrogate { return &nearest{} },
	}})
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
	s, err := study.New(context.Background(), problem, search, study.Options{Budget: 30})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("within 0.1 of the minimum:", s.Best().Score < 0.01)
	// Output: within 0.1 of the minimum: true
}
