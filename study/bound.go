package study

import (
	"fmt"
	"math"
	"strings"
)

// Bound says on which side of a number the true value lies: beyond the range of an assay only that is known.
type Bound int8

const (
	Below Bound = iota - 1 // it is less, as in <4.5
	Exact                  // it is the number
	Above                  // it is greater, as in >4.5
)

// String returns what people write before the number: <, > or nothing.
func (b Bound) String() string {
	switch b {
	case Below:
		return "<"
	case Above:
		return ">"
	}
	return ""
}

// valid reports whether b is one of the constants.
func (b Bound) valid() bool { return b >= Below && b <= Above }

// readings are what is known of a quantity: the sum of its exact numbers, and of its bounds the greatest lower one and
// the least upper one; NaN where there is none.
type readings struct{ n, sum, lower, upper float64 }

func noReadings() readings { return readings{lower: math.NaN(), upper: math.NaN()} }

func (r *readings) add(v float64, b Bound) {
	switch {
	case b == Exact:
		r.n++
		r.sum += v
	case b == Above && !(v <= r.lower): // written this way, it holds for the first one, too
		r.lower = v
	case b == Below && !(v >= r.upper):
		r.upper = v
	}
}

// mean returns the mean of the exact numbers; NaN if there is none.
func (r readings) mean() float64 { return r.sum / r.n }

// unbounded reports whether there are no bounds.
func (r readings) unbounded() bool { return math.IsNaN(r.lower) && math.IsNaN(r.upper) }

// value returns the mean or, where there is none, a bound that stands for all: of bounds on both sides the one on a
// favoured side, unless they contradict each other. The other one then holds: nothing should look good by a
// contradiction.
func (r readings) value(favoured Bound) (v float64, b Bound) {
	b = favoured
	switch {
	case r.n > 0 || r.unbounded():
		return r.mean(), Exact
	case math.IsNaN(r.lower):
		b = Below
	case math.IsNaN(r.upper):
		b = Above
	case r.lower >= r.upper:
		b = -b
	}
	if b == Above {
		return r.lower, Above
	}
	return r.upper, Below
}

// says reports whether the bounds place the true value on a side of v.
func (r readings) says(side Bound, v float64) bool {
	if side == Above {
		return r.lower >= v
	}
	return r.upper <= v
}

// bounds writes the bounds as in > 4, < 9.
func (r readings) bounds() string {
	var all []string
	if !math.IsNaN(r.lower) {
		all = append(all, fmt.Sprintf("> %.4g", r.lower))
	}
	if !math.IsNaN(r.upper) {
		all = append(all, fmt.Sprintf("< %.4g", r.upper))
	}
	return strings.Join(all, ", ")
}
