package bench

import "testing"

func TestBound(t *testing.T) {
	m := machine{peak32: 100, peak64: 50, bandwidth: 10}
	tests := []struct {
		name    string
		k       kernel
		what    string
		seconds float64
	}{
		{"many operations", kernel{flops: 1000, bytes: 50}, "arithmetic", 10},
		{"many bytes", kernel{flops: 100, bytes: 50}, "memory", 5},
		{"float64 takes longer", kernel{flops: 300, bytes: 50, wide: true}, "arithmetic", 6},
		{"bytes only", kernel{bytes: 20}, "memory", 2},
	}
	for _, tt := range tests {
		if what, seconds := m.bound(tt.k); what != tt.what || seconds != tt.seconds {
			t.Errorf("%s: %s, %g s, want %s, %g s", tt.name, what, seconds, tt.what, tt.seconds)
		}
	}
}
