package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Timeout returns o with a limit on the time of each call, which then fails. A d of 0 is no limit.
func Timeout(o Oracle, d time.Duration) Oracle {
	if d == 0 {
		return o
	}
	return timeout{o, d}
}

type timeout struct {
	Oracle
	limit time.Duration
}

func (t timeout) Score(ctx context.Context, x []string) ([]Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.limit, fmt.Errorf("no answer within %v", t.limit))
	defer cancel()
	return t.Oracle.Score(ctx, x)
}

// RetryOptions configure Retry. A zero field takes the value in the comment.
type RetryOptions struct {
	Retries int           // calls after one that fails; 0
	Wait    time.Duration // before the first of them, doubled before each further one; 1 s
	MaxWait time.Duration // 1 min
	Logger  *slog.Logger  // told of each failed call that is repeated; discards
}

// Retry returns o, whose failed calls are repeated. Strings without a score are results, and not asked for again. Neither is a
// call repeated whose error is Permanent, or whose context has ended. The error is that of the last call, and says how many
// there were.
func Retry(o Oracle, opts RetryOptions) Oracle {
	opts.Wait = cmp.Or(opts.Wait, time.Second)
	opts.MaxWait = cmp.Or(opts.MaxWait, time.Minute)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	return retry{o, opts}
}

type retry struct {
	Oracle
	opts RetryOptions
}

func (r retry) Score(ctx context.Context, x []string) ([]Result, error) {
	wait := min(r.opts.Wait, r.opts.MaxWait)
	for calls := 1; ; calls++ {
		results, err := Score(ctx, r.Oracle, x) // too few results are an error like others
		if err == nil || ctx.Err() != nil {
			return results, err
		}
		hint, _ := errors.AsType[hint](err)
		if calls > r.opts.Retries || IsPermanent(err) {
			if calls > 1 {
				err = fmt.Errorf("%w; tried %d times", err, calls)
			}
			return nil, err
		}
		pause := max(wait, hint.after)
		r.opts.Logger.WarnContext(ctx, "oracle call failed and will be repeated", "error", err, "calls", calls, "wait", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; the oracle's last error: %v", context.Cause(ctx), err)
		}
		wait = min(2*wait, r.opts.MaxWait)
	}
}

// hint is an error that says something about a repetition of the call.
type hint struct {
	error
	permanent bool
	after     time.Duration
}

func (h hint) Unwrap() error { return h.error }

// Permanent marks an error that any repetition of the call would meet again.
func Permanent(err error) error { return hint{error: err, permanent: true} }

// IsPermanent reports whether err is, or wraps, one that Permanent marks.
func IsPermanent(err error) bool {
	h, _ := errors.AsType[hint](err)
	return h.permanent
}

// After marks an error of an oracle that asks not to be called again for a time.
func After(err error, d time.Duration) error { return hint{error: err, after: d} }
