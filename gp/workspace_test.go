package gp

import "testing"

// What is lent between two resets never overlaps, whether the slab has grown meanwhile or not.
func TestWorkspace(t *testing.T) {
	for name, w := range map[string]*workspace{"lends": new(workspace), "allocates": nil} {
		for range 3 {
			if w != nil {
				w.reset()
			}
			var lent [][]float64
			for i, n := range []int{3, 0, 10, 1, 40, 7} {
				s := w.take(n)
				if len(s) != n || cap(s) != n {
					t.Fatalf("%s: length %d and capacity %d, want %d", name, len(s), cap(s), n)
				}
				for j := range s {
					s[j] = float64(i)
				}
				lent = append(lent, s)
			}
			for i, s := range lent {
				for _, v := range s {
					if v != float64(i) {
						t.Fatalf("%s: slice %d holds %g", name, i, v)
					}
				}
			}
		}
	}
	w := &workspace{slab: []float64{1, 2, 3, 4}}
	if z := w.zeros(2); z[0] != 0 || z[1] != 0 {
		t.Errorf("zeros = %g", z)
	}
	if c := w.copyOf([]float64{7, 8}); c[0] != 7 || c[1] != 8 {
		t.Errorf("copy = %g, want [7 8]", c)
	}
}
