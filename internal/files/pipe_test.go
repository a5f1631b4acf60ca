//go:build unix

package files_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/invbo/invbo/internal/files"
)

// A pipe, or a device, is written to, and not replaced by a file.
func TestWriteWholeToPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		data, _ := os.ReadFile(name)
		read <- string(data)
	}()
	if err := files.WriteWhole(name, text("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("it is %v now, %v", info.Mode(), err)
	}
	if got := <-read; got != "x" {
		t.Errorf("read %q, want x", got)
	}
}
