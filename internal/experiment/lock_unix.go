//go:build unix

package experiment

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockExclusively locks a file for this process, or fails at once if another holds it. The lock ends with the process, however that ends.
func lockExclusively(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
