package study

import "testing"

func TestApart(t *testing.T) {
	usual := []float64{5, 5.5, 6, 6.2, 6.4, 6.9, 7.1, 7.5, 8.1, 8.48}
	tests := []struct {
		name           string
		values         []float64
		at             int
		second, median float64
	}{
		{"a slip", append([]float64{70.23}, usual...), 0, 8.48, 6.9},
		{"a good one", append([]float64{9.9}, usual...), -1, 0, 0},
		{"too few values", []float64{5, 5.5, 6, 6.2, 70.23}, -1, 0, 0},
		{"two", append([]float64{70.23, 69}, usual...), -1, 0, 0},
		{"an order of magnitude among orders", []float64{20_000, 1, 3, 9, 30, 80, 110, 300, 500, 900, 1_330}, -1, 0, 0},
		{"below 0", []float64{-300, -4, -6.5, -7, -7.2, -7.4, -7.9, -8.1, -8.5, 90}, 9, -4, -7.4},
		{"equal ones", []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 50}, -1, 0, 0},
	}
	for _, test := range tests {
		if at, second, median := Apart(test.values); at != test.at || second != test.second || median != test.median {
			t.Errorf("%s: %d, %g, %g, want %d, %g, %g", test.name, at, second, median, test.at, test.second, test.median)
		}
	}
}
