package grammar_test

import (
	"context"
	"fmt"
	"log"

	"github.com/invbo/invbo/vae/grammar"
)

func ExampleExpression() {
	m, err := grammar.Expression()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	z, _, err := m.Encode(ctx, []string{"1/3+x+sin(x*x)"})
	if err != nil {
		log.Fatal(err)
	}
	x, err := m.Decode(ctx, z)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x[0], "has a latent of", m.Dim(), "dimensions")
	// Output: 1/3+x+sin(x*x) has a latent of 25 dimensions
}
