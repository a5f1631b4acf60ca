package selfies_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/selfies"
	"pgregory.net/rapid"
)

// checkDecodes checks that s decodes to a SMILES that is unchanged by encoding and decoding.
func checkDecodes(t rapid.TB, s string) {
	smiles, err := selfies.Decode(s)
	if err != nil {
		t.Fatalf("Decode(%s): %v", s, err)
	}
	if smiles == "" {
		return
	}
	again, err := selfies.Encode(smiles)
	if err != nil {
		t.Fatalf("Encode(%s) of Decode(%s): %v", smiles, s, err)
	}
	if got, err := selfies.Decode(again); err != nil || got != smiles {
		t.Errorf("Decode(%s) = %s, %v, want %s as from %s", again, got, err, smiles, s)
	}
}

// checkEncodes checks that a SMILES that encodes also decodes, to a SMILES that is unchanged by encoding and decoding.
func checkEncodes(t rapid.TB, smiles string) {
	if s, err := selfies.Encode(smiles); err == nil {
		checkDecodes(t, s)
	}
}

// checkSameMolecule checks that encoding and decoding changes no atom, bond, center or direction.
func checkSameMolecule(t *testing.T, smiles string) {
	t.Helper()
	s, err := selfies.Encode(smiles)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := selfies.Decode(s)
	if err != nil {
		t.Fatal(err)
	}
	wantAtoms, wantLinks, err := selfies.Describe(smiles)
	if err != nil {
		t.Fatal(err)
	}
	gotAtoms, gotLinks, err := selfies.Describe(decoded)
	if err != nil || !slices.Equal(gotAtoms, wantAtoms) || !slices.Equal(gotLinks, wantLinks) {
		t.Errorf("Decode(Encode(%s)) = %s, %v:\natoms %s, want %s\nbonds %v, want %v",
			smiles, decoded, err, gotAtoms, wantAtoms, gotLinks, wantLinks)
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
	for _, row := range golden(t, "selfies_encode.tsv.gz") {
		if row[1] != "ERROR:EncoderError" {
			checkSameMolecule(t, row[0])
		}
	}
}

func TestDecodesGolden(t *testing.T) {
	for _, row := range golden(t, "selfies_decode.tsv.gz") {
		checkDecodes(t, row[0])
	}
}

func TestDecodesAnySequence(t *testing.T) {
	tokens := rapid.SliceOfN(rapid.SampledFrom(append(selfies.DefaultAlphabet(),
		"[#Branch3]", "[Branch3]", "[=Ring3]", "[/-Ring1]", `[\/Ring2]`, "[/C]", `[\N]`, "[C@]", "[C@@H1]", "[13C]",
		"[epsilon]", "[nop]")), 1, 200)
	rapid.Check(t, func(t *rapid.T) { checkDecodes(t, strings.Join(tokens.Draw(t, "tokens"), "")) })
}

func TestEncodesAnyMolecule(t *testing.T) {
	pieces := rapid.SliceOfN(rapid.SampledFrom(strings.Fields(`
		C C C N O S c c c n o s [nH] [C@H] [C@@] [N+] [O-] [n+] [Si] [13CH3] F Cl
		( ) ( ) 1 1 2 2 %10 = # - / \ : . `)), 1, 30)
	rapid.Check(t, func(t *rapid.T) { checkEncodes(t, strings.Join(pieces.Draw(t, "pieces"), "")) })
}

// FuzzDecode reads each byte as a token.
func FuzzDecode(f *testing.F) {
	alphabet := append(selfies.DefaultAlphabet(), "[Branch3]", "[Ring3]", "[/C]", "[C@@H1]", `[/\Ring1]`, "[epsilon]", "[nop]")
	f.Add([]byte("CCOCCRRC"))
	f.Add([]byte{50, 41, 4, 50, 5, 76, 82, 50})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s strings.Builder
		for _, c := range b {
			s.WriteString(alphabet[int(c)%len(alphabet)])
		}
		checkDecodes(t, s.String())
	})
}

func FuzzEncode(f *testing.F) {
	for _, smiles := range []string{
		"CC(=O)Oc1ccccc1C(=O)O", `F/C=C\F`, "C[C@]12CC1C2", "[13CH3:1]%10CC%10.[Na+]", "C%(123)CC%(123)", "C1(C", "\xff",
	} {
		f.Add(smiles)
	}
	f.Fuzz(func(t *testing.T, smiles string) { checkEncodes(t, smiles) })
}

// FuzzDecodeBytes decodes strings that are not SELFIES.
func FuzzDecodeBytes(f *testing.F) {
	for _, s := range []string{"[C][=Branch1][C][=O]", "[C][C", "[C.C]", "[13C@@H1+10]", "[CH9]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// The encoder, like the Python library, rejects a SMILES with a ring across a dot.
		if _, err := selfies.Decode(s); err == nil && !strings.Contains(s, ".") {
			checkDecodes(t, s)
		}
	})
}
