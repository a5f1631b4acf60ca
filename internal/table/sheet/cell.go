package sheet

import (
	"cmp"
	"math"
	"strconv"

	"github.com/invbo/invbo/internal/usage"
)

// Cell is a number, perhaps as a bound, or text. The zero value is empty.
type Cell struct {
	number string // as it is written, with the sign of a bound; empty: there is none
	text   string
}

// String returns what the cell shows to people.
func (c Cell) String() string { return cmp.Or(c.number, usage.Visible(c.text)) }

// IsNumber reports whether the cell is a number, perhaps as a bound.
func (c Cell) IsNumber() bool { return c.number != "" }

// Text returns a cell of text, which stays text even if it looks like a number or a formula.
func Text(text string) Cell { return Cell{text: text} }

// Number returns a cell with a number to so many significant digits, 0 for all; empty for NaN.
func Number(v float64, digits int) Cell {
	format := byte('g')
	if digits == 0 {
		digits = -1
		if size := math.Abs(v); v == 0 || 1e-4 <= size && size < 1e15 {
			format = 'f' // 1000000 and not 1e+06
		}
	}
	switch {
	case math.IsNaN(v):
		return Cell{}
	case v == 0:
		v = 0 // not −0
	}
	return Cell{number: strconv.FormatFloat(v, format, digits, 64)}
}

// Bounded returns a cell with a number to all digits, or one that the true value is greater (bound is 1) or less than
// (-1); empty for NaN.
func Bounded(v float64, bound int) Cell {
	c := Number(v, 0)
	switch {
	case c.number == "":
	case bound > 0:
		c.number = ">" + c.number
	case bound < 0:
		c.number = "<" + c.number
	}
	return c
}
