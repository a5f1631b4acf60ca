// Package files writes files as a whole and looks at where they are.
package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/invbo/invbo/internal/usage"
)

// Exists reports whether there is a file of that name.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Same reports whether two names, of files that need not exist, are one file's, by whatever link.
func Same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// WriteWhole writes a file by fill so that after a crash it is there whole, or as it was before. A file that is
// replaced keeps its permissions. What a link points at is written, and a device or pipe is written to.
func WriteWhole(name string, fill func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write %w", err)
		}
		if err := errors.Join(fill(f), f.Close()); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		return nil
	}
	mode := os.FileMode(0o666) // less what the user's mask takes away
	if info != nil {
		mode = info.Mode().Perm()
	}
	f, err := os.OpenFile(name+"."+rand.Text()[:10], os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		if cause, ok := errors.AsType[*os.PathError](err); ok { // which has the name of the temporary file
			err = fmt.Errorf("write %s: %w", name, cause.Err)
		}
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if info != nil {
		err = f.Chmod(mode)
	}
	if err := errors.Join(err, fill(f), f.Sync(), f.Close()); err != nil {
		if cause, ok := errors.AsType[*os.PathError](err); ok && cause.Path == f.Name() {
			err = cause.Err
		}
		return fmt.Errorf("write %s: %w", name, err)
	}
	return Replace(f.Name(), name)
}

// Replace renames a file so that it has the new name after a crash, too, where the file system can say so.
func Replace(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(to)); err == nil {
		dir.Sync() // Windows and some file systems sync no folders
		dir.Close()
	}
	return nil
}

// Append writes a line to the end of a file: all of it or, on a full disk, nothing.
func Append(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Write(line); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return nil
}

// MakeWritable makes the folder if there is none, and returns an error unless files can be made in it.
func MakeWritable(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".invbo.*"); err == nil {
			return errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	return usage.Errorf("%w; give a folder that can be written", err)
}
