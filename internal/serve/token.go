package serve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
)

const (
	shortestToken = 20   // characters
	longestToken  = 1000 // likewise
)

// WriteToken makes a file with a new token, which only its owner can read.
func WriteToken(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return usage.Errorf("make a token: %w; give the name of a file that does not exist", err)
	}
	_, err = fmt.Fprintln(f, rand.Text()+rand.Text()) // 260 bits
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("make a token: %w", err)
	}
	return nil
}

// ReadToken reads the token of a file that only its owner can read.
func ReadToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", usage.Errorf("read the token: %w; make one: invbo serve token %s", err, path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	// Windows has no such modes: there the folder's permissions hold.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return "", usage.Errorf("others can read the token in %s, whose mode is %04o; run: chmod 600 %s", path, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, longestToken+2))
	if err != nil {
		return "", usage.Errorf("read the token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < shortestToken || len(token) > longestToken || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", usage.Errorf("%s holds no token: give one of %d to %d letters, digits and signs without spaces, or make one: invbo serve token NEWFILE", path, shortestToken, longestToken)
	}
	return token, nil
}

// Listen listens on an address. One that other machines can reach needs a token.
func Listen(address, token string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, option.Errorf("listen on %s: %w; give another %s, such as 127.0.0.1:8080", address, err, option.Name("addr"))
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); token == "" && (!ok || !tcp.IP.IsLoopback()) {
		l.Close()
		return nil, option.Errorf("other machines can reach %s, which needs a token; make one: invbo serve token FILE, and give %s", address, option.Setting{Name: "token-file", Value: "FILE"})
	}
	return l, nil
}
