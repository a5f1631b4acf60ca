package neural

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
)

// Format is how models of type M are written to safetensors files.
type Format[M any] struct {
	Package string // for errors
	Name    string // identifies the files in their metadata
	Hint    string // for files of another format
	Read    func(f *safetensors.File) (M, *nn.Params, error)
}

// Save writes the tensors of a model and, unless adam is nil, the state of its training. The metadata are texts and, as
// JSON, records.
func (f Format[M]) Save(w io.Writer, texts map[string]string, records map[string]any, tensors []safetensors.Tensor, adam *nn.Adam) error {
	texts["format"] = f.Name
	for key, value := range records {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("%s: save: %s: %w", f.Package, key, err)
		}
		texts[key] = string(text)
	}
	if adam != nil {
		n := []int{len(adam.M)}
		tensors = append([]safetensors.Tensor{{Name: "adam.m", Shape: n, Data: adam.M}, {Name: "adam.v", Shape: n, Data: adam.V}}, tensors...)
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

// LoadCheckpoint reads a model and its optimizer, without Steps, and the record of its progress, which files of finished
// models lack.
func (f Format[M]) LoadCheckpoint(r io.Reader, key string, progress any) (M, *nn.Adam, error) {
	m, params, file, err := f.load(r)
	adam := new(nn.Adam)
	if err == nil {
		err = readAdam(file, adam, params, key, progress)
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
	m, params, err = f.Read(file)
	return m, params, file, err
}

func readAdam(f *safetensors.File, a *nn.Adam, params *nn.Params, key string, progress any) error {
	if _, ok := f.Metadata[key]; !ok {
		return errors.New("the file contains a finished model: give the checkpoint file, or start a new training run")
	}
	trained, _ := params.Len()
	var errM, errV error
	a.M, errM = Tensor(f, "adam.m", []int{trained})
	a.V, errV = Tensor(f, "adam.v", []int{trained})
	return cmp.Or(Record(f, key, progress), errM, errV)
}

// Record reads a record of Save.
func Record(f *safetensors.File, key string, value any) error {
	if err := json.Unmarshal([]byte(f.Metadata[key]), value); err != nil {
		return fmt.Errorf("%s in the file: %w", key, err)
	}
	return nil
}

// Tensor returns a tensor of f. It is an error if the shape is not as given, or a value not finite.
func Tensor(f *safetensors.File, name string, shape []int) ([]float32, error) {
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
