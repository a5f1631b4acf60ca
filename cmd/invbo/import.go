package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/internal/torchfile"
	"github.com/invbo/invbo/selfies"
	"github.com/invbo/invbo/vae/sequence"
)

func importCommand() *cobra.Command {
	var out, alphabet string
	c := &cobra.Command{
		Use:   "import FILE.pt --out FILE [flags]",
		Short: "Convert the published PyTorch weights of a sequence VAE",
		Long: `import reads the weights of an InfoTransformerVAE (that of LOL-BO, CoBO and InvBO)
from a file that torch.save wrote, and writes them as a model for --weights. The
file may hold the state dict or a checkpoint around it. Nothing in it is executed.

Tensors do not say what the tokens mean. Without --alphabet they are the SELFIES
tokens of the published models.`,
		Example: `  invbo import SELFIES-VAE-state-dict.pt --out selfies.safetensors
  invbo import proteins.pt --out proteins.safetensors --alphabet letters.txt`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("give a file to import; see %s --help", c.CommandPath())
			}
			return importWeights(c.OutOrStdout(), args[0], out, alphabet)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write the model to")
	c.Flags().StringVar(&alphabet, "alphabet", "", "`FILE` with the symbols, one a line, in the order of their token ids; start and stop, 0 and 1, are left out")
	return c
}

// importWeights carries out `invbo import`.
func importWeights(stdout io.Writer, name, out, alphabet string) error {
	switch {
	case out == "":
		return usagef("give a file to write the model to: --out FILE")
	case exists(out):
		return usagef("%s exists; give another --out, or delete it", out)
	case !exists(filepath.Dir(out)):
		return usagef("--out: there is no folder %s", filepath.Dir(out))
	}
	a, err := readAlphabet(alphabet)
	if err != nil {
		return &usageError{err}
	}
	tensors, err := torchfile.ReadFile(name)
	if err != nil {
		return &usageError{err}
	}
	model, err := convert(tensors, a)
	if err != nil {
		return usagef("%s: %w", name, err)
	}
	if err := writeWhole(out, func(w io.Writer) error {
		_, err := w.Write(model)
		return err
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: a model over %d symbols; use it with --weights %[1]s\n", out, len(a.Symbols()))
	return err
}

// readAlphabet reads a file of symbols. Without a name it returns the SELFIES alphabet.
func readAlphabet(name string) (*sequence.Alphabet, error) {
	symbols := selfies.DefaultAlphabet()
	if name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		lines := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
		symbols = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	a, err := sequence.NewAlphabet(symbols)
	if err != nil {
		return nil, fmt.Errorf("--alphabet: %w", err)
	}
	return a, nil
}

// convert returns the file of a model with these tensors, whose names may have a prefix, as those of a module's part
// do. It refuses tensors that the model has no use for: what they are for, it would not do.
func convert(tensors []safetensors.Tensor, a *sequence.Alphabet) ([]byte, error) {
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
	var published, model bytes.Buffer
	if err := safetensors.Write(&published, nil, weights); err != nil {
		return nil, err
	}
	m, err := sequence.Import(&published, a, sequence.Config{})
	if err != nil {
		return nil, err
	}
	if err := m.Save(&model); err != nil {
		return nil, err
	}
	f, err := safetensors.Read(bytes.NewReader(model.Bytes()))
	if err != nil {
		return nil, err
	}
	for _, t := range weights {
		if !slices.Contains(f.Names(), t.Name) {
			return nil, fmt.Errorf("tensor %q belongs to no InfoTransformerVAE: the model would ignore it", t.Name)
		}
	}
	return model.Bytes(), nil
}
