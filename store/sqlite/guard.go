package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// ErrAstray is wrapped by errors of Save where the file of a study is not what was opened: it was moved, removed,
// replaced or overwritten.
var ErrAstray = errors.New("the file is not the one that was opened")

// astrayError is an ErrAstray that says what became of the file.
type astrayError struct{ error }

func (astrayError) Is(target error) bool { return target == ErrAstray }

func astray(format string, args ...any) error { return astrayError{fmt.Errorf(format, args...)} }

// guard notices that the file of a study was moved, removed or replaced while it is open. SQLite does not: it goes on
// with the file that it has open, wherever that is now, and what is committed would be lost.
type guard struct {
	path    string
	file    fs.FileInfo // as it was after the latest commit
	wal     fs.FileInfo // the second file, likewise
	created string      // when the study was, which tells studies apart
	events  int64       // how many events the file held when it was looked at last, without the second one

	pause func(time.Duration) // nil: time.Sleep

	overwritten bool // in place: what the second file holds is of no use to what is there now
}

// begin takes the files as they are now.
func (g *guard) begin(path string) (err error) {
	g.path = path
	if g.pause == nil {
		g.pause = time.Sleep
	}
	if g.file, err = os.Stat(path); err != nil {
		return err
	}
	if g.wal, err = os.Stat(path + "-wal"); err != nil {
		return err
	}
	g.created, g.events, err = g.look()
	return err
}

// check returns an error unless the files are those that were opened.
func (g *guard) check(committed bool) error {
	const remedy = "nothing more is stored: put it back and begin again, or go on with the file that is there now"
	file, err := os.Stat(g.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return astray("the file was moved or removed while it was in use; %s", remedy)
	case err != nil:
		return fmt.Errorf("look for the file: %w", pathOnly(err))
	case !os.SameFile(file, g.file):
		return astray("the file was replaced by another one while it was in use; %s", remedy)
	}
	wal, err := os.Stat(g.path + "-wal")
	if err != nil || !os.SameFile(wal, g.wal) {
		return astray("its second file, %s-wal, which holds the latest answers, was moved, removed or replaced while it was in use; %s", g.path, remedy)
	}
	if wal.Size() < g.wal.Size() { // it is written to from its beginning again, and never cut off
		return astray("its second file, %s-wal, which holds the latest answers, was cut off while it was in use; %s", g.path, remedy)
	}
	if file.Size() != g.file.Size() || !file.ModTime().Equal(g.file.ModTime()) {
		// Written to by this process or by a program for backups, which move what is in the second file to the first,
		// or overwritten.
		created, events, err := g.look()
		if err != nil || created != g.created || events < g.events {
			g.overwritten = true
			return astray("the file was overwritten by another program while it was in use; %s", remedy)
		}
		g.events = events
	}
	g.file, g.wal = file, wal
	return nil
}

// part keeps the second file from what has overwritten the first: SQLite would write into that, at the end or when it
// is opened again.
func (g *guard) part() error {
	os.Remove(g.path + "-shm") // which is made of the second file
	return os.Rename(g.path+"-wal", g.path+"-wal.stray")
}

// look reads the file as it is, without the second one. While a program for backups moves that to the first, page by
// page, they are of use only together: look waits for its end.
func (g *guard) look() (created string, events int64, err error) {
	for range 20 {
		created, events, err = g.read()
		e, ok := errors.AsType[*driver.Error](err)
		if !ok || e.Code()&0xff != codes.SQLITE_CORRUPT {
			break
		}
		g.pause(50 * time.Millisecond)
	}
	return created, events, err
}

func (g *guard) read() (created string, events int64, err error) {
	db, err := connect(g.path, reading+"&immutable=1")
	if err != nil {
		return "", 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(context.Background(), "SELECT created, (SELECT coalesce(max(id), 0) FROM events) FROM study").Scan(&created, &events)
	return created, events, err
}
