package selfies_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/selfies"
)

func TestDecode(t *testing.T) {
	tests := []struct{ name, selfies, want string }{
		{"nothing", "", ""},
		{"atoms and bonds", "[C][=C][C][#N]", "C=CC#N"},
		{"the first bond says nothing", "[#C][C]", "CC"},
		{"a bond is as large as the last atom can make", "[O][#C]", "O=C"},
		{"a bond is as large as the next atom can make", "[C][#O]", "C=O"},
		{"a full atom ends the chain", "[C][F][C][C]", "CF"},
		{"an atom that can make no bond is left out, and ends the chain", "[C][CH4][C]", "C"},
		{"an atom that can make no bond stands alone", "[CH4][C]", "[CH4]"},

		{"brackets", "[NH1][Na][N+1][13C][C@@H1][Cl-1]", "[NH1][Na][N+1][13C][C@@H1][Cl-1]"},
		{"no hydrogens on an organic atom", "[OH0][CH0]", "[OH0][CH0]"},
		{"no hydrogens on another", "[SiH0]", "[Si]"},
		{"hydrogens take bonds", "[CH2][#CH1]", "[CH2]=[CH1]"},
		{"charges give and take bonds", "[C+1][#N+1][#O+1]", "[C+1]#[N+1][O+1]"},
		{"an ion that is not listed makes 8 bonds", "[C+2][#C][C]", "[C+2]#CC"},
		{"directions", `[F][/C][=C][\F]`, `F/C=C\F`},

		{"a branch", "[C][C][Branch1][C][F][O]", "CC(F)O"},
		{"a branch of 3 tokens", "[C][Branch1][Ring2][C][=C][C][O]", "C(C=CC)O"},
		{"a digit that is none is 0", "[C][Branch1][F][O][O]", "C(O)O"},
		{"two digits", "[C][Branch2][C][Ring1][N][N][O]", "C(NN)O"},
		{"a branch that is not filled", "[C][Branch1][P][N][N]", "CNN"},
		{"a branch begins with a bond of at most its own", "[C][Branch1][C][#C][O]", "C(C)O"},
		{"and leaves one for the chain", "[N][#Branch1][C][#C][O]", "N(=C)O"},
		{"a branch without room: its digit is an atom", "[C][O][Branch1][C][F]", "COCF"},
		{"a branch before any atom: its digit is an atom", "[Branch1][C][F]", "CF"},
		{"a full atom ends the branch alone", "[C][Branch1][Ring2][F][C][C][O]", "C(F)O"},
		{"a branch that outlasts the one around it", "[C][Branch1][Ring2][C][Branch1][Ring1][N][N][O]", "C(CNN)O"},

		{"a ring", "[C][C][C][Ring1][Ring1]", "C1CC1"},
		{"a double ring bond stands at both ends", "[C][C][C][=Ring1][Ring1]", "C=1CC=1"},
		{"a ring to before the beginning goes to the first atom", "[C][C][C][Ring1][P]", "C1CC1"},
		{"a ring to the neighbour makes its bond larger", "[C][C][Ring1][C]", "C=C"},
		{"by as much as there is room, up to 3", "[C][C][#Ring1][C]", "C#C"},
		{"a ring twice makes its bond larger", "[C][C][C][Ring1][Ring1][Ring1][Ring1]", "C=1CC=1"},
		{"a ring to itself is none", "[C][Ring1][C][C]", "CC"},
		{"a ring without room is none", "[F][C][C][Ring1][Ring1]", "FCC"},
		{"a ring takes what its first atom has left", "[C][=C][C][=C][C][#Ring1][Branch1]", "C=1=CC=CC=1"},
		{"a ring that fills its atom ends the chain", "[C][C][O][Ring1][Ring1][F]", "C1CO1"},
		{"a ring before any atom: its digit is an atom", "[Ring1][C][C]", "CC"},
		{"a digit that is missing is 0", "[C][C][C][C][Ring2][C]", "CCC=C"},
		{"a missing low digit is 0, too", strings.Repeat("[C]", 17) + "[C][Ring2][Ring1]", "C1" + strings.Repeat("C", 16) + "C1"},
		{"rings of an atom come first, in the order they end", "[C][C][C][Ring1][Ring1][C][Ring1][Ring2]", "C12CC1C2"},
		{"directions at a ring", `[C][C][C][/-Ring1][Ring1]`, `C/1CC1`},

		{"the end", "[C][epsilon][C]", "C"},
		{"the end before the beginning", "[epsilon][C]", "C"},
		{"the end of a branch", "[C][Branch1][Ring1][epsilon][N][O]", "CO"},
		{"nothing at all", "[C][nop][Branch1][C][nop][F][O]", "C(F)O"},
		{"dots", "[Na+1].[Cl-1]", "[Na+1].[Cl-1]"},
		{"dots around nothing", ".[C]..[Branch1].[C].", "C.C"},
		{"a ring across a dot", "[C].[C][Ring1][C]", "C1.C1"},

		{"9 rings, then two digits", strings.Repeat("[C][C][C][Ring1][Ring1]", 10), "C1CC1C2CC2C3CC3C4CC4C5CC5C6CC6C7CC7C8CC8C9CC9C%10CC%10"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, err := selfies.Decode(test.selfies); err != nil || got != test.want {
				t.Errorf("Decode(%s) = %s, %v, want %s", test.selfies, got, err, test.want)
			}
		})
	}
}

