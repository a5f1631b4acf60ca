// Package eventlog writes the events of a study to the tables of an SQL database, and reads them: what stores share. The tables
// are described in package sqlite; a Dialect says what differs.
package eventlog

import (
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Dialect is how a database holds one study.
type Dialect struct {
	Study     int                      // its ID in tables of several studies; 0: there are no others, and no column of that name
	Isolation sql.IsolationLevel       // in which several queries see the same moment
	WriteText func(string) any         // what a column of text holds for a string
	ReadText  func(any) (string, bool) // the string again
}

// DamagedError says that the tables hold what a Writer does not write.
type DamagedError struct{ error }

func (e *DamagedError) Unwrap() error { return e.error }

func damaged(format string, args ...any) error { return &DamagedError{fmt.Errorf(format, args...)} }

// IsText reports whether any database can hold s as text.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// where puts the condition on the study in place of the word STUDY.
func (d Dialect) where(query string) string {
	condition := "TRUE"
	if d.Study > 0 {
		condition = fmt.Sprintf("study = %d", d.Study)
	}
	return strings.ReplaceAll(query, "STUDY", condition)
}

// Insert returns the statement that adds a row with the next ID of its table, and returns that.
func (d Dialect) Insert(table string, columns ...string) string {
	if d.Study == 0 {
		return d.insert(table, nil, nil, columns) + " RETURNING id"
	}
	next := d.where("(SELECT coalesce(max(id), 0) + 1 FROM " + table + " WHERE STUDY)")
	return d.insert(table, []string{"study", "id"}, []string{fmt.Sprint(d.Study), next}, columns) + " RETURNING id"
}

// Add returns the statement that adds a row to a table whose rows have no ID of their own.
func (d Dialect) Add(table string, columns ...string) string {
	if d.Study == 0 {
		return d.insert(table, nil, nil, columns)
	}
	return d.insert(table, []string{"study"}, []string{fmt.Sprint(d.Study)}, columns)
}

// insert returns a statement with given values for the first columns, and parameters for the others.
func (d Dialect) insert(table string, first, values, columns []string) string {
	for i := range columns {
		values = append(values, fmt.Sprintf("$%d", i+1))
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(append(first, columns...), ", "), strings.Join(values, ", "))
}
