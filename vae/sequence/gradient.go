package sequence

import (
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// gradient computes the gradient of a loss, summed over the chunks of a batch, in the weights of a model. A fixed
// number of parts, each with its own gradient, are processed in parallel and added in order, so that results do
// not depend on the number of processors.
type gradient struct {
	model  *Model
	params nn.Params  // of the model, with the summed gradient
	parts  []*network // views of the model, each with its own gradient
	tokens int        // per chunk
}

func newGradient(m *Model, parts, tokens int) *gradient {
	trained, _ := m.net.params.Len()
	g := &gradient{model: m, tokens: tokens, params: m.net.view(m.net.params.Data, make([]float32, trained)).params}
	for range parts {
		g.parts = append(g.parts, m.net.view(m.net.params.Data, make([]float32, trained)))
	}
	return g
}

// add adds the gradient of a batch to the sum and returns the total tally. pass runs the forward pass of a chunk and
// writes the gradient of its loss, for Backward.
func (g *gradient) add(strings [][]int32, pass func(n *network, t *tensor.Tape, c chunk) tally) tally {
	all := chunks(strings, g.tokens)
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

// step updates the weights with the gradient clipped to norm 1, and returns the norm before clipping. After an error the
// weights are unchanged.
func (g *gradient) step(adam *nn.Adam) (norm float64, err error) {
	norm, err = adam.ClippedStep(&g.params, 1)
	g.model.net.params.Freeze() // at the new values
	return norm, err
}
