// Package nn provides neural network layers and their training: initial values, Adam, gradient clipping and
// a learning-rate schedule.
//
// A network declares its layers on a Params, and Bind then places all parameters in one slice: the optimizer
// makes one pass over it, and a checkpoint iterates over the names. A network with the same layers bound to
// the same memory without gradients is a frozen view: backward passes go through it to its inputs alone.
package nn

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/tensor"
)

// Params holds the named parameters of a network in the order of declaration. Buffers (the running statistics
// of BatchNorm) are named values without gradients.
type Params struct {
	Data []float32 // parameters, then buffers; nil before Bind
	Grad []float32 // of the parameters; nil in a frozen view

	parameters, buffers []parameter
}

type parameter struct {
	name string
	v    *tensor.Var
	init Init
}

// Add declares a parameter (rows, cols). It panics if the name is already declared.
func (p *Params) Add(name string, rows, cols int, init Init) *tensor.Var {
	return p.add(&p.parameters, name, rows, cols, init)
}

// AddBuffer declares a value (rows, cols) that is saved in checkpoints but not trained.
func (p *Params) AddBuffer(name string, rows, cols int, init Init) *tensor.Var {
	return p.add(&p.buffers, name, rows, cols, init)
}

func (p *Params) add(list *[]parameter, name string, rows, cols int, init Init) *tensor.Var {
	named := func(q parameter) bool { return q.name == name }
	if slices.ContainsFunc(p.parameters, named) || slices.ContainsFunc(p.buffers, named) {
		panic(fmt.Sprintf("nn: parameter %q is declared twice", name))
	}
	v := &tensor.Var{Rows: rows, Cols: cols}
	*list = append(*list, parameter{name, v, init})
	return v
}

// all returns the parameters, then the buffers.
func (p *Params) all() []parameter { return slices.Concat(p.parameters, p.buffers) }

// Len returns the number of trained values, and the number of all values, with buffers.
func (p *Params) Len() (trained, all int) {
	for i, q := range p.all() {
		all += q.v.Rows * q.v.Cols
		if i < len(p.parameters) {
			trained = all
		}
	}
	return trained, all
}

// Bind places all values in data and the gradients in grad, which is nil for a frozen view. It panics if their
// lengths are not those of Len (all and trained).
func (p *Params) Bind(data, grad []float32) {
	trained, all := p.Len()
	if len(data) != all || (grad != nil && len(grad) != trained) {
		panic(fmt.Sprintf("nn: Bind: %d values and %d gradients, want %d and %d", len(data), len(grad), all, trained))
	}
	p.Data, p.Grad = data, grad
	for i, q := range p.all() {
		n := q.v.Rows * q.v.Cols
		q.v.Data, data = data[:n:n], data[n:]
		if grad != nil && i < len(p.parameters) {
			q.v.Grad, grad = grad[:n:n], grad[n:]
		}
	}
}

// Set copies values, parameters and then buffers, into Data. It panics if their number is another.
func (p *Params) Set(data []float32) {
	if len(data) != len(p.Data) {
		panic(fmt.Sprintf("nn: Set: %d values, want %d", len(data), len(p.Data)))
	}
	copy(p.Data, data)
}

// Freeze declares that parameters will not change until the next Freeze, which makes products with them faster
// (tensor.Var.Freeze).
func (p *Params) Freeze() {
	for _, q := range p.parameters {
		q.v.Freeze()
	}
}

// FreezeAs is Freeze for a network with the layers and the memory of o, which is frozen: they share the packed
// weights (tensor.Var.FreezeAs).
func (p *Params) FreezeAs(o *Params) {
	for i, q := range p.parameters {
		q.v.FreezeAs(o.parameters[i].v)
	}
}

// All yields names and values of the parameters, then of the buffers.
func (p *Params) All() iter.Seq2[string, *tensor.Var] {
	return func(yield func(string, *tensor.Var) bool) {
		for _, q := range p.all() {
			if !yield(q.name, q.v) {
				return
			}
		}
	}
}

// Init sets all initial values.
func (p *Params) Init(rng *rand.Rand) {
	for _, q := range p.all() {
		q.init(rng, q.v)
	}
}

// Init sets the initial values of a parameter.
type Init func(*rand.Rand, *tensor.Var)

// Constant returns an Init that sets every value to c.
func Constant(c float32) Init {
	return func(_ *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = c
		}
	}
}

// Normal returns an Init that draws from a normal distribution with mean 0 and the given standard deviation.
func Normal(deviation float64) Init {
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(deviation * rng.NormFloat64())
		}
	}
}

// Glorot returns an Init that draws uniformly from ±√(6/(in + out)), for fan-in in and fan-out out (Glorot &
// Bengio 2010, Eq. 16).
func Glorot(in, out int) Init {
	limit := math.Sqrt(6 / float64(in+out))
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
}

// Orthogonal is an Init that makes each square block of columns a random orthogonal matrix (Saxe et al. 2014),
// by Gram-Schmidt on normal draws.
func Orthogonal(rng *rand.Rand, v *tensor.Var) {
	n := v.Rows
	for block := 0; block < v.Cols; block += n {
		row := func(i int) []float32 { return v.Row(i)[block : block+n] }
		for i := range n {
			r := row(i)
			for j := range r {
				r[j] = float32(rng.NormFloat64())
			}
			for range 2 { // the second pass removes rounding errors (Giraud et al. 2005)
				for k := range i {
					simd.Axpy(-simd.Dot(r, row(k)), row(k), r)
				}
				simd.Scale(float32(1/math.Sqrt(simd.SumSquares(r))), r)
			}
		}
	}
}
