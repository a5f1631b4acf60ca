package numeral

import (
	"iter"
	"strings"
)

// Style is how the numbers of a column are written. The zero value is what a cell alone tells.
type Style struct {
	Mark    Mark
	Grouped bool // points separate thousands, as a number such as 1.234,5 tells
	Typed   bool // the cell is stored as a number, as Excel does, or may be: points are before decimals
	Date    bool // the format of the cell makes it a date
}

// Mark is what a column's numbers have before their decimals.
type Mark int

const (
	Unknown Mark = iota
	Points
	Commas
	Both // some have points, or may have, and others commas
)

// StyleOf finds out from numbers how they are written: as most of those that leave no doubt. semicolons says that these
// separate cells, so that commas may be before decimals.
func StyleOf(all iter.Seq[Numeral], semicolons bool) Style {
	const most = 3 // times as many as of the other mark
	const enough = 3
	var found [Both]int
	plain, doubtful, pointed, round := 0, 0, 0, 0
	thousands := true // no number without a comma has four digits before its decimals
	grouped := false
	for n := range all {
		found[n.mark]++
		grouped = grouped || n.mark == Commas && n.groups
		switch {
		case n.doubtful == Commas:
			doubtful++
		case n.doubtful == Points:
			pointed++
			if strings.HasSuffix(n.Text, "0") {
				round++
			}
		case n.doubtful == Unknown && n.mark == Unknown && IsDigits(n.Text):
			plain++
			thousands = thousands && len(n.Text) <= 3
		}
	}
	s := Style{Grouped: grouped && found[Points] == 0}
	switch {
	case found[Commas] > most*found[Points], doubtful > 0 && found[Points] == 0 && semicolons:
		s.Mark = Commas
	case found[Points] == 0 && found[Commas] == 0 && thousands && min(doubtful, plain) >= enough: // 24, 326 and 3,969
		s.Mark = Points
	case found[Points] == 0 && found[Commas] == 0 && pointed > 0 && plain > 0 && semicolons: // 800 and 1.200 where commas are decimal
		s.Mark = Commas
	case found[Points] == 0 && found[Commas] == 0 && round == pointed && round >= enough && semicolons: // 12.500 and 1.750
		s.Mark = Both
	case found[Points] > most*found[Commas]:
		s.Mark = Points
	case found[Points] > 0:
		s.Mark = Both
	}
	return s
}
