package vaetest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/vaetest"
)

var t *testing.T // the argument of a test

// The test of a model: the built-in one of arithmetic expressions.
func ExampleRun() {
	m, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	x, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 1)), 40)
	if err != nil {
		t.Fatal(err)
	}
	vaetest.Run(t, m, x)
}

func TestExampleRun(test *testing.T) {
	if testing.Short() {
		test.Skip("runs the whole suite")
	}
	t = test
	ExampleRun()
}
