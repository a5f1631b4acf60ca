//go:build unix

package docking

import (
	"os"
	"path/filepath"
	"syscall"
)

// lock locks a folder until it is closed or this process ends, however it ends. The error is syscall.EWOULDBLOCK if it is
// locked already.
func lock(folder *os.File) error {
	return syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// removeAbandoned removes the temporary folders of processes that were killed. Errors are no concern of this process: the folder
// may be another user's, or a Vina that outlived the kill may still write to it.
func removeAbandoned() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*")) // the pattern is well-formed
	for _, dir := range dirs {
		folder, err := os.Open(dir)
		if err != nil {
			continue
		}
		if lock(folder) == nil {
			os.RemoveAll(dir)
		}
		folder.Close()
	}
}
