package safetensors

import "math"

// Half precision (IEEE 754 binary16): a sign, 5 bits of exponent and 10 of fraction.

// fromHalf returns the value of a half, which is exact.
func fromHalf(h uint16) float32 {
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7fff)
	switch {
	case rest >= 0x7c00: // infinity and NaN
		return math.Float32frombits(sign | 0x7f800000 | rest<<13)
	case rest >= 0x0400:
		return math.Float32frombits(sign | (rest<<13 + (127-15)<<23))
	}
	return math.Float32frombits(sign | math.Float32bits(float32(rest)*0x1p-24)) // subnormal, or zero
}

// toHalf rounds x to the nearest half, of two equally near ones to the even. ok is false if x is finite,
// but so large that it would be rounded to infinity: from 65,520 on.
func toHalf(x float32) (h uint16, ok bool) {
	bits := math.Float32bits(x)
	sign, rest := uint16(bits>>16)&0x8000, bits&0x7fffffff
	switch {
	case rest >= 0x7f800000:
		h = sign | 0x7c00 | uint16(rest>>13&0x3ff)
		if rest > 0x7f800000 && h&0x3ff == 0 {
			h |= 0x200 // the NaN's payload did not fit: any other will do
		}
		return h, true
	case rest >= 0x477ff000:
		return 0, false
	case rest >= 0x38800000: // normal: the carry of the rounding may go into the exponent
		rest += 0xfff + rest>>13&1
		return sign | uint16(rest>>13-(127-15)<<10), true
	}
	// Of the floats from ½ to 1, one follows another at 2⁻²⁴, as subnormal halves do: the sum rounds as we want.
	return sign | uint16(math.Float32bits(math.Float32frombits(rest)+0.5)-0x3f000000), true
}
