package sequence

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func alphabetOf(t testing.TB, x ...string) *Alphabet {
	t.Helper()
	a, err := AlphabetOf(slices.Values(x))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAlphabetOf(t *testing.T) {
	tests := []struct {
		name string
		x    []string
		want []string
	}{
		{"SELFIES", []string{"[C][=O]", "[C][Ring1][C]"}, []string{"[=O]", "[C]", "[Ring1]"}},
		{"proteins", []string{"MKV", "MAK"}, []string{"A", "K", "M", "V"}},
		{"brackets among characters", []string{"c[nH]c"}, []string{"[nH]", "c"}},
		{"characters of several bytes", []string{"αβ", "β"}, []string{"α", "β"}},
		{"empty strings", []string{"", "a"}, []string{"a"}},
	}
	for _, tt := range tests {
		if got := alphabetOf(t, tt.x...).Symbols(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: symbols %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAlphabetErrors(t *testing.T) {
	of := func(x ...string) error {
		_, err := AlphabetOf(slices.Values(x))
		return err
	}
	made := func(symbols ...string) error {
		_, err := NewAlphabet(symbols)
		return err
	}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"no strings", of(), "without symbols"},
		{"an open bracket", of("C[C"), "byte 1: bracket without"},
		{"not UTF-8", of("a\xff"), "byte 1: not UTF-8"},
		{"no symbols", made(), "0 symbols"},
		{"an empty symbol", made("a", ""), "empty symbol"},
		{"a symbol twice", made("a", "b", "a"), `symbol "a" of the alphabet begins with symbol "a"`},
		{"one begins another", made("C", "O", "Cl"), `symbol "Cl" of the alphabet begins with symbol "C"`},
		{"one begins another, not the next", made("ab", "abd", "abc"), `begins with symbol "ab"`},
	}
	for _, tt := range tests {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, tt.err, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	selfies, err := NewAlphabet([]string{"[C]", "[=C]", "[O]"})
	if err != nil {
		t.Fatal(err)
	}
	proteins := alphabetOf(t, "ACDE")
	tests := []struct {
		a    *Alphabet
		x    string
		want []int32
		err  string
	}{
		{selfies, "[C][=C][O]", []int32{2, 3, 4, stop}, ""},
		{proteins, "EAD", []int32{5, 2, 4, stop}, ""},
		{selfies, "", nil, "empty string"},
		{selfies, "[C][N]", nil, `byte 3: no symbol of the alphabet matches "[N]"`},
		{selfies, "[C][=C", nil, `byte 3: no symbol of the alphabet matches "[=C"`},
		{proteins, strings.Repeat("A", 10_000_000) + "a", nil, `"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"…: byte 10000000: no symbol of the alphabet matches "a"`},
	}
	for _, tt := range tests {
		got, err := tt.a.split(tt.x)
		if tt.err == "" && (err != nil || !slices.Equal(got, tt.want)) {
			t.Errorf("split(%s) = %v, %v; want %v", quote(tt.x), got, err, tt.want)
		}
		if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("split(%s): %v, want %q in it", quote(tt.x), err, tt.err)
		}
	}
}

// Strings of any prefix-free symbols are split into the symbols that they were made of.
func TestSplitIsUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		symbols := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]{1,4}`), 1, 8, rapid.ID[string]).Draw(t, "symbols")
		a, err := NewAlphabet(symbols)
		if err != nil {
			t.Skip("not prefix-free")
		}
		want := rapid.SliceOfN(rapid.Int32Range(firstSymbol, int32(a.tokens()-1)), 1, 20).Draw(t, "tokens")
		got, err := a.split(a.text(want))
		if err != nil || !slices.Equal(got, append(want, stop)) {
			t.Fatalf("split(%q) = %v, %v; want %v", a.text(want), got, err, want)
		}
		tokens, err := a.Tokens(a.text(want))
		if err != nil || len(tokens) != len(want) || strings.Join(tokens, "") != a.text(want) {
			t.Fatalf("Tokens(%q) = %q, %v; want %d", a.text(want), tokens, err, len(want))
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("[C][=O][C]")
	f.Add("[C][N]")
	f.Add("[C]\xff")
	a, err := NewAlphabet([]string{"[C]", "[=O]", "x", "é"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, x string) {
		tokens, err := a.split(x)
		if err != nil {
			return
		}
		if last := len(tokens) - 1; tokens[last] != stop || a.text(tokens[:last]) != x {
			t.Errorf("split(%q) = %v, which is %q", x, tokens, a.text(tokens[:last]))
		}
	})
}
