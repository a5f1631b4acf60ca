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

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/command"
	"github.com/invbo/invbo/oracle/oracletest"
)

func TestSuite(t *testing.T) {
	const lengths = `/b/ { print "NaN,it has a b"; next } { print length($0) }`
	persistent := command.NewPersistent(resident, command.PersistentOptions{Processes: 2})
	defer persistent.Close()
	for name, o := range map[string]oracle.Oracle{
		"lines":      command.Oracle{Command: "awk '" + lengths + "'"},
		"csv":        command.Oracle{Protocol: command.CSV, Column: "s", Property: "n", Command: `awk 'NR == 1 { print "s,n,reason"; next } /b/ { print $0 ",,it has a b"; next } { print $0 "," length($0) "," }'`},
		"json":       command.Oracle{Protocol: command.JSON, Command: `awk '{ s = s "," (/b/ ? "null" : length($0)); r = r "," (/b/ ? "\"it has a b\"" : "null") } END { printf "{\"version\": 1, \"payload\": {\"predictions\": [%s], \"reasons\": [%s]}}", substr(s, 2), substr(r, 2) }'`},
		"persistent": persistent,
	} {
		t.Run(name, func(t *testing.T) { oracletest.Run(t, o, []string{"a", "aa", "c"}, []string{"b", "ab"}) })
	}
}

