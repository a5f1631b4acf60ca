package synthetic_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
	"github.com/invbo/invbo/oracle/synthetic"
)

func TestAckleyIsAnOracle(t *testing.T) {
	oracletest.Run(t, synthetic.Ackley{Dim: 2}, []string{"0 0", "1 -2.5", "32 32"}, []string{"", "1", "33 0"})
}

// testdata/ackley.json states the source of its values.
func TestAckleyGolden(t *testing.T) {
	var golden struct {
		Dim    int
		Points []struct {
			X     []float64
			Value float64
		}
	}
	b, err := os.ReadFile("testdata/ackley.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Points) != 5 {
		t.Fatalf("%d points, want 5", len(golden.Points))
	}
	for i, point := range golden.Points {
		x := strings.Trim(fmt.Sprint(point.X), "[]")
		got, err := oracle.One(t.Context(), synthetic.Ackley{Dim: golden.Dim}, x)
		if err != nil || !(math.Abs(got.Score-point.Value) <= 1e-10) {
			t.Errorf("point %d: %+v, %v, want %g", i, got, err, point.Value)
		}
	}
}

func TestAckleyRefuses(t *testing.T) {
	tests := []struct{ x, want string }{
		{"", "0 numbers, expected 2"},
		{"1 2 3", "3 numbers, expected 2"},
		{"1 a", `coordinate 1: "a" is not a number`},
		{"1,5 2", `coordinate 0: "1,5" is not a number`},
		{"32.769 0", "coordinate 0: 32.769 is not within ±32.768"},
		{"0 -Inf", "coordinate 1: -Inf is not within"},
		{"NaN 0", "coordinate 0: NaN is not within"},
		{"1e999 0", "coordinate 0: \"1e999\" is not a number"},
	}
	for _, test := range tests {
		got, err := oracle.One(t.Context(), synthetic.Ackley{Dim: 2}, test.x)
		if err != nil || !math.IsNaN(got.Score) || !strings.Contains(got.Reason, test.want) {
			t.Errorf("Score(%q) = %+v, %v, want NaN because %s", test.x, got, err, test.want)
		}
	}
}
