package selfies_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/selfies"
	"pgregory.net/rapid"
)

// checkDecodes checks the promise of SELFIES: s decodes, to a SMILES that says the same a second time.
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

// checkEncodes checks that what can be encoded decodes, and from then on keeps its SMILES.
func checkEncodes(t rapid.TB, smiles string) {
	if s, err := selfies.Encode(smiles); err == nil {
		checkDecodes(t, s)
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

// FuzzDecodeBytes gives the decoder what is no SELFIES.
func FuzzDecodeBytes(f *testing.F) {
	for _, s := range []string{"[C][=Branch1][C][=O]", "[C][C", "[C.C]", "[13C@@H1+10]", "[CH9]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// A ring across a dot is a SMILES that the encoder, as the library's, does not read.
		if _, err := selfies.Decode(s); err == nil && !strings.Contains(s, ".") {
			checkDecodes(t, s)
		}
	})
}
