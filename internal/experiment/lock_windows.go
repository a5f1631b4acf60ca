package experiment

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockExclusively locks a file for this process, or fails at once if another holds it. The lock ends with the process, however that ends.
func lockExclusively(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
}
