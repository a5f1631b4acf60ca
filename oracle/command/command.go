// Package command scores strings by a program of the user's: Oracle runs it for each batch, Persistent once.
package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/process"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/internal/wire"
)

// Oracle scores each batch by one run of a command of the shell. The command reads the strings from its standard input
// and writes the scores to its standard output, as its Protocol says. A string that it gives neither a score nor a
// reason has the last line of its standard error as reason. That line is also part of the error if the command fails.
//
// What the command leaves running in the background is killed when it has ended.
type Oracle struct {
	Command  string // as for sh -c
	Protocol Protocol
	Property string // with CSV the column with the scores, with JSON their key; empty: score, predictions
	Column   string // with CSV the column of the strings; empty: x
	Dir      string // folder that the command runs in; empty: the current one
}

// Protocol is how a program reads strings and writes scores.
type Protocol string

const (
	// Lines is the zero Protocol, too. The program reads a string per line and writes a line for each of them, in order:
	//
	//	0.71
	//	NaN,it does not fold
	//
	// that is a score or, for a string that cannot be scored, NaN or nothing and perhaps a reason after a comma or a tab.
	Lines Protocol = "lines"

	// CSV is a header and a row for each string, in order, both ways. The program reads one column, and writes one
	// named score and perhaps one named reason; other columns of numbers are kept as oracle.Result.Others. If it
	// repeats the column that it has read, the rows must agree.
	CSV Protocol = "csv"

	// JSON is that of REINVENT4's ExternalProcess. The program reads a string per line, the last one without a line
	// break, and writes
	//
	//	{"version": 1, "payload": {"predictions": [0.71, null]}}
	//
	// where null or NaN is no score. A list "reasons" may say why; other lists of numbers are kept as oracle.Result.Others.
	JSON Protocol = "json"
)

// String names the command in errors.
func (o Oracle) String() string { return name(o.Command) }

func name(command string) string { return "the oracle's command, " + usage.Shorten(command, 80) }

// Score implements oracle.Oracle. The error wraps ctx's cause, or says what is wrong with the command: it fails, is
// killed, or its answer is not as its protocol says. The end of ctx kills it with all programs that it started.
func (o Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(x) == 0 {
		return nil, nil
	}
	if i := slices.IndexFunc(x, func(x string) bool { return strings.ContainsAny(x, "\r\n") }); i >= 0 {
		return nil, oracle.Permanent(fmt.Errorf("the oracle's command reads one string per line, and %q has a line break", x[i]))
	}
	f, err := o.format()
	if err != nil {
		return nil, oracle.Permanent(err)
	}
	out, said, err := o.run(ctx, f.write(x))
	if err != nil {
		return nil, err
	}
	results, err := f.read(out, x, said)
	if err != nil {
		return nil, fmt.Errorf("%v, %w", o, err)
	}
	return results, nil
}

// run returns what the command writes to its standard output, and the last line of its standard error.
func (o Oracle) run(ctx context.Context, input string) (out, said string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stdout, stderr := whole{full: cancel}, tail{}
	cmd := exec.CommandContext(ctx, "sh", "-c", o.Command)
	cmd.Dir = o.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	process.KillGroup(cmd)
	err = cmd.Run()
	process.KillRest(cmd)
	if err == nil || errors.Is(err, exec.ErrWaitDelay) { // a program that it left in the background held a pipe
		return stdout.String(), stderr.line(), nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return "", "", fmt.Errorf("%v: %w%s", o, err, stderr.after())
}

// whole is a program's standard output. It calls full if that is longer than any answer.
type whole struct {
	strings.Builder
	full func(error)
}

func (w *whole) Write(p []byte) (int, error) {
	if w.Len()+len(p) > wire.MostAnswer {
		err := fmt.Errorf("it wrote more than %d MB", wire.MostAnswer>>20)
		w.full(err)
		return 0, err
	}
	return w.Builder.Write(p)
}

// tail keeps the end of a program's standard error.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-most):]...)
	t.end = append(t.end[:0], t.end[max(0, len(t.end)-most):]...)
	return len(p), nil
}

// line returns the last line that says something. A carriage return ends a line: it is how progress is shown.
func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := bytes.TrimSpace(t.end)
	return usage.Shorten(string(said[bytes.LastIndexAny(said, "\r\n")+1:]), 300)
}

// after returns the last line as the end of an error; nothing if there is none.
func (t *tail) after() string {
	if said := t.line(); said != "" {
		return ": " + said
	}
	return ""
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = nil
}
