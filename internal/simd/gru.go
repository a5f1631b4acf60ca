package simd

import "math"

// GRUGates computes the update gate u and the reset gate r of one row of a gated recurrent unit with state h, in place
// of their pre-activations, and applies the reset gate:
//
//	u ← hs(u + bu)    r ← hs(r + br)    rh = r·h    hs(x) = min(max(0.2x + 0.5, 0), 1)
//
// hs is the hard sigmoid of Keras. NaN gives NaN.
func GRUGates(u, r, rh, bu, br, h []float32) {
	mustMatch("GRUGates", len(u), r, rh, bu, br, h)
	gruGates(u, r, rh, bu, br, h)
}

func gruGatesGo(u, r, rh, bu, br, h []float32) {
	r, rh, bu, br, h = r[:len(u)], rh[:len(u)], bu[:len(u)], br[:len(u)], h[:len(u)]
	for i := range u {
		u[i], r[i] = hardSigmoidGo(u[i]+bu[i]), hardSigmoidGo(r[i]+br[i])
		rh[i] = r[i] * h[i]
	}
}

func hardSigmoidGo(x float32) float32 { return min(max(0.2*x+0.5, 0), 1) }

// GRUState computes the candidate in place of its pre-activation c, and the next state dst:
//
//	c ← tanh(c + b)    dst = c + u·(h − c)
//
// The error of tanh, given the rounded sum, is below 2.5 ulp. NaN gives NaN.
func GRUState(dst, c, u, b, h []float32) {
	mustMatch("GRUState", len(dst), c, u, b, h)
	gruState(dst, c, u, b, h)
}

func gruStateGo(dst, c, u, b, h []float32) {
	c, u, b, h = c[:len(dst)], u[:len(dst)], b[:len(dst)], h[:len(dst)]
	for i := range dst {
		c[i] = tanhGo(c[i] + b[i])
		dst[i] = c[i] + u[i]*(h[i]-c[i])
	}
}

// tanhGo returns tanh x, by a formula without cancellation near 0:
//
//	tanh |x| = t / (t + 2)    t = e^2|x| − 1
func tanhGo(x float32) float32 {
	q, scale := expm1(2 * math.Abs(float64(x)))
	t := q*scale + (scale - 1)
	return float32(math.Copysign(t/(t+2), float64(x)))
}

// GRUStateGrad is the backward pass of GRUState, given the gradient dy of dst. It adds the gradient of h to dh, and
// replaces u and c by the gradients of their pre-activations:
//
//	dh += dy·u    u ← dy·(h − c)·hs′(u)    c ← dy·(1 − u)·(1 − c²)
//
// hs′ is a function of the gate: 0.2 between 0 and 1, otherwise 0.
func GRUStateGrad(dh, u, c, h, dy []float32) {
	mustMatch("GRUStateGrad", len(dh), u, c, h, dy)
	gruStateGrad(dh, u, c, h, dy)
}

func gruStateGradGo(dh, u, c, h, dy []float32) {
	u, c, h, dy = u[:len(dh)], c[:len(dh)], h[:len(dh)], dy[:len(dh)]
	for i, d := range dy {
		ui, ci := u[i], c[i]
		dh[i] += d * ui
		u[i] = d * (h[i] - ci) * hardSigmoidSlope(ui)
		c[i] = d * (1 - ui) * (1 - ci*ci)
	}
}

// GRUResetGrad is the backward pass of the reset gate of GRUGates, given the gradient drh of rh:
//
//	dh += drh·r    r ← drh·h·hs′(r)
func GRUResetGrad(dh, r, h, drh []float32) {
	mustMatch("GRUResetGrad", len(dh), r, h, drh)
	gruResetGrad(dh, r, h, drh)
}

func gruResetGradGo(dh, r, h, drh []float32) {
	r, h, drh = r[:len(dh)], h[:len(dh)], drh[:len(dh)]
	for i, d := range drh {
		ri := r[i]
		dh[i] += d * ri
		r[i] = d * h[i] * hardSigmoidSlope(ri)
	}
}

// hardSigmoidSlope returns the derivative of the hard sigmoid where its value is y in [0, 1]: 0.2 inside, 0 at the
// ends. Branches would be unpredictable for trained gates, so it compares bits.
func hardSigmoidSlope(y float32) float32 {
	const one, fifth = 0x3f800000, 0x3e4ccccd // 1 and 0.2
	slope := uint32(0)
	if math.Float32bits(y)-1 < one-1 { // 0 wraps round
		slope = fifth
	}
	return math.Float32frombits(slope)
}
