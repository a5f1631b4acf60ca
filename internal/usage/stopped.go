package usage

import (
	"context"
	"errors"
	"fmt"
)

// Stopped returns the error of work that ctx, which has ended, may have stopped: what says so, and the work's own error
// if that has another reason, such as a full disk. Where ctx goes on it returns err.
func Stopped(ctx context.Context, err error, what string) error {
	switch {
	case err == nil || ctx.Err() == nil:
		return err
	case errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)):
		return errors.New(what)
	}
	return fmt.Errorf("%s: %w", what, err)
}
