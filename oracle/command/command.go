// Package command scores strings by a program of the user's.
package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/process"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
)

// Oracle scores each batch by one run of a command of the shell, in the current folder. The command reads the strings from its
// standard input, one per line, and writes a line for each of them to its standard output, in order:
//
//	0.71
//	NaN,it does not fold
//
// that is a score or, for a string that cannot be scored, NaN or nothing and perhaps a reason after a comma or a tab. Its standard
// error is for people: the last line is part of the error if the command fails.
type Oracle struct {
	Command string // as for sh -c
}

// String names the command in errors.
func (o Oracle) String() string { return "the oracle's command, " + usage.Shorten(o.Command, 80) }

// Score implements oracle.Oracle. The error is ctx's cause, or says what is wrong with the command: it fails, is killed, or its
// answer is not as above. The end of ctx kills it with all programs that it started.
func (o Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(x) == 0 {
		return nil, nil
	}
	if i := slices.IndexFunc(x, func(x string) bool { return strings.ContainsAny(x, "\r\n") }); i >= 0 {
		return nil, fmt.Errorf("the oracle's command reads one string per line, and %q has a line break", x[i])
	}
	out, err := o.run(ctx, strings.Join(x, "\n")+"\n")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		lines = nil
	}
	if len(lines) != len(x) {
		return nil, fmt.Errorf("%v, wrote %d lines for %d strings; it has to write one for each, in order", o, len(lines), len(x))
	}
	results := make([]oracle.Result, len(x))
	for i, line := range lines {
		if results[i], err = parse(line); err != nil {
			return nil, fmt.Errorf("%v, answered %q for %q: %w", o, line, x[i], err)
		}
	}
	return results, nil
}

// run returns what the command writes to its standard output.
func (o Oracle) run(ctx context.Context, input string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, "sh", "-c", o.Command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	process.KillGroup(cmd)
	err := cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // a program that it left in the background holds a pipe
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	said := strings.TrimSpace(stderr.String())
	if said = said[strings.LastIndexByte(said, '\n')+1:]; said != "" {
		err = fmt.Errorf("%w: %.300s", err, said)
	}
	return "", fmt.Errorf("%v: %w", o, err)
}

// parse reads an answer.
func parse(line string) (oracle.Result, error) {
	text, reason := strings.TrimSpace(line), ""
	if i := strings.IndexAny(line, ",\t"); i >= 0 {
		text, reason = strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:])
	}
	score := math.NaN()
	if text != "" {
		var err error
		if score, err = strconv.ParseFloat(text, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return oracle.Result{}, errors.New("want a number, or NaN, a comma and a reason")
		}
	}
	if _, err := strconv.ParseFloat(reason, 64); err == nil { // 3,14 is no 3
		return oracle.Result{}, errors.New("want one number, with a decimal point")
	}
	if r := (oracle.Result{Score: score}).Usable(); !math.IsNaN(r.Score) {
		return r, nil
	}
	if text == "" && reason == "" {
		reason = "the oracle gave no score"
	}
	return oracle.Result{Score: score, Reason: reason}.Usable(), nil
}
