// Package pgtest runs a PostgreSQL server for tests.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Server is a PostgreSQL server on a Unix socket in a temporary folder. The zero Server is ready for use: the first call of
// Database starts it. Stop ends it, at the end of TestMain.
type Server struct {
	Durable bool // a commit waits for the disk; tests are faster without

	once      sync.Once
	bin       string
	folder    string
	command   *exec.Cmd
	log       bytes.Buffer
	databases int
	skip      string // why there is none
	failed    error
}

// Database returns the URL of a new database. It skips the test where PostgreSQL is not installed.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.once.Do(func() { s.failed = s.start() })
	if s.skip != "" {
		t.Skip(s.skip)
	}
	if s.failed != nil {
		t.Fatalf("start PostgreSQL: %v\n%s", s.failed, s.log.String())
	}
	s.databases++
	name := fmt.Sprintf("test%d", s.databases)
	if out, err := exec.Command(filepath.Join(s.bin, "createdb"), "-h", s.folder, "-U", "tester", name).CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v\n%s", err, out)
	}
	return fmt.Sprintf("postgres://tester@/%s?host=%s", name, s.folder)
}

func (s *Server) start() error {
	// Debian keeps these out of PATH.
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is right
	if path, err := exec.LookPath("initdb"); err == nil && len(found) == 0 {
		found = []string{path}
	}
	if len(found) == 0 || runtime.GOOS != "linux" {
		s.skip = "needs PostgreSQL on Linux, as Debian's package postgresql"
		return nil
	}
	s.bin = filepath.Dir(found[len(found)-1])
	folder, err := os.MkdirTemp("", "pg") // of a short name: a socket's path is limited
	if err != nil {
		return err
	}
	s.folder = folder
	if err := os.Chmod(folder, 0o755); err != nil { // two users meet in it
		return err
	}
	as := []string{"--pdeathsig", "INT"} // the server ends with this process, however that ends
	if os.Getuid() == 0 {                // whom PostgreSQL refuses
		if err := exec.Command("chown", "postgres", folder).Run(); err != nil {
			return err
		}
		as = append(as, "--reuid", "postgres")
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command("setpriv", slices.Concat(as, []string{filepath.Join(s.bin, name), "-D", filepath.Join(folder, "data")}, args)...)
		c.Dir = "/"
		return c
	}
	initdb := command("initdb", "-U", "tester", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	s.command = command("postgres", "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "fsync="+strconv.FormatBool(s.Durable))
	s.command.Stderr = &s.log
	if err := s.command.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		out, err := exec.CommandContext(ctx, filepath.Join(s.bin, "pg_isready"), "-h", folder).CombinedOutput()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("it does not start within a minute: %w: %s", err, out)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the server.
func (s *Server) Stop() {
	if s.command != nil && s.command.Process != nil {
		s.command.Process.Signal(os.Interrupt) // which ends all sessions
		s.command.Wait()
	}
	if s.folder != "" {
		os.RemoveAll(s.folder)
	}
}

// Output returns what an Example prints: one that needs a server, which go test could not skip.
func Output(t testing.TB, example func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stdout := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	example()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
