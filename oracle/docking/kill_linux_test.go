//go:build rdkit && cgo

package docking_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
)

func TestTimeoutLeavesNothingRunning(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive") // a pipe that ends with the last program that could write to it
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ALIVE", alive)
	hangs := func(timeout time.Duration) (said string) {
		pipe, err := os.OpenFile(alive, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer pipe.Close()
		opts := cage()
		opts.Timeout = timeout
		r, err := oracle.One(t.Context(), newFake(t, "hang", opts), "CCO")
		if err != nil {
			t.Fatal(err)
		}
		checkRefused(t, r, fmt.Sprint("not docked within ", timeout))
		if err := pipe.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(pipe)
		if err != nil {
			t.Fatalf("Vina said %q, then %v: is it still running?", all, err)
		}
		return string(all)
	}
	for timeout := 200 * time.Millisecond; ; timeout *= 2 {
		said := hangs(timeout)
		if said == "" && timeout < time.Minute {
			continue // it ended before it began, on a busy machine
		}
		if said != "hangs\n" {
			t.Errorf("Vina said %q, want that it hangs", said)
		}
		return
	}
}

// The folder of a ligand stays when the process is killed; the next New removes it, but not that of a live process.
func TestNewRemovesFoldersOfKilledProcesses(t *testing.T) {
	const role = "INVBO_TEST_DOCKING"
	opts := standIns(t, cage())
	if os.Getenv(role) != "" {
		o, err := docking.New(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		o.Score(t.Context(), []string{"CCO", "CCC"}) // until it is killed
		return
	}

	tmp := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "TMPDIR="+tmp, "FAKE=outlive", role+"=child", "GOMAXPROCS=2")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill() })
	ligands := func() int {
		found, err := filepath.Glob(filepath.Join(tmp, "*", "ligand.pdbqt"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	for deadline := time.Now().Add(time.Minute); ligands() < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the child docks nothing")
		}
	}
	t.Setenv("TMPDIR", tmp)
	renew := func() {
		if _, err := docking.New(t.Context(), opts); err != nil {
			t.Fatal(err)
		}
	}
	if renew(); ligands() != 2 {
		t.Errorf("%d folders of the live child, want 2", ligands())
	}
	child.Process.Kill()
	child.Wait() // the error says that it was killed
	if ligands() != 2 {
		t.Fatalf("%d folders after the kill, want 2: is there nothing left to test?", ligands())
	}
	renew()
	if left, err := os.ReadDir(tmp); err != nil || len(left) != 0 {
		t.Errorf("left after New: %v, %v", left, err)
	}
}
