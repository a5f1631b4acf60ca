package table

import (
	"math"

	"github.com/invbo/invbo/molecule"
)

// derived reports whether a column holds a property of the strings, whatever it is called: the length of a sequence or, of a molecule, its
// weight, log P, polar surface or number of rotatable bonds or heavy atoms.
func (g *grid) derived(input, column int) bool {
	const looked, enough = 20, 3
	if input < 0 || g.blocks {
		return false
	}
	var fits [6]int // rows that have the number, by property
	rows := 0
	for _, cells := range g.sample {
		if rows == looked {
			break
		}
		if max(input, column) >= len(cells) || cells[input] == "" {
			continue
		}
		v := readCell(cells[column], style{})
		if v.state != Measured {
			continue
		}
		rows++
		for i, property := range propertiesOf(cells[input]) {
			if tolerance := 0.02 + 0.002*math.Abs(property); math.Abs(v.number-property) <= tolerance {
				fits[i]++
			}
		}
	}
	for _, n := range fits {
		if rows >= enough && 10*n >= 9*rows {
			return true
		}
	}
	return false
}

// propertiesOf returns what a column may hold of a string.
func propertiesOf(text string) []float64 {
	all := []float64{float64(len(text))}
	m, err := molecule.Parse(text)
	if err != nil {
		return all
	}
	defer m.Close()
	heavy := 0
	for _, a := range m.Graph().Atoms {
		if a.Number > 1 {
			heavy++
		}
	}
	return append(all, m.Weight(), m.LogP(), m.TPSA(), float64(m.RotatableBonds()), float64(heavy))
}
