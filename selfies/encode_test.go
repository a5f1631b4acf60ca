package selfies_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/selfies"
)

func TestEncode(t *testing.T) {
	tests := []struct{ name, smiles, want string }{
		{"atoms and bonds", "C=CC#N", "[C][=C][C][#N]"},
		{"an explicit single bond", "C-C", "[C][C]"},
		{"two letters", "ClCBr", "[Cl][C][Br]"},
		{"a branch", "CC(F)O", "[C][C][Branch1][C][F][O]"},
		{"a double branch", "CC(=O)O", "[C][C][=Branch1][C][=O][O]"},
		{"a triple branch", "CC(#N)", "[C][C][#N]"},
		{"a branch at the end is the chain", "CC(F)(O)", "[C][C][Branch1][C][F][O]"},
		{"a branch in a branch", "CC(C(F)O)N", "[C][C][Branch1][=Branch1][C][Branch1][C][F][O][N]"},
		{"a branch of 17 tokens", "C(CCCCCCCCCCCCCCCCC)F", "[C][Branch2][Ring1][C]" + strings.Repeat("[C]", 17) + "[F]"},

		{"a ring", "C1CC1", "[C][C][C][Ring1][Ring1]"},
		{"a ring in a branch", "C(C1CC1)F", "[C][Branch1][=Branch1][C][C][C][Ring1][Ring1][F]"},
		{"a double ring bond, on the left", "C=1CC1", "[C][C][C][=Ring1][Ring1]"},
		{"a double ring bond, on the right", "C1CC=1", "[C][C][C][=Ring1][Ring1]"},
		{"a double ring bond, on both sides", "C=1CC=1", "[C][C][C][=Ring1][Ring1]"},
		{"a ring of 18 atoms", "C1" + strings.Repeat("C", 16) + "C1", strings.Repeat("[C]", 18) + "[Ring2][Ring1][C]"},
		{"a ring number is free again", "C1CC1C1CC1", "[C][C][C][Ring1][Ring1][C][C][C][Ring1][Ring1]"},
		{"ring number 0", "C0CC0", "[C][C][C][Ring1][Ring1]"},
		{"two digits", "C%10CC%10", "[C][C][C][Ring1][Ring1]"},
		{"two digits, then one", "C%123CC%12C3", "[C][C][C][Ring1][Ring1][C][Ring1][Ring2]"},
		{"three digits", "C%(100)CC%(100)", "[C][C][C][Ring1][Ring1]"},
		{"a ring number behind a branch", "C1CC(F)1", "[C][C][C][Branch1][C][F][Ring1][Ring1]"},
		{"a ring that ends before it begins", "C(CC1)1", "[C][Branch1][Branch1][C][C][Ring1][Ring1]"},

		{"hydrogens are counted", "[CH3][CH2][CH]", "[CH3][CH2][CH1]"},
		{"no hydrogens", "[C]", "[CH0]"},
		{"no hydrogens outside the organic elements", "[Na]", "[Na]"},
		{"no hydrogens on an ion", "[N+]", "[N+1]"},
		{"an atom of hydrogen", "[2H]O[H]", "[2H][O][H]"},
		{"charges", "[O-][C--][N+++][Fe+2]", "[O-1][C-2][N+3][Fe+2]"},
		{"an isotope", "[13CH4]", "[13CH4]"},
		{"an isotope with a zero in front", "[013CH4]", "[13CH4]"},
		{"a class is dropped", "[CH3:7]O", "[CH3][O]"},
		{"lower case that is not aromatic", "[sc][Nb]", "[Sc][Nb]"},

		{"a center", "N[C@](F)(Cl)C", "[N][C@][Branch1][C][F][Branch1][C][Cl][C]"},
		{"a center with a hydrogen", "N[C@@H](C)O", "[N][C@@H1][Branch1][C][C][O]"},
		{"a center where a ring begins keeps its sign", "N[C@]1(F)CC1", "[N][C@][Branch1][C][F][C][C][Ring1][Ring2]"},
		{"a ring number behind a branch turns it", "N[C@](F)1CC1", "[N][C@@][Branch1][C][F][C][C][Ring1][Ring2]"},
		{"two rings out of order turn it", "C[C@]12CC1C2", "[C][C@][C][C][Ring1][Ring1][C][Ring1][Ring2]"},
		{"two rings in order do not", "C[C@]21CC1C2", "[C][C@@][C][C][Ring1][Ring1][C][Ring1][Ring2]"},
		{"a double bond", "F/C=C/F", "[F][/C][=C][/F]"},
		{"a double bond across a branch", `F/C(Cl)=C(\F)I`, `[F][/C][Branch1][C][Cl][=C][Branch1][C][\F][I]`},
		{"a direction at the end of a ring", "C1CCCC/C=C/1", "[C][C][C][C][C][/C][=C][-/Ring1][#Branch1]"},
		{"a direction at its beginning", `C/1=CCCCCC1`, `[C][=C][C][C][C][C][C][/-Ring1][#Branch1]`},
		{"directions at both", `C/1CC\1`, `[C][C][C][/\Ring1][Ring1]`},

		{"benzene", "c1ccccc1", "[C][=C][C][=C][C][=C][Ring1][=Branch1]"},
		{"aromatic signs alone", "C1:C:C:C:C:C1", "[C][=C][C][=C][C][=C][Ring1][=Branch1]"},
		{"biphenyl: the bond between is single", "c1ccccc1-c1ccccc1", "[C][=C][C][=C][C][=C][Ring1][=Branch1][C][=C][C][=C][C][=C][Ring1][=Branch1]"},
		{"pyridine: N takes a double bond", "c1ccncc1", "[C][=C][C][=N][C][=C][Ring1][=Branch1]"},
		{"pyrrole: NH does not", "c1cc[nH]c1", "[C][C][=C][NH1][C][=Ring1][Branch1]"},
		{"N-methylpyrrole: nor does N with three bonds", "Cn1cccc1", "[C][N][C][=C][C][=C][Ring1][Branch1]"},
		{"pyridine N-oxide, charged", "[O-][n+]1ccccc1", "[O-1][N+1][=C][C][=C][C][=C][Ring1][=Branch1]"},
		{"with a double bond outside", "O=c1cc[nH]cc1", "[O][=C][C][=C][NH1][C][=C][Ring1][=Branch1]"},
		{"furan", "c1ccoc1", "[C][C][=C][O][C][=Ring1][Branch1]"},
		{"an anion", "[n-]1cccc1", "[N-1][C][=C][C][=C][Ring1][Branch1]"},
		{"a cation", "[c+]1ccccc1", "[C+1][=C][C][=C][C][=C][Ring1][=Branch1]"},
		{"selenophene", "c1cc[se]c1", "[C][C][=C][Se][C][=Ring1][Branch1]"},
		{"an aromatic atom alone", "c", "[C]"},
		{"indole", "c1ccc2[nH]ccc2c1", "[C][=C][C][=C][NH1][C][=C][C][Ring1][Branch1][=C][Ring1][=Branch2]"},
		{"the greedy matching has to be completed", "C[n+]1c2ccccc2n2c3ccccc3ccc21", "[C][N+1][C][C][=C][C][=C][C][=Ring1][=Branch1]" +
			"[N][C][=C][C][=C][C][=C][Ring1][=Branch1][C][=C][C][Ring1][#Branch2][=Ring1][P]"},

		{"dots", "[Na+].[Cl-]", "[Na+1].[Cl-1]"},
		{"a dot at the end", "C.", "[C]"},
		{"two dots", "C..C", "[C].[C]"},
		{"a bond before the first atom says nothing", "=CC", "[C][C]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, err := selfies.Encode(test.smiles); err != nil || got != test.want {
				t.Errorf("Encode(%s) = %s, %v, want %s", test.smiles, got, err, test.want)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	tests := []struct{ smiles, want string }{
		{"", "byte 0: no atom"},
		{".C", "byte 0: no atom"},
		{" CC", `byte 0: found " "`},
		{"Cé", `byte 1: found "é"`},
		{"C\xff", `byte 1: found "\xff"`},
		{"C$C", `byte 1: found "$"`},
		{"CX", `byte 1: "X" is not an atom`},
		{"cl", `byte 1: "l" is not an atom`},
		{"*", `byte 0: found "*"`},

		{"C[", "byte 1: an atom is not closed"},
		{"C[]", `byte 1: "[]" is not an atom`},
		{"[Xy]", `byte 0: "[Xy]" is not an atom`},
		{"[C@TH1]", `byte 0: "[C@TH1]" is not an atom`},
		{"[C@@@]", `byte 0: "[C@@@]" is not an atom`},
		{"[C+-]", `byte 0: "[C+-]" is not an atom`},
		{"[CH12]", `byte 0: "[CH12]" is not an atom`},
		{"[C:]", `byte 0: "[C:]" is not an atom`},
		{"[1234567890C]", `byte 0: "[1234567890C]" is not an atom`},

		{"CC=", "byte 2: a bond without a second atom"},
		{"C==C", "byte 1: a bond without a second atom"},
		{"C=(C)C", "byte 1: a bond without a second atom"},
		{"C=.C", "byte 1: a bond without a second atom"},

		{"(C)C", "byte 0: a branch with no atom before it"},
		{"C((C))", "byte 2: a branch with no atom before it"},
		{"C()C", "byte 2: a parenthesis closes an empty branch"},
		{"C)C", "byte 1: a parenthesis closes an empty branch, or none"},
		{"C(CC(C)", "byte 1: a branch is not closed"},
		{"C(C.C)C", "byte 1: a branch is not closed"},

		{"1CC1", "byte 0: a ring number with no atom before it"},
		{"C(1CC1)", "byte 2: a ring number with no atom before it"},
		{"C1CC2C", "byte 1: a ring is not closed before the end of its fragment"},
		{"C1.C1", "byte 1: a ring is not closed before the end of its fragment"},
		{"C%1", "byte 1: % without a ring number"},
		{"C%(1", "byte 1: % without a ring number"},
		{"C1C1", "byte 3: a ring bond between atoms that are bonded already"},
		{"C11", "byte 2: a ring bond between atoms that are bonded already, or from an atom to itself"},
		{"C-1CC=1", `byte 6: the ring bond is '=' here and '-' at byte 2`},
		{"C/1CC=1", `byte 6: the ring bond is '=' here and '/' at byte 2`},

		{"c1cccn1", "byte 5: no way to make the aromatic bonds around this N single and double"},
		{"c1cc1", "no way to make the aromatic bonds"},
		{"[c]1ccccc1", "no way to make the aromatic bonds"},
		{"[Na]:C", "byte 0: Na cannot have aromatic bonds"},

		{"CN(C)(C)C", "byte 1: N has at least 4 bonds; at most 3 are allowed"},
		{"C(=O)=O=C", "byte 6: O has at least 4 bonds; at most 2 are allowed"},
		{"O=n1ccccc1", "byte 2: N has at least 4 bonds; at most 3 are allowed"},
		{"C=F", "byte 2: F has at least 2 bonds; at most 1 are allowed"},
		{"C1CC(Cl)(Br)(C)1", "byte 3: C has at least 5 bonds; at most 4 are allowed"},
		{"[CH5]", "byte 0: CH5 has more hydrogens than it can bond to"},

		{strings.Repeat("C", 1<<20+1), "1048577 bytes; the limit is 1048576"},
		{"C1" + strings.Repeat("C", 4096) + "C1", "a ring or branch of 4097 tokens; SELFIES allows at most 4096"},
		{"C(" + strings.Repeat("C", 4097) + ")C", "a ring or branch of 4097 tokens; SELFIES allows at most 4096"},
	}
	for _, test := range tests {
		if got, err := selfies.Encode(test.smiles); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Encode(%.40q) = %.40s, error %v, want one that contains %s", test.smiles, got, err, test.want)
		}
	}
}

// A recursive walk would exhaust the stack, and a quadratic one would take hours.
func TestEncodeLarge(t *testing.T) {
	for _, unit := range []string{"C", "C(", "c", "c1ccccc1.", "CC(C)", "C1CC%10", "[13CH2]", "[", "C%(1)"} {
		smiles := strings.Repeat(unit, 1<<17/len(unit))
		if s, err := selfies.Encode(smiles); err == nil {
			if _, err := selfies.Decode(s); err != nil {
				t.Errorf("Decode(Encode(%s…)): %v", unit, err)
			}
		}
	}
	const depth = 50_000
	deep := strings.Repeat("C(", depth) + "C" + strings.Repeat(")", depth)
	if s, err := selfies.Encode(deep); err != nil || s != strings.Repeat("[C]", depth+1) {
		t.Errorf("Encode of a branch in a branch … = %.40s…, %v, want %d atoms", s, err, depth+1)
	}
}
