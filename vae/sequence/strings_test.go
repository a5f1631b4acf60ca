package sequence

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestStrings(t *testing.T) {
	a := alphabetOf(t, "abc")
	s, err := NewStrings(a, slices.Values([]string{"ab", "c", "cba"}))
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 || s.length(0) != 3 || s.length(1) != 2 || s.longest() != 2 {
		t.Errorf("Len = %d, length = %d, %d, longest = %d; want 3; 3, 2; 2", s.Len(), s.length(0), s.length(1), s.longest())
	}
	if got, want := s.at([]int32{2, 0}), [][]int32{{4, 3, 2, stop}, {2, 3, stop}}; !reflect.DeepEqual(got, want) {
		t.Errorf("at(2, 0) = %v, want %v", got, want)
	}
}

func TestStringsErrors(t *testing.T) {
	a := alphabetOf(t, "abc")
	for want, x := range map[string][]string{"no strings": nil, "string 1: ": {"ab", "ad"}, "empty string": {""}} {
		if _, err := NewStrings(a, slices.Values(x)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewStrings(%q): %v, want %q in it", x, err, want)
		}
	}
}
