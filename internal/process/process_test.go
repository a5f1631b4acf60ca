//go:build unix

package process_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/process"
)

// childOf is the environment variable that makes this program the parent of TestDiesWithParent: what it runs.
const childOf = "INVBO_PROCESS_PARENT"

func TestMain(m *testing.M) {
	if script := os.Getenv(childOf); script != "" {
		cmd := exec.CommandContext(context.Background(), "sh", "-c", script)
		cmd.Stdout = os.Stdout
		process.KillGroup(cmd)
		cmd.Run()
		process.KillRest(cmd)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// gone waits until a process is no more.
func gone(pid int) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return true
		}
	}
	return false
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// Whatever a command started ends with this process, even if that is killed by SIGKILL.
func TestDiesWithParent(t *testing.T) {
	for _, script := range []string{
		"echo $$; exec sleep 1000",
		"sleep 1000 & echo $!; wait",
		"sh -c 'sleep 1000 & echo $!; wait' | cat",
		"(trap '' TERM INT HUP; sleep 1000) & echo $!; wait",
	} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		parent := exec.Command(self)
		parent.Env = append(os.Environ(), childOf+"="+script)
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		if syscall.Kill(pid, 0) != nil {
			t.Fatalf("%s: it does not run", script)
		}
		parent.Process.Kill()
		if !gone(pid) {
			t.Errorf("%s: process %d outlives its parent", script, pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
		parent.Wait()
	}
}

// A command gets its arguments, its input and its exit status as without a watcher, and no other file.
func TestCommand(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `cat; echo "$1|$2"; if (: <&3) 2>/dev/null; then echo has 3; fi; exit 7`, "x", "a b", "*'\"")
	cmd.Stdin = strings.NewReader("in\n")
	process.KillGroup(cmd)
	out, err := cmd.Output()
	process.KillRest(cmd)
	exit, _ := err.(*exec.ExitError)
	if string(out) != "in\na b|*'\"\n" || exit == nil || exit.ExitCode() != 7 {
		t.Errorf("%q, %v", out, err)
	}
	cmd = exec.CommandContext(t.Context(), "/nowhere/program")
	process.KillGroup(cmd)
	if err := cmd.Run(); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a program that is not there: %v", err)
	}
	process.KillRest(cmd)
}
