package sequence

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/internal/neural"
)

var format = neural.Format[*Model]{
	Package: "sequence", Name: "invbo sequence vae 1", Hint: "give a file written by training, or import published weights first",
	Layout: layout, Read: fromFile,
}

// layout is that of the published state dict: PyTorch stores weights as (out, in), and in CrossAttention queries, then keys
// and values in one tensor.
func layout(name string, v *tensor.Var) (stored string, shape []int, transpose bool) {
	stored = strings.NewReplacer(".q_proj_", ".in_proj_", ".kv_proj_", ".in_proj_").Replace(name)
	switch {
	case strings.HasSuffix(name, "bias") || strings.Contains(name, ".norm"):
		return stored, []int{v.Cols}, false
	case strings.Contains(name, "embedding"):
		return stored, []int{v.Rows, v.Cols}, false
	}
	return stored, []int{v.Cols, v.Rows}, true
}

// Checkpoint is the state of a training run after a step.
type Checkpoint struct {
	Model *Model
	Adam  *nn.Adam // Adam.Steps is the number of steps taken
}

// Save writes weights, alphabet, sizes and training record as a safetensors file with the published tensor names.
func (m *Model) Save(w io.Writer) error { return m.save(w, false, nil) }

// SaveHalf is Save with weights in half precision.
func (m *Model) SaveHalf(w io.Writer) error { return m.save(w, true, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error { return c.Model.save(w, false, c.Adam) }

// save writes m, and the state of its training unless adam is nil.
func (m *Model) save(w io.Writer, half bool, adam *nn.Adam) error {
	records := map[string]any{"alphabet": m.Net.alphabet.symbols, "config": m.Net.config, "training": m.training}
	return format.Save(w, &m.Net.params, half, map[string]string{}, records, adam)
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

// Import reads a Model with alphabet a from a safetensors file of the published state dict. Zero sizes in c are
// inferred from the tensors, except for Vectors, heads and MaxTokens, which default to the published values.
func Import(r io.Reader, a *Alphabet, c Config) (*Model, error) {
	var m *Model
	f, err := safetensors.Read(r)
	if err == nil {
		c, err = sizesOf(f, a, c)
	}
	if err == nil {
		m, err = newModel(a, c)
	}
	if err == nil {
		err = format.Layout.Load(f, &m.Net.params)
	}
	if err != nil {
		return nil, fmt.Errorf("sequence: import: %w", err)
	}
	return m, nil
}

// sizesOf sets zero sizes in c from the shapes of the tensors of f.
func sizesOf(f *safetensors.File, a *Alphabet, c Config) (Config, error) {
	for _, size := range []struct {
		of   *int
		name string
		axis int
	}{
		{&c.Width, "decoder_token_embedding.weight", 1},
		{&c.EncoderWidth, "encoder_token_embedding.weight", 1},
		{&c.EncoderHidden, "encoder.layers.0.linear1.weight", 0},
		{&c.DecoderHidden, "decoder.layers.0.linear1.weight", 0},
	} {
		_, shape, err := f.Float32s(size.name)
		if err != nil {
			return c, fmt.Errorf("%w: the file does not contain the weights of an InfoTransformerVAE", err)
		}
		if len(shape) != 2 {
			return c, fmt.Errorf("tensor %q has shape %v: the file does not contain the weights of an InfoTransformerVAE", size.name, shape)
		}
		if tokens := shape[0]; size.axis == 1 && tokens != a.tokens() {
			return c, fmt.Errorf("the weights are for an alphabet of %d tokens, the given one has %d (start, stop and %d symbols): give the alphabet of their training",
				tokens, a.tokens(), len(a.symbols))
		}
		*size.of = cmp.Or(*size.of, shape[size.axis])
	}
	c.EncoderLayers = cmp.Or(c.EncoderLayers, layersOf(f, "encoder"))
	c.DecoderLayers = cmp.Or(c.DecoderLayers, layersOf(f, "decoder"))
	return c, nil
}

// layersOf returns the number of layers of a stack in f.
func layersOf(f *safetensors.File, stack string) int {
	n := 0
	for slices.Contains(f.Names(), fmt.Sprintf("%s.layers.%d.linear1.weight", stack, n)) {
		n++
	}
	return n
}

func fromFile(f *safetensors.File) (*Model, *nn.Params, error) {
	var symbols []string
	var c Config
	var training Training
	err := cmp.Or(neural.Record(f, "alphabet", &symbols), neural.Record(f, "config", &c), neural.Record(f, "training", &training))
	if err != nil {
		return nil, nil, err
	}
	a, err := NewAlphabet(symbols)
	if err != nil {
		return nil, nil, fmt.Errorf("alphabet in the file: %w", err)
	}
	m, err := newModel(a, c)
	if err != nil {
		return nil, nil, err
	}
	m.training = training
	return m, &m.Net.params, nil
}
