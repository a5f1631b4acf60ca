package task

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/study"
)

func TestExpressionFit(t *testing.T) {
	f, err := expressionFit("x*x", "1/x", 0)
	if err != nil {
		t.Fatal(err)
	}
	var csv strings.Builder
	if err := f.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(csv.String(), "\n")
	for i, want := range map[int]string{0: "x,found,target", 1: "-10,100,-0.1", 1001: "0,0,+Inf", 2001: "10,100,0.1"} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
	for _, test := range []struct{ found, target, want string }{{"x+", "x", "found x+: byte 2"}, {"x", "y", "target y: byte 0"}} {
		if _, err := expressionFit(test.found, test.target, 0); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s against %s: error %v, want one that contains %q", test.found, test.target, err, test.want)
		}
	}
}

// A child of two expressions that is none is not of the space.
func TestExpressionSpace(t *testing.T) {
	n, of, err := expressionSpace()
	if err != nil {
		t.Fatal(err)
	}
	space, err := of(Design{Init: []study.Observation{{X: "x+1"}, {X: "sin(x)"}}})
	if err != nil {
		t.Fatal(err)
	}
	for x, ok := range map[string]bool{"x+1": true, "sin(x)*2": true, "x+": false, "sin(": false, "y": false} {
		_, read := space.Read(x)
		parsed, err := n.Strings(t.Context(), []string{x})
		if err != nil {
			t.Fatal(err)
		}
		if checked := space.Check(x); (read == nil) != ok || (parsed.X[0] == x) != ok || (checked == nil) != ok {
			t.Errorf("%q: %v, %q, %v, want an expression: %t", x, read, parsed.X, checked, ok)
		}
	}
}
