package grammar

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/single"
)

// format names the files of this package in their metadata.
const format = "invbo grammar vae 1"

// Checkpoint is a training run after an epoch.
type Checkpoint struct {
	Model *Model
	Epoch int // epochs done
	Adam  *nn.Adam
}

// progress is what a file of a Checkpoint has in its metadata beyond that of its Model.
type progress struct {
	Epoch int `json:"epoch"`
	Steps int `json:"steps"`
}

// Save writes weights, grammar, sizes and training record as a safetensors file.
func (m *Model) Save(w io.Writer) error { return m.save(w, nil, nil) }

// Save writes the checkpoint as a safetensors file, which Load reads as a Model too.
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
	sizes, err := json.Marshal(m.net.config)
	if err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	training, err := json.Marshal(m.training)
	if err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	all := map[string]string{"format": format, "grammar": m.grammar.String(), "config": string(sizes), "training": string(training)}
	for key, value := range metadata {
		all[key] = value
	}
	for name, v := range m.net.params.All() {
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: []int{v.Rows, v.Cols}, Data: v.Data})
	}
	if err := safetensors.Write(w, all, tensors); err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	return nil
}

// Load reads a Model that Save wrote. The error says what does not fit, and what to do.
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

// LoadCheckpoint reads a Checkpoint that Save wrote.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	m, err := fromFile(f)
	if err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	var p progress
	if text, ok := f.Metadata["progress"]; !ok {
		return nil, fmt.Errorf("grammar: load checkpoint: the file holds a finished model: start a new training run, or give the checkpoint file")
	} else if err := json.Unmarshal([]byte(text), &p); err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: progress: %w", err)
	}
	trained, _ := m.net.params.Len()
	n := []int{trained}
	c := &Checkpoint{Model: m, Epoch: p.Epoch, Adam: &nn.Adam{Steps: p.Steps}}
	if c.Adam.M, err = single.Tensor(f, "adam.m", n); err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	if c.Adam.V, err = single.Tensor(f, "adam.v", n); err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	return c, nil
}

func fromFile(f *safetensors.File) (*Model, error) {
	if got := f.Metadata["format"]; got != format {
		return nil, fmt.Errorf("the file's format is %q, not %q: give a file that this version's training wrote", got, format)
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
	m.net.params.Bind(weights, nil) // not before: sizes that the file claims but does not hold must cost nothing
	return m, nil
}

// resume goes on from c, whose model must have the trainer's grammar, sizes and options.
func (r *trainer) resume(c *Checkpoint) error {
	if c.Model.grammar.String() != r.Model.grammar.String() || c.Model.net.config != r.Model.net.config {
		return fmt.Errorf("the checkpoint is of another grammar or of other sizes (%+v): resume with those, or start a new run", c.Model.net.config)
	}
	was, is := c.Model.training, r.Model.training
	if was.HeldOut, is.HeldOut = 0, 0; was != is {
		return fmt.Errorf("the checkpoint is of a training with %s: resume with the same options and strings, or start a new run", fields.Differences(was, is))
	}
	r.Model.training = c.Model.training
	copy(r.Model.net.params.Data, c.Model.net.params.Data)
	r.Epoch, r.Adam.Steps = c.Epoch, c.Adam.Steps
	copy(r.Adam.M, c.Adam.M)
	copy(r.Adam.V, c.Adam.V)
	return nil
}
