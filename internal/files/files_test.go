package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/invbo/invbo/internal/files"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// A file is replaced whole, through links, and stays as it was after an error.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a.csv"), filepath.Join(dir, "link.csv")
	if err := files.WriteWhole(name, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := files.WriteWhole(name, func(w io.Writer) error { return errors.Join(text("half")(w), broken) }); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if data, err := os.ReadFile(name); string(data) != "old" {
		t.Errorf("after an error %q, %v", data, err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteWhole(name, text("secret")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("a file that others may not read: %v, %v after it was replaced", info.Mode(), err)
	}
	if err := os.Symlink("a.csv", link); err != nil {
		t.Skip(err)
	}
	if err := files.WriteWhole(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(name); string(data) != "new" {
		t.Errorf("through a link %q, %v", data, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d files, %v, want 2", len(entries), err)
	}
}
