// Package nn holds the layers of neural networks, and what trains them: initial values, Adam, gradient
// clipping, a learning-rate schedule.
//
// A network declares its layers on a Params, which then binds all of their parameters to one piece of
// memory. The optimizer passes over it once; a checkpoint is a walk over its names; a network of the same
// layers bound to the same memory without gradients is a frozen view, through which operations
// differentiate only what they are given.
package nn

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/invbo/invbo/tensor"
)

// Params is a network's parameters, by name, in the order of their declaration. Buffers (the running
// statistics of BatchNorm) have names too, but never a gradient.
type Params struct {
	Data []float32 // parameters, then buffers; nil before Bind
	Grad []float32 // of the parameters; nil in a frozen view

	parameters, buffers []parameter
	names               map[string]bool
}

type parameter struct {
	name string
	v    *tensor.Var
	init Init
}

// Add declares a parameter (rows, cols). It panics if the name is taken.
func (p *Params) Add(name string, rows, cols int, init Init) *tensor.Var {
	return p.add(&p.parameters, name, rows, cols, init)
}

// AddBuffer declares a value that is not trained but belongs to checkpoints.
func (p *Params) AddBuffer(name string, rows, cols int, init Init) *tensor.Var {
	return p.add(&p.buffers, name, rows, cols, init)
}

func (p *Params) add(list *[]parameter, name string, rows, cols int, init Init) *tensor.Var {
	if p.names[name] {
		panic(fmt.Sprintf("nn: parameter %q is declared twice", name))
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	p.names[name] = true
	v := &tensor.Var{Rows: rows, Cols: cols}
	*list = append(*list, parameter{name, v, init})
	return v
}

// Len returns the number of values of all parameters, and of all parameters and buffers.
func (p *Params) Len() (trained, all int) {
	for _, q := range p.parameters {
		trained += q.v.Rows * q.v.Cols
	}
	all = trained
	for _, q := range p.buffers {
		all += q.v.Rows * q.v.Cols
	}
	return trained, all
}

// Bind gives the parameters their memory: data as long as all of Len, and grad as long as the trained
// part, or nil for a frozen view.
func (p *Params) Bind(data, grad []float32) {
	trained, all := p.Len()
	if len(data) != all || (grad != nil && len(grad) != trained) {
		panic(fmt.Sprintf("nn: Bind: %d values and %d gradients, not %d and %d", len(data), len(grad), all, trained))
	}
	p.Data, p.Grad = data, grad
	for _, q := range p.parameters {
		n := q.v.Rows * q.v.Cols
		q.v.Data, data = data[:n:n], data[n:]
		if grad != nil {
			q.v.Grad, grad = grad[:n:n], grad[n:]
		}
	}
	for _, q := range p.buffers {
		n := q.v.Rows * q.v.Cols
		q.v.Data, data = data[:n:n], data[n:]
	}
}

// Freeze promises that the parameters of a view keep their values until the next Freeze; products with them
// are then faster (tensor.Var.Freeze).
func (p *Params) Freeze() {
	for _, q := range p.parameters {
		q.v.Freeze()
	}
}

// FreezeAs is Freeze for a view of the memory of o, which is frozen and has the same layers: they share what makes
// products faster.
func (p *Params) FreezeAs(o *Params) {
	for i, q := range p.parameters {
		q.v.FreezeAs(o.parameters[i].v)
	}
}

// All yields the names and values of all parameters, and then of all buffers.
func (p *Params) All() iter.Seq2[string, *tensor.Var] {
	return func(yield func(string, *tensor.Var) bool) {
		for _, list := range [][]parameter{p.parameters, p.buffers} {
			for _, q := range list {
				if !yield(q.name, q.v) {
					return
				}
			}
		}
	}
}

// Init draws all initial values.
func (p *Params) Init(rng *rand.Rand) {
	for _, list := range [][]parameter{p.parameters, p.buffers} {
		for _, q := range list {
			q.init(rng, q.v)
		}
	}
}
