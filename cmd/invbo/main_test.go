package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"invbo": main, "slow-oracle": slowOracle, "refuser": answerRefusals})
}

// TestScripts runs the command line as users do; see testdata. The short test has only scripts that depend on whether
// the build reads molecules.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		scripts = slices.DeleteFunc(scripts, func(script string) bool {
			text, err := os.ReadFile(script)
			return err == nil && !bytes.Contains(text, []byte("rdkit]"))
		})
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setTestdata,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"refuses": refuses, "results": writeResults, "fill": fill, "await": await, "request": request, "flags": countFlags, "retells": retells},
		Condition:           condition,
	})
}

// setTestdata lets scripts read files that do not fit in a script, and gives each its refuser, and a user whose
// configuration can be written.
func setTestdata(e *testscript.Env) error {
	dir, err := filepath.Abs("testdata")
	e.Setenv("TESTDATA", dir)
	e.Setenv("HOME", filepath.Join(e.WorkDir, ".home"))
	e.Setenv("AppData", filepath.Join(e.WorkDir, ".home")) // of Windows
	e.Values[refuserKey{}] = &refuser{}
	return err
}

// condition is rdkit in builds that read molecules, and requests where Python has that library.
func condition(name string) (bool, error) {
	switch name {
	case "rdkit":
		return molecule.Available() == nil, nil
	case "requests":
		return exec.Command("python3", "-c", "import requests").Run() == nil, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

// fill fills in the last column of a table as people do: fill FILE NAME=VALUE…
func fill(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.Split(ts.ReadFile(args[0]), "\n")
	for _, cell := range args[1:] {
		name, value, _ := strings.Cut(cell, "=")
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, name+",") })
		if i < 0 {
			ts.Fatalf("%s has no row %s", args[0], name)
		}
		lines[i] = lines[i][:strings.LastIndexByte(lines[i], ',')+1] + value
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")), 0o644))
}

// retells exports a study in each format, and checks that telling what was written changes nothing: retells STUDY ENDING...
func retells(ts *testscript.TestScript, _ bool, args []string) {
	study, all := args[0], args[0]+".exported.csv"
	ts.Check(ts.Exec("invbo", "export", study, all, "--overwrite"))
	before := ts.ReadFile(all)
	taken := regexp.MustCompile(`(?m)^Told +\d+ known already(, \d+ no score yet)?$`)
	for _, ending := range args[1:] {
		file := study + ".exported" + ending
		ts.Check(ts.Exec("invbo", "export", study, file, "--overwrite"))
		ts.Check(ts.Exec("invbo", "tell", study, file))
		if told := ts.ReadFile("stdout"); !taken.MatchString(told) {
			ts.Fatalf("%s is not known:\n%s", file, told)
		}
	}
	ts.Check(ts.Exec("invbo", "export", study, all, "--overwrite"))
	if after := ts.ReadFile(all); after != before {
		ts.Fatalf("telling exports changed the study from\n%s\nto\n%s", before, after)
	}
}

// await waits until a file has what a pattern describes, and sets a variable to its first group: await FILE PATTERN NAME.
func await(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(ts.MkAbs(args[0])) // it may not be there yet
		if found := pattern.FindSubmatch(text); found != nil {
			ts.Setenv(args[2], string(found[1]))
			return
		}
	}
	ts.Fatalf("%s never has %s", args[0], args[1])
}

// countFlags counts the flags in the help that was printed last: flags N.
func countFlags(ts *testscript.TestScript, _ bool, args []string) {
	lines := regexp.MustCompile(`(?m)^ {2}(-[a-z], | {4})--[a-z]`).FindAllString(ts.ReadFile("stdout"), -1)
	if strconv.Itoa(len(lines)) != args[0] {
		ts.Fatalf("%d flags, want %s", len(lines), args[0])
	}
}

// request makes a request with the token of a file, and prints the answer: request STATUS METHOD URL TOKENFILE [BODY].
func request(ts *testscript.TestScript, _ bool, args []string) {
	r, err := http.NewRequest(args[1], args[2], strings.NewReader(strings.Join(args[4:], "")))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[3])))
	response, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	ts.Check(err)
	if fmt.Fprintf(ts.Stdout(), "%s\n", text); strconv.Itoa(response.StatusCode) != args[0] {
		ts.Fatalf("%s, want %s", response.Status, args[0])
	}
}

// refuses runs invbo, which must exit with a code and say one line on standard error: refuses CODE WORDS
// ARGUMENT…
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: refuses CODE WORDS ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code, said := theRefuser(ts).run(ts, args[2:])
	fmt.Fprint(ts.Stderr(), said)
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "invbo: ") || !strings.Contains(said, args[1]) {
		ts.Fatalf("said %q, want one line with %q", said, args[1])
	}
}

