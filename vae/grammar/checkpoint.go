package grammar

import (
	"fmt"
	"io"
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
func (m *Model) Save(w io.Writer) error { return m.save(w, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error { return c.Model.save(w, c) }

// save writes m, or c, a checkpoint of m, unless it is nil.
func (m *Model) save(w io.Writer, c *Checkpoint) error {
	records := map[string]any{"config": m.net.config, "training": m.training}
	var adam *nn.Adam
	if c != nil {
		adam, records["progress"] = c.Adam, progress{c.Epoch, c.Adam.Steps}
	}
	var tensors []safetensors.Tensor
	for name, v := range m.net.params.All() {
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: []int{v.Rows, v.Cols}, Data: v.Data})
	}
	if err := single.Save(w, map[string]string{"format": format, "grammar": m.grammar.String()}, records, tensors, adam); err != nil {
		return fmt.Errorf("grammar: save: %w", err)
	}
	return nil
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) {
	_, m, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("grammar: load: %w", err)
	}
	return m, nil
}

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	f, m, err := read(r)
	c, p := &Checkpoint{Model: m}, progress{}
	if err == nil {
		trained, _ := m.net.params.Len()
		c.Adam, err = single.Adam(f, trained, "progress", &p)
	}
	if err != nil {
		return nil, fmt.Errorf("grammar: load checkpoint: %w", err)
	}
	c.Epoch, c.Adam.Steps = p.Epoch, p.Steps
	return c, nil
}

func read(r io.Reader) (*safetensors.File, *Model, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, nil, err
	}
	m, err := fromFile(f)
	return f, m, err
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
	if err := single.Record(f, "config", &c); err != nil {
		return nil, err
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, err
	}
	if err := single.Record(f, "training", &m.training); err != nil {
		return nil, err
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
