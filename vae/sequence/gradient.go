package sequence

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// gradient computes the gradient of a loss in a model's weights. The loss is a sum over the chunks of a batch; each part
// of them, of which there are as many on every machine, has memory for its gradient, and one goroutine goes through it
// in order. The sum is in the order of the parts.
type gradient struct {
	model  *Model
	params nn.Params  // the model's, with the sum
	parts  []*network // the model's, each with a gradient of its own
}

func newGradient(m *Model, parts int) *gradient {
	trained, _ := m.net.params.Len()
	g := &gradient{model: m, params: m.net.view(m.net.params.Data, make([]float32, trained)).params}
	for range parts {
		g.parts = append(g.parts, m.net.view(m.net.params.Data, make([]float32, trained)))
	}
	return g
}

// add adds the gradient of a batch to the sum, and returns what pass counts. pass computes a chunk and writes the
// gradient of its loss, ready for Backward.
func (g *gradient) add(strings [][]int32, pass func(n *network, t *tensor.Tape, c chunk) tally) tally {
	all := chunks(strings)
	tallies := make([]tally, len(g.parts))
	parallel.For(len(g.parts), 1, func(k, _ int) {
		g.parts[k].params.FreezeAs(&g.model.net.params)
		t := g.model.tapes.Get().(*tensor.Tape)
		for _, c := range all[k*len(all)/len(g.parts) : (k+1)*len(all)/len(g.parts)] {
			t.Reset()
			tallies[k].add(pass(g.parts[k], t, c))
			t.Backward()
		}
		g.model.tapes.Put(t)
	})
	parallel.For(len(g.params.Grad), 1<<16, func(lo, hi int) {
		sum := g.params.Grad[lo:hi]
		for _, n := range g.parts {
			part := n.params.Grad[lo:hi]
			simd.Add(sum, sum, part)
			clear(part)
		}
	})
	var sum tally
	for _, s := range tallies {
		sum.add(s)
	}
	return sum
}

// step moves the weights against the sum, clipped to norm 1, and returns its norm before. After an error the weights are
// as they were.
func (g *gradient) step(adam *nn.Adam) (norm float64, err error) {
	norm = nn.ClipNorm(g.params.Grad, 1)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		clear(g.params.Grad)
		return norm, fmt.Errorf("the norm of the gradient is %g: lower the learning rate", norm)
	}
	adam.Step(&g.params)
	g.model.net.params.Freeze() // at their new values
	return norm, nil
}
