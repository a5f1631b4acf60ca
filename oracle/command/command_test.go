//go:build unix

package command_test

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle/command"
	"github.com/invbo/invbo/oracle/oracletest"
)

func TestSuite(t *testing.T) {
	lengths := command.Oracle{Command: `awk '/b/ { print "NaN,it has a b"; next } { print length($0) }'`}
	oracletest.Run(t, lengths, []string{"a", "aa", "c"}, []string{"b", "ab"})
}

// What a line says, and which lines are no answers.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		line, reason string
		score        float64
	}{
		{"1.5", "", 1.5}, {" -2e3 ", "", -2000}, {`7\r`, "", 7}, {"0.5,", "", 0.5}, {`3\tgood`, "", 3},
		{"NaN,it does not fold", "it does not fold", math.NaN()}, {`nan\tbad, very bad`, "bad, very bad", math.NaN()}, {",no fold", "no fold", math.NaN()},
		{"", "the oracle gave no score", math.NaN()}, {"inf", "the oracle answered +Inf", math.NaN()}, {"1e999", "the oracle answered +Inf", math.NaN()},
	} {
		results, err := command.Oracle{Command: "printf '" + test.line + "\n'"}.Score(t.Context(), []string{"x"})
		if err != nil || len(results) != 1 {
			t.Errorf("%q: %v, %v", test.line, results, err)
			continue
		}
		if r := results[0]; math.Float64bits(r.Score) != math.Float64bits(test.score) || r.Reason != test.reason {
			t.Errorf("%q: %+v, want %g, %q", test.line, r, test.score, test.reason)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"echo 1", "wrote 1 lines for 2 strings"},
		{"true", "wrote 0 lines for 2 strings"},
		{"printf '1\n2\n3\n'", "wrote 3 lines for 2 strings"},
		{"printf '1\nNone\n'", `answered "None" for "b": want a number`},
		{"printf '1\n3,14\n'", "want one number, with a decimal point"},
		{"echo first >&2; echo 'no licence' >&2; exit 3", "exit status 3: no licence"},
		{"kill -9 $$", "signal: killed"},
		{"no-such-program", "no-such-program: exit status 127: "},
	} {
		results, err := command.Oracle{Command: test.command}.Score(t.Context(), []string{"a", "b"})
		if results != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v, want %q", test.command, results, err, test.want)
		}
	}
	if _, err := (command.Oracle{Command: "cat"}).Score(t.Context(), []string{"a\nb"}); err == nil || !strings.Contains(err.Error(), "line break") {
		t.Errorf("a string of two lines: %v", err)
	}
}

// A program in the background keeps no answer from being read.
func TestBackground(t *testing.T) {
	results, err := command.Oracle{Command: "cat >/dev/null; sleep 5 & echo 4"}.Score(t.Context(), []string{"a"})
	if err != nil || len(results) != 1 || results[0].Score != 4 {
		t.Errorf("%v, %v, want a score of 4", results, err)
	}
}

// When the context ends, so do the command and the programs that it started.
func TestCancelLeavesNothingRunning(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive") // a pipe that ends with the last program that could write to it
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(alive, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	t.Setenv("ALIVE", alive)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	ended := make(chan error)
	go func() {
		_, err := command.Oracle{Command: `sh -c 'echo runs; sleep 100' >"$ALIVE" & wait`}.Score(ctx, []string{"a"})
		ended <- err
	}()
	if err := pipe.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, len("runs\n"))
	for n := 0; n == 0; { // nobody has opened it yet
		if n, err = pipe.Read(said); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	cancel(why)
	if err := <-ended; !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	if rest, err := io.ReadAll(pipe); string(said) != "runs\n" || len(rest) > 0 || err != nil {
		t.Errorf("it said %q, %q, then %v, want that it runs, then its end", said, rest, err)
	}
}
