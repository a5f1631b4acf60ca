package task

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

func TestCallSize(t *testing.T) {
	for _, test := range []struct{ size, jobs, batch, want int }{{0, 0, 5, 5}, {0, 2, 5, 3}, {0, 9, 5, 1}, {8, 2, 5, 8}, {0, 0, 0, 1}} {
		if got := (External{OracleSize: test.size, OracleJobs: test.jobs}).CallSize(test.batch); got != test.want {
			t.Errorf("%+v: %d strings in a call", test, got)
		}
	}
}

// The token is that of the file or, without one, that of the environment.
func TestToken(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		fmt.Fprint(w, `{"id": 1, "scores": [2]}`)
	}))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, variable, want string }{
		{"", "", ""}, {file, "", "Bearer of-the-file"}, {"", "of-the-environment", "Bearer of-the-environment"}, {file, "of-the-environment", "Bearer of-the-file"},
	} {
		t.Setenv(TokenVariable, test.variable)
		o, end, err := External{OracleURL: s.URL, OracleTokenFile: test.file}.Open("x")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := oracle.One(t.Context(), o, "a"); err != nil || r.Score != 2 || got != test.want {
			t.Errorf("%+v, %v with %q, want %q", r, err, got, test.want)
		}
		end()
	}
}

// An oracle that never reports an outcome with a constraint on it would spend the budget for nothing. One string may
// lack it.
func TestDemand(t *testing.T) {
	o := Options{Constraints: []study.Constraint{{Outcome: "logP", Op: "<=", Bound: 3}}}
	two := Options{Objectives: []study.Objective{{Name: "pIC50"}, {Name: "logP", Minimize: true}}}
	answers := map[string]oracle.Result{
		"lacks": {Score: 1, Others: map[string]float64{"weight": 300}},
		"fails": {Score: math.NaN(), Reason: "it does"},
		"knows": {Score: 1, Others: map[string]float64{"logP": 2}},
	}
	answers["partly"] = oracle.Result{Score: math.NaN(), Reason: "the oracle reported no logP", Others: map[string]float64{"pIC50": 6}}
	const refused = "constraint logP<=3: the oracle reports weight, and not logP as a number; have it report that as a column or key of this name"
	for _, c := range []struct {
		name  string
		o     Options
		calls []string
		err   string // of the last call
	}{
		{"three in a call", o, []string{"lacks fails lacks lacks", "lacks"}, refused},
		{"three calls", o, []string{"lacks", "lacks", "lacks", "knows"}, refused},
		{"failures", o, []string{"fails fails fails fails lacks lacks"}, ""},
		{"one that knows", o, []string{"knows", "lacks", "lacks", "lacks lacks lacks"}, ""},
		{"an objective", two, []string{"partly", "partly fails", "partly", "partly"}, "objective logP min: the oracle reports pIC50, and not logP as a number; have it report that as a column or key of this name"},
	} {
		o := c.o.Demand(oracle.Func(func(x string) oracle.Result { return answers[x] }))
		for i, x := range c.calls {
			want := c.err
			if i < len(c.calls)-1 {
				want = ""
			}
			if _, err := oracle.Score(t.Context(), o, strings.Fields(x)); want == "" && err != nil || want != "" && fmt.Sprint(err) != want { // no answer is lost
				t.Errorf("%s, call %d: error %v, want %s", c.name, i+1, err, want)
			}
		}
	}
}
