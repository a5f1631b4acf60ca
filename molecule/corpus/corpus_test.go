package corpus_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"pgregory.net/rapid"
)

// Ids are read back in ascending order, each once.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Uint64()).Draw(t, "ids")
		again, err := corpus.Read(bytes.NewReader(corpus.Format(ids)))
		if err != nil {
			t.Fatal(err)
		}
		if want := slices.Compact(slices.Sorted(slices.Values(ids))); !slices.Equal(again, want) {
			t.Errorf("%d came back as %d", want, again)
		}
	})
}

func TestReadErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"empty", "", "EOF"},
		{"cut short", "\x03\x01\x01", "read id 3 of 3: unexpected EOF"},
		{"a repeated id", "\x02\x05\x00", "ids do not ascend"},
		{"beyond 64 bits", "\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", "ids do not ascend"},
		{"a number without end", strings.Repeat("\xff", 11), "overflows"},
		{"more ids than fit into memory", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", "unexpected EOF"},
	}
	for _, test := range tests {
		_, err := corpus.Read(strings.NewReader(test.file))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
	if _, err := corpus.Read(burning{}); !errors.Is(err, errDisk) {
		t.Errorf("error %v, want the reader's", err)
	}
}

var errDisk = errors.New("disk on fire")

type burning struct{}

func (burning) Read([]byte) (int, error) { return 0, errDisk }

// Known drugs are plausible and usual in the default corpus; molecules that nobody would make are not.
func TestDefault(t *testing.T) {
	known, err := corpus.Default()
	if err != nil {
		t.Fatal(err)
	}
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		name, smiles     string
		plausible, usual bool
	}{
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", true, true},
		{"caffeine", "Cn1c(=O)c2c(ncn2C)n(C)c1=O", true, true},
		{"sildenafil", "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1", true, true},
		{"tadalafil", "CN1CC(=O)N2C(Cc3c(C2c2ccc4OCOc4c2)[nH]c2ccccc32)C1=O", true, true},
		{"five oxygens in a row", "COOOOOC", false, false},
		{"a nitrogen between two bromines", "CCN(Br)Br", false, false},
		{"a hemiacetal of formaldehyde, as in two molecules of the corpus", "OCOc1ccccc1", true, false},
		{"a cyclopropenone, as in one", "O=c1c(-c2ccccc2)c1-c1ccccc1", true, false},
		{"an imide across a benzene ring", "CN1C(=O)c2cccc(c2)C1=O", true, false},
		{"1,8-naphthalimide", "CN1C(=O)c2cccc3cccc(C1=O)c23", true, true},
		{"a ring of 14 carbons", "C1CCCCCCCCCCCCC1", true, false},
	}
	for _, test := range tests {
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := known.Plausible(m); got != test.plausible {
			t.Errorf("%s: plausible %v, want %v", test.name, got, test.plausible)
		}
		if got := known.Usual(m); got != test.usual {
			t.Errorf("%s: usual %v, want %v", test.name, got, test.usual)
		}
	}
}
