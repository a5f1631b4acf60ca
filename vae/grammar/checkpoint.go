package grammar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/single"
)

// format identifies the files of this package in their metadata.
const format = "invbo grammar vae 1"

// Checkpoint is the state of a training run after an epoch.
type Checkpoint struct {
	Model *Model
	Epoch int // number of completed epochs
	Adam  *nn.Adam
}

// progress is the metadata of a Checkpoint file, in addition to those of a Model file.
type progress struct {
	Epoch int `json:"epoch"`
	Steps int `json:"steps"`
}

// Save writes weights, grammar, sizes and training record as a safetensors file.
func (m *Model) Save(w io.Writer) error { return m.save(w, nil, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error {
	p, err := json.Marshal(progress{c.Epoch, c.Adam.Steps})
	if err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	n := []int{len(c.Adam.M)}
	return c.Model.save(w, map[string]string{"progress": string(p)}, []safetensors.Tensor{
		{Name: "adam.m", Shape: n, Data: c.Adam.M},
		{Name: "adam.v", Shape: n, Data: c.Adam.V},
	})
}

func (m *Model) save(w io.Writer, metadata map[string]string, tensors []safetensors.Tensor) error {
	all := map[string]string{"format": format, "grammar": m.grammar.String()}
	for key, value := range map[string]any{"config": m.net.config, "training": m.training} {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("grammar: save: %s: %w", key, err)
		}
		all[key] = string(text)
	}
	maps.Copy(all, metadata)
	for name, v := range m.net.params.All() {
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: []int{v.Rows, v.Cols}, Data: v.Data})
	}
	if err := safetensors.Write(w, all, tensors); err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	return nil
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, fmt.Errorf("grammar: load: %w", err)
	}
	m, err := fromFile(f)
	if err != nil {
		return nil, fmt.Errorf("grammar: load: %w", err)
	}
	return m, nil
}

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	c, err := loadCheckpoint(r)
	if err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	return c, nil
}

func loadCheckpoint(r io.Reader) (*Checkpoint, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, err
	}
	m, err := fromFile(f)
	if err != nil {
		return nil, err
	}
	text, ok := f.Metadata["progress"]
	if !ok {
		return nil, errors.New("the file contains a finished model: give the checkpoint file, or start a new training run")
	}
	var p progress
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return nil, fmt.Errorf("progress in the file: %w", err)
	}
	trained, _ := m.net.params.Len()
	c := &Checkpoint{Model: m, Epoch: p.Epoch, Adam: &nn.Adam{Steps: p.Steps}}
	if c.Adam.M, err = single.Tensor(f, "adam.m", []int{trained}); err != nil {
		return nil, err
	}
	c.Adam.V, err = single.Tensor(f, "adam.v", []int{trained})
	return c, err
}

func fromFile(f *safetensors.File) (*Model, error) {
	if got := f.Metadata["format"]; got != format {
		return nil, fmt.Errorf("file format %q, want %q: give a file written by training with this version", got, format)
	}
	g, err := cfg.Read(strings.NewReader(f.Metadata["grammar"]))
	if err != nil {
		return nil, fmt.Errorf("grammar in the file: %w", err)
	}
	var c Config
	if err := json.Unmarshal([]byte(f.Metadata["config"]), &c); err != nil {
		return nil, fmt.Errorf("config in the file: %w", err)
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(f.Metadata["training"]), &m.training); err != nil {
		return nil, fmt.Errorf("training record in the file: %w", err)
	}
	var weights []float32
	for name, v := range m.net.params.All() {
		data, err := single.Tensor(f, name, []int{v.Rows, v.Cols})
		if err != nil {
			return nil, err
		}
		weights = append(weights, data...)
	}
	m.net.params.Bind(weights, nil) // allocated while reading: a damaged file may claim huge sizes
	return m, nil
}

// resume copies the state of c, whose model must have the trainer's grammar, sizes and options.
func (r *trainer) resume(c *Checkpoint) error {
	if c.Model.grammar.String() != r.Model.grammar.String() || c.Model.net.config != r.Model.net.config {
		return fmt.Errorf("the checkpoint has another grammar or other sizes (%+v): resume with those, or start a new run", c.Model.net.config)
	}
	was, is := c.Model.training, r.Model.training
	if was.HeldOut, is.HeldOut = 0, 0; was != is {
		return fmt.Errorf("the checkpoint is from a training with %s: resume with the same options and strings, or start a new run", fields.Differences(was, is))
	}
	r.Model.training = c.Model.training
	copy(r.Model.net.params.Data, c.Model.net.params.Data)
	r.Epoch, r.Adam.Steps = c.Epoch, c.Adam.Steps
	copy(r.Adam.M, c.Adam.M)
	copy(r.Adam.V, c.Adam.V)
	return nil
}
