package train

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/torchfile"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/sequence"
)

// Import converts published PyTorch weights to a model, written to out, and returns the number of its symbols.
func Import(name, out, alphabet string) (symbols int, err error) {
	if err := (Job{Out: out}).Check(); err != nil {
		return 0, err
	}
	a, err := task.ReadAlphabet(alphabet)
	if err != nil {
		return 0, usage.Wrap(err)
	}
	tensors, err := torchfile.ReadFile(name)
	if err != nil {
		return 0, usage.Wrap(err)
	}
	model, err := convert(tensors, a)
	if err != nil {
		return 0, usage.Errorf("%s: %w", name, err)
	}
	return len(a.Symbols()), files.WriteWhole(out, model.Save)
}

// convert returns a model with these tensors, whose names may share a prefix, as those of a submodule do. It
// refuses tensors that the model does not have: the result would not compute what the file's network does.
func convert(tensors []safetensors.Tensor, a *sequence.Alphabet) (*sequence.Model, error) {
	const mark = "decoder_token_unembedding"
	marked := slices.IndexFunc(tensors, func(t safetensors.Tensor) bool { return strings.HasSuffix(t.Name, mark) })
	if marked < 0 {
		return nil, fmt.Errorf("no tensor is named %s: the file does not hold the weights of an InfoTransformerVAE", mark)
	}
	prefix := strings.TrimSuffix(tensors[marked].Name, mark)
	var weights []safetensors.Tensor
	for _, t := range tensors {
		if strings.HasSuffix(t.Name, ".pe") { // sines and cosines of positions
			continue
		}
		name, ok := strings.CutPrefix(t.Name, prefix)
		if !ok {
			return nil, fmt.Errorf("tensor %q does not begin with %q, as others do: the file holds more than the weights of an InfoTransformerVAE", t.Name, prefix)
		}
		t.Name = name
		weights = append(weights, t)
	}
	var published, saved bytes.Buffer
	if err := safetensors.Write(&published, nil, weights); err != nil {
		return nil, err
	}
	m, err := sequence.Import(&published, a, sequence.Config{})
	if err != nil {
		return nil, err
	}
	if err := m.Save(&saved); err != nil {
		return nil, err
	}
	f, err := safetensors.Read(&saved)
	if err != nil {
		return nil, err
	}
	for _, t := range weights {
		if !slices.Contains(f.Names(), t.Name) {
			return nil, fmt.Errorf("tensor %q belongs to no InfoTransformerVAE: the model would ignore it", t.Name)
		}
	}
	return m, nil
}
