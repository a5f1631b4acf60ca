// Package access estimates how hard a molecule is to make.
package access

import (
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/molecule"
)

// The scores of 705,292 atom environments, by how many of a million molecules of PubChem have them, are those of
// RDKit's Contrib (SA_Score, Copyright (c) 2013, Novartis Institutes for BioMedical Research Inc., BSD-3-Clause: see
// the file NOTICE of package molecule).
//
//go:generate python3 make.py /usr/share/RDKit/Contrib/SA_Score/fpscores.pkl.gz
//go:embed fragments.bin
var file []byte

// Score returns the synthetic accessibility score of Ertl & Schuffenhauer 2009 (Journal of Cheminformatics 1:8), from
// 1, easy, to 10, as RDKit's Contrib computes it:
//
//	mean fragment score − (n^1.005 − n) − lg(centers + 1) − lg(spiro + 1) − lg(bridgeheads + 1) − lg 2 if a ring has more than 8 atoms
//	+ ½ ln(n / fragments) if there are fewer different fragments than atoms
//
// scaled to 1 … 10, with n heavy atoms and all atoms that could be stereocenters; values s above 8 become 8 + ln(s −
// 8). Molecules that are made every day are below 3.5, natural products mostly above 5.
func Score(m *molecule.Molecule) float64 {
	defined, undefined := m.Stereocenters()
	return scaled(raw(m), defined+undefined)
}

// Within reports whether Score(m) is in [low, high]. It is faster than Score: it looks for stereocenters only if they
// can change the answer.
func Within(m *molecule.Molecule, low, high float64) bool {
	r := raw(m)
	easiest, hardest := max(1, linear(r, 0)), max(1, linear(r, MaxCenters(m)))
	switch {
	case hardest > smooth: // where the scale is bent, a greater value may have a smaller score
	case hardest < low || easiest > high:
		return false
	case low <= easiest && hardest <= high:
		return true
	}
	defined, undefined := m.Stereocenters()
	s := scaled(r, defined+undefined)
	return low <= s && s <= high
}

// MaxCenters returns an upper bound of the number of stereocenters, from the graph alone.
func MaxCenters(m *molecule.Molecule) int {
	const carbon, nitrogen, oxygen = 6, 7, 8
	n := 0
	for _, a := range m.Graph().Atoms {
		flat := a.Aromatic || a.Hydrogens > 1 || a.Degree < 3 || a.Hybridization == molecule.SP2 && a.Number == carbon
		if usual := a.Charge == 0 && a.Number >= carbon && a.Number <= oxygen; !usual || !flat {
			n++
		}
	}
	return n
}

// raw returns the score before it is scaled, without stereocenters.
func raw(m *molecule.Molecule) float64 {
	fragments := m.ECFP(2)
	table := read()
	sum, total := 0.0, 0
	for i, id := range fragments.IDs {
		sum += table.score(uint32(id)) * float64(fragments.N[i])
		total += int(fragments.N[i])
	}
	const largest = 8 // atoms of a ring that is no macrocycle
	atoms := float64(len(m.Graph().Atoms))
	spiro, bridgeheads := m.Bridges()
	raw := sum/float64(total) - (math.Pow(atoms, 1.005) - atoms) - math.Log10(float64(spiro+1)) - math.Log10(float64(bridgeheads+1))
	if slices.ContainsFunc(m.Graph().Rings, func(ring []int) bool { return len(ring) > largest }) {
		raw -= math.Log10(2)
	}
	if distinct := float64(len(fragments.IDs)); atoms > distinct {
		raw += math.Log(atoms/distinct) / 2
	}
	return raw
}

// smooth is where the scale is bent, so that few molecules have 10.
const smooth = 8

// scaled returns the score of a molecule with so many stereocenters.
func scaled(raw float64, centers int) float64 {
	s := linear(raw, centers)
	if s > smooth {
		s = smooth + math.Log(s-smooth)
	}
	return min(max(1, s), 10)
}

// linear returns the score before the scale is bent. It grows with the stereocenters.
func linear(raw float64, centers int) float64 {
	const least, most = -4, 2.5
	return 11 - (raw-math.Log10(float64(centers+1))-least+1)/(most-least)*9
}

// table holds the scores of fragments.
type table struct {
	ids    []uint32 // ascending
	class  []uint16 // of ids: which of scores
	scores []float64
	begin  []int32 // of the ids whose upper 16 bits are the index
}

// unknown is the score of a fragment that the table lacks.
const unknown = -4

func (t *table) score(id uint32) float64 {
	from, to := t.begin[id>>16], t.begin[id>>16+1]
	if i, ok := slices.BinarySearch(t.ids[from:to], id); ok {
		return t.scores[t.class[int(from)+i]]
	}
	return unknown
}

// read reads the file, once.
var read = sync.OnceValue(func() *table {
	content := file
	next := func() uint64 {
		v, n := binary.Uvarint(content)
		content = content[n:]
		return v
	}
	t := &table{scores: make([]float64, next()), begin: make([]int32, 1<<16+1)}
	t.ids = make([]uint32, next())
	t.class = make([]uint16, len(t.ids))
	for i := range t.scores {
		v, n := binary.Varint(content)
		t.scores[i], content = float64(v)/10_000, content[n:]
	}
	id := uint32(0)
	for i := range t.ids {
		id += uint32(next())
		t.ids[i] = id
		t.begin[id>>16+1] = int32(i + 1)
	}
	for i := range t.begin[1:] { // of those that no id has, as before
		t.begin[i+1] = max(t.begin[i+1], t.begin[i])
	}
	for i := range t.class {
		t.class[i] = uint16(next())
	}
	return t
})
