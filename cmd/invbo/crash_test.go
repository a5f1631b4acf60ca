package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// slowOracle is a program for --oracle-cmd. It appends each string to the file that its argument names, waits, and
// scores it.
func slowOracle() {
	asked, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		x := lines.Text()
		fmt.Fprintln(asked, x)
		time.Sleep(5 * time.Millisecond)
		fmt.Println(strings.Count(x, "AC") + strings.Count(x, "DE"))
	}
}

// TestCrash kills runs at random moments (SIGKILL) and resumes them until they end. No stored answer is lost, none is
// asked for again, and trials.csv and batches.csv at the end are those of a run without kills. What the oracle was
// asked when a run was killed, one call at most, may be asked again: nobody has its answer.
//
// INVBO_KILLS says how often each search is killed. Without it there are 10 kills, or fewer if they take more than 20
// seconds.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("kills and resumes runs for several seconds")
	}
	kills, limit := 10, 20*time.Second
	if text := os.Getenv("INVBO_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("INVBO_KILLS: %v", err)
		}
		limit = 24 * time.Hour
	}
	asked := filepath.Join(t.TempDir(), "asked")
	for _, search := range []struct {
		name    string
		options []string
	}{
		{"evolve asks a program", []string{"--task", "strings", "--alphabet", "ACDE", "--length", "8", "--init", "10", "--budget", "15", "--batch", "3", "--oracle-cmd", fmt.Sprintf("slow-oracle %q", asked)}},
		{"cobo+invbo updates its model", []string{"--task", "expression", "--method", "cobo+invbo:patience=2", "--init", "20", "--budget", "20"}},
	} {
		t.Run(search.name, func(t *testing.T) {
			c := crash{dir: t.TempDir(), asked: asked, options: search.options}
			began := time.Now()
			whole := filepath.Join(c.dir, "whole")
			if said, err := command(t, c.run(whole)...).CombinedOutput(); err != nil {
				t.Fatalf("the run without kills: %v: %s", err, said)
			}
			c.length = time.Since(began)
			runs := 0
			for began = time.Now(); c.kills < kills && time.Since(began) < limit; runs++ {
				out := filepath.Join(c.dir, fmt.Sprint("run-", runs))
				c.untilEnd(t, out)
				for _, name := range []string{"trials.csv", "batches.csv"} {
					if got, want := contents(t, filepath.Join(out, name)), contents(t, filepath.Join(whole, name)); got != want {
						t.Errorf("after kills %s holds\n%s\nwant, as without kills,\n%s", name, got, want)
					}
				}
			}
			t.Logf("%d kills of %d runs", c.kills, runs)
			if c.kills == 0 {
				t.Error("no run was killed; the test shows nothing")
			}
		})
	}
}

// crash kills runs.
type crash struct {
	dir, asked string // a folder for the runs, and the file of slowOracle
	options    []string
	length     time.Duration // of a run without kills
	kills      int           // so far
}

// run returns the arguments of a new run.
func (c *crash) run(out string, more ...string) []string {
	return append(append([]string{"run", "--out", out}, c.options...), more...)
}

// untilEnd carries out a run with kills.
func (c *crash) untilEnd(t *testing.T, out string) {
	t.Helper()
	args, stored := c.run(out), map[string]bool{}
	for mean := c.length / 4; ; mean += mean / 4 { // a machine that has become slower, too, comes to an end
		before := len(c.inputs(t))
		cmd := command(t, args...)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var err error
		killed := false
		select {
		case err = <-ended:
		case <-time.After(time.Duration(rand.ExpFloat64() * float64(mean))):
			killed = cmd.Process.Kill() == nil
			err = <-ended
		}
		if err != nil && !killed {
			t.Fatalf("invbo %v: %v: %s", args, err, &said)
		}
		for _, x := range c.inputs(t)[before:] {
			if stored[x] {
				t.Errorf("%q was asked for again, and its answer was stored", x)
			}
		}
		now := answers(t, out)
		for x := range stored {
			if !now[x] {
				t.Errorf("the answer for %q was stored, and is lost", x)
			}
		}
		stored = now
		if err == nil { // it ended, perhaps just before the kill
			return
		}
		c.kills++
		if args = []string{"resume", out}; !files.Exists(filepath.Join(out, "study.db")) {
			args = c.run(out, "--overwrite") // killed before the first call
		}
	}
}

// inputs returns the strings that the oracle was asked for so far.
func (c *crash) inputs(t *testing.T) []string {
	t.Helper()
	if !files.Exists(c.asked) {
		return nil
	}
	return strings.Fields(contents(t, c.asked))
}

func contents(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answers returns the inputs that a run's study has an answer for.
func answers(t *testing.T, out string) map[string]bool {
	t.Helper()
	all, path := map[string]bool{}, filepath.Join(out, "study.db")
	if !files.Exists(path) {
		return all
	}
	f, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, err := f.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		for _, trial := range e.Trials {
			if trial.State != study.Pending {
				all[trial.Input] = true
			}
		}
	}
	return all
}
