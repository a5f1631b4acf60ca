package eventlog

import (
	"context"
	"fmt"
	"time"

	"github.com/invbo/invbo/study"
)

// Change is a measurement as it was stored at some time: the first of its ID, or a correction.
type Change struct {
	At          time.Time // to the millisecond, UTC
	Position    int       // among the measurements of its trial, from 1
	Measurement study.Measurement
}

// History returns all that was stored of the measurements of a trial, the oldest first.
func (l *Log) History(ctx context.Context, trial int) (changes []Change, err error) {
	const query = `SELECT a.position, a.id, a.score, a.bound, a.se, a.reason, a.others, e.at
		FROM (SELECT * FROM answers WHERE STUDY) a
			JOIN (SELECT * FROM changes WHERE STUDY) c ON c.id = a.change
			JOIN (SELECT * FROM proposals WHERE STUDY) p ON p.id = c.proposal
			JOIN (SELECT * FROM events WHERE STUDY) e ON e.id = c.event
		WHERE p.trial = `
	rows, err := l.db.QueryContext(ctx, l.dialect.where(query)+l.dialect.Parameter(1)+" ORDER BY a.change, a.position", trial)
	if err == nil {
		err = l.dialect.readRows(rows, func(r *record) {
			changes = append(changes, Change{r.time("at"), r.int("position"), r.measurement()})
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read the history of trial %d in %s: %w", trial, l.name, l.dialect.Explain(err))
	}
	return changes, nil
}

// Latest returns when the latest event was saved; the zero time if there is none.
func (l *Log) Latest(ctx context.Context) (at time.Time, err error) {
	rows, err := l.db.QueryContext(ctx, l.dialect.where("SELECT at FROM events WHERE STUDY ORDER BY id DESC LIMIT 1"))
	if err == nil {
		err = l.dialect.readRows(rows, func(r *record) { at = r.time("at") })
	}
	if err != nil {
		return at, fmt.Errorf("read the latest event of %s: %w", l.name, l.dialect.Explain(err))
	}
	return at, nil
}
