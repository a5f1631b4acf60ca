package sequence

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

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
func (m *Model) Save(w io.Writer) error { return m.save(w, safetensors.F32, nil, nil) }

// SaveHalf is Save with weights in half precision.
func (m *Model) SaveHalf(w io.Writer) error { return m.save(w, safetensors.F16, nil, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error {
	n := []int{len(c.Adam.M)}
	return c.Model.save(w, safetensors.F32, map[string]string{"steps": fmt.Sprint(c.Adam.Steps)}, []safetensors.Tensor{
		{Name: "adam.m", Shape: n, Data: c.Adam.M},
		{Name: "adam.v", Shape: n, Data: c.Adam.V},
	})
}

func (m *Model) save(w io.Writer, dtype safetensors.DType, metadata map[string]string, tensors []safetensors.Tensor) error {
	all := map[string]string{"format": format}
	for key, value := range map[string]any{"alphabet": m.alphabet.symbols, "config": m.net.config, "training": m.training} {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("sequence: save: %s: %w", key, err)
		}
		all[key] = string(text)
	}
	maps.Copy(all, metadata)
	for _, s := range m.net.state() {
		tensors = append(tensors, safetensors.Tensor{Name: s.name, Shape: s.shape, Data: s.data(), DType: dtype})
	}
	if err := safetensors.Write(w, all, tensors); err != nil {
		return fmt.Errorf("sequence: save: %w", err)
	}
	return nil
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, fmt.Errorf("sequence: load: %w", err)
	}
	m, err := fromFile(f)
	if err != nil {
		return nil, fmt.Errorf("sequence: load: %w", err)
	}
	return m, nil
}

// Import reads a Model with alphabet a from a safetensors file of the published state dict. Zero sizes in c are
// inferred from the tensors, except for Vectors, heads and MaxTokens, which default to the published values.
func Import(r io.Reader, a *Alphabet, c Config) (*Model, error) {
	f, err := safetensors.Read(r)
	if err != nil {
		return nil, fmt.Errorf("sequence: import: %w", err)
	}
	if c, err = sizesOf(f, a, c); err != nil {
		return nil, fmt.Errorf("sequence: import: %w", err)
	}
	m, err := newModel(a, c)
	if err != nil {
		return nil, fmt.Errorf("sequence: import: %w", err)
	}
	if err := m.net.load(f); err != nil {
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

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	c, err := loadCheckpoint(r)
	if err != nil {
		return nil, fmt.Errorf("sequence: load checkpoint: %w", err)
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
	steps, ok := f.Metadata["steps"]
	if !ok {
		return nil, errors.New("the file contains a finished model: give the checkpoint file, or start a new training run")
	}
	c := &Checkpoint{Model: m, Adam: new(nn.Adam)}
	if _, err := fmt.Sscan(steps, &c.Adam.Steps); err != nil {
		return nil, fmt.Errorf("steps in the file: %w", err)
	}
	trained, _ := m.net.params.Len()
	if c.Adam.M, err = single.Tensor(f, "adam.m", []int{trained}); err != nil {
		return nil, err
	}
	if c.Adam.V, err = single.Tensor(f, "adam.v", []int{trained}); err != nil {
		return nil, err
	}
	return c, nil
}

func fromFile(f *safetensors.File) (*Model, error) {
	if got := f.Metadata["format"]; got != format {
		return nil, fmt.Errorf("file format %q, want %q: give a file written by training, or import published weights first", got, format)
	}
	var symbols []string
	if err := json.Unmarshal([]byte(f.Metadata["alphabet"]), &symbols); err != nil {
		return nil, fmt.Errorf("alphabet in the file: %w", err)
	}
	a, err := NewAlphabet(symbols)
	if err != nil {
		return nil, fmt.Errorf("alphabet in the file: %w", err)
	}
	var c Config
	if err := json.Unmarshal([]byte(f.Metadata["config"]), &c); err != nil {
		return nil, fmt.Errorf("sizes in the file: %w", err)
	}
	m, err := newModel(a, c)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(f.Metadata["training"]), &m.training); err != nil {
		return nil, fmt.Errorf("training record in the file: %w", err)
	}
	return m, m.net.load(f)
}
