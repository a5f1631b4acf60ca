package cfg_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae/grammar/cfg"
)

func TestReadErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"empty", "", "no productions"},
		{"comments only", "# nothing\n\n", "no productions"},
		{"no arrow", "S -> 'a'\nT 'b'", "line 2: no -> after T"},
		{"bare name", "S", "line 1: no -> after S"},
		{"terminal on the left", "'a' -> 'b'", "line 1: found 'a', expected the name of a non-terminal"},
		{"second arrow", "S -> 'a' -> 'b'", "line 1: more than one ->"},
		{"open quote", "S -> 'a", "line 1: no closing quote after 'a"},
		{"quotes differ", `S -> 'a"`, "line 1: no closing quote"},
		{"empty terminal", "S -> ''", "line 1: empty terminal"},
		{"unquoted text", "S -> +", `line 1: '+': neither a name nor a quoted terminal`},
		{"undefined", "S -> T", "line 1: T has no production"},
		{"unreachable", "S -> 'a'\n\nT -> 'b'", "line 3: T is unreachable"},
		{"unproductive", "S -> 'a' | T\nT -> 'b' T", "line 2: T derives no string"},
		{"unproductive pair", "S -> 'a' | T\nT -> U\nU -> T", "line 2: T derives no string"},
		{"twice", "S -> 'a' | 'b'\nS -> \"a\"", "line 2: S -> 'a' repeats line 1"},
		{"empty string by 2^42 rules", doubled(41), "65536 rules to derive the empty string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := cfg.Read(strings.NewReader(test.file))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that contains %q", err, test.want)
			}
		})
	}
}

// doubled returns a grammar whose start derives the empty string by 2ⁿ⁺¹ − 1 rules.
func doubled(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "A%d -> A%d A%d | 'x'\n", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "A%d ->\n", n)
	return b.String()
}

func TestReadFormat(t *testing.T) {
	const file = "# start\n\n  Sum->Sum \"+\" One|One # both\nOne -> \"it's\" | '#' |\n"
	const want = "Sum -> Sum '+' One\nSum -> One\nOne -> \"it's\"\nOne -> '#'\nOne ->\n"
	g := read(t, file)
	if got := g.String(); got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if again := read(t, g.String()).String(); again != want {
		t.Errorf("read again: %q, want %q", again, want)
	}
}

// Expression is the grammar of mkusner/grammarVAE, restated in testdata/expression_grammar.json.
func TestExpression(t *testing.T) {
	var want struct {
		Productions []string
		LHS         []int `json:"left_hand_side_of_rule"`
		Padding     int   `json:"padding_rule"`
	}
	b, err := os.ReadFile("testdata/expression_grammar.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	g := cfg.Expression()
	if got := strings.Split(strings.TrimSpace(g.String()), "\n"); !slices.Equal(got, want.Productions[:want.Padding]) {
		t.Errorf("productions %q, want %q", got, want.Productions[:want.Padding])
	}
	if g.Productions() != want.Padding {
		t.Errorf("Productions() = %d, want %d, the number of the padding rule", g.Productions(), want.Padding)
	}
	for rule, lhs := range want.LHS[:want.Padding] {
		if got := g.LHS(rule); got != lhs {
			t.Errorf("LHS(%d) = %d, want %d", rule, got, lhs)
		}
	}
	if got, want := g.Terminals(), strings.Fields("+ * / ( ) sin( exp( x 1 2 3"); !slices.Equal(got, want) {
		t.Errorf("Terminals() = %q, want %q", got, want)
	}
}

func read(t *testing.T, file string) *cfg.Grammar {
	t.Helper()
	g, err := cfg.Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func FuzzRead(f *testing.F) {
	f.Add("S -> S '+' T | T\nT -> 'x' |")
	f.Add("S -> \"it's\" # comment")
	f.Fuzz(func(t *testing.T, file string) {
		g, err := cfg.Read(strings.NewReader(file))
		if err != nil {
			return
		}
		again, err := cfg.Read(strings.NewReader(g.String()))
		if err != nil || again.String() != g.String() {
			t.Errorf("%q is read as %q, which is read as %v, %v", file, g, again, err)
		}
	})
}
