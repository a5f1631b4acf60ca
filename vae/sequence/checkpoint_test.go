package sequence

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
)

func TestSaveLoad(t *testing.T) {
	file := trained(t, TrainOptions{Training: Training{Source: "a test"}})
	m, err := Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Training(); got.Source != "a test" || got.Strings != 300 {
		t.Errorf("Training = %+v", got)
	}
	if got := strings.Join(m.Alphabet().Symbols(), ""); got != "ACDEFG" || m.Config().DecoderHidden != 32 || m.Dim() != 32 {
		t.Errorf("alphabet %q, sizes %+v, %d dimensions", got, m.Config(), m.Dim())
	}
	if !bytes.Equal(saved(t, m), file) {
		t.Error("a file loaded and saved differs")
	}
	if _, err := LoadCheckpoint(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), "finished model") {
		t.Errorf("LoadCheckpoint of a model: %v", err)
	}
}

func TestSaveHalf(t *testing.T) {
	m := untrained(t, small)
	var file bytes.Buffer
	if err := m.SaveHalf(&file); err != nil {
		t.Fatal(err)
	}
	if whole := len(saved(t, m)); file.Len() > whole*2/3 {
		t.Errorf("%d bytes, and %d in single precision", file.Len(), whole)
	}
	half, err := Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range m.Net.params.Data {
		got := half.Net.params.Data[i]
		if off := math.Abs(float64(got - want)); off > 0x1p-11*math.Abs(float64(want))+0x1p-25 { // half a unit in the last place, also of subnormals
			t.Fatalf("weight %d: %g, want %g", i, got, want)
		}
	}
}

// Damaged files give errors, not panics or wrong models.
func TestLoadErrors(t *testing.T) {
	file := trained(t, TrainOptions{})
	for n := 0; n < len(file); n += 997 {
		if _, err := Load(bytes.NewReader(file[:n])); !errors.Is(err, safetensors.ErrTruncated) {
			t.Errorf("first %d bytes: %v, want %v", n, err, safetensors.ErrTruncated)
		}
	}
	tests := []struct{ name, old, new, want string }{
		{"another format", "invbo sequence vae 1", "invbo sequence vae 2", "format"},
		{"another size", `\"decoder_hidden\":32`, `\"decoder_hidden\":33`, "shape"},
		{"an absurd size", `\"decoder_layers\":2`, `\"decoder_layers\":200000`, "from 1 to"},
		{"another name", "norm1.bias", "norm1.bios", "no tensor"},
		{"a symbol less", `\"F\",`, ``, "want [16 7]"},
		{"a symbol twice", `\"F\",`, `\"A\",`, "alphabet in the file"},
	}
	for _, tt := range tests {
		// Adjust the header length, which comes first.
		changed := bytes.Replace(file, []byte(tt.old), []byte(tt.new), 1)
		if bytes.Equal(changed, file) {
			t.Fatalf("%s: %q is not in the file", tt.name, tt.old)
		}
		length := int(changed[0]) + int(changed[1])<<8 + len(changed) - len(file)
		changed[0], changed[1] = byte(length), byte(length>>8)
		if _, err := Load(bytes.NewReader(changed)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

func TestImportErrors(t *testing.T) {
	file, err := os.ReadFile("testdata/transformer_vae_tiny.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	other := saved(t, untrained(t, small))
	tests := []struct {
		name    string
		file    []byte
		symbols int
		config  Config
		want    string
	}{
		{"too few symbols", file, 8, Config{EncoderHeads: 2, DecoderHeads: 2}, "alphabet of 11 tokens, the given one has 10"},
		{"heads that do not divide", file, 9, Config{EncoderHeads: 3}, "divide"},
		{"another number of layers", file, 9, Config{EncoderHeads: 2, DecoderHeads: 2, DecoderLayers: 3}, `no tensor "decoder.layers.2`},
		{"another width", file, 9, Config{EncoderHeads: 2, DecoderHeads: 2, DecoderHidden: 32}, "shape"},
		{"not these weights", bytes.ReplaceAll(other, []byte("token_embedding"), []byte("token_embodying")), 6, Config{}, "InfoTransformerVAE"},
	}
	for _, tt := range tests {
		if _, err := Import(bytes.NewReader(tt.file), letters(t, tt.symbols), tt.config); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

// The quality of the weights in shared/models is that in its README: 92.3 % of tokens and 14.6 % of 5,000 strings, at a KL
// divergence of 0.71, averaged over batches of similar lengths; averaged over strings, 92.5 % and 17.5 %.
func TestStopGapWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the kernels of pure Go")
	}
	const path = "../../../shared/models/selfies-vae-compact-stopgap.safetensors"
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here", path)
	} else if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	a := selfiesAlphabet(t)
	m, err := Import(file, a, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Config(), Compact().withDefaults(); got != want {
		t.Errorf("sizes %+v, want %+v", got, want)
	}
	q, err := m.Evaluate(t.Context(), molecules(t, a, "../../../shared/data/molecules.valid.tokens.gz", 300))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(q.TokenAccuracy-0.925) > 0.01 || math.Abs(q.Exact-0.175) > 0.06 || math.Abs(q.KL-0.70) > 0.05 {
		t.Errorf("quality %+v", q)
	}
}

// selfiesAlphabet returns the published SELFIES alphabet.
func selfiesAlphabet(t testing.TB) *Alphabet {
	t.Helper()
	text, err := os.ReadFile("testdata/selfies_vocab.json") // mlvlab/InvBO's DEFAULT_SELFIES_VOCAB
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vocab []string }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	a, err := NewAlphabet(file.Vocab[firstSymbol:])
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// molecules returns the first n strings of a gzip file of one-byte token ids.
func molecules(t testing.TB, a *Alphabet, path string, n int) []string {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here", path)
	} else if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	var x []string
	for len(x) < n {
		end := bytes.IndexByte(ids, byte(stop))
		tokens := make([]int32, end)
		for i := range tokens {
			tokens[i] = int32(ids[i])
		}
		x, ids = append(x, a.text(tokens)), ids[end+1:]
	}
	return x
}
