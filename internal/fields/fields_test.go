package fields

import "testing"

func TestDifferences(t *testing.T) {
	type options struct {
		Batch  int     `json:"batch"`
		Rate   float64 `json:"rate"`
		Source string  `json:"source,omitempty"`
	}
	for _, test := range []struct {
		was, is options
		want    string
	}{
		{options{1, 0.5, "a"}, options{1, 0.5, "a"}, ""},
		{options{1, 0.5, "a"}, options{2, 0.5, "a"}, "batch 1 (not 2)"},
		{options{1, 0.5, ""}, options{1, 0.25, "a"}, `rate 0.5 (not 0.25), source none (not "a")`},
	} {
		if got := Differences(test.was, test.is); got != test.want {
			t.Errorf("Differences(%+v, %+v) = %q, want %q", test.was, test.is, got, test.want)
		}
	}
}
