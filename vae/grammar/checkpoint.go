package grammar

import (
	"fmt"
	"io"
	"strings"

	"github.com/invbo/invbo/internal/fields"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

var format = neural.Format[*Model]{
	Package: "grammar", Name: "invbo grammar vae 1", Hint: "give a file written by training with this version", Read: fromFile,
}

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
	records := map[string]any{"config": m.Net.config, "training": m.training}
	var adam *nn.Adam
	if c != nil {
		adam, records["progress"] = c.Adam, progress{c.Epoch, c.Adam.Steps}
	}
	var tensors []safetensors.Tensor
	for name, v := range m.Net.params.All() {
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: []int{v.Rows, v.Cols}, Data: v.Data})
	}
	return format.Save(w, map[string]string{"grammar": m.grammar.String()}, records, tensors, adam)
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) { return format.Load(r) }

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	var p progress
	m, adam, err := format.LoadCheckpoint(r, "progress", &p)
	if err != nil {
		return nil, err
	}
	adam.Steps = p.Steps
	return &Checkpoint{m, p.Epoch, adam}, nil
}

func fromFile(f *safetensors.File) (*Model, *nn.Params, error) {
	g, err := cfg.Read(strings.NewReader(f.Metadata["grammar"]))
	if err != nil {
		return nil, nil, fmt.Errorf("grammar in the file: %w", err)
	}
	var c Config
	if err := neural.Record(f, "config", &c); err != nil {
		return nil, nil, err
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, nil, err
	}
	if err := neural.Record(f, "training", &m.training); err != nil {
		return nil, nil, err
	}
	var weights []float32
	for name, v := range m.Net.params.All() {
		data, err := neural.Tensor(f, name, []int{v.Rows, v.Cols})
		if err != nil {
			return nil, nil, err
		}
		weights = append(weights, data...)
	}
	m.Net.params.Bind(weights, nil) // allocated while reading: a damaged file may claim huge sizes
	m.Net.params.Freeze()
	return m, &m.Net.params, nil
}

// resume copies the state of c, whose model must have the trainer's grammar, sizes and options.
func (r *trainer) resume(c *Checkpoint) error {
	if c.Model.grammar.String() != r.Model.grammar.String() || c.Model.Net.config != r.Model.Net.config {
		return fmt.Errorf("the checkpoint has another grammar or other sizes (%+v): resume with those, or start a new run", c.Model.Net.config)
	}
	was, is := c.Model.training, r.Model.training
	if was.HeldOut, is.HeldOut = 0, 0; was != is {
		return fmt.Errorf("the checkpoint is from a training with %s: resume with the same options and strings, or start a new run", fields.Differences(was, is))
	}
	r.Model.training = c.Model.training
	copy(r.Model.Net.params.Data, c.Model.Net.params.Data)
	r.Epoch, r.Adam.Steps = c.Epoch, c.Adam.Steps
	copy(r.Adam.M, c.Adam.M)
	copy(r.Adam.V, c.Adam.V)
	return nil
}
