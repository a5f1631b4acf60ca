package oracle_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/invbo/invbo/oracle"
)

// An oracle of a function. A string that it cannot score has a reason.
func ExampleFunc() {
	gc := oracle.Func(func(x string) oracle.Result {
		if strings.Trim(x, "ACGT") != "" {
			return oracle.Result{Score: math.NaN(), Reason: "no DNA"}
		}
		return oracle.Result{Score: float64(strings.Count(x, "G")+strings.Count(x, "C")) / float64(len(x))}
	})
	results, err := oracle.Score(context.Background(), gc, []string{"GATTACA", "CGCG", "protein"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("%.2f %q\n", r.Score, r.Reason)
	}
	// Output:
	// 0.29 ""
	// 1.00 ""
	// NaN "no DNA"
}

// One score of two outcomes: the affinity, which is the oracle's own score, less half of the clearance.
func ExampleCombine() {
	assay := oracle.Func(func(x string) oracle.Result {
		return oracle.Result{Score: 7, Others: map[string]float64{"clearance": 3}}
	})
	clearance, err := oracle.ParseProperty("clearance weight=-0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	objective := oracle.Objective{Properties: []oracle.Property{{Name: "affinity"}, clearance}}
	r, err := oracle.One(context.Background(), oracle.Combine(assay, "affinity", objective), "CCO")
	fmt.Println(r.Score, r.Others, err)
	// Output: 5.5 map[affinity:7 clearance:3] <nil>
}
