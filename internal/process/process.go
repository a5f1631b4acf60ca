// Package process runs programs that may start others.
package process

import (
	"os/exec"
	"time"
)

// KillGroup makes the end of cmd's context kill all programs that cmd started, too, where the system can do that: cmd may be a
// script. Those that outlive cmd itself may hold its output for a second.
func KillGroup(cmd *exec.Cmd) {
	group(cmd)
	cmd.WaitDelay = time.Second
}
