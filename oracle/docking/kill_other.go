//go:build !unix

package docking

import "os/exec"

// killAll leaves it at the end of cmd itself.
func killAll(*exec.Cmd) {}
