package tensor

const (
	chunkFloats = 1 << 20
	chunkVars   = 64
)

// arena allocates float32 slices that are freed all at once; its chunks are reused.
type arena struct {
	chunks      [][]float32
	chunk, used int // start of the free memory
}

// take returns n floats with undefined values.
func (a *arena) take(n int) []float32 {
	for ; a.chunk < len(a.chunks); a.chunk, a.used = a.chunk+1, 0 {
		if c := a.chunks[a.chunk]; a.used+n <= len(c) {
			s := c[a.used : a.used+n : a.used+n]
			a.used += (n + 15) &^ 15 // the next slice starts on a cache line
			return s
		}
	}
	a.chunks = append(a.chunks, make([]float32, max(n, chunkFloats)))
	return a.take(n)
}

// slab is an arena of Vars.
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
