//go:build unix

package docking

import (
	"os/exec"
	"syscall"
)

// killAll has the programs that cmd started end with it, when its context does: it may be a script around Vina.
func killAll(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
