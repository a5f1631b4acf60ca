package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/molecule"
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
		Setup:               setTestdata,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"refuses": refuses, "results": writeResults},
		Condition:           condition,
	})
}

// setTestdata lets scripts read files that do not fit in a script.
func setTestdata(e *testscript.Env) error {
	dir, err := filepath.Abs("testdata")
	e.Setenv("TESTDATA", dir)
	return err
}

// condition is rdkit in builds that read molecules.
func condition(name string) (bool, error) {
	if name != "rdkit" {
		return false, fmt.Errorf("there is no condition %q", name)
	}
	return molecule.Available() == nil, nil
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

// writeResults writes a file of results that has some columns only with all of them, the flags' at their defaults:
// results SHORT FILE.
func writeResults(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: results SHORT FILE")
	}
	short, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	all := [][]string{resultsColumns()}
	for _, record := range short[1:] {
		given := map[string]string{}
		for i, name := range short[0] {
			given[name] = record[i]
		}
		s, flags := flagged()
		for _, f := range flags {
			if value := given[keyColumn(f)]; value != "" {
				ts.Check(f.Value.Set(value))
			}
		}
		of, err := taskNamed(s.task)
		ts.Check(err)
		marks, err := newMarks(*s, []task{of})
		ts.Check(err)
		_, values := marks.on(s.filled(of)).keyFields()
		for _, name := range all[0][len(values):] {
			if !slices.Contains([]string{"best", "alignments", "dissimilarities", "new_strings", "curve"}, name) {
				given[name] = cmp.Or(given[name], "NaN")
			}
			values = append(values, given[name])
		}
		all = append(all, values)
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(errors.Join(csv.NewWriter(f).WriteAll(all), f.Close()))
}

// Every command explains itself, with an example.
func TestHelp(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			args := append(strings.Fields(sub.CommandPath())[1:], "--help")
			var help strings.Builder
			again := root() // help adds commands of its own
			again.SetOut(&help)
			again.SetArgs(args)
			if err := again.Execute(); err != nil {
				t.Errorf("%v: %v", args, err)
			}
			for _, part := range []string{sub.Long, "\nUsage:\n  " + sub.UseLine(), "\nExamples:\n" + sub.Example} {
				if !strings.Contains(help.String(), part) {
					t.Errorf("%v says\n%s\nwant in it\n%s", args, help.String(), part)
				}
			}
			if sub.Short == "" || sub.Long == "" || !strings.Contains(sub.Example, sub.CommandPath()) {
				t.Errorf("%s: summary %q, explanation %q, example %q", sub.CommandPath(), sub.Short, sub.Long, sub.Example)
			}
			check(sub)
		}
	}
	check(root())
}

// command returns invbo, which this test binary is if it is called so.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"invbo"}, args...)}
}

// interrupted runs invbo, sends Ctrl-C once it has written a line to standard error, and returns the last
// one. The command must last long enough.
func interrupted(t *testing.T, args ...string) string {
	t.Helper()
	c := command(t, args...)
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() {
		t.Fatal("nothing was written before the end")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	last := lines.Text()
	for lines.Scan() {
		last = lines.Text()
	}
	exit, ok := errors.AsType[*exec.ExitError](c.Wait())
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("%v, want exit code %d; said %s", exit, exitInterrupted, last)
	}
	return last
}

// Ctrl-C ends a run with all its files, and says where they are.
func TestInterruptRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	// -v logs the first batch; the budget would last for hours.
	last := interrupted(t, "run", "--task", "ackley", "--dim", "2", "--budget", "1000000", "-v", "--out", out)
	if want := "evaluations are in " + filepath.Join(out, trialsFile); !strings.Contains(last, want) {
		t.Errorf("said %q, want %q in it", last, want)
	}
	if want := "give --init " + filepath.Join(out, trialsFile) + " and another --out"; !strings.Contains(last, want) {
		t.Errorf("said %q, want %q in it", last, want)
	}
	for _, name := range []string{trialsFile, "result.json", "curve.svg"} {
		if !exists(filepath.Join(out, name)) {
			t.Errorf("there is no %s", name)
		}
	}
}

// What a run has paid for goes into another whole, whatever the flags that chose among the rows of the first one's file.
func TestGoOn(t *testing.T) {
	tests := []struct {
		name string
		s    spec
		want string
	}{
		{"a number", spec{init: "100"}, "give --init t.csv and another --out"},
		{"a file", spec{init: "a.csv"}, "give --init t.csv and another --out"},
		{"rows are skipped", spec{init: "a.csv", initSkip: 30}, "give --init t.csv in place of --init, --init-skip and --init-sample, and another --out"},
		{"rows are drawn", spec{init: "a.csv", initSample: 50}, "give --init t.csv in place of --init, --init-skip and --init-sample, and another --out"},
	}
	for _, test := range tests {
		if got := test.s.goOn("t.csv"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Ctrl-C ends runs with several seeds, those that are begun with all their files.
func TestInterruptSeeds(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	last := interrupted(t, "run", "--task", "ackley", "--dim", "2", "--budget", "1000000", "--seeds", "0-99", "-v", "--out", out)
	if want := "stopped when 0 of 100 seeds had come to their end; all evaluations are in " + filepath.Join(out, "seed-N", trialsFile); !strings.Contains(last, want) {
		t.Errorf("said %q, want %q in it", last, want)
	}
	for _, name := range []string{trialsFile, "result.json", "curve.svg"} {
		if !exists(filepath.Join(out, "seed-0", name)) {
			t.Errorf("there is no %s", name)
		}
	}
	if exists(filepath.Join(out, "seed-99")) {
		t.Error("the folder of a run that was not begun is left, and would be refused the next time")
	}
}

// Ctrl-C ends a training, and --resume goes on from there to the same model as without it.
func TestInterruptTraining(t *testing.T) {
	data := filepath.Join(t.TempDir(), "peptides.txt")
	if err := os.WriteFile(data, []byte("MKV\nMKVL\nMLLK\nAGV\nAGVK\nGVKL\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		model string
		said  string
		args  []string
	}{
		{"grammar", "of 150 epochs", []string{"--strings", "600", "--batch", "100", "--hidden", "16", "--epochs", "150"}},
		{"strings", "of 1000 steps", []string{"--data", data, "--width", "16", "--vectors", "1", "--layers", "1", "--epochs", "1000", "--batch", "100", "--dropout", "0.1"}},
	}
	for _, test := range tests {
		t.Run(test.model, func(t *testing.T) {
			dir := t.TempDir()
			whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
			train := func(out string) []string {
				return append([]string{"train", "--model", test.model, "--out", out}, test.args...)
			}
			last := interrupted(t, train(parts)...)
			if want := test.said + ", which are in " + parts + ".checkpoint; the same command with --resume"; !strings.Contains(last, want) {
				t.Errorf("said %q, want %q in it", last, want)
			}
			for _, args := range [][]string{append(train(parts), "--resume"), train(whole)} {
				if said, err := command(t, args...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, said)
				}
			}
			a, errA := os.ReadFile(parts)
			b, errB := os.ReadFile(whole)
			if err := errors.Join(errA, errB); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a, b) {
				t.Error("the resumed training ended in another model")
			}
			if exists(parts + ".checkpoint") {
				t.Error("the checkpoint of the finished training is still there")
			}
		})
	}
}
