//go:build !linux

package pgtest

import "os/exec"

// as is not reached: the server is skipped.
func as(_ int, _, name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }
