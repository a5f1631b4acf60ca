package experiment

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/invbo/invbo/internal/task"
)

// Whoever can write a study can have it run a command, or send a token to a service, when it is resumed. A study
// therefore holds a seal of its oracle: a code that needs a key, which is in a file that only this user can read. A
// study that was made by another user or where the key is not, or whose oracle was changed, does not have the seal that
// this user would make.

// seal returns the seal of an oracle of the user's own; empty if there is none. The error is why there is no key: the
// study is then as one from another machine.
func seal(e task.External) (string, error) {
	text := sealed(e)
	if text == "" {
		return "", nil
	}
	key, err := sealKey()
	if err != nil {
		return "", fmt.Errorf("the key of this user's oracles: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "invbo oracle of user %d\n%s", os.Getuid(), text) // with sudo, root may read the key of another user
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// sealed returns what the seal of an oracle covers; empty if there is no oracle of the user's own.
func sealed(e task.External) string {
	values := e.Values()
	if values == (task.External{}) {
		return ""
	}
	values.OracleDir, values.OracleTokenFile = e.OracleDir, e.OracleTokenFile
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts
	}
	return string(text)
}

const sealKeySize = 32 // bytes

// sealKey returns the key of the user's seals. The file is made when it is first needed.
func sealKey() ([]byte, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "invbo", "seal.key")
	key, err := readSealKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := makeSealKey(path); err != nil {
		return nil, err
	}
	return readSealKey(path)
}

// readSealKey refuses a file that others can read, or may have put there: the key in it would be no secret.
func readSealKey(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: others may read it", path)
	}
	if !info.Mode().IsRegular() || info.Size() != sealKeySize {
		return nil, fmt.Errorf("%s is no key of %d bytes", path, sealKeySize)
	}
	key := make([]byte, sealKeySize)
	_, err = io.ReadFull(f, key)
	return key, err
}

// makeSealKey makes the file with a whole key, unless another process was faster.
func makeSealKey(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".seal.*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	key := make([]byte, sealKeySize)
	rand.Read(key) // which never fails
	_, err = f.Write(key)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) { // a link replaces no file, as a rename would
		return err
	}
	return nil
}
