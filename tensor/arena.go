package tensor

const (
	chunkFloats = 1 << 20
	chunkVars   = 64
)

// arena hands out float32 memory that is taken back all at once. Chunks are kept for the next time.
type arena struct {
	chunks      [][]float32
	chunk, used int // where the free memory begins
}

// take returns n floats of undefined value.
func (a *arena) take(n int) []float32 {
	for ; a.chunk < len(a.chunks); a.chunk, a.used = a.chunk+1, 0 {
		if c := a.chunks[a.chunk]; a.used+n <= len(c) {
			s := c[a.used : a.used+n : a.used+n]
			a.used += (n + 15) &^ 15 // the next one starts on a cache line
			return s
		}
	}
	a.chunks = append(a.chunks, make([]float32, max(n, chunkFloats)))
	return a.take(n)
}

// slab hands out Vars in the same way.
type slab struct {
	chunks [][]Var
	used   int
}

func (s *slab) next() *Var {
	if s.used == len(s.chunks)*chunkVars {
		s.chunks = append(s.chunks, make([]Var, chunkVars))
	}
	v := &s.chunks[s.used/chunkVars][s.used%chunkVars]
	s.used++
	return v
}
