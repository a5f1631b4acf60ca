// Package pgtest runs a PostgreSQL server for tests.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
	run       func() *exec.Cmd
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
	s.run = func() *exec.Cmd {
		return command("postgres", "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "fsync="+strconv.FormatBool(s.Durable))
	}
	return s.serve()
}

// serve starts the server, and waits until it answers.
func (s *Server) serve() error {
	s.command = s.run()
	s.command.Stderr = &s.log
	if err := s.command.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		out, err := exec.CommandContext(ctx, filepath.Join(s.bin, "pg_isready"), "-h", s.folder).CombinedOutput()
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

// Down ends the server as an administrator does who does not wait for its sessions or, killed, as a crash does. Up
// starts it again.
func (s *Server) Down(t testing.TB, killed bool) {
	t.Helper()
	signal := os.Signal(os.Interrupt)
	if killed {
		signal = syscall.SIGQUIT // its own SIGKILL: all of its processes end at once, and it recovers when it is started
	}
	if err := s.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	s.command.Wait() // it says how it ended
}

// Up starts the server again.
func (s *Server) Up(t testing.TB) {
	t.Helper()
	if err := s.serve(); err != nil {
		t.Fatalf("start PostgreSQL: %v\n%s", err, s.log.String())
	}
}

// Pooler starts PgBouncer in session mode before the server until the test ends, and returns the URL of a database by
// it. It skips the test where PgBouncer is not installed.
func (s *Server) Pooler(t testing.TB, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program = "/usr/sbin/pgbouncer"; !exists(program) {
			t.Skip("needs PgBouncer, as Debian's package pgbouncer")
		}
	}
	folder, err := os.MkdirTemp("", "pb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	config := fmt.Sprintf("[databases]\n* = host=%s user=tester\n[pgbouncer]\npool_mode = session\nlisten_addr =\nunix_socket_dir = %s\nlisten_port = 6432\nauth_type = any\nserver_login_retry = 1\nquery_wait_timeout = 3\n", s.folder, folder)
	if err := os.WriteFile(filepath.Join(folder, "ini"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	as := []string{"--pdeathsig", "KILL"}
	if os.Getuid() == 0 {
		if err := exec.Command("chown", "-R", "postgres", folder).Run(); err != nil {
			t.Fatal(err)
		}
		as = append(as, "--reuid", "postgres")
	}
	var log bytes.Buffer
	c := exec.Command("setpriv", append(as, program, filepath.Join(folder, "ini"))...)
	c.Dir, c.Stderr = "/", &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	name := strings.TrimPrefix(strings.SplitN(database, "?", 2)[0], "postgres://tester@/")
	for range 500 {
		if c, err := net.Dial("unix", filepath.Join(folder, ".s.PGSQL.6432")); err == nil {
			c.Close()
			return fmt.Sprintf("postgres://tester@/%s?host=%s&port=6432", name, folder)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("PgBouncer does not start: %s", log.String())
	return ""
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
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
