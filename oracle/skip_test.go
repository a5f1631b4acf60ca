package oracle_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
)

// A string for which an oracle fails alone has no score, and others of its call have theirs. An oracle that fails for
// ten in a row is broken.
func TestSkip(t *testing.T) {
	var calls []string
	o := oracle.Skip(oracle.Each(1, func(_ context.Context, x string) (oracle.Result, error) {
		calls = append(calls, x)
		if strings.Contains(x, "AAA") {
			return oracle.Result{}, errors.New("segmentation fault")
		}
		return length(x), nil
	}), nil)
	got, err := oracle.Score(t.Context(), o, []string{"C", "AAA", "CC"})
	if err != nil || got[0].Score != 1 || !math.IsNaN(got[1].Score) || got[1].Reason != "segmentation fault" || got[2].Score != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if want := []string{"C", "AAA", "C", "AAA", "CC"}; !slices.Equal(calls, want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
	if _, err := oracle.Score(t.Context(), o, []string{"AAA", "AAAA"}); err == nil || !strings.Contains(err.Error(), "all 2 strings of a call") {
		t.Errorf("all strings of a call fail: %v, want the error", err)
	}
	if _, err := oracle.One(t.Context(), o, "C"); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		_, err := oracle.One(t.Context(), o, "AAAA")
		if want := "segmentation fault; it has failed for 10 strings in a row"; (err != nil) != (i == 9) || err != nil && err.Error() != want {
			t.Errorf("failure %d: %v", i+1, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := oracle.One(ctx, o, "C"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
