package nn_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// A line through (0, 1) and (2, 5), fitted by Adam to the squared error.
func Example() {
	var p nn.Params
	line := nn.NewLinear(&p, "line", 1, 1)
	trained, all := p.Len()
	p.Bind(make([]float32, all), make([]float32, trained))
	p.Init(rand.New(rand.NewPCG(1, 0)))

	x, want := &tensor.Var{Data: []float32{0, 2}, Rows: 2, Cols: 1}, []float32{1, 5}
	adam := nn.NewAdam(trained, 0.05)
	var tape tensor.Tape
	for range 1000 {
		tape.Reset()
		y := line.Apply(&tape, x)
		for i, grad := 0, tape.Grad(y); i < len(grad); i++ {
			grad[i] = 2 * (y.Data[i] - want[i]) // of Σ(y − want)²
		}
		tape.Backward()
		adam.Step(&p)
	}
	fmt.Printf("y = %.2f x + %.2f\n", line.W.Data[0], line.B.Data[0])
	// Output: y = 2.00 x + 1.00
}

// The minimum of (a − 3)² + 10 (b + 1)².
func ExampleAdam64() {
	at := []float64{0, 0}
	adam := nn.Adam64{LearningRate: 0.1}
	for range 500 {
		adam.Step(at, []float64{2 * (at[0] - 3), 20 * (at[1] + 1)})
	}
	fmt.Printf("%.2f\n", at)
	// Output: [3.00 -1.00]
}
