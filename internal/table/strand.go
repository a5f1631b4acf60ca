package table

import "github.com/invbo/invbo/internal/stats"

// Complementary returns the reverse complement of DNA or RNA.
func Complementary(x string, kind Sequences) string {
	pairs := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	if kind == RNA {
		pairs = map[byte]byte{'A': 'U', 'C': 'G', 'G': 'C', 'U': 'A'}
	}
	c := make([]byte, len(x))
	for i := range c {
		c[len(c)-1-i] = pairs[x[i]]
	}
	return string(c)
}

// Strand returns a string or its reverse complement, whichever stands for both: the one that is more like the wild type or, without one or
// where they are as much alike, the first in the alphabet.
func Strand(x, wildType string, kind Sequences) string {
	other := Complementary(x, kind)
	if len(wildType) == len(x) {
		d := stats.Hamming(x, wildType) - stats.Hamming(other, wildType)
		switch {
		case d < 0:
			return x
		case d > 0:
			return other
		}
	}
	return min(x, other)
}
