package design_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/internal/design"
)

// Good strings come first, equal inputs count once, and no more rounds are begun than it takes.
func TestSelect(t *testing.T) {
	made := [][]string{{"a1", "", "b1", "a2"}, {"B1", "c1", "C1"}, {"D1"}}
	good := func(input string) (bool, error) {
		if input == "c" {
			return true, errors.New("it cannot be read")
		}
		return input == strings.ToUpper(input), nil
	}
	for _, test := range []struct {
		n, begun int
		want     []string
	}{
		{0, 1, []string{}}, {1, 2, []string{"B1"}}, {2, 2, []string{"B1", "C1"}}, {3, 3, []string{"B1", "C1", "D1"}}, {5, 3, []string{"B1", "C1", "D1", "a1", "b1"}},
		{9, 3, []string{"B1", "C1", "D1", "a1", "b1", "c1"}},
	} {
		begun := 0
		rounds := func(yield func(design.Round) bool) {
			for _, xs := range made {
				begun++
				if !yield(design.Round{N: len(xs), Make: func(i int) (x, input string) { return xs[i], xs[i][:min(1, len(xs[i]))] }}) {
					return
				}
			}
		}
		got, err := design.Select(t.Context(), test.n, rounds, good)
		if err != nil || !slices.Equal(got, test.want) || begun != test.begun {
			t.Errorf("%d strings: %q in %d rounds, %v, want %q in %d", test.n, got, begun, err, test.want, test.begun)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := errors.New("ended")
		cancel(ended)
		if _, err := design.Select(ctx, test.n, rounds, good); !errors.Is(err, ended) {
			t.Errorf("%v, want %v", err, ended)
		}
	}
}
