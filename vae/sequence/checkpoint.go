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
)

// format names the files of this package in their metadata.
const format = "invbo sequence vae 1"

// Checkpoint is a training run after a step.
type Checkpoint struct {
	Model *Model
	Adam  *nn.Adam // Adam.Steps is how many steps were taken
}

// Save writes weights, alphabet, sizes and training record as a safetensors file with the published names of
// tensors.
func (m *Model) Save(w io.Writer) error { return m.save(w, safetensors.F32, nil, nil) }

// SaveHalf is Save with weights in half precision.
func (m *Model) SaveHalf(w io.Writer) error { return m.save(w, safetensors.F16, nil, nil) }

// Save writes the checkpoint as a safetensors file, which Load reads as a Model too.
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

// Load reads a Model that Save wrote. The error says what does not fit, and what to do.
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

// Import reads a Model from a safetensors file that holds the published state dict and nothing else. The
// alphabet is a; sizes that are zero in c are those of the tensors, which do not say Vectors, the numbers of
// heads and MaxTokens: for these, zero is the published value.
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

// sizesOf fills in the sizes that are zero in c from the shapes of f's tensors.
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
			return c, fmt.Errorf("%w: the file does not hold the weights of an InfoTransformerVAE", err)
		}
		if len(shape) != 2 {
			return c, fmt.Errorf("tensor %q has shape %v: the file does not hold the weights of an InfoTransformerVAE", size.name, shape)
		}
		if tokens := shape[0]; size.axis == 1 && tokens != a.tokens() {
			return c, fmt.Errorf("the weights are for an alphabet of %d tokens, and the one given has %d (start and stop, and %d symbols): give the alphabet that they were trained with",
				tokens, a.tokens(), len(a.symbols))
		}
		*size.of = cmp.Or(*size.of, shape[size.axis])
	}
	c.EncoderLayers = cmp.Or(c.EncoderLayers, layersOf(f, "encoder"))
	c.DecoderLayers = cmp.Or(c.DecoderLayers, layersOf(f, "decoder"))
	return c, nil
}

// layersOf returns how many layers of a stack f holds.
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

// LoadCheckpoint reads a Checkpoint that Save wrote.
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
		return nil, errors.New("the file holds a finished model: start a new training run, or give the checkpoint file")
	}
	c := &Checkpoint{Model: m, Adam: new(nn.Adam)}
	if _, err := fmt.Sscan(steps, &c.Adam.Steps); err != nil {
		return nil, fmt.Errorf("steps in the file: %w", err)
	}
	trained, _ := m.net.params.Len()
	if c.Adam.M, err = read(f, "adam.m", []int{trained}); err != nil {
		return nil, err
	}
	if c.Adam.V, err = read(f, "adam.v", []int{trained}); err != nil {
		return nil, err
	}
	return c, nil
}

func fromFile(f *safetensors.File) (*Model, error) {
	if got := f.Metadata["format"]; got != format {
		return nil, fmt.Errorf("the file's format is %q, not %q: give a file that training wrote, or import published weights first", got, format)
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
