package bioseq

import (
	"github.com/invbo/invbo/internal/stats"
)

// ReverseComplement returns the other strand of DNA or RNA in capital letters, from its end.
func (k Kind) ReverseComplement(x string) string {
	pairs := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	if k == RNA {
		pairs = map[byte]byte{'A': 'U', 'C': 'G', 'G': 'C', 'U': 'A'}
	}
	c := make([]byte, len(x))
	for i := range c {
		c[len(c)-1-i] = pairs[x[i]]
	}
	return string(c)
}

// Strand returns DNA or RNA or its reverse complement, whichever stands for both: the one that is more like the wild
// type or, without one of its length or where they are as much alike, the first in the alphabet.
func (k Kind) Strand(x, wildType string) string {
	other := k.ReverseComplement(x)
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
