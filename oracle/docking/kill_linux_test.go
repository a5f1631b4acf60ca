//go:build rdkit && cgo

package docking_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle"
)

func TestTimeoutLeavesNothingRunning(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive") // a pipe that ends with the last program that could write to it
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(alive, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	t.Setenv("ALIVE", alive)
	opts := cage()
	opts.Timeout = 200 * time.Millisecond
	r, err := oracle.One(t.Context(), newFake(t, "hang", opts), "CCO")
	if err != nil {
		t.Fatal(err)
	}
	checkRefused(t, r, "not docked within 200ms")
	if err := pipe.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(pipe); string(said) != "hangs\n" || err != nil {
		t.Errorf("Vina said %q, then %v, want that it hangs, then its end", said, err)
	}
}
