package neural

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// Format is how models of type M are written to safetensors files.
type Format[M any] struct {
	Package string // for errors
	Name    string // identifies the files in their metadata
	Hint    string // for files of another format
	Layout  Layout

	// Read returns the model of a file, and its parameters, still without memory.
	Read func(f *safetensors.File) (M, *nn.Params, error)
}

// Layout returns the tensor of a file that holds a parameter: its name, its shape, and whether it is the transpose. A tensor
// of several parameters holds one after the other.
type Layout func(name string, v *tensor.Var) (stored string, shape []int, transpose bool)

// Save writes a model and, unless adam is nil, the state of its training. half is half precision. The metadata are
// texts and, as JSON, records.
func (f Format[M]) Save(w io.Writer, params *nn.Params, half bool, texts map[string]string, records map[string]any, adam *nn.Adam) error {
	texts["format"] = f.Name
	for key, value := range records {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("%s: save: %s: %w", f.Package, key, err)
		}
		texts[key] = string(text)
	}
	var tensors []safetensors.Tensor
	if adam != nil {
		texts["steps"] = strconv.Itoa(adam.Steps)
		n := []int{len(adam.M)}
		tensors = []safetensors.Tensor{{Name: "adam.m", Shape: n, Data: adam.M}, {Name: "adam.v", Shape: n, Data: adam.V}}
	}
	for _, t := range f.Layout.Tensors(params) {
		t.Half = half
		tensors = append(tensors, t)
	}
	if err := safetensors.Write(w, texts, tensors); err != nil {
		return fmt.Errorf("%s: save: %w", f.Package, err)
	}
	return nil
}

// Load reads a model.
func (f Format[M]) Load(r io.Reader) (M, error) {
	m, _, _, err := f.load(r)
	if err != nil {
		return m, fmt.Errorf("%s: load: %w", f.Package, err)
	}
	return m, nil
}

// LoadCheckpoint reads a model and its optimizer, which files of finished models lack.
func (f Format[M]) LoadCheckpoint(r io.Reader) (M, *nn.Adam, error) {
	m, params, file, err := f.load(r)
	adam := new(nn.Adam)
	if err == nil {
		err = readAdam(file, adam, params)
	}
	if err != nil {
		return m, nil, fmt.Errorf("%s: load checkpoint: %w", f.Package, err)
	}
	return m, adam, nil
}

func (f Format[M]) load(r io.Reader) (m M, params *nn.Params, file *safetensors.File, err error) {
	if file, err = safetensors.Read(r); err != nil {
		return m, nil, nil, err
	}
	if got := file.Metadata["format"]; got != f.Name {
		return m, nil, nil, fmt.Errorf("file format %q, want %q: %s", got, f.Name, f.Hint)
	}
	if m, params, err = f.Read(file); err == nil {
		err = f.Layout.Load(file, params)
	}
	return m, params, file, err
}

func readAdam(f *safetensors.File, a *nn.Adam, params *nn.Params) error {
	before := struct{ Steps *int }{&a.Steps} // as grammar VAEs had it
	if Record(f, "progress", &before) != nil && Record(f, "steps", &a.Steps) != nil {
		return errors.New("the file contains a finished model: give the checkpoint file, or start a new training run")
	}
	trained, _ := params.Len()
	var errM, errV error
	a.M, errM = read(f, "adam.m", []int{trained})
	a.V, errV = read(f, "adam.v", []int{trained})
	return cmp.Or(errM, errV)
}

// Record reads a record of Save.
func Record(f *safetensors.File, key string, value any) error {
	if err := json.Unmarshal([]byte(f.Metadata[key]), value); err != nil {
		return fmt.Errorf("%s in the file: %w", key, err)
	}
	return nil
}

// Tensors returns the tensors of a file, without data if p has no memory.
func (l Layout) Tensors(p *nn.Params) []safetensors.Tensor {
	var tensors []safetensors.Tensor
	for name, v := range p.All() {
		stored, shape, transpose := l(name, v)
		data := v.Data
		if transpose {
			data = transposed(data, v.Cols)
		}
		if i := slices.IndexFunc(tensors, func(t safetensors.Tensor) bool { return t.Name == stored }); i >= 0 {
			tensors[i].Shape[0] += shape[0]
			tensors[i].Data = slices.Concat(tensors[i].Data, data)
			continue
		}
		tensors = append(tensors, safetensors.Tensor{Name: stored, Shape: shape, Data: data})
	}
	return tensors
}

// Load allocates the memory of parameters and reads them from f.
func (l Layout) Load(f *safetensors.File, p *nn.Params) error {
	values := map[string][]float32{} // read before allocating: a damaged file may claim huge sizes
	for _, t := range l.Tensors(p) {
		var err error
		if values[t.Name], err = read(f, t.Name, t.Shape); err != nil {
			return err
		}
	}
	_, all := p.Len()
	p.Bind(make([]float32, all), nil)
	for name, v := range p.All() {
		stored, _, transpose := l(name, v)
		part := values[stored][:len(v.Data)]
		values[stored] = values[stored][len(part):]
		if transpose {
			part = transposed(part, v.Rows)
		}
		copy(v.Data, part)
	}
	p.Freeze()
	return nil
}

// transposed returns the transpose of a matrix with so many columns.
func transposed(a []float32, cols int) []float32 {
	b := make([]float32, len(a))
	row, rows := 0, len(a)/cols
	for values := range slices.Chunk(a, cols) {
		for col, v := range values {
			b[col*rows+row] = v
		}
		row++
	}
	return b
}

// read returns a tensor of f. It is an error if the shape is not as given, or a value not finite.
func read(f *safetensors.File, name string, shape []int) ([]float32, error) {
	data, got, err := f.Float32s(name)
	if err != nil {
		return nil, fmt.Errorf("%w: the file holds another model or is damaged; train or download it again", err)
	}
	if !slices.Equal(got, shape) {
		return nil, fmt.Errorf("tensor %q has shape %v, want %v: the file holds another model or is damaged; train or download it again", name, got, shape)
	}
	for i, x := range data {
		if !finite(x) {
			return nil, fmt.Errorf("tensor %q, value %d is %g: its training diverged; train again with a lower learning rate", name, i, x)
		}
	}
	return data, nil
}
