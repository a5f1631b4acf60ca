package usage_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/invbo/invbo/internal/usage"
)

// Who stops a program hears that it stopped, and of what else went wrong.
func TestStopped(t *testing.T) {
	goesOn := t.Context()
	ended, end := context.WithCancelCause(t.Context())
	cause, full := errors.New("interrupt"), errors.New("disk full")
	end(cause)
	for _, test := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{goesOn, nil, "<nil>"}, {goesOn, full, "disk full"}, {ended, nil, "<nil>"}, {ended, fmt.Errorf("ask: %w", cause), "stopped"},
		{ended, fmt.Errorf("ask: %w", context.Canceled), "stopped"}, {ended, full, "stopped: disk full"},
	} {
		got := usage.Stopped(test.ctx, test.err, "stopped")
		if fmt.Sprint(got) != test.want || errors.Is(test.err, full) && !errors.Is(got, full) {
			t.Errorf("%v: %v, want %s", test.err, got, test.want)
		}
	}
}
