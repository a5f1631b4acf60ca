package vae_test

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/vae"
)

// The model of problems whose strings are points of a box. Its latents are their coordinates, and those outside the box
// decode to its edge.
func ExampleIdentity() {
	m, err := vae.NewIdentity([]float64{-1, 0}, []float64{1, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	z, _, err := m.Encode(ctx, []string{"0.5 2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := m.Decode(ctx, [][]float64{z[0], {0, 12}})
	fmt.Println(m.Dim(), x, err)
	// Output: 2 [0.5 2 -1 10] <nil>
}
