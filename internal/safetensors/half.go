package safetensors

import "math"

// Half precision (IEEE 754 binary16): a sign, 5 bits of exponent and 10 of fraction.

// fromHalf returns the value of a half, exactly.
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

// toHalf rounds x to the nearest half, ties to even. ok is false if x is finite but would be rounded to infinity: from
// 65,520.
func toHalf(x float32) (h uint16, ok bool) {
	bits := math.Float32bits(x)
	sign, rest := uint16(bits>>16)&0x8000, bits&0x7fffffff
	switch {
	case rest >= 0x7f800000:
		h = sign | 0x7c00 | uint16(rest>>13&0x3ff)
		if rest > 0x7f800000 && h&0x3ff == 0 {
			h |= 0x200 // the NaN's payload does not fit: use another one
		}
		return h, true
	case rest >= 0x477ff000:
		return 0, false
	case rest >= 0x38800000: // normal: rounding may carry into the exponent
		rest += 0xfff + rest>>13&1
		return sign | uint16(rest>>13-(127-15)<<10), true
	}
	// Floats from ½ to 1 are spaced by 2⁻²⁴, like subnormal halves, so that the addition does the rounding.
	return sign | uint16(math.Float32bits(math.Float32frombits(rest)+0.5)-0x3f000000), true
}
