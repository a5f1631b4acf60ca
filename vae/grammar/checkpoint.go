package grammar

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

var format = neural.Format[*Model]{
	Package: "grammar", Name: "invbo grammar vae 1", Hint: "give a file written by training with this version",
	Layout: func(name string, v *tensor.Var) (string, []int, bool) { return name, []int{v.Rows, v.Cols}, false }, Read: fromFile,
}

// Checkpoint is the state of a training run after an epoch.
type Checkpoint struct {
	Model *Model
	Adam  *nn.Adam
}

// Epoch returns the number of completed epochs.
func (c *Checkpoint) Epoch() int { return c.Adam.Steps / c.Model.training.inEpoch() }

// Save writes weights, grammar, sizes and training record as a safetensors file.
func (m *Model) Save(w io.Writer) error { return m.save(w, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error { return c.Model.save(w, c.Adam) }

// save writes m, and the state of its training unless adam is nil.
func (m *Model) save(w io.Writer, adam *nn.Adam) error {
	records := map[string]any{"config": m.Net.config, "training": m.training}
	return format.Save(w, &m.Net.params, false, map[string]string{"grammar": m.Net.grammar.String()}, records, adam)
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) { return format.Load(r) }

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	m, adam, err := format.LoadCheckpoint(r)
	if err != nil {
		return nil, err
	}
	return &Checkpoint{m, adam}, nil
}

func fromFile(f *safetensors.File) (*Model, *nn.Params, error) {
	g, err := cfg.Read(strings.NewReader(f.Metadata["grammar"]))
	if err != nil {
		return nil, nil, fmt.Errorf("grammar in the file: %w", err)
	}
	var c Config
	var training Training
	if err := cmp.Or(neural.Record(f, "config", &c), neural.Record(f, "training", &training)); err != nil {
		return nil, nil, err
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, nil, err
	}
	m.training = training
	return m, &m.Net.params, nil
}
