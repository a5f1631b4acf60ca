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

// limits are the tightest of some bounds: the greatest lower one and the least upper one; NaN where there is none.
type limits struct{ lower, upper float64 }

func noLimits() limits { return limits{math.NaN(), math.NaN()} }

func (l *limits) add(v float64, b Bound) {
	switch {
	case b == Above && !(v <= l.lower): // written this way, it holds for the first one, too
		l.lower = v
	case b == Below && !(v >= l.upper):
		l.upper = v
	}
}

// none reports whether there are no bounds.
func (l limits) none() bool { return math.IsNaN(l.lower) && math.IsNaN(l.upper) }

// one returns one of the bounds, which stands for all: of bounds on both sides the one on a favoured side, unless they contradict each
// other. The other one then holds: nothing should look good by a contradiction.
func (l limits) one(favoured Bound) (v float64, b Bound) {
	b = favoured
	switch {
	case math.IsNaN(l.lower):
		b = Below
	case math.IsNaN(l.upper):
		b = Above
	case l.lower >= l.upper:
		b = -b
	}
	if b == Above {
		return l.lower, Above
	}
	return l.upper, Below
}

// says reports whether the bounds place the true value on a side of v.
func (l limits) says(side Bound, v float64) bool {
	if side == Above {
		return l.lower >= v
	}
	return l.upper <= v
}

// String writes the bounds as in > 4, < 9.
func (l limits) String() string {
	var all []string
	if !math.IsNaN(l.lower) {
		all = append(all, fmt.Sprintf("> %.4g", l.lower))
	}
	if !math.IsNaN(l.upper) {
		all = append(all, fmt.Sprintf("< %.4g", l.upper))
	}
	return strings.Join(all, ", ")
}