// refuser is a process that carries out the commands which a script expects to be refused. There are 500 of them, and
// starting invbo takes longer than what they do. It has no standard input.
type refuser struct {
	command *exec.Cmd
	in      *json.Encoder
	out     *json.Decoder
}

// refusal is a command for a refuser, and what came of it.
type refusal struct {
	Dir, Path, Fake string // Path and Fake: the variables of the environment that scripts set
	Args            []string
	Code            int
	Said            string
}

// refuserKey is the key of a script's refuser in its environment.
type refuserKey struct{}

// theRefuser returns the refuser of a script, which its first refusal starts.
func theRefuser(ts *testscript.TestScript) *refuser {
	r := ts.Value(refuserKey{}).(*refuser)
	if r.command != nil {
		return r
	}
	self, err := os.Executable()
	ts.Check(err)
	r.command = &exec.Cmd{Path: self, Args: []string{"refuser"}, Stderr: os.Stderr}
	r.command.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "AppData="+ts.Getenv("AppData"), "XDG_CONFIG_HOME=")
	in, err := r.command.StdinPipe()
	ts.Check(err)
	out, err := r.command.StdoutPipe()
	ts.Check(err)
	r.in, r.out = json.NewEncoder(in), json.NewDecoder(out)
	ts.Check(r.command.Start())
	ts.Defer(func() {
		in.Close()
		r.command.Wait()
	})
	return r
}

// run has a command carried out in the folder of the script.
func (r *refuser) run(ts *testscript.TestScript, args []string) (code int, said string) {
	ts.Check(r.in.Encode(refusal{Dir: ts.MkAbs("."), Path: ts.Getenv("PATH"), Fake: ts.Getenv("FAKE"), Args: args}))
	var answer refusal
	ts.Check(r.out.Decode(&answer))
	return answer.Code, answer.Said
}

// answerRefusals is the main function of a refuser.
func answerRefusals() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	check(err)
	said, err := os.CreateTemp("", "said")
	check(err)
	check(os.Remove(said.Name()))
	os.Stdin, os.Stdout, os.Stderr = nothing, nothing, said
	for {
		var r refusal
		if err := in.Decode(&r); err != nil {
			return
		}
		check(said.Truncate(0))
		_, err := said.Seek(0, io.SeekStart)
		check(err)
		check(os.Chdir(r.Dir))
		check(os.Setenv("PATH", r.Path))
		check(os.Setenv("FAKE", r.Fake))
		os.Args = append([]string{"invbo"}, r.Args...)
		r.Code = execute(context.Background())
		_, err = said.Seek(0, io.SeekStart)
		check(err)
		text, err := io.ReadAll(said)
		check(err)
		r.Said = string(text)
		check(out.Encode(r))
	}
}

// writeResults writes a file of results from a CSV file with some columns of them: results SHORT FILE.
func writeResults(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: results SHORT FILE")
	}
	short, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	var lines strings.Builder
	for _, record := range short[1:] {
		given := map[string]string{}
		for i, name := range short[0] {
			given[name] = record[i]
		}
		given["best_score"] = cmp.Or(given["best_score"], "NaN")
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(cmp.Or(given[name], "0"), 64)
			ts.Check(err)
			return v
		}
		numbers := func(name string) (all []float64) {
			for _, word := range strings.Fields(given[name]) {
				v, err := strconv.ParseFloat(word, 64)
				ts.Check(err)
				all = append(all, v)
			}
			return all
		}
		nan := experiment.Number(math.NaN())
		var line experiment.Line
		line.Spec.Task, line.Spec.Method, line.Spec.Seed, line.Spec.Budget = given["task"], given["method"], uint64(number("seed")), int(number("budget"))
		if line.Spec.Task == "ackley" {
			line.Spec.Dim = 40
		}
		line.Spec, err = line.Spec.Resolve()
		ts.Check(err)
		line.Result.Summary = experiment.Summary{
			OracleCalls: int(number("oracle_calls")), Recentering: int(number("recentering_calls")), BestScore: experiment.Number(number("best_score")),
			Seconds: number("seconds"), Ranking: nan, Aligned: nan, Plausible: nan, PlausibleTop: nan,
		}
		line.Result.History = experiment.History{
			ImprovedByAcquisition: int(number("improved_by_acquisition")), ImprovedByRecentering: int(number("improved_by_recentering")),
			Alignments: numbers("alignments"), Dissimilarities: numbers("dissimilarities"), NewStrings: numbers("new_strings"),
		}
		for _, step := range strings.Fields(given["curve"]) {
			call, score, _ := strings.Cut(step, ":")
			at, err1 := strconv.ParseFloat(call, 64)
			best, err2 := strconv.ParseFloat(score, 64)
			ts.Check(errors.Join(err1, err2))
			line.Result.Curve = append(line.Result.Curve, experiment.Step{at, best})
		}
		text, err := json.Marshal(line)
		ts.Check(err)
		lines.Write(append(text, '\n'))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(lines.String()), 0o644))
}

