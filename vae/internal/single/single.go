// Package single is what the networks below vae share: float32 weights in files, and float64 latents.
package single

import (
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/safetensors"
)

// Narrow writes a latent z to row. The error says what makes z unusable: its length, or a value that is not
// finite in float32.
func Narrow(row []float32, z []float64) error {
	if len(z) != len(row) {
		return fmt.Errorf("%d values, want %d", len(z), len(row))
	}
	for j, v := range z {
		row[j] = float32(v)
		if !finite(row[j]) {
			return fmt.Errorf("value %d is %g, which is not finite in single precision", j, v)
		}
	}
	return nil
}

// Widen returns row as float64.
func Widen(row []float32) []float64 {
	wide := make([]float64, len(row))
	for j, v := range row {
		wide[j] = float64(v)
	}
	return wide
}

// Tensor returns a tensor of f. It is an error if the shape is not as given, or a value not finite.
func Tensor(f *safetensors.File, name string, shape []int) ([]float32, error) {
	data, got, err := f.Float32s(name)
	if err != nil {
		return nil, fmt.Errorf("%w: the file holds another model or is damaged; train or download it again", err)
	}
	if !slices.Equal(got, shape) {
		return nil, fmt.Errorf("tensor %q has shape %v, want %v: the file holds another model or is damaged; train or download it again", name, got, shape)
	}
	for i, x := range data {
		if !finite(x) {
			return nil, fmt.Errorf("tensor %q, value %d is %g: its training diverged; train again with a lower learning rate", name, i, x)
		}
	}
	return data, nil
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
