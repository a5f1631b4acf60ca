package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestParseSeeds(t *testing.T) {
	for _, test := range []struct {
		text string
		want []uint64
	}{{"3", []uint64{3}}, {"7,0-2,1", []uint64{0, 1, 2, 7}}, {"18446744073709551615", []uint64{math.MaxUint64}}} {
		got, err := parseSeeds(test.text)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, %v, want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"", "a", "2-1", "-1", "1-", "1,,2", "0-99999999999"} {
		if got, err := parseSeeds(text); err == nil || !strings.Contains(err.Error(), "neither a number nor a range") {
			t.Errorf("%q: %v, %v, want an error", text, got, err)
		}
	}
}
