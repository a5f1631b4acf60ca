package experiment

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Processes that need the key at once make one, which only the user can read. A file that others can read, or that is
// cut off, is no key.
func TestSealKey(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, folder)
	}
	var keys [8][]byte
	var errs [len(keys)]error
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() { keys[i], errs[i] = sealKey() })
	}
	wg.Wait()
	for i, key := range keys {
		if errs[i] != nil || len(key) != 32 || !bytes.Equal(key, keys[0]) {
			t.Fatalf("keys %x and %x, %v", keys[0], key, errs[i])
		}
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "invbo", "*")) // the pattern is right
	hidden, _ := filepath.Glob(filepath.Join(dir, "invbo", ".*"))
	if len(files) != 1 || len(hidden) != 0 {
		t.Fatalf("there are %q and %q", files, hidden)
	}
	info, err := os.Stat(files[0])
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(files[0], 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := sealKey(); err == nil {
			t.Error("a key that others can read is taken")
		}
		if err := os.Chmod(files[0], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(files[0], 31); err != nil {
		t.Fatal(err)
	}
	if _, err := sealKey(); err == nil {
		t.Error("a key that is cut off is taken")
	}
}
