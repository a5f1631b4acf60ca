package selfies

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// link is a bond as both of its atoms see it: its stereo signs are those at the first and at the second.
type link struct {
	a, b          int
	order         order
	first, second byte
}

// describe returns what a molecule is, however its string was written: its atoms with their numbers, and
// its bonds. A center's sign is taken for its bonds in the order of the atoms they lead to.
func describe(m *molecule) (atoms []string, links []link) {
	for i := range m.atoms {
		a := m.atoms[i]
		for j, later := range a.bonds {
			for _, earlier := range a.bonds[:j] {
				if a.chirality > 0 && earlier.to > later.to {
					a.chirality = 3 - a.chirality
				}
			}
		}
		atoms = append(atoms, string(a.append(nil)))
		for _, b := range a.bonds {
			if b.to > i {
				l := link{i, b.to, b.order, b.stereo, 0}
				if b.ring > 0 {
					other := m.atoms[b.to].bonds
					l.second = other[slices.IndexFunc(other, func(o bond) bool { return o.ring == b.ring })].stereo
				}
				links = append(links, l)
			}
		}
	}
	slices.SortFunc(links, func(x, y link) int { return (x.a-y.a)*len(m.atoms) + x.b - y.b })
	return atoms, links
}

func checkSameMolecule(t *testing.T, smiles string) {
	t.Helper()
	want, err := parse(smiles, DefaultConstraints)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Encode(smiles)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := Decode(s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parse(decoded, DefaultConstraints)
	if err != nil {
		t.Fatal(err)
	}
	wantAtoms, wantLinks := describe(want)
	if gotAtoms, gotLinks := describe(got); !slices.Equal(gotAtoms, wantAtoms) || !slices.Equal(gotLinks, wantLinks) {
		t.Errorf("Decode(Encode(%s)) = %s:\natoms %s, want %s\nbonds %v, want %v", smiles, decoded, gotAtoms, wantAtoms, gotLinks, wantLinks)
	}
}

func TestSameMolecule(t *testing.T) {
	for _, smiles := range []string{
		"CC(=O)Oc1ccccc1C(=O)O",
		"CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
		"OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
		"C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
		"C1C[C@@](F)1Cl",
		"N[C@](F)1CC1",
		"N[C@]12OCC1CS2",
		"N[C@]21OCC1CS2",
		"C(CC1)[C@@]1(F)O",
		`F/C(Cl)=C(\F)I`,
		`C1CCCC/C=C/1`,
		`C/1=CCCCCC1`,
		"c1ccc2c(c1)[nH]c1ccccc12",
		"C[n+]1c2ccccc2n2c3ccccc3ccc21",
		"[13CH3][15NH2+][2H].[Cl-]",
		"C12C3C4C1C5C2C3C45",
		"C%10%11CC%10CCC%11",
	} {
		checkSameMolecule(t, smiles)
	}
}

func TestSameMoleculeGolden(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "shared", "golden", "selfies_encode.tsv.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs ../shared/golden beside the module")
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		if smiles, _, _ := strings.Cut(lines.Text(), "\t"); !strings.HasSuffix(lines.Text(), "\tERROR:EncoderError") {
			checkSameMolecule(t, smiles)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
