package single

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
)

// Save writes a safetensors file with the tensors of a model and, unless adam is nil, the state of its training.
// Its metadata are texts and, as JSON, records.
func Save(w io.Writer, texts map[string]string, records map[string]any, tensors []safetensors.Tensor, adam *nn.Adam) error {
	for key, value := range records {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		texts[key] = string(text)
	}
	if adam != nil {
		n := []int{len(adam.M)}
		tensors = append([]safetensors.Tensor{{Name: "adam.m", Shape: n, Data: adam.M}, {Name: "adam.v", Shape: n, Data: adam.V}}, tensors...)
	}
	return safetensors.Write(w, texts, tensors)
}

// Record reads a record of Save.
func Record(f *safetensors.File, key string, value any) error {
	if err := json.Unmarshal([]byte(f.Metadata[key]), value); err != nil {
		return fmt.Errorf("%s in the file: %w", key, err)
	}
	return nil
}

// Adam reads the optimizer of n parameters from the file of a checkpoint, without Steps, and the record of its progress,
// which files of finished models lack.
func Adam(f *safetensors.File, n int, key string, progress any) (*nn.Adam, error) {
	if _, ok := f.Metadata[key]; !ok {
		return nil, errors.New("the file contains a finished model: give the checkpoint file, or start a new training run")
	}
	if err := Record(f, key, progress); err != nil {
		return nil, err
	}
	a := new(nn.Adam)
	var err error
	if a.M, err = Tensor(f, "adam.m", []int{n}); err != nil {
		return nil, err
	}
	a.V, err = Tensor(f, "adam.v", []int{n})
	return a, err
}
