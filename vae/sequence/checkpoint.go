package sequence

import (
	"cmp"
	"fmt"
	"io"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae/internal/single"
)

// format identifies the files of this package in their metadata.
const format = "invbo sequence vae 1"

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
	records := map[string]any{"alphabet": m.alphabet.symbols, "config": m.net.config, "training": m.training}
	if adam != nil {
		records["steps"] = adam.Steps
	}
	var tensors []safetensors.Tensor
	for _, s := range m.net.state() {
		tensors = append(tensors, safetensors.Tensor{Name: s.name, Shape: s.shape, Data: s.data(), Half: half})
	}
	if err := single.Save(w, map[string]string{"format": format}, records, tensors, adam); err != nil {
		return fmt.Errorf("sequence: save: %w", err)
	}
	return nil
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) {
	_, m, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("sequence: load: %w", err)
	}
	return m, nil
}

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	f, m, err := read(r)
	c, steps := &Checkpoint{Model: m}, 0
	if err == nil {
		trained, _ := m.net.params.Len()
		c.Adam, err = single.Adam(f, trained, "steps", &steps)
	}
	if err != nil {
		return nil, fmt.Errorf("sequence: load checkpoint: %w", err)
	}
	c.Adam.Steps = steps
	return c, nil
}

// Import reads a Model with alphabet a from a safetensors file of the published state dict. Zero sizes in c are
// inferred from the tensors, except for Vectors, heads and MaxTokens, which default to the published values.
func Import(r io.Reader, a *Alphabet, c Config) (*Model, error) {
	f, err := safetensors.Read(r)
	if err == nil {
		c, err = sizesOf(f, a, c)
	}
	var m *Model
	if err == nil {
		m, err = newModel(a, c)
	}
	if err == nil {
		err = m.net.load(f)
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
	names := map[string]bool{}
	for _, name := range f.Names() {
		names[name] = true
	}
	n := 0
	for names[fmt.Sprintf("%s.layers.%d.linear1.weight", stack, n)] {
		n++
	}
	return n
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
		return nil, fmt.Errorf("file format %q, want %q: give a file written by training, or import published weights first", got, format)
	}
	var symbols []string
	if err := single.Record(f, "alphabet", &symbols); err != nil {
		return nil, err
	}
	a, err := NewAlphabet(symbols)
	if err != nil {
		return nil, fmt.Errorf("alphabet in the file: %w", err)
	}
	var c Config
	if err := single.Record(f, "config", &c); err != nil {
		return nil, err
	}
	m, err := newModel(a, c)
	if err != nil {
		return nil, err
	}
	if err := single.Record(f, "training", &m.training); err != nil {
		return nil, err
	}
	return m, m.net.load(f)
}
