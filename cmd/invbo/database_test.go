//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/pgtest"
)

// A study in a PostgreSQL database, by a pooler, is asked, told, shown, exported and served as one in a file, and goes
// on when the database was away.
func TestStudyInDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts and ends a database server")
	}
	var own pgtest.Server
	t.Cleanup(own.Stop)
	direct := own.Database(t)
	for _, by := range []struct{ name, address string }{{"direct", direct}, {"pooler", own.Pooler(t, direct)}} {
		t.Run(by.name, func(t *testing.T) {
			folder := t.TempDir()
			place := by.address + "&study=" + by.name
			invbo := func(code int, args ...string) string {
				t.Helper()
				c := exec.Command("invbo", args...)
				c.Dir = folder
				out, err := c.CombinedOutput()
				exit, _ := errors.AsType[*exec.ExitError](err)
				if code == 0 && err != nil || code > 0 && (exit == nil || exit.ExitCode() != code) {
					t.Fatalf("invbo %v: %v, want exit code %d\n%s", args, err, code, out)
				}
				return string(out)
			}
			if err := os.WriteFile(filepath.Join(folder, "words.csv"), []byte("sequence,activity\nACDEFA,0.5\nCCDEAG,1.5\nACDDFG,0.25\nAADEFG,0.75\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			invbo(0, "new", place, "--data", "words.csv", "--score", "activity", "--maximize")
			invbo(2, "new", place, "--data", "words.csv", "--score", "activity", "--maximize")
			invbo(0, "ask", place, "-n", "2", "--out", "week1.csv")
			invbo(0, "tell", place, "words.csv")
			invbo(0, "correct", place, "1", "--to", "0.6")
			if out := invbo(0, "status", place); !strings.Contains(out, "Waiting     2 for a measurement: 5, 6") {
				t.Error(out)
			}
			invbo(0, "export", place, "all.csv")
			if out := invbo(0, "tell", place, "all.csv"); !strings.Contains(out, "known already") {
				t.Error(out)
			}

			s := &served{path: place, log: filepath.Join(folder, "log")}
			s.start(t)
			defer func() { s.kill() }()
			answer := func(trial int, score float64) any {
				return map[string]any{"answers": []any{map[string]any{"trial": trial, "score": score}}}
			}
			var into any
			if err := s.post("/studies/"+by.name+"/tell", answer(5, 2), &into); err != nil {
				t.Fatal(err)
			}
			if out := invbo(2, "ask", place); !strings.Contains(out, "another process is writing to it") {
				t.Error(out)
			}
			own.Down(t, false)
			if out := invbo(1, "status", place); !strings.Contains(out, "cannot connect") && !strings.Contains(out, "connection to the database was lost") {
				t.Error(out)
			}
			told := make(chan error, 1)
			go func() {
				var into any
				told <- s.post("/studies/"+by.name+"/tell", answer(6, 3), &into)
			}()
			var log []byte
			if !eventually(func() bool {
				log, _ = os.ReadFile(s.log)
				return strings.Contains(string(log), "a database is away")
			}) {
				t.Fatalf("the server does not wait for the database:\n%s", log)
			}
			own.Up(t)
			if err := <-told; err != nil {
				t.Fatalf("an answer while the database was away: %v", err)
			}
			s.kill()
			if out := invbo(0, "status", place); !strings.Contains(out, "Best        3  6") {
				t.Error(out)
			}
		})
	}
}

// A run goes on when its database was away.
func TestRunWhileDatabaseIsAway(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts and ends a database server")
	}
	var own pgtest.Server
	t.Cleanup(own.Stop)
	address := own.Database(t)
	folder := t.TempDir()
	script := "if test ! -e down; then touch down; until test -e up; do sleep 0.05; done; fi; sed 's/.*/1/'"
	if err := os.WriteFile(filepath.Join(folder, "init.txt"), []byte("ACDE\nCDEA\nDEAC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("invbo", "run", "--task", "strings", "--init", "init.txt", "--oracle-cmd", script, "--budget", "3", "--batch", "3", "--store", address, "--study", "lab")
	c.Dir = folder
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool {
		_, err := os.Stat(filepath.Join(folder, "down"))
		return err == nil
	}) {
		c.Process.Kill()
		c.Wait() // which writes the last of its output
		t.Fatalf("the oracle is not run:\n%s", &out)
	}
	own.Down(t, true)
	if err := os.WriteFile(filepath.Join(folder, "up"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	own.Up(t)
	if err := c.Wait(); err != nil || !strings.Contains(out.String(), "Calls   3, and 3 for the initial design") {
		t.Errorf("%v\n%s", err, out.String())
	}
	c = exec.Command("invbo", "resume", address+"&study=lab", "--budget", "4")
	c.Dir = folder // where its program finds the marks
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	own.Down(t, false)
	c = exec.Command("invbo", "resume", address+"&study=lab", "--budget", "5", "--reconnect", "1s")
	if err := c.Run(); fmt.Sprint(err) != "exit status 1" {
		t.Errorf("a database that is away: %v, want exit code 1", err)
	}
}

// eventually waits until something holds, for 30 s at most, and reports whether it does.
func eventually(holds func() bool) bool {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}