// Commands run in the folder that they are to run in.
func TestDir(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "score"), []byte("7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	persistent := command.NewPersistent(`read -r line; echo "{\"id\": 1, \"scores\": [$(cat score)]}"`, command.PersistentOptions{Dir: dir})
	defer persistent.Close()
	for _, o := range []oracle.Oracle{command.Oracle{Command: "cat score", Dir: dir}, persistent} {
		if results, err := o.Score(t.Context(), []string{"x"}); err != nil || results[0].Score != 7 {
			t.Errorf("%v: %v, %v; want 7", o, results, err)
		}
	}
}

// What a line says, and which lines are no answers.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		line, reason string
		score        float64
	}{
		{"1.5", "", 1.5}, {" -2e3 ", "", -2000}, {`7\r`, "", 7}, {"0.5,", "", 0.5}, {`3\tgood`, "good", 3},
		{"NaN,it does not fold", "it does not fold", math.NaN()}, {`nan\tbad, very bad`, "bad, very bad", math.NaN()}, {",no fold", "no fold", math.NaN()}, {"NaN,404", "404", math.NaN()},
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
	for _, test := range []struct {
		protocol      command.Protocol
		command, want string
	}{
		{"", "echo 1", "wrote 1 lines for 2 strings"},
		{"", "true", "wrote 0 lines for 2 strings"},
		{"", "printf '1\n2\n3\n'", "wrote 3 lines for 2 strings"},
		{"", "printf '1\nNone\n'", `answered "None" for "b": want a number`},
		{"", "printf '1\n3,14\n'", "want one number, with a decimal point"},
		{"", "echo first >&2; echo 'no licence' >&2; exit 3", "exit status 3: no licence"},
		{"", "kill -9 $$", "signal: killed"},
		{"", "no-such-program", "no-such-program: exit status 127: "},
		{"", "cat /dev/zero", "it wrote more than 64 MB"},
		{"xml", "true", `there is no protocol "xml"`},

		{command.CSV, "true", "wrote nothing; it has to write CSV with a column score"},
		{command.CSV, "printf 'score\n1\n'", "wrote 1 rows for 2 strings"},
		{command.CSV, "printf 'score\n1\n2\n3\n'", "wrote 3 rows for 2 strings"},
		{command.CSV, "printf 'score,score\n1,2\n1,2\n'", "wrote two columns score; it has to write one"},
		{command.CSV, "printf 'pIC50,logP\n1,2\n1,2\n'", "wrote no column score; it wrote pIC50, logP"},
		{command.CSV, "printf 'score,x\n1,b\n2,a\n'", `wrote x "b" in row 1, where it read "a"`},
		{command.CSV, "printf 'score\n1\nnone\n'", `wrote the score "none" for "b": want a number`},
		{command.CSV, "printf 'score,x\n1\n2\n'", "wrote no CSV: record on line 2: wrong number of fields"},

		{command.JSON, "true", `wrote "": it is no JSON`},
		{command.JSON, "echo loading; echo '{}'", `wrote "loading\n{}": it is no JSON`},
		{command.JSON, "echo '[1, 2]'", `wrote "[1, 2]": it is no JSON`},
		{command.JSON, "echo '{\"version\": 1}'", `it has no "payload"`},
		{command.JSON, "echo '{\"payload\": {\"qed\": [1, 2], \"sa\": [1, 2]}}'", `it has no "predictions"; it has qed, sa`},
		{command.JSON, "echo '{\"payload\": {\"predictions\": [1]}}'", "it has 1 predictions for 2 strings"},
		{command.JSON, "echo '{\"payload\": {\"predictions\": [1, \"high\"]}}'", `its "predictions" must be a list of numbers and null`},
		{command.JSON, "echo '{\"payload\": {\"predictions\": [1, 2], \"reasons\": [null]}}'", "it has 1 reasons for 2 strings"},
		{command.JSON, "echo '{\"payload\": {\"predictions\": [1, 2], \"reasons\": 7}}'", `its "reasons" must be a list of strings and null`},
	} {
		results, err := command.Oracle{Command: test.command, Protocol: test.protocol}.Score(t.Context(), []string{"a", "b"})
		if results != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v, want %q", test.command, results, err, test.want)
		}
	}
	if _, err := (command.Oracle{Command: "cat"}).Score(t.Context(), []string{"a\nb"}); err == nil || !strings.Contains(err.Error(), "line break") {
		t.Errorf("a string of two lines: %v", err)
	}
}

// What a program is given to read.
func TestInput(t *testing.T) {
	for _, test := range []struct {
		oracle command.Oracle
		want   string
	}{
		{command.Oracle{}, "a\nb,c\n"},
		{command.Oracle{Protocol: command.CSV, Column: "smiles"}, "smiles\na\n\"b,c\"\n"},
		{command.Oracle{Protocol: command.JSON}, "a\nb,c"},
	} {
		read := filepath.Join(t.TempDir(), "read")
		t.Setenv("READ", read)
		test.oracle.Command = `cat >"$READ"; exit 1`
		test.oracle.Score(t.Context(), []string{"a", "b,c"})
		if text, err := os.ReadFile(read); string(text) != test.want || err != nil {
			t.Errorf("%s: it read %q, %v, want %q", test.oracle.Protocol, text, err, test.want)
		}
	}
}

// A string that got neither score nor reason has the last line of standard error as reason, and scores are what Python
// writes.
func TestReasonsAndOtherNumbers(t *testing.T) {
	for _, test := range []struct {
		protocol command.Protocol
		answer   string
	}{
		{command.Lines, `1\nNaN\n,\nnan,too long\n`},
		{command.CSV, `name,x,score,reason,logP\nA,a,1,,2\nB,b,,,\nC,c,NaN,,nan\nD,d,,too long,high\n`},
		{command.JSON, `{"version": 1, "payload": {"predictions": [1.0, NaN, null, -Infinity], "reasons": [null, null, null, "too long"], "logP": [2, NaN, null, null], "names": ["NaN", "B", "C", "D"], "few": [1]}}`},
	} {
		o := command.Oracle{Protocol: test.protocol, Command: "printf '50%% done\rno licence\n\n' >&2; printf '" + test.answer + "'"}
		results, err := o.Score(t.Context(), []string{"a", "b", "c", "d"})
		if err != nil {
			t.Errorf("%s: %v", test.protocol, err)
			continue
		}
		for i, reason := range []string{"", "no licence", "no licence", "too long"} {
			if r := results[i]; math.IsNaN(r.Score) != (reason != "") || r.Reason != reason {
				t.Errorf("%s: %+v, want the reason %q", test.protocol, r, reason)
			}
			if logP, ok := results[i].Others["logP"]; test.protocol != command.Lines && (ok != (i == 0) || ok && logP != 2 || len(results[i].Others) > 1) {
				t.Errorf("%s: %+v, want a logP of 2 for the first string, and nothing else", test.protocol, results[i])
			}
		}
	}
}

// A program may say a lot on standard error.
func TestMuchStandardError(t *testing.T) {
	const chatter = "head -c 1000000 /dev/zero | tr '\\0' . >&2; "
	persistent := command.NewPersistent(chatter+resident, command.PersistentOptions{})
	defer persistent.Close()
	for name, o := range map[string]oracle.Oracle{"lines": command.Oracle{Command: chatter + "wc -l"}, "persistent": persistent} {
		if r, err := oracle.One(t.Context(), o, "a"); err != nil || r.Score != 1 {
			t.Errorf("%s: %+v, %v, want 1", name, r, err)
		}
	}
}

// watch returns a check that all programs have ended that wrote a line "runs" to $ALIVE, n of them, and kept it open.
func watch(t *testing.T) (alive *os.File, gone func(n int)) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "alive") // a pipe that ends with the last program that could write to it
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipe.Close() })
	t.Setenv("ALIVE", name)
	if err := pipe.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return pipe, func(n int) {
		t.Helper()
		if said, err := io.ReadAll(pipe); string(said) != strings.Repeat("runs\n", n) || err != nil {
			t.Errorf("it said %q, then %v, want that %d programs run, then their end", said, err, n)
		}
	}
}

// A program in the background keeps no answer from being read, and is ended, too.
func TestBackground(t *testing.T) {
	_, gone := watch(t)
	o := command.Oracle{Command: `exec 3>"$ALIVE"; echo runs >&3; cat >/dev/null; sleep 100 & echo 4`}
	if r, err := oracle.One(t.Context(), o, "a"); err != nil || r.Score != 4 {
		t.Errorf("%+v, %v, want a score of 4", r, err)
	}
	gone(1)
}

// When the context ends, so do the command and the programs that it started.
func TestCancelLeavesNothingRunning(t *testing.T) {
	const hangs = `sh -c 'echo runs; sleep 100' >"$ALIVE" & wait`
	persistent := command.NewPersistent(hangs, command.PersistentOptions{Grace: time.Hour})
	defer persistent.Close()
	for name, o := range map[string]oracle.Oracle{"lines": command.Oracle{Command: hangs}, "persistent": persistent} {
		t.Run(name, func(t *testing.T) {
			pipe, gone := watch(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			ended := make(chan error)
			go func() {
				_, err := o.Score(ctx, []string{"a"})
				ended <- err
			}()
			said := make([]byte, len("runs\n"))
			for n := 0; n == 0; { // nobody has opened it yet
				var err error
				if n, err = pipe.Read(said); err != nil && err != io.EOF {
					t.Fatal(err)
				}
			}
			cancel(why)
			if err := <-ended; !errors.Is(err, why) {
				t.Errorf("error %v, want %v", err, why)
			}
			gone(0)
		})
	}
}
