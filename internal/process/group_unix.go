//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// group puts cmd into a process group of its own, which the end of its context kills.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
