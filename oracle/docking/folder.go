package docking

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const folderPrefix = "invbo-docking-"

// makeFolder returns a new temporary folder and what removes it. The folder is locked until then, so that removeAbandoned of
// another process leaves it alone.
func makeFolder() (dir string, remove func(), err error) {
	for {
		dir, err := os.MkdirTemp("", folderPrefix)
		if err != nil {
			return "", nil, err
		}
		folder, err := os.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removeAbandoned was faster than the lock
		} else if err != nil {
			os.Remove(dir)
			return "", nil, err
		}
		busy := lock(folder) == syscall.EWOULDBLOCK // another error: the file system has no locks, so nobody removes dir
		if _, err := os.Stat(dir); !busy && err == nil {
			return dir, func() { os.RemoveAll(dir); folder.Close() }, nil
		}
		folder.Close() // as above
	}
}
