package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
)

// filledIn returns what a form says of proposals: a text for each column that people fill in, by trial. Those of which nothing is filled in
// are left out.
func (b *board) filledIn(f form) map[int][]string {
	all := map[int][]string{}
	columns := len(b.Filled())
	for key := range f.values {
		parts := strings.Split(key, ".")
		text := strings.TrimSpace(f.values.Get(key))
		if len(parts) < 2 || text == "" {
			continue
		}
		id, err := strconv.Atoi(parts[1])
		if err != nil || id < 1 {
			continue
		}
		j := 0
		switch {
		case parts[0] == "failed" && len(parts) == 2:
			text = "failed: " + text
		case parts[0] == "value" && len(parts) == 3:
			if j, err = strconv.Atoi(parts[2]); err != nil || j < 0 || j >= columns {
				continue
			}
		default:
			continue
		}
		if all[id] == nil {
			all[id] = make([]string, columns)
		}
		if !strings.HasPrefix(all[id][j], "failed: ") {
			all[id][j] = text
		}
	}
	return all
}

// read reads what is filled in as if it stood in the table that invbo ask writes: units, scales and failures mean the same. Of trials that
// there are not, the record has no input.
func (b *board) read(ctx context.Context, filled map[int][]string) (map[int]table.Record, error) {
	o, err := b.TableOptions()
	if err != nil {
		return nil, err
	}
	o.CSV, o.NoComments = true, true
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write(append([]string{b.Columns.ID, b.Columns.Input}, b.Filled()...)) // a Buffer takes all
	ids := slices.Sorted(maps.Keys(filled))
	known := ids[:0:0]
	name := b.Naming()
	rows := map[int]table.Record{}
	for _, id := range ids {
		page := b.Page(id-1, 1)
		if len(page) == 0 {
			rows[id] = table.Record{State: table.Missing, Score: math.NaN()}
			continue
		}
		known = append(known, id)
		w.Write(append([]string{name(page[0].Proposal), cmp.Or(page[0].Input, page[0].X)}, filled[id]...))
	}
	w.Flush()
	if len(known) == 0 {
		return rows, nil
	}
	read, err := table.Read(ctx, &text, o)
	if err != nil {
		return nil, err
	}
	if b.Objective != nil {
		read.ScoreBy(b.Objective.Complete)
	}
	for _, r := range read.Records {
		at := r.Line - 2 // behind the heading
		if at < 0 || at >= len(known) {
			return nil, fmt.Errorf("the form has %d rows, and row %d was read", len(known), at+1)
		}
		id := known[at]
		t := b.Page(id-1, 1)[0]
		r.ID, r.Input = "", cmp.Or(t.Input, t.X)
		rows[id] = r
	}
	return rows, nil
}

// unusable says what is wrong with what was read; empty if it can be told.
func unusable(r table.Record) string {
	switch {
	case r.Input == "":
		return ""
	case r.State == table.Invalid:
		return sentence(r.Reason.Text)
	case r.Unused():
		return sentence(r.Note)
	case r.State == table.Missing && len(r.Others) == 0:
		return "That is no value. Leave it empty while it waits."
	}
	return ""
}

// keys returns the names of the fields of the n-th measurement of a trial; 0: of another one.
func (b *board) keys(n int) (keys []string) {
	for j := range b.Filled() {
		if n == 0 {
			keys = append(keys, fmt.Sprintf("another.%d", j))
		} else {
			keys = append(keys, fmt.Sprintf("value.%d.%d", n, j))
		}
	}
	return keys
}

// correction reads the right values of a measurement, as invbo correct does: on the scale of the study. Problems are added by field.
func (b *board) correction(cells, keys []string, problems map[string]string) table.Record {
	r := table.Record{State: table.Missing, Score: math.NaN()}
	for j, name := range b.Filled() {
		if cells[j] == "" || r.State == table.Failed {
			continue
		}
		v := table.ReadValue(cells[j])
		isScore := b.Objective == nil && name == b.Columns.Filled()
		switch {
		case v.State == table.Failed:
			v.Score = math.NaN()
			r = v
		case v.State != table.Measured:
			problems[keys[j]] = sentence(cmp.Or(v.Reason.Text, fmt.Sprintf("%q is no value", usage.Shorten(cells[j], 40))))
		case isScore:
			r.State, r.Score, r.Bound = table.Measured, v.Score, v.Bound
		case v.Bound != 0:
			problems[keys[j]] = "Only the score may be a bound."
		default:
			if r.Others == nil {
				r.Others = map[string]float64{}
			}
			r.Others[name] = v.Score
		}
	}
	return r
}
