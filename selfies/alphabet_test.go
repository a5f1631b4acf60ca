package selfies_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/invbo/invbo/selfies"
)

// vocabulary is golden/selfies_vocab.json (see the README there): the constants of selfies 2.0.0, and the
// tokens of the paper's VAE.
type vocabulary struct {
	Vocab       []string
	Constraints map[string]int `json:"bond_constraints_2_0_0"`
}

func readVocabulary(t *testing.T) (v vocabulary) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "selfies_vocab.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDefaultAlphabet(t *testing.T) {
	want := readVocabulary(t).Vocab[2:] // after <start> and <stop>
	got := selfies.DefaultAlphabet()
	if !slices.Equal(got, want) {
		t.Errorf("DefaultAlphabet() = %s, want %s", got, want)
	}
	got[0] = "[Xy]"
	if selfies.DefaultAlphabet()[0] != want[0] {
		t.Error("a change to what DefaultAlphabet returned changed what it returns")
	}
	for _, token := range want {
		if _, err := selfies.Decode("[C]" + token); err != nil {
			t.Error(err)
		}
	}
}

func TestSplit(t *testing.T) {
	tests := []struct {
		selfies string
		want    []string
	}{
		{"", nil},
		{"[C]", []string{"[C]"}},
		{"[C][=Branch1].[Na+1]", []string{"[C]", "[=Branch1]", ".", "[Na+1]"}},
		{"..", []string{".", "."}},
		{"[anything at all]", []string{"[anything at all]"}},
	}
	for _, test := range tests {
		if got, err := selfies.Split(test.selfies); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("Split(%s) = %q, %v, want %q", test.selfies, got, err, test.want)
		}
	}
}
