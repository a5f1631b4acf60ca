package oracletest_test

import (
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
)

var t *testing.T // the argument of a test

// The test of an oracle that counts the vowels of words.
func ExampleRun() {
	vowels := oracle.Func(func(x string) oracle.Result {
		if strings.ContainsAny(x, " 0123456789") {
			return oracle.Result{Score: math.NaN(), Reason: "no word"}
		}
		return oracle.Result{Score: float64(len(x) - len(strings.Trim(x, "aeiou")))}
	})
	oracletest.Run(t, vowels, []string{"aerie", "brick", "stone"}, []string{"2 words", "5"})
}

func TestExampleRun(test *testing.T) {
	t = test
	ExampleRun()
}
