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

// KillRest kills the programs that cmd, which KillGroup was called for and which has ended, left in the background.
func KillRest(cmd *exec.Cmd) {
	if cmd.Process != nil {
		cmd.Cancel() // the error says that there are none
	}
}
