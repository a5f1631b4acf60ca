package sqlite

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/study"
)

// copyOver overwrites a file in place, as cp does.
func copyOver(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}

// Nothing is acknowledged that is not in the file at its path.
func TestFileIsMovedWhileInUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there files that are open can be neither moved nor removed")
	}
	event := study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: 1, X: "A"}, State: study.Pending}}}
	for _, test := range []struct {
		name string
		do   func(t *testing.T, path, backup, other string)
		want string // in the error
	}{
		{"moved", func(t *testing.T, path, _, _ string) { os.Rename(path, path+".old") }, "moved or removed"},
		{"removed", func(t *testing.T, path, _, _ string) { os.Remove(path) }, "moved or removed"},
		{"removed with its folder", func(t *testing.T, path, _, _ string) { os.RemoveAll(filepath.Dir(path)) }, "moved or removed"},
		{"the folder is moved", func(t *testing.T, path, _, _ string) { os.Rename(filepath.Dir(path), filepath.Dir(path)+"2") }, "moved or removed"},
		{"replaced by another study", func(t *testing.T, path, _, other string) { os.Rename(other, path) }, "replaced by another one"},
		{"replaced by a link", func(t *testing.T, path, _, other string) { os.Remove(path); os.Symlink(other, path) }, "replaced by another one"},
		{"replaced by a backup", func(t *testing.T, path, backup, _ string) { os.Rename(backup, path) }, "replaced by another one"},
		{"overwritten by another study", func(t *testing.T, path, _, other string) { copyOver(t, other, path) }, "overwritten"},
		{"overwritten by a backup", func(t *testing.T, path, backup, _ string) { copyOver(t, backup, path) }, "overwritten"},
		{"emptied", func(t *testing.T, path, _, _ string) { os.Truncate(path, 0) }, "overwritten"},
		{"the second file is removed", func(t *testing.T, path, _, _ string) { os.Remove(path + "-wal") }, "its second file"},
		{"the second file is emptied", func(t *testing.T, path, _, _ string) { os.Truncate(path+"-wal", 0) }, "its second file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "in")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			path, backup, other := filepath.Join(folder, "lab.db"), filepath.Join(folder, "backup.db"), filepath.Join(folder, "other.db")
			o, err := Create(t.Context(), other, Meta{Program: "v1"})
			if err != nil {
				t.Fatal(err)
			}
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := Create(t.Context(), path, Meta{Program: "v1"})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			copyOver(t, path, backup) // before there are events
			if err := f.Save(t.Context(), event); err != nil {
				t.Fatal(err)
			}
			if _, err := f.db.Exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil { // as by a program for backups
				t.Fatal(err)
			}
			if err := f.Save(t.Context(), event); err != nil {
				t.Fatalf("after a checkpoint: %v", err)
			}
			if err := f.Reachable(t.Context()); err != nil {
				t.Fatal(err)
			}
			test.do(t, path, backup, other)
			after, _ := os.ReadFile(path)
			for _, what := range []struct {
				name string
				err  error
			}{
				{"an event", f.Save(t.Context(), event)},
				{"leases", f.SaveLeases(t.Context(), []Lease{{Trial: 1, Granted: time.Now(), For: time.Hour}})},
				{"to be reached", f.Reachable(t.Context())},
			} {
				if what.err == nil || !strings.Contains(what.err.Error(), test.want) || strings.Contains(what.err.Error(), "\n") {
					t.Errorf("%s: %v; want a sentence with %q", what.name, what.err, test.want)
				}
			}
			f.Close()
			if now, _ := os.ReadFile(path); test.want == "overwritten" && string(now) != string(after) {
				t.Error("what was put there has changed")
			}
		})
	}
}

// A file that is moved while an event is committed is noticed before Save returns, and then nothing more is stored in
// it, even if it comes back.
func TestFileIsMovedDuringACommit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there files that are open can be neither moved nor removed")
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{Program: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.db.Exec("CREATE TEMP TABLE moved (x)"); err != nil { // the connection is open
		t.Fatal(err)
	}
	g := guard{}
	if err := g.begin(f.path); err != nil {
		t.Fatal(err)
	}
	if err := g.check(false); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := g.check(true); err == nil {
		t.Error("after the commit it is not noticed")
	}
	event := study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: 1, X: "A"}, State: study.Pending}}}
	if err := f.Save(t.Context(), event); err == nil {
		t.Error("an event is stored")
	}
	if err := os.Rename(path+".old", path); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(t.Context(), event); err != nil { // nothing was committed in between
		t.Errorf("back at its place: %v", err)
	}
}
