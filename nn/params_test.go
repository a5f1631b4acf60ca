package nn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// bound returns the declared parameters with memory, gradients and initial values.
func bound(declare func(*nn.Params)) *nn.Params {
	var p nn.Params
	declare(&p)
	trained, all := p.Len()
	p.Bind(make([]float32, all), make([]float32, trained))
	p.Init(newRand())
	return &p
}

// Names and memory are in the order of declaration, with buffers last and without gradients.
func TestParams(t *testing.T) {
	p := bound(func(p *nn.Params) {
		nn.NewBatchNorm(p, "norm", 2)
		nn.NewLinear(p, "out", 2, 3)
	})
	var names []string
	n := 0
	for name, v := range p.All() {
		names = append(names, name)
		if &v.Data[0] != &p.Data[n] {
			t.Errorf("%s does not begin at value %d", name, n)
		}
		if trained := n < len(p.Grad); trained != (v.Grad != nil) || trained && &v.Grad[0] != &p.Grad[n] {
			t.Errorf("%s: gradient and value are at different offsets", name)
		}
		n += len(v.Data)
	}
	want := []string{"norm.weight", "norm.bias", "out.weight", "out.bias", "norm.mean", "norm.variance"}
	if !slices.Equal(names, want) {
		t.Errorf("names = %q, want %q", names, want)
	}
	if len(p.Grad) != 4+9 || n != len(p.Data) || n != 4+9+4 {
		t.Errorf("%d gradients, %d of %d values; want 13, 17", len(p.Grad), n, len(p.Data))
	}
}

// A view without gradients shares the weights, and propagates gradients to its input alone.
func TestParamsFrozenView(t *testing.T) {
	var linear nn.Linear
	p := bound(func(p *nn.Params) { linear = nn.NewLinear(p, "l", 1, 1) })
	var view nn.Params
	frozen := nn.NewLinear(&view, "l", 1, 1)
	view.Bind(p.Data, nil)
	linear.W.Data[0], linear.B.Data[0] = 3, 1
	x := &tensor.Var{Data: []float32{2}, Grad: []float32{0}, Rows: 1, Cols: 1}
	var tape tensor.Tape
	y := frozen.Apply(&tape, x)
	tape.Grad(y)[0] = 1
	tape.Backward()
	if y.Data[0] != 7 || x.Grad[0] != 3 || p.Grad[0] != 0 || frozen.W.Grad != nil {
		t.Errorf("y = %g, ∂/∂x = %g, ∂/∂W = %g; want 7, 3, 0", y.Data[0], x.Grad[0], p.Grad[0])
	}
}

// Frozen networks take the weights of the last Freeze, with and without gradients.
func TestParamsFreeze(t *testing.T) {
	var view nn.Params
	frozen := nn.NewLinear(&view, "l", 1, 1)
	var linear nn.Linear
	p := bound(func(p *nn.Params) { linear = nn.NewLinear(p, "l", 1, 1) })
	view.Bind(p.Data, nil)
	x := &tensor.Var{Data: []float32{2}, Rows: 1, Cols: 1}
	for _, w := range []float32{3, 5} {
		linear.W.Data[0], linear.B.Data[0] = w, 1
		view.Freeze()
		p.FreezeAs(&view)
		var tape tensor.Tape
		y := linear.Apply(&tape, x)
		tape.Grad(y)[0] = 1
		tape.Backward()
		if got := frozen.Apply(&tape, x).Data[0]; got != 2*w+1 || y.Data[0] != 2*w+1 || linear.W.Grad[0] != 2 {
			t.Errorf("W = %g: %g and %g, ∂/∂W = %g; want %g, %g, 2", w, got, y.Data[0], linear.W.Grad[0], 2*w+1, 2*w+1)
		}
		clear(p.Grad)
	}
}

func TestParamsPanics(t *testing.T) {
	twice := func() {
		var p nn.Params
		nn.NewLinear(&p, "l", 1, 1)
		nn.NewLinear(&p, "l", 1, 1)
	}
	short := func() {
		var p nn.Params
		nn.NewLinear(&p, "l", 1, 1)
		p.Bind(make([]float32, 1), nil)
	}
	for name, f := range map[string]func(){"a name twice": twice, "memory too short": short} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
