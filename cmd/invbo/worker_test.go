package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/invbo/invbo/internal/pgtest"
)

// A run whose scores are left to workers, and that is killed and resumed, is the run of one process.
func TestRemoteWorkers(t *testing.T) {
	var server pgtest.Server
	t.Cleanup(server.Stop)
	address := server.Database(t)
	folder := t.TempDir()
	asked := filepath.Join(folder, "asked")
	scores := func(log string) string { return fmt.Sprintf("slow-oracle %q", log) }
	run := []string{"run", "--task", "strings", "--alphabet", "ACDE", "--length", "8", "--init", "10", "--budget", "15", "--batch", "3"}
	alone := filepath.Join(folder, "alone")
	if said, err := command(t, append(run, "--oracle-cmd", scores(asked+"-alone"), "--out", alone)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}

	in := []string{"--store", address, "--study", "strings"}
	first := command(t, append(append(run, in...), "--workers", "remote")...) // only workers know its oracle
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	db, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	until(t, db, "SELECT count(*) > 0 FROM invbo.calls")
	for range 2 {
		w := command(t, append(append([]string{"worker"}, in...), "--oracle-cmd", scores(asked), "--jobs", "2")...)
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			w.Process.Signal(os.Interrupt)
			w.Wait()
		})
	}
	until(t, db, "SELECT count(*) >= 12 FROM invbo.results")
	first.Process.Kill()
	first.Wait()
	said, err := command(t, append([]string{"resume"}, in...)...).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "Calls   15, and 10 for the initial design") {
		t.Fatalf("resume: %v: %s", err, said)
	}

	f, err := os.Open(filepath.Join(alone, "trials.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, row := range rows[1:] {
		want = append(want, row[0]+" "+row[3]+" "+row[4])
	}
	stored, err := db.Query(t.Context(), "SELECT format('%s %s %s', trial, x, score) FROM invbo.trials ORDER BY trial")
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(stored, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("trials:\n%s\nwant\n%s", got, want)
	}
	calls, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	once := map[string]bool{}
	for line := range strings.Lines(string(calls)) {
		if once[line] {
			t.Errorf("%s was scored twice", line)
		}
		once[line] = true
	}
	if len(once) != len(want) {
		t.Errorf("%d strings were scored, want %d", len(once), len(want))
	}
}

// until waits until a query of the database is true; before there are tables it is not.
func until(t *testing.T, db *pgx.Conn, query string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for ok := false; !ok; {
		if ctx.Err() != nil {
			t.Fatalf("%s: not within a minute", query)
		}
		db.QueryRow(t.Context(), query).Scan(&ok)
	}
}