// Every command explains itself, with an example.
func TestHelp(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.Hidden {
				continue
			}
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
	return signalled(t, os.Interrupt, args...)
}

// signalled is interrupted with any signal.
func signalled(t *testing.T, s os.Signal, args ...string) string {
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
	if err := c.Process.Signal(s); err != nil {
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

// Ctrl-C ends a run with all its files, and says where they are; so does SIGHUP, which a terminal that is closed sends.
func TestInterruptRun(t *testing.T) {
	t.Run("SIGINT", func(t *testing.T) { testInterruptRun(t, os.Interrupt) })
	t.Run("SIGHUP", func(t *testing.T) {
		if signal.Ignored(syscall.SIGHUP) {
			t.Skip("the tests run under nohup, which the program respects")
		}
		testInterruptRun(t, syscall.SIGHUP)
	})
}

func testInterruptRun(t *testing.T, s os.Signal) {
	out := filepath.Join(t.TempDir(), "out")
	// -v logs the first batch; the budget would last for hours.
	last := signalled(t, s, "run", "--task", "ackley:dim=2", "--budget", "1000000", "-v", "--out", out)
	if want := "evaluations are kept: to go on, invbo resume " + out; !strings.Contains(last, want) {
		t.Errorf("said %q, want %q in it", last, want)
	}
	for _, name := range []string{experiment.TrialsFile, "result.json", "curve.svg"} {
		if !files.Exists(filepath.Join(out, name)) {
			t.Errorf("there is no %s", name)
		}
	}
}

// While a run goes on its batches are on disk, and another run does not overwrite it; after a kill it may be overwritten.
func TestFolderInUse(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	first := command(t, "run", "--task", "ackley:dim=2", "--budget", "1000000", "--out", out)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer first.Process.Kill()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if data, _ := os.ReadFile(filepath.Join(out, "batches.csv")); bytes.Count(data, []byte("\n")) > 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no batch is in batches.csv")
		}
	}
	again := []string{"run", "--task", "ackley:dim=2", "--budget", "4", "--out", out, "--overwrite"}
	said, err := command(t, again...).CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitUsage || !strings.Contains(string(said), "another process is writing to "+out) {
		t.Errorf("%v: %s; want a refusal", err, said)
	}
	first.Process.Kill()
	first.Wait()
	if said, err := command(t, again...).CombinedOutput(); err != nil {
		t.Errorf("after the kill: %v: %s", err, said)
	}
}

// The last line of the display has the best score of all evaluations, also of those whose batch is not complete.
func TestViewShowsTheBest(t *testing.T) {
	v := &view{Display: progress.New("", 10, true)}
	v.trial(study.Trial{Proposal: study.Proposal{ID: 1, Kind: study.Initial, Input: "a"}, State: study.Scored, Score: 2, Value: -2, Called: true})
	v.batch(study.Status{Best: study.Trial{State: study.Scored, Score: 2, Proposal: study.Proposal{Input: "a"}}})
	v.trial(study.Trial{Proposal: study.Proposal{ID: 2, Kind: study.Acquired, Input: "b"}, State: study.Scored, Score: 1, Value: -1, Called: true})
	v.trial(study.Trial{Proposal: study.Proposal{ID: 3, Kind: study.Acquired, Input: "c"}, State: study.Failed, Score: math.NaN(), Value: math.NaN(), Called: true})
	if v.best.Input != "b" || v.calls != 2 || v.initial != 1 {
		t.Errorf("after %d + %d calls it shows %v, want b after 1 + 1", v.initial, v.calls, v.best)
	}
}

// Ctrl-C while a laboratory's study is made, or searched, ends with one sentence, and leaves no half of a study.
func TestInterruptLab(t *testing.T) {
	dir := t.TempDir()
	table, file := filepath.Join(dir, "table.csv"), filepath.Join(dir, "lab.db")
	if err := os.WriteFile(table, []byte("sequence,score\nACDE,1\nCCDE,2\nEEDD,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	invbo := func(ctx context.Context, args ...string) error {
		c := root()
		c.SetArgs(args)
		c.SetOut(io.Discard)
		return c.ExecuteContext(ctx)
	}
	args := []string{"new", file, "--data", table, "--maximize"}
	if err := invbo(stopped, args...); err == nil || err.Error() != "stopped; "+file+" was not made" {
		t.Errorf("new: %v", err)
	}
	if err := invbo(t.Context(), args...); err != nil { // it is not in the way
		t.Fatal(err)
	}
	if err := invbo(stopped, "ask", file); err == nil || err.Error() != "stopped; all that was stored before is kept in "+file {
		t.Errorf("ask: %v", err)
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
				return append([]string{"model", "train", "--model", test.model, "--out", out}, test.args...)
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
			if files.Exists(parts + ".checkpoint") {
				t.Error("the checkpoint of the finished training is still there")
			}
		})
	}
}
