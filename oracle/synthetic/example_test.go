package synthetic_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/synthetic"
)

func ExampleAckley() {
	r, err := oracle.One(context.Background(), synthetic.Ackley{Dim: 3}, "1 0 -1")
	fmt.Printf("%.3f %v\n", r.Score, err)
	// Output: 3.013 <nil>
}

// A function of strings of 12 of the letters A to F, with two motifs of three letters.
func ExampleNewEhrlich() {
	e, err := synthetic.NewEhrlich(6, 12, 2, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := oracle.One(context.Background(), e, e.Sample(rand.New(rand.NewPCG(1, 1))))
	fmt.Println(e.Motifs, r.Score, err)
	// Output: [FEB DCA] 0.2222222222222222 <nil>
}
