package sequence_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/invbo/invbo/vae/sequence"
)

func ExampleTrain() {
	x := []string{"MKVL", "MAKV", "MLLK", "AKVM"} // any strings; of SELFIES, a symbol is a pair of brackets
	alphabet, err := sequence.AlphabetOf(slices.Values(x))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	small := sequence.Config{Width: 16, EncoderLayers: 1, EncoderHeads: 2, DecoderLayers: 1, DecoderHeads: 2}
	m, err := sequence.Train(ctx, alphabet, small, x, sequence.TrainOptions{
		Training: sequence.Training{Passes: 150, LR: 1e-2, Warmup: 10, KL: 1e-3},
	})
	if err != nil {
		log.Fatal(err)
	}
	z, _, err := m.Encode(ctx, x)
	if err != nil {
		log.Fatal(err)
	}
	decoded, err := m.Decode(ctx, z)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(decoded, m.Dim(), "dimensions")
	// Output: [MKVL MAKV MLLK AKVM] 32 dimensions
}
