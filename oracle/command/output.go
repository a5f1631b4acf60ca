package command

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle/internal/wire"
)

// whole is a program's standard output. It calls full if that is longer than any answer.
type whole struct {
	strings.Builder
	full func(error)
}

func (w *whole) Write(p []byte) (int, error) {
	if w.Len()+len(p) > wire.MostAnswer {
		err := fmt.Errorf("it wrote more than %d MB", wire.MostAnswer>>20)
		w.full(err)
		return 0, err
	}
	return w.Builder.Write(p)
}

// tail keeps the end of a program's standard error.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-most):]...)
	t.end = append(t.end[:0], t.end[max(0, len(t.end)-most):]...)
	return len(p), nil
}

// line returns the last line that says something. A carriage return ends a line: it is how progress is shown.
func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := bytes.TrimSpace(t.end)
	return usage.Shorten(string(said[bytes.LastIndexAny(said, "\r\n")+1:]), 300)
}

// after returns the last line as the end of an error; nothing if there is none.
func (t *tail) after() string {
	if said := t.line(); said != "" {
		return ": " + said
	}
	return ""
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = nil
}
