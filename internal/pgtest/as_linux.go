package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// as returns a command of another user if that is not this one. It ends with this process, however that ends.
func as(uid int, bin, name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	if uid != os.Getuid() {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(os.Getgid())}
	}
	return c
}
