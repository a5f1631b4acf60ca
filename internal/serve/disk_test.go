//go:build unix

package serve

import (
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server whose disk takes no more says so to clients, and is not ready until it does again. What was refused can be
// told again.
func TestUnwritable(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	search(t, s, &counter{}, 0)
	a := api(s)
	ask(t, s, 1, "")
	tell := func() (int, string) {
		return call(t, a, "POST", "/studies/lab/tell", `{"answers": [{"trial": 7, "score": 1}]}`)
	}
	ready := func() int {
		a.checked = time.Time{}
		status, _ := call(t, a, "GET", "/readyz", "")
		return status
	}
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	small := usual
	small.Cur = 1 // byte, that a file may grow to
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skip(err)
	}
	before := ready()
	status, text := tell()
	then := ready()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	if before != 200 || status != 503 || !strings.Contains(text, "the file of the study cannot be written") || then != 503 {
		t.Errorf("ready: %d; told: %d %s; then ready: %d", before, status, text, then)
	}
	if now := ready(); now != 200 {
		t.Errorf("with space it is ready: %d", now)
	}
	if status, text := tell(); status != 200 || !strings.Contains(text, `"what":"measured"`) {
		t.Errorf("told again: %d %s", status, text)
	}
}
