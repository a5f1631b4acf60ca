package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
)

const (
	shortestToken = 20      // characters
	longestToken  = 1000    // likewise
	longestFile   = 1 << 20 // bytes of a file of tokens
)

// Role is what the holder of a token may do: Read looks, Tell also asks, tells and withdraws, and Admin also changes
// what was told.
type Role int

const (
	Read Role = iota + 1
	Tell
	Admin
)

// roles are the names of Role, from 1.
var roles = []string{"read", "tell", "admin"}

func (r Role) String() string { return roles[r-1] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	i := slices.Index(roles, name)
	if i < 0 {
		return 0, usage.Errorf("there is no role %q%s", name, usage.Suggest(name, roles))
	}
	return Role(i + 1), nil
}

// Client is who holds a token.
type Client struct {
	Name string
	Role Role

	token [sha256.Size]byte // its hash
}

// everybody is who makes requests to a server without tokens, or is at its standard input.
var everybody = Client{Role: Admin}

type clientKey struct{}

// client returns who makes a request.
func client(ctx context.Context) Client {
	if c, ok := ctx.Value(clientKey{}).(Client); ok {
		return c
	}
	return everybody
}

// Tokens are those that a server accepts. A file of them has a line for each, with name, role and SHA-256, as AddToken
// writes them:
//
//	ann tell sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
//
// In place of the last one may be the token itself. A line of a token alone, as WriteToken writes it, is that of the
// admin "default". Empty lines and those that begin with # are skipped. The file is read again when it changes; while
// it cannot be read no token is accepted.
type Tokens struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex // the fields below
	seen  fs.FileInfo
	known map[[sha256.Size]byte]Client
	err   error
}

// OpenTokens reads the tokens of a file that only its owner can read. The logger, which may be nil, is told when the
// file cannot be read later.
func OpenTokens(path string, log *slog.Logger) (*Tokens, error) {
	t := &Tokens{path: path, log: log}
	if log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	var err error
	t.known, t.seen, err = readTokens(path)
	return t, err
}

// find returns who holds a token.
func (t *Tokens) find(token string) (Client, bool) {
	return t.holder(sha256.Sum256([]byte(token))) // the time that it takes tells nothing of a token whose hash is unknown
}

// holder returns who holds the token of a hash.
func (t *Tokens) holder(hash [sha256.Size]byte) (Client, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh()
	c, ok := t.known[hash]
	c.token = hash
	return c, ok
}

// refresh reads the file again if it has changed. The caller holds mu.
func (t *Tokens) refresh() {
	if t.path == "" {
		return
	}
	now, err := os.Stat(t.path)
	if err == nil && t.seen != nil && os.SameFile(now, t.seen) && now.ModTime().Equal(t.seen.ModTime()) && now.Size() == t.seen.Size() && now.Mode() == t.seen.Mode() {
		return
	}
	known, seen, err := readTokens(t.path)
	if err != nil && (t.err == nil || err.Error() != t.err.Error()) {
		t.log.Error("no token is accepted until the file of tokens can be read", "error", err)
	}
	if err == nil {
		t.log.Info("the file of tokens has changed", "tokens", len(known))
	}
	t.known, t.seen, t.err = known, seen, err
}

// WriteToken makes a file with a new token, which only its owner can read.
func WriteToken(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return usage.Errorf("make a token: %w; give the name of a file that does not exist", err)
	}
	_, err = fmt.Fprintln(f, newToken())
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("make a token: %w", err)
	}
	return nil
}

// newToken returns 260 random bits.
func newToken() string { return rand.Text() + rand.Text() }

// tokenName matches the names of tokens.
var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// AddToken adds a token to a file, which it makes if there is none, and returns it: the file has only its hash.
func AddToken(path, name string, role Role) (token string, _ error) {
	if !tokenName.MatchString(name) {
		return "", usage.Errorf("a token's name is one of up to 64 letters, digits, dots, hyphens, underscores and @; give another one than %q", usage.Visible(name))
	}
	token = newToken()
	hash := sha256.Sum256([]byte(token))
	line := fmt.Sprintf("%s %s %s%x\n", name, role, hashed, hash)
	return token, changeTokens(path, func(text []byte, named bool) ([]byte, error) {
		if named {
			return nil, usage.Errorf("%s has a token called %s; revoke it first, or give another name", path, name)
		}
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		return append(text, line...), nil
	}, name)
}

