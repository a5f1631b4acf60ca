package report

import (
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	tests := []struct {
		low, high float64
		want      string
	}{
		{0, 500, "0 100 200 300 400 500"},
		{-10, 10, "-10 -5 0 5 10"},
		{-0.3, 2.4, "0.0 0.5 1.0 1.5 2.0"},
		{0.0012, 0.0021, "0.0012 0.0014 0.0016 0.0018 0.0020"},
		{9, 17, "10 12 14 16"},
		{-3e6, 5e6, "-2000000 0 2000000 4000000"},
		{1, math.Nextafter(1, 2), "1 1.0000000000000002"},
		{8e16, 8e16 + 64, "8e+16 8.000000000000006e+16"},
		{8e16, 8e16, "8e+16 8e+16"},
	}
	for _, test := range tests {
		var labels []string
		for _, tick := range (ticks{}).Ticks(test.low, test.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("from %g to %g: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}
