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

// An oracle that never reports an outcome with a constraint on it would spend the budget for nothing.
func TestDemand(t *testing.T) {
	constraints := []study.Constraint{{Outcome: "logP", Op: "<=", Bound: 3}}
	result := oracle.Result{Score: 1, Others: map[string]float64{"weight": 300}}
	o := Demand(oracle.Func(func(x string) oracle.Result {
		switch x {
		case "fails":
			return oracle.Result{Score: math.NaN(), Reason: "it does"}
		case "knows":
			return oracle.Result{Score: 1, Others: map[string]float64{"logP": 2}}
		}
		return result
	}), constraints)
	for _, c := range []struct{ x, err string }{
		{"lacks fails", "--constraint logP<=3: the oracle reports weight beside the score, and not logP; have it report that as a column or key of this name"},
		{"fails", ""}, {"knows lacks", ""},
	} {
		_, err := oracle.Score(t.Context(), o, strings.Fields(c.x))
		if got := fmt.Sprint(err); c.err == "" && err != nil || c.err != "" && got != c.err {
			t.Errorf("%s: error %v, want %s", c.x, err, c.err)
		}
	}
}
