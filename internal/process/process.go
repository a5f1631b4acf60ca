// Package process runs programs that may start others.
package process

import (
	"os/exec"
	"time"
)

// KillGroup makes the end of cmd's context kill all programs that cmd started, too, where the system can do that: cmd
// may be a script. Those that outlive cmd itself may hold its output for a second. It is called before cmd is started,
// and KillRest when it has ended.
//
// On Unix they also end with this process, however that ends, by SIGKILL for one: a small program beside cmd waits for
// that. What has left cmd's process group, as a daemon does, goes on.
func KillGroup(cmd *exec.Cmd) {
	group(cmd)
	cmd.WaitDelay = time.Second
}

// KillRest kills the programs that cmd, which KillGroup was called for and which has ended, left in the background.
func KillRest(cmd *exec.Cmd) {
	if cmd.Cancel != nil {
		cmd.Cancel() // the error says that there are none
	}
}