func TestDecodeManyRings(t *testing.T) {
	got, err := selfies.Decode(strings.Repeat("[C][C][C][Ring1][Ring1]", 100))
	if want := "C%99CC%99C%(100)CC%(100)"; err != nil || !strings.HasSuffix(got, want) {
		t.Errorf("Decode of 100 rings = %s, %v, want %s at the end", got, err, want)
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct{ selfies, want string }{
		{"[C][C", "byte 3: a token is not closed"},
		{"[C[C]", "byte 0: a token is not closed"},
		{"[C.C]", "byte 0: a token is not closed"},
		{"[C]C", `byte 3: found "C"`},
		{"[C] [C]", `byte 3: found " "`},
		{"[C]]", `byte 3: found "]"`},
		{"é", `byte 0: found "é"`},
		{"[]", "[] is not a SELFIES token"},
		{"[C][Xy]", "[Xy] is not a SELFIES token"},
		{"[c]", "[c] is not a SELFIES token"},
		{"[CH]", "[CH] is not a SELFIES token"},
		{"[C+]", "[C+] is not a SELFIES token"},
		{"[C+0]", "[C+0] is not a SELFIES token"},
		{"[C++]", "[C++] is not a SELFIES token"},
		{"[C@@@]", "[C@@@] is not a SELFIES token"},
		{"[-C]", "[-C] is not a SELFIES token"},
		{"[CH5]", "[CH5] is not a SELFIES token"},
		{"[Branch4]", "[Branch4] is not a SELFIES token"},
		{"[/Branch1]", "[/Branch1] is not a SELFIES token"},
		{"[--Ring1]", "[--Ring1] is not a SELFIES token"},
		{"[=/Ring1]", "[=/Ring1] is not a SELFIES token"},
	}
	for _, test := range tests {
		if got, err := selfies.Decode(test.selfies); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Decode(%s) = %s, error %v, want one that contains %s", test.selfies, got, err, test.want)
		}
	}
}

func TestDecodeUnread(t *testing.T) {
	for _, s := range []string{"[C][F][Xy]", "[C][Branch1][Xy][F][O]"} {
		if _, err := selfies.Decode(s); err != nil {
			t.Errorf("Decode(%s): %v, want none: a token whose turn as an atom never comes may be anything", s, err)
		}
	}
}

func TestDecodeLarge(t *testing.T) {
	const n = 200_000
	tests := []struct{ unit, want string }{
		{"[C]", strings.Repeat("C", n)},
		{"[C].", strings.Repeat("C.", n-1) + "C"},
		{"[Ring1]", ""},
		{"[C][=Branch1][P]", strings.Repeat("C", n)},
	}
	for _, test := range tests {
		if got, err := selfies.Decode(strings.Repeat(test.unit, n)); err != nil || got != test.want {
			t.Errorf("Decode(%s…) = %.40s…, %v, want %.40s…", test.unit, got, err, test.want)
		}
	}
}