// RevokeToken takes a token out of a file. Servers accept it no more, without a restart.
func RevokeToken(path, name string) error {
	return changeTokens(path, func(text []byte, named bool) ([]byte, error) {
		if !named {
			return nil, usage.Errorf("%s has no token called %q", path, usage.Visible(name))
		}
		var kept []byte
		for line := range bytes.Lines(text) {
			if of, _ := tokenOf(string(line)); of != name {
				kept = append(kept, line...)
			}
		}
		return kept, nil
	}, name)
}

// changeTokens replaces the text of a file of tokens.
func changeTokens(path string, change func(text []byte, named bool) ([]byte, error), name string) error {
	var text []byte
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		if _, _, err := readTokens(path); err != nil && !errors.Is(err, errNoToken) {
			return err
		}
		if text, err = os.ReadFile(path); err != nil {
			return usage.Wrap(err)
		}
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return usage.Errorf("make a file of tokens: %w", err)
		}
		if err := f.Close(); err != nil {
			return err
		}
	default:
		return usage.Wrap(err)
	}
	named := false
	for line := range bytes.Lines(text) {
		of, _ := tokenOf(string(line))
		named = named || of == name
	}
	if text, err = change(text, named); err != nil {
		return err
	}
	return files.WriteWhole(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// hashed begins the hash of a token.
const hashed = "sha256:"

// tokenOf returns the name of the token in a line, and its other words; empty if there is none.
func tokenOf(line string) (name string, rest []string) {
	words := strings.Fields(line)
	switch {
	case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		return "", nil
	case len(words) == 1:
		return "default", []string{Admin.String(), words[0]}
	}
	return words[0], words[1:]
}

// errNoToken is that a file holds none.
var errNoToken = errors.New("it has no token")

// readTokens reads a file of tokens.
func readTokens(path string) (map[[sha256.Size]byte]Client, fs.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, usage.Errorf("read the token: %w; make one: invbo serve token %s", err, path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	// Windows has no such modes: there the folder's permissions hold.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, info, usage.Errorf("others can read the token in %s, whose mode is %04o; run: chmod 600 %s", path, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	if err != nil {
		return nil, info, usage.Errorf("read the token: %w", err)
	}
	known, names := map[[sha256.Size]byte]Client{}, map[string]bool{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		name, rest := tokenOf(line)
		if name == "" {
			continue
		}
		hash, role, err := parseToken(name, rest)
		if err == nil && names[name] {
			err = fmt.Errorf("another line has the name %s", name)
		}
		if err != nil { // without the line, which may be a token
			return nil, info, usage.Errorf("%s: line %d holds no token: %w", path, number, err)
		}
		names[name], known[hash] = true, Client{Name: name, Role: role}
	}
	if len(known) == 0 || len(text) > longestFile {
		return nil, info, usage.Errorf("%s: %w; make one: invbo serve token NEWFILE", path, errNoToken)
	}
	return known, info, nil
}

// parseToken reads the role and the token, or its hash, of a line.
func parseToken(name string, rest []string) (hash [sha256.Size]byte, role Role, err error) {
	if len(rest) != 2 || !tokenName.MatchString(name) {
		return hash, 0, errors.New("give a token alone, or name, role and token, or make one: invbo serve token NEWFILE")
	}
	if role, err = ParseRole(rest[0]); err != nil {
		return hash, 0, err
	}
	token := rest[1]
	if digits, ok := strings.CutPrefix(token, hashed); ok {
		b, err := hex.DecodeString(digits)
		if err != nil || len(b) != sha256.Size {
			return hash, 0, fmt.Errorf("%s is followed by %d hexadecimal digits", hashed, 2*sha256.Size)
		}
		return [sha256.Size]byte(b), role, nil
	}
	if len(token) < shortestToken || len(token) > longestToken || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return hash, 0, fmt.Errorf("give one of %d to %d letters, digits and signs without spaces, or make one: invbo serve token NEWFILE", shortestToken, longestToken)
	}
	return sha256.Sum256([]byte(token)), role, nil
}

// Listen listens on an address. One that other machines can reach needs tokens.
func Listen(address string, tokens *Tokens) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, option.Errorf("listen on %s: %w; give another %s, such as 127.0.0.1:8080", address, err, option.Name("addr"))
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); tokens == nil && (!ok || !tcp.IP.IsLoopback()) {
		l.Close()
		return nil, option.Errorf("other machines can reach %s, which needs a token; make one: invbo serve token FILE, and give %s", address, option.Setting{Name: "token-file", Value: "FILE"})
	}
	return l, nil
}

// who is a client for limits and logs: a token at an address.
type who struct{ token, address string }

func (w who) String() string { return cmp.Or(w.token, "-") + "@" + w.address }
