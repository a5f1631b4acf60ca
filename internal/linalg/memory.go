package linalg

// huge is the size of a large page in bytes.
const huge = 2 << 20

// Floats returns n zeros. For large matrices it asks for large pages, where the system gives them on request only: a
// kernel takes longer to hand out a matrix in pages of 4 kB than to fill it.
func Floats(n int) []float64 {
	s := make([]float64, n)
	if 8*n >= 2*huge {
		advise(s)
	}
	return s
}
