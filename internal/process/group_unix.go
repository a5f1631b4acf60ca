//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// watch is a script of the shell that starts a watcher and becomes the command. The watcher reads from a pipe whose
// other end only this process has, so that it comes to an end with this process, and kills the group that it is in with
// the command. It holds none of the command's files.
const watch = `(exec </dev/null >/dev/null 2>&1; read -r end <&3; kill -KILL 0) & exec 3<&- "$@"`

// group puts cmd into a process group of its own, which the end of its context, or of this process, kills.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	theirs, ours := watched(cmd)
	cmd.Cancel = func() error {
		if theirs != nil { // the watcher ends, too
			defer theirs.Close()
			defer ours.Close()
		}
		if cmd.Process == nil {
			return errors.New("not started")
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// watched has cmd started with a watcher, and returns the ends of its pipe, which stay open until cmd has ended; nil
// where there is none, as cmd cannot be started either.
func watched(cmd *exec.Cmd) (theirs, ours *os.File) {
	shell, err := exec.LookPath("sh")
	if err != nil || cmd.Err != nil || len(cmd.ExtraFiles) > 0 {
		return nil, nil
	}
	if _, err := exec.LookPath(cmd.Path); err != nil { // Start says so
		return nil, nil
	}
	if theirs, ours, err = os.Pipe(); err != nil {
		return nil, nil
	}
	cmd.ExtraFiles = []*os.File{theirs} // number 3
	cmd.Args = append([]string{"sh", "-c", watch, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = shell
	return theirs, ours
}
