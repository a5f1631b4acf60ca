package sequence

import (
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/internal/neural"
)

// stateTensor is a tensor of the published state dict and the parameters that correspond to it.
type stateTensor struct {
	name  string
	shape []int
	turn  bool          // transposed: PyTorch stores weights as (out, in)
	parts []*tensor.Var // concatenated in the state dict: in CrossAttention, queries, then keys and values
}

// state returns the tensors of the published state dict in the order of the parameters.
func (n *network) state() []stateTensor {
	published := strings.NewReplacer(".q_proj_", ".in_proj_", ".kv_proj_", ".in_proj_")
	var all []stateTensor
	at := map[string]int{} // in all
	for name, v := range n.params.All() {
		name = published.Replace(name)
		s := stateTensor{name: name, shape: []int{v.Rows, v.Cols}, parts: []*tensor.Var{v}}
		switch {
		case strings.HasSuffix(name, "bias") || strings.Contains(name, ".norm"):
			s.shape = []int{v.Cols}
		case !strings.Contains(name, "embedding"):
			s.shape, s.turn = []int{v.Cols, v.Rows}, true
		}
		if i, ok := at[name]; ok {
			all[i].shape[0] += s.shape[0]
			all[i].parts = append(all[i].parts, v)
			continue
		}
		at[name] = len(all)
		all = append(all, s)
	}
	return all
}

// data returns the values in the published layout.
func (s stateTensor) data() []float32 {
	var data []float32
	for _, v := range s.parts {
		if s.turn {
			data = append(data, transposed(v.Data, v.Rows, v.Cols)...)
		} else {
			data = append(data, v.Data...)
		}
	}
	return data
}

// set sets the parameters from values in the published layout.
func (s stateTensor) set(data []float32) {
	for _, v := range s.parts {
		part := data[:v.Rows*v.Cols]
		data = data[len(part):]
		if s.turn {
			part = transposed(part, v.Cols, v.Rows)
		}
		copy(v.Data, part)
	}
}

// transposed returns the transpose of a (rows, cols).
func transposed(a []float32, rows, cols int) []float32 {
	b := make([]float32, len(a))
	for i := range rows {
		for j := range cols {
			b[j*rows+i] = a[i*cols+j]
		}
	}
	return b
}

// load reads all parameters from f and allocates their memory.
func (n *network) load(f *safetensors.File) error {
	state := n.state()
	values := make([][]float32, len(state)) // read before allocating: a damaged file may claim huge sizes
	for i, s := range state {
		var err error
		if values[i], err = neural.Tensor(f, s.name, s.shape); err != nil {
			return err
		}
	}
	_, all := n.params.Len()
	n.params.Bind(make([]float32, all), nil)
	for i, s := range state {
		s.set(values[i])
	}
	n.params.Freeze()
	return nil
}
