package grammar

import "testing"

// Longer derivations are processed in smaller chunks.
func TestChunk(t *testing.T) {
	for maxRules, want := range map[int]int{1: 512, 15: 512, 16: 512, 100: 81, 8192: 1, 1 << 20: 1} {
		if got := (Config{MaxRules: maxRules}).chunk(); got != want {
			t.Errorf("%d rules: chunk() = %d, want %d", maxRules, got, want)
		}
	}
}
