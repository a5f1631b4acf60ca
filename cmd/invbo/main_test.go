package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"invbo": main})
}

// TestScripts runs the command line as users do; see testdata.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"refuses": refuses},
	})
}

// refuses runs invbo, which must exit with a code and say one line on standard error: refuses CODE WORDS
// ARGUMENT…
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: refuses CODE WORDS ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	exit, ok := errors.AsType[*exec.ExitError](ts.Exec("invbo", args[2:]...))
	if !ok || exit.ExitCode() != want {
		ts.Fatalf("%v, want exit code %d", exit, want)
	}
	said := ts.ReadFile("stderr")
	if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "invbo: ") || !strings.Contains(said, args[1]) {
		ts.Fatalf("said %q, want one line with %q", said, args[1])
	}
}

// Ctrl-C ends a run cleanly: the code of an interrupt, what is kept in words, and all files.
func TestInterrupt(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	// -v logs a line as soon as the first batch is done; the budget would last for hours.
	c := &exec.Cmd{Path: self, Args: []string{"invbo", "run", "--task", "ackley", "--dim", "2", "--budget", "1000000", "-v", "--out", out}}
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() {
		t.Fatal("no batch was logged")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	exit, ok := errors.AsType[*exec.ExitError](c.Wait())
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("%v, want exit code %d", exit, exitInterrupted)
	}
	if want := "evaluations are in " + filepath.Join(out, trialsFile); !strings.Contains(last, want) {
		t.Errorf("said %q, want %q in it", last, want)
	}
	for _, name := range []string{trialsFile, "result.json", "curve.svg"} {
		if !exists(filepath.Join(out, name)) {
			t.Errorf("there is no %s", name)
		}
	}
}
