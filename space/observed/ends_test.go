package observed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/observed"
)

func TestEnds(t *testing.T) {
	frame := []string{"CARAFDY", "CARGGFDY", "CARWWWFDY", "CARFDY", "CARKFDY"}
	for _, test := range []struct {
		name          string
		xs            []string
		before, after int
	}{
		{"a frame", frame, 3, 3},
		{"few", frame[:4], 0, 0},
		{"copies", slices.Repeat(frame[:2], 5), 0, 0},
		{"one end", []string{"CARA", "CARGG", "CARWWA", "CARFD", "CAR"}, 3, 0},
		{"by chance", []string{"CAA", "CAGG", "CAWWA", "CAFD", "CA"}, 0, 0},
		{"a letter", []string{"CARDYYGSSYFDYW", "CVRDGYSSYFDVW", "CTRDRYYGSSYFDLW", "CAKDYYGSSWYFDYW", "CARGGYSSYFDSW"}, 1, 1},
		{"a letter that is common", []string{"GARGYGGSSGFDG", "GVRDGYGGYFGVG", "GTGDRGYGSGYGDLG", "GAKGYGSGWYFDYG", "GARGGGSSYFDSG"}, 0, 0},
		{"A's of DNA that is rich in them", []string{"AAAATAA", "AAAAAATAA", "AAAGTAAAA", "AAACAAAAAA", "AAAAAAGAAAA"}, 0, 0},
		{"none", nil, 0, 0},
	} {
		var split [][]string
		for _, x := range test.xs {
			split = append(split, strings.Split(x, ""))
		}
		if before, after := observed.Ends(split, 5); before != test.before || after != test.after {
			t.Errorf("%s: %d and %d, want %d and %d", test.name, before, after, test.before, test.after)
		}
	}
}
