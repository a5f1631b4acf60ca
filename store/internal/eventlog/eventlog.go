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
	Parameter func(n int) string       // the n-th parameter of a statement, from 1
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

// Add returns the statement that adds a row to a table.
func (d Dialect) Add(table string, columns ...string) string { return d.insert(table, 1, columns...) }

// insert returns the statement that adds so many rows to a table, with a parameter for each value.
func (d Dialect) insert(table string, rows int, columns ...string) string {
	study, of := "", ""
	if d.Study > 0 {
		study, of = "study, ", fmt.Sprintf("%d, ", d.Study)
	}
	var values strings.Builder
	for row := range rows {
		if row > 0 {
			values.WriteString(", ")
		}
		values.WriteString("(" + of)
		for i := range columns {
			if i > 0 {
				values.WriteString(", ")
			}
			values.WriteString(d.Parameter(row*len(columns) + i + 1))
		}
		values.WriteString(")")
	}
	return "INSERT INTO " + table + " (" + study + strings.Join(columns, ", ") + ") VALUES " + values.String()
}
