package observed_test

import (
	"testing"

	"github.com/invbo/invbo/space/observed"
)

func TestBalanced(t *testing.T) {
	for x, want := range map[string]bool{"": true, "x": true, "sin(x)": true, "(x+[y])": true, "(": false, ")(": false, "([)]": false, "x)": false} {
		if got := observed.Balanced(x); got != want {
			t.Errorf("%q is balanced: %t", x, got)
		}
	}
}

func TestBracketed(t *testing.T) {
	for _, test := range []struct {
		name string
		xs   []string
		want bool
	}{
		{"functions", []string{"sin(x)", "x*(x+y)", "x"}, true},
		{"one that is not balanced", []string{"sin(x)", "x*(x", "(x)"}, false},
		{"a single one with brackets", []string{"x+y", "x*y", "(x)"}, false},
	} {
		if got := observed.Bracketed(test.xs); got != test.want {
			t.Errorf("%s: bracketed %t", test.name, got)
		}
	}
}

func TestName(t *testing.T) {
	for _, test := range []struct {
		xs   []string
		want string
	}{
		{[]string{"x+sin(x)", "cos(x)", "2*x"}, "sin("},
		{[]string{"lac-2-gfp:9", "gal-1"}, "lac"},
		{[]string{"abba", "cab"}, ""},
		{[]string{"a[Aib]c", "[Nle]"}, ""},
		{[]string{"1+2", "abc-1", "3", "4"}, ""},
	} {
		if got := observed.Name(test.xs); got != test.want {
			t.Errorf("%q have the name %q, want %q", test.xs, got, test.want)
		}
	}
}
