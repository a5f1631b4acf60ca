package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/study"
)

// A program may be killed while the second file is moved to the first, page by page: the file is opened then, with all
// that was saved.
func TestKilledWhileMoving(t *testing.T) {
	const page, events = 4096, 6
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{Program: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		p := study.Proposal{ID: i + 1, X: strings.Repeat("C", 3_000), Input: "C", Kind: study.Initial, Mean: 1, SD: 1}
		if err := f.Save(t.Context(), study.Event{State: []byte(strings.Repeat("s", 9_000/(i+1))), Trials: []study.Trial{{Proposal: p, State: study.Pending, Score: 1, Value: 1}}}); err != nil {
			t.Fatal(err)
		}
	}
	contents := func(path string) []byte {
		all, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before, log := contents(path), contents(path+"-wal")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	after := contents(path)
	if len(log) == 0 || slices.Equal(before, after) {
		t.Fatal("nothing was moved when the file was closed")
	}
	half := func(t *testing.T, pages int) (path string) {
		path = filepath.Join(t.TempDir(), "killed.db")
		at := pages * page
		for name, content := range map[string][]byte{path: append(slices.Clone(after[:at]), before[min(at, len(before)):]...), path + "-wal": log} {
			if err := os.WriteFile(name, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	for pages := range len(after)/page + 1 {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			t.Parallel()
			f, err := Open(t.Context(), half(t, pages), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Save(t.Context(), study.Event{Asked: 1}); err != nil {
				t.Error(err)
			}
			if got, err := f.Events(t.Context()); err != nil || len(got) != events+1 {
				t.Errorf("%d events, %v", len(got), err)
			}
			if err := f.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}

	// The same while another program moves it.
	path = half(t, 2)
	paused := false
	g := guard{pause: func(time.Duration) {
		paused = true
		if err := os.WriteFile(path, after, 0o644); err != nil {
			t.Error(err)
		}
	}}
	if err := g.begin(path); err != nil || !paused {
		t.Errorf("two pages of a file were moved, and then the rest: %v, paused %t", err, paused)
	}
}
