package observed

import "math"

// Hits returns the letters at each position of examples if these are a few mutations of a reference that are to be
// combined, such as mutations chosen from a scan: few at a position and, if the reference has a value, most of them
// better than the reference. Larger values are better. Hits returns nil if examples are not so, if there is no
// reference, or if at least half of the possible combinations are known. Examples have the reference's length.
func Hits(examples []string, reference string, values map[string]float64, known int) (letters []string) {
	const (
		fewest, most = 3, 40 // sequences but the reference
		single       = 0.5   // of them have one mutation
		letterEach   = 2.5   // at a position, on average
		better       = 2. / 3
		fewUnknown   = 15  // sequences, where the reference has no value
		scanned      = 0.5 // of the mutations are to one letter at most: else it is a scan, as with alanine
	)
	if reference == "" {
		return nil
	}
	of, singles, good, n := make([]map[string]bool, len(reference)), 0, 0, 0
	for i := range of {
		of[i] = map[string]bool{reference[i : i+1]: true}
	}
	own, measured := values[reference]
	measured = measured && !math.IsNaN(own)
	for _, x := range examples {
		mutations := 0
		for i := range len(x) {
			if x[i] != reference[i] {
				mutations++
				of[i][x[i:i+1]] = true
			}
		}
		if mutations > 0 {
			n++
		}
		if mutations == 1 {
			if singles++; values[x] > own {
				good++
			}
		}
	}
	positions, different := 0, 0
	to := map[string]int{} // mutations, by their letter
	for i, at := range of {
		if len(at) > 1 {
			positions, different = positions+1, different+len(at)-1
		}
		for letter := range at {
			if letter != reference[i:i+1] {
				to[letter]++
			}
		}
	}
	usual := 0
	for _, k := range to {
		usual = max(usual, k)
	}
	switch {
	case n < fewest || n > most || float64(singles) < single*float64(n) || float64(different) > letterEach*float64(positions):
		return nil
	case measured && float64(good) < better*float64(singles), !measured && n > fewUnknown:
		return nil
	case different > fewest && float64(usual) > scanned*float64(different):
		return nil
	case combinations(of, 2*known+1) <= 2*known:
		return nil
	}
	for _, at := range of {
		letters = append(letters, text(at))
	}
	return letters
}
