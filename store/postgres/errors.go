package postgres

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// Codes of PostgreSQL's errors.
const (
	undefinedTable   = "42P01"
	lockNotAvailable = "55P03"
	diskFull         = "53100"
	readOnly         = "25006"
	notPermitted     = "42501"
)

// explain says what to do about an error of the database. Other errors stay as they are.
func explain(err error) error {
	if _, ok := errors.AsType[*eventlog.DamagedError](err); ok {
		return usage.Errorf("its tables were changed by another program: %w; restore a backup", err)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return usage.Errorf("cannot connect: %w; check the URL, the user and the password, which PGPASSWORD or ~/.pgpass may hold", oneLine{err})
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case !ok && lost(err), ok && strings.HasPrefix(e.Code, "57P"): // the server ends, or an administrator ended the connection
		return fmt.Errorf("the connection to the database was lost: %w; open the study again", err)
	case !ok:
		return err
	case e.Code == diskFull:
		return fmt.Errorf("the database's disk is full: %w; free space and try again, what was saved before is safe", err)
	case e.Code == readOnly:
		return usage.Errorf("the database is read-only: %w; give the URL of the primary server", err)
	case e.Code == notPermitted:
		return usage.Errorf("the user may not do that: %w; give the URL of another user, or let its owner grant CREATE on the database", err)
	}
	return err
}

// lost reports whether err is about a connection that is no more.
func lost(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

// oneLine is an error whose text has no line breaks. Of equal lines, one for each attempt to connect, there is one.
type oneLine struct{ error }

func (e oneLine) Error() string {
	lines := strings.Split(e.error.Error(), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(slices.Compact(lines), " ")
}

func (e oneLine) Unwrap() error { return e.error }
