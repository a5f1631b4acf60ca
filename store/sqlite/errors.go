package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// explain says what to do about an error of SQLite. Other errors stay as they are.
func explain(err error) error {
	const damaged = "the file is damaged: %w; restore a copy, or save what can be read by: sqlite3 FILE .recover | sqlite3 NEW"
	if _, ok := errors.AsType[*eventlog.DamagedError](err); ok {
		return usage.Errorf(damaged, err)
	}
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff { // the rest of the code says where it happened
	case codes.SQLITE_NOTADB:
		return usage.Errorf("it is not a study, or its beginning was overwritten: %w; give the name of a study's file", err)
	case codes.SQLITE_CORRUPT:
		return usage.Errorf(damaged, err)
	case codes.SQLITE_FULL:
		return fmt.Errorf("the disk is full: %w; free space and try again, what was saved before is safe", err)
	case codes.SQLITE_IOERR:
		return fmt.Errorf("the system cannot read or write the file: %w; check the disk and its free space", err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return usage.Errorf("the file or its folder cannot be written, which SQLite needs to, even to read a study that is in use or was left after a crash: %w; change their permissions, or copy the study, with its second file -wal, to another folder", err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("another program, such as sqlite3, is in a transaction on the file: %w; end that, and try again", err)
	}
	return err
}

// notWritable reports whether SQLite could not make the files beside a database that it needs, even to read.
func notWritable(err error) bool {
	e, ok := errors.AsType[*driver.Error](err)
	return ok && slices.Contains([]int{codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM}, e.Code()&0xff)
}

// pathOnly leaves the operation out of an error of the system, which the caller names.
func pathOnly(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}
