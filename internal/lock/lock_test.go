package lock_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/lock"
)

func TestTake(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(name, []byte("of a process that was killed, and had a long name\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := lock.Take(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lock.Take(name)
	held, ok := errors.AsType[*lock.HeldError](err)
	if !ok || !strings.Contains(held.Holder, fmt.Sprintf("@%s, process %d, since 20", host(t), os.Getpid())) || strings.Contains(held.Holder, "killed") {
		t.Errorf("second Take: %v; want the name of this process", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := lock.Take(name)
	if err != nil {
		t.Fatalf("after Release: %v", err)
	}
	again.Release()
	if _, err := lock.Take(filepath.Join(name, "below", "lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that does not exist: %v", err)
	}
}

func host(t *testing.T) string {
	h, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return h
}
