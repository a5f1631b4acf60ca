package task

import (
	"strings"
	"testing"
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
