package table

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// WriteReport writes what became of every row as CSV.
func (t *Table) WriteReport(w io.Writer) error {
	joined := len(t.Records) > 0 && t.Records[0].File != ""
	header := []string{"line", "id", "text", "input", "score", "bound", "unit", "se", "kind", "reason", "note"}
	if joined {
		header = append([]string{"file"}, header...)
	}
	c := csv.NewWriter(w)
	c.Write(header)
	for _, r := range t.Records {
		score, bound, unit, se := "", "", "", ""
		if !math.IsNaN(r.Score) {
			score, unit = strconv.FormatFloat(r.Score, 'g', -1, 64), t.Columns.scoreUnit()
			bound = map[int]string{1: ">", -1: "<"}[r.Bound]
		}
		if r.SE > 0 {
			se = strconv.FormatFloat(r.SE, 'g', -1, 64)
		}
		note := r.Reason.Text
		if note != "" && r.Note != "" {
			note += "; "
		}
		cells := []string{strconv.Itoa(r.Line), r.ID, r.Text, r.Input, score, bound, unit, se, string(r.State), string(r.Reason.Code), note + r.Note}
		if joined {
			cells = append([]string{r.File}, cells...)
		}
		c.Write(cells)
	}
	c.Flush()
	return c.Error() // of any of the writes
}

// scoreUnit returns the unit that scores are in; that of a scale is none.
func (c Columns) scoreUnit() string {
	if c.Scale != "" {
		return ""
	}
	return c.Unit
}
