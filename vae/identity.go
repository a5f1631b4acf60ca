package vae

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Identity is the Model of a continuous problem. Latents are points of the unit cube; strings are the points of a
// box, as decimal numbers separated by single spaces. The mapping is a scaling, without learning.
//
// Coordinates are rounded to a fixed number of decimals, as many as float64 can resolve in the box: 13 decimals in
// ±32.768. Each number with that many decimals has a unique string, and its latent decodes to exactly that string.
type Identity struct {
	lower, upper []float64
	scale        []float64 // 10ᵏ, for coordinates with k decimals
}

// NewIdentity returns the model of the box with corners lower and upper (d each). It is an error if a dimension is
// empty, infinite, or too narrow for float64.
func NewIdentity(lower, upper []float64) (*Identity, error) {
	if len(lower) != len(upper) || len(lower) == 0 {
		return nil, fmt.Errorf("vae: box with %d lower and %d upper bounds; give both for each dimension", len(lower), len(upper))
	}
	m := &Identity{lower: slices.Clone(lower), upper: slices.Clone(upper)}
	for i := range lower {
		width := upper[i] - lower[i]
		if !(width > 0 && width <= math.MaxFloat64) {
			return nil, fmt.Errorf("vae: dimension %d of the box: from %g to %g is not an interval of finite length", i, lower[i], upper[i])
		}
		// A latent near 1 is exact to 2⁻⁵³ of the width, a coordinate to 2⁻⁵³ of its magnitude. Eight times the larger
		// gives each coordinate several latents.
		precision := 0x1p-50 * max(width, math.Abs(lower[i]), math.Abs(upper[i]))
		decimals := min(int(math.Floor(-math.Log10(precision))), 300)
		m.scale = append(m.scale, math.Pow10(decimals))
		if width*m.scale[i] < 1 {
			return nil, fmt.Errorf("vae: dimension %d of the box: from %g to %g is too narrow for float64; shift or scale it", i, lower[i], upper[i])
		}
	}
	return m, nil
}

// Dim returns the number of dimensions of the box.
func (m *Identity) Dim() int { return len(m.lower) }

// Bounds returns the corners of the unit cube, which contains all latents.
func (m *Identity) Bounds() (lower, upper []float64) {
	return make([]float64, m.Dim()), slices.Repeat([]float64{1}, m.Dim())
}

// Check returns nil if x is a point of the box in the format of Decode.
func (m *Identity) Check(x string) error {
	_, err := m.parse(x)
	return err
}

// Encode returns the latents that decode to x; sigma is 0.
func (m *Identity) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	for _, x := range x {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		point, err := m.parse(x)
		if err != nil {
			return nil, nil, fmt.Errorf("vae: encode %q: %w", x, err)
		}
		for i, v := range point {
			point[i] = m.latent(i, v)
		}
		mu = append(mu, point)
		sigma = append(sigma, make([]float64, len(point)))
	}
	return mu, sigma, nil
}

// Decode returns the points of the box at z (n, d). Latents are clamped to the cube; a latent with a NaN decodes to "".
func (m *Identity) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	xs := make([]string, len(z))
	for i, z := range z {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(z) != m.Dim() {
			return nil, fmt.Errorf("vae: latent %d has %d dimensions, want %d", i, len(z), m.Dim())
		}
		if slices.ContainsFunc(z, math.IsNaN) {
			continue
		}
		coordinates := make([]string, len(z))
		for j, u := range z {
			coordinates[j] = text(m.coordinate(j, u))
		}
		xs[i] = strings.Join(coordinates, " ")
	}
	return xs, nil
}

// parse returns the point x.
func (m *Identity) parse(x string) ([]float64, error) {
	coordinates := strings.Split(x, " ")
	if len(coordinates) != m.Dim() {
		return nil, fmt.Errorf("%d numbers, want %d", len(coordinates), m.Dim())
	}
	point := make([]float64, m.Dim())
	for i, word := range coordinates {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("coordinate %d: %w", i, errors.Unwrap(err))
		}
		if !(v >= m.lower[i] && v <= m.upper[i]) {
			return nil, fmt.Errorf("coordinate %d: %s is not between %g and %g", i, word, m.lower[i], m.upper[i])
		}
		if own := text(m.coordinate(i, m.latent(i, v))); own != word {
			return nil, fmt.Errorf("coordinate %d: write %s instead of %s", i, own, word)
		}
		point[i] = v
	}
	return point, nil
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// coordinate returns coordinate i at u. It is non-decreasing in u, as each of its steps is.
func (m *Identity) coordinate(i int, u float64) float64 {
	u = min(max(u, 0), 1)
	v := m.lower[i] + float64(u*(m.upper[i]-m.lower[i])) // the conversion prevents fused multiply-add
	v = math.Round(v*m.scale[i])/m.scale[i] + 0          // + 0 turns -0 into 0
	return min(max(v, m.lower[i]), m.upper[i])
}

// latent returns the least u with coordinate v, or the next larger coordinate, by bisection over the bits of u, which
// are ordered like the numbers. Division would often be off by some units in the last place.
func (m *Identity) latent(i int, v float64) float64 {
	bits := sort.Search(int(math.Float64bits(1)), func(bits int) bool {
		return m.coordinate(i, math.Float64frombits(uint64(bits))) >= v
	})
	return math.Float64frombits(uint64(bits))
}
