package observed_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/observed"
)

// A few mutations that are for the better are hits; scans, and mutations that are mostly for the worse, are not.
func TestHits(t *testing.T) {
	const wild = "MKTAYIAKQRQISFVKSHFS"
	mutant := func(at int, letter string) string { return wild[:at] + letter + wild[at+1:] }
	good := map[string]float64{mutant(1, "W"): 2, mutant(4, "L"): 1.5, mutant(7, "D"): 1.4, mutant(10, "G"): 1.3, mutant(14, "T"): 1.2}
	with := func(score float64) map[string]float64 {
		all := map[string]float64{wild: score}
		for x, v := range good {
			all[x] = v
		}
		return all
	}
	scan := map[string]float64{}
	for i := 5; i < 15; i++ {
		scan[mutant(i, "A")] = 1
	}
	for _, test := range []struct {
		name      string
		values    map[string]float64
		reference string
		known     int
		want      bool
	}{
		{"without a value of the reference", good, wild, 5, true},
		{"with one that is not a number", with(math.NaN()), wild, 6, true},
		{"better than the reference", with(1), wild, 6, true},
		{"worse than the reference", with(1.7), wild, 6, false},
		{"half is known", good, wild, 20, false},
		{"no reference", good, "", 5, false},
		{"a scan with alanine", scan, wild, 10, false},
	} {
		var examples []string
		for x := range test.values {
			examples = append(examples, x)
		}
		letters := observed.Hits(examples, test.reference, test.values, test.known)
		if got := letters != nil; got != test.want {
			t.Errorf("%s: hits %t", test.name, got)
		}
		if letters != nil && (len(letters) != len(wild) || letters[1] != "KW" || letters[0] != "M" || slices.ContainsFunc(letters, func(at string) bool { return strings.Contains(at, "X") })) {
			t.Errorf("%s: letters %q", test.name, letters)
		}
	}
}
