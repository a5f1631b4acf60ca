package safetensors

import (
	"math"
	"testing"
)

// Values of IEEE 754 binary16, and halfway cases between them.
func TestToHalf(t *testing.T) {
	tests := []struct {
		name string
		x    float32
		want uint16
	}{
		{"zero", 0, 0x0000},
		{"minus zero", float32(math.Copysign(0, -1)), 0x8000},
		{"one", 1, 0x3c00},
		{"minus two", -2, 0xc000},
		{"a third", 1. / 3, 0x3555},
		{"largest", 65504, 0x7bff},
		{"rounds down to the largest", 65519.996, 0x7bff},
		{"smallest normal", 0x1p-14, 0x0400},
		{"largest subnormal", 0x1p-14 - 0x1p-24, 0x03ff},
		{"a subnormal that rounds up to a normal", 0x1p-14 - 0x1p-26, 0x0400},
		{"smallest subnormal", 0x1p-24, 0x0001},
		{"half of it is a tie, to zero", 0x1p-25, 0x0000},
		{"a little more is not", 0x1.000002p-25, 0x0001},
		{"smallest float32", -0x1p-149, 0x8000},
		{"tie to even, down", 1 + 0x1p-11, 0x3c00},
		{"tie to even, up", 1 + 0x3p-11, 0x3c02},
		{"carry into the exponent", 2 - 0x1p-12, 0x4000},
		{"infinity", float32(math.Inf(-1)), 0xfc00},
		{"NaN with a small payload", math.Float32frombits(0x7f800001), 0x7e00},
	}
	for _, test := range tests {
		if got, ok := toHalf(test.x); got != test.want || !ok {
			t.Errorf("%s: toHalf(%g) = %#04x, %t, want %#04x", test.name, test.x, got, ok, test.want)
		}
	}
	for _, x := range []float32{65520, -65520, math.MaxFloat32} {
		if got, ok := toHalf(x); ok {
			t.Errorf("toHalf(%g) = %#04x, want an overflow", x, got)
		}
	}
}

func TestEveryHalfRoundTrips(t *testing.T) {
	for h := range 1 << 16 {
		if got, ok := toHalf(fromHalf(uint16(h))); got != uint16(h) || !ok {
			t.Fatalf("%#04x comes back as %#04x, %t", h, got, ok)
		}
	}
}

// For neighbouring halves a < b, the midpoint rounds to the even one, and the float32s next to it to the nearer one.
func TestToHalfRoundsToNearest(t *testing.T) {
	for h := range uint16(0x7bff) {
		a, b := fromHalf(h), fromHalf(h+1)
		middle := a + (b-a)/2 // exact
		even := h + h&1
		for _, test := range []struct {
			x    float32
			want uint16
		}{
			{math.Nextafter32(middle, a), h},
			{middle, even},
			{math.Nextafter32(middle, b), h + 1},
		} {
			if got, _ := toHalf(test.x); got != test.want {
				t.Fatalf("toHalf(%g) = %#04x, want %#04x", test.x, got, test.want)
			}
			if got, _ := toHalf(-test.x); got != test.want|0x8000 {
				t.Fatalf("toHalf(%g) = %#04x, want %#04x", -test.x, got, test.want|0x8000)
			}
		}
	}
}

func BenchmarkToHalf(b *testing.B) {
	values := make([]float32, 1<<16)
	for i := range values {
		values[i] = fromHalf(uint16(i))
	}
	tensor := Tensor{Shape: []int{len(values)}, Data: values, Half: true}
	buf := make([]byte, 0, 2*len(values))
	b.SetBytes(int64(2 * len(values)))
	for b.Loop() {
		if _, err := tensor.append(buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFromHalf(b *testing.B) {
	buf := make([]byte, 1<<17)
	for i := range buf {
		buf[i] = byte(i * 37)
	}
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		Values[float32](F16, buf)
	}
}
