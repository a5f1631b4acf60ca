package chance_test

import (
	"testing"

	"github.com/invbo/invbo/space/internal/chance"
)

func TestRare(t *testing.T) {
	for _, test := range []struct {
		share float64
		n     int
		want  bool
	}{
		{0.5, 10, true}, {0.5, 9, false}, {0, 1, true}, {1, 1_000, false}, {0.25, 0, false},
	} {
		if got := chance.Rare(test.share, test.n); got != test.want {
			t.Errorf("%d strings of a share of %g: %t, want %t", test.n, test.share, got, test.want)
		}
	}
}
