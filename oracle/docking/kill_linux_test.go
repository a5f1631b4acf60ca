//go:build rdkit && cgo

package docking_test

import (
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
	pipe, err := os.OpenFile(alive, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	t.Setenv("ALIVE", alive)
	opts := cage()
	opts.Timeout = 200 * time.Millisecond
	r, err := oracle.One(t.Context(), newFake(t, "hang", opts), "CCO")
	if err != nil {
		t.Fatal(err)
	}
	checkRefused(t, r, "not docked within 200ms")
	if err := pipe.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(pipe); string(said) != "hangs\n" || err != nil {
		t.Errorf("Vina said %q, then %v, want that it hangs, then its end", said, err)
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
