package sqlite

import (
	"database/sql"
	"os"
	"time"
)

// rest moves what is in the second file, the write-ahead log, to the first, from time to time, and then lets nothing be
// written for a while.
//
// Programs for backups copy the two files one after the other. As long as the log only grows, the second copy has all
// that the first lacks. But once all of the log is in the first file, SQLite writes it from its beginning again; if
// that is between the two copies, what was in the log is in neither. After a pause it is not: a copy of the first file
// that began in the pause has all that was in the log, and one that began before has ended.
type rest struct {
	db   *sql.DB
	path string

	every, written int // transactions
	pause          func(time.Duration)
}

// restEvery keeps the log at some tens of MB.
const restEvery = 2048

// A copy is expected to take no longer than this and the time of the file's size at copied bytes a second.
const (
	shortest = 500 * time.Millisecond
	copied   = 200 << 20
)

// after is called after each transaction.
func (r *rest) after() {
	if r.written++; r.written < r.every {
		return
	}
	r.written = 0
	r.move()
}

// move moves all of the log, and pauses then. After an error, or where a reader is in the way, the log grows on until
// the next time.
func (r *rest) move() {
	var busy, inLog, moved int
	if err := r.db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &inLog, &moved); err != nil || moved < inLog {
		return
	}
	wait := shortest
	if info, err := os.Stat(r.path); err == nil {
		wait += time.Duration(float64(info.Size()) / copied * float64(time.Second))
	}
	r.pause(wait)
}
