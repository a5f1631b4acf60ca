// Package lock lets one process at a time write to a file or folder.
package lock

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"
)

// Lock is a locked file. It names the process that holds it, and is there only while one does.
type Lock struct{ file *os.File }

// HeldError says which process holds a lock.
type HeldError struct {
	Holder string // as in "ann@lab3, process 4711, since 2026-05-04 09:30"
}

func (e *HeldError) Error() string { return "held by " + e.Holder }

// Take locks the file of that name, which it makes, for this process, or fails at once with a HeldError. The lock ends with
// Release or with the process, however that ends.
func Take(name string) (*Lock, error) {
	for {
		if l, err := take(name); l != nil || err != nil {
			return l, err
		}
	}
}

// take is Take, or returns nil if whoever held the lock before has removed the file since.
func take(name string) (l *Lock, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() {
		if l == nil {
			f.Close()
		}
	}()
	free, err := tryLock(f)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if !free {
		holder, _ := io.ReadAll(io.LimitReader(f, 1000))
		return nil, &HeldError{cmp.Or(strings.TrimSpace(string(holder)), "it has not written its name yet")}
	}
	mine, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if there, err := os.Stat(name); err != nil || !os.SameFile(mine, there) {
		return nil, nil
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintln(f, Self())
	}
	if err != nil {
		os.Remove(name)
		return nil, err
	}
	return &Lock{f}, nil
}

// Self names this process, as in "ann@lab3, process 4711, since 2026-05-04 09:30": its user, its machine and the
// present time.
func Self() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s@%s, process %d, since %s", name, host, os.Getpid(), time.Now().Format("2006-01-02 15:04"))
}

// Release ends the lock, and removes its file where the system allows that for an open one.
func (l *Lock) Release() error {
	os.Remove(l.file.Name())
	return l.file.Close()
}
