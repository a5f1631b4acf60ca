package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/study"
)

// A copy of both files, one after the other, is whole if it takes no longer than a pause, whenever it begins: after an
// event, or in a pause.
func TestCopyWhileWritten(t *testing.T) {
	const every, events = 4, 14
	long := strings.Repeat("C", 10_000) // so that events lie on different pages
	paused := 0
	for first := 1; first <= events; first++ {
		path, copied := filepath.Join(t.TempDir(), "lab.db"), filepath.Join(t.TempDir(), "copy.db")
		f, err := Create(t.Context(), path, Meta{Program: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		saved, begun, ended := 0, false, false
		begin := func() {
			if saved == first && !begun {
				copyOver(t, path, copied)
				begun = true
			}
		}
		end := func() {
			if begun && !ended {
				copyOver(t, path+"-wal", copied+"-wal")
				ended = true
			}
		}
		f.rest.every = every
		f.rest.pause = func(wait time.Duration) {
			if wait < shortest {
				t.Errorf("a pause of %v", wait)
			}
			paused++
			end()
			begin()
		}
		for saved < events {
			p := study.Proposal{ID: saved + 1, X: long + fmt.Sprint(saved), Input: "C", Kind: study.Initial, Mean: 1, SD: 1}
			saved++
			if err := f.Save(t.Context(), study.Event{Trials: []study.Trial{{Proposal: p, State: study.Pending, Score: 1, Value: 1}}}); err != nil {
				t.Fatal(err)
			}
			begin()
		}
		end()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		c, err := Open(t.Context(), copied, Options{ReadOnly: true})
		if err != nil {
			t.Fatalf("copied from event %d on: %v", first, err)
		}
		if got, err := c.Events(t.Context()); err != nil || len(got) < first {
			t.Errorf("copied from event %d on: %d events, %v", first, len(got), err)
		}
		if err := c.Verify(t.Context()); err != nil {
			t.Errorf("copied from event %d on: %v", first, err)
		}
		c.Close()
	}
	if want := events * (events / every); paused != want {
		t.Errorf("%d pauses, want %d", paused, want)
	}
}

// The log does not grow without end.
func TestLogIsBegunAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{Program: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.rest.every, f.rest.pause = 10, func(time.Duration) {}
	size := func() int64 {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	save := func(n int) {
		for range n {
			if err := f.Save(t.Context(), study.Event{Asked: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	save(20)
	once := size()
	save(200)
	if now := size(); now > 2*once {
		t.Errorf("the log grew from %d to %d bytes", once, now)
	}
}
