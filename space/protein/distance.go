package protein

import (
	"strings"

	"gonum.org/v1/gonum/stat"
)

// properties are those of residues, in the order of Residues.
var properties = [][]float64{
	// Hydropathy (Kyte & Doolittle 1982).
	{1.8, 2.5, -3.5, -3.5, 2.8, -0.4, -3.2, 4.5, -3.9, 3.8, 1.9, -3.5, -1.6, -3.5, -4.5, -0.8, -0.7, 4.2, -0.9, -1.3},
	// Volume in Å³ (Zamyatnin 1972).
	{88.6, 108.5, 111.1, 138.4, 189.9, 60.1, 153.2, 166.7, 168.6, 166.7, 162.9, 114.1, 112.7, 143.8, 173.4, 89.0, 116.1, 140.0, 227.8, 193.6},
	// Charge at pH 7; histidine in part.
	{0, 0, -1, -1, 0, 0, 0.3, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
	// Helix propensity in kcal/mol (Pace & Scholtz 1998).
	{0, 0.68, 0.69, 0.40, 0.54, 1, 0.61, 0.41, 0.26, 0.21, 0.24, 0.65, 3.16, 0.39, 0.21, 0.50, 0.66, 0.61, 0.49, 0.53},
	// An aromatic ring; histidine in part.
	{0, 0, 0, 0, 1, 0, 0.6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
	// A branch at the β-carbon.
	{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0},
}

// purines are 1 for the letters of DNA and RNA that are purines, in the order of an alphabet.
func purines(alphabet string) []float64 {
	p := make([]float64, len(alphabet))
	for i, letter := range alphabet {
		if letter == 'A' || letter == 'G' {
			p[i] = 1
		}
	}
	return p
}

// distances returns how letters of an alphabet differ, for gp.Sites: whether they do, and by the squared difference of
// each of their properties, on average 1 between different letters.
func distances(alphabet string) [][]float64 {
	n := len(alphabet)
	of := func(d func(a, b int) float64) (all []float64) {
		for a := range n {
			for b := range n {
				all = append(all, d(a, b))
			}
		}
		if mean := stat.Mean(all, nil) * float64(n) / float64(max(1, n-1)); mean > 0 {
			for i := range all {
				all[i] /= mean
			}
		}
		return all
	}
	all := [][]float64{of(func(a, b int) float64 {
		if a == b {
			return 0
		}
		return 1
	})}
	var known [][]float64
	switch {
	case strings.Trim(alphabet, "ACGT") == "", strings.Trim(alphabet, "ACGU") == "":
		known = [][]float64{purines(alphabet)}
	case strings.Trim(alphabet, Residues) == "", strings.HasPrefix(alphabet, Residues): // further residues, and what separates chains
		for _, p := range properties {
			of := make([]float64, n)
			for i := range n {
				of[i] = stat.Mean(p, nil) // for a residue without known properties
				if r := strings.Index(Residues, strings.ToUpper(alphabet[i:i+1])); r >= 0 {
					of[i] = p[r]
				}
			}
			known = append(known, of)
		}
	}
	for _, p := range known {
		all = append(all, of(func(a, b int) float64 { return (p[a] - p[b]) * (p[a] - p[b]) }))
	}
	return all
}
