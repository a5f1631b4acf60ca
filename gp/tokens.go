package gp

import "hash/fnv"

// longestRun is the longest run of tokens that TokenRuns counts.
const longestRun = 4

// TokenRuns counts the runs of one to four tokens of a string, ends included.
func TokenRuns(split func(x string) []string) func(x string) Counts {
	return func(x string) Counts {
		t := append(append([]string{"\x02"}, split(x)...), "\x03")
		counts := map[uint64]uint32{}
		for i := range t {
			h := fnv.New64a()
			for _, token := range t[i:min(i+longestRun, len(t))] {
				h.Write([]byte(token))
				h.Write([]byte{0})
				counts[h.Sum64()]++
			}
		}
		return CountsOf(counts)
	}
}

// TokenGaps counts the pairs of tokens of a string with their distance, 1 to most.
func TokenGaps(split func(x string) []string, most int) func(x string) Counts {
	return func(x string) Counts {
		t := hashes(split(x))
		counts := map[uint64]uint32{}
		for i := range t {
			for d := 1; d <= most && i+d < len(t); d++ {
				counts[mix(mix(t[i], t[i+d]), uint64(d))]++
			}
		}
		return CountsOf(counts)
	}
}

// TokenPositions counts the tokens of a string with their positions.
func TokenPositions(split func(x string) []string) func(x string) Counts {
	return func(x string) Counts {
		counts := map[uint64]uint32{}
		for i, t := range hashes(split(x)) {
			counts[mix(t, uint64(i))]++
		}
		return CountsOf(counts)
	}
}

func hashes(tokens []string) []uint64 {
	h := make([]uint64, len(tokens))
	for i, t := range tokens {
		f := fnv.New64a()
		f.Write([]byte(t))
		h[i] = f.Sum64()
	}
	return h
}

// mix combines two hashes (the finalizer of SplitMix64).
func mix(a, b uint64) uint64 {
	z := a + b*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
