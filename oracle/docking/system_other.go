//go:build !unix

package docking

import "os"

// lock does nothing: no process removes the folders of another.
func lock(*os.File) error { return nil }

// removeAbandoned does nothing: without locks it cannot tell which folders are in use.
func removeAbandoned() {}
