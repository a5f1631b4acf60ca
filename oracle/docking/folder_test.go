package docking_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/invbo/invbo/oracle/docking"
)

func TestFoldersInUseAreNotRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	done := make(chan struct{})
	var users, cleaners sync.WaitGroup
	for range 2 {
		cleaners.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					docking.RemoveAbandoned()
				}
			}
		})
	}
	for range 4 {
		users.Go(func() {
			for range 50 {
				dir, remove, err := docking.MakeFolder()
				if err != nil {
					t.Error(err)
					return
				}
				file := filepath.Join(dir, "ligand.pdbqt")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Error(err)
				}
				docking.RemoveAbandoned()
				if _, err := os.Stat(file); err != nil {
					t.Error(err)
				}
				remove()
			}
		})
	}
	users.Wait()
	close(done)
	cleaners.Wait()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
