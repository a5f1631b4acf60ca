package table

import "io"

// WriteReport writes what became of every row as CSV.
func (t *Table) WriteReport(w io.Writer) error {
	s := &Sheet{}
	joined := len(t.Records) > 0 && t.Records[0].File != ""
	for _, name := range []string{"file", "line", "id", "text", "input", "score", "bound", "unit", "se", "kind", "reason", "note"} {
		if name != "file" || joined {
			s.Columns = append(s.Columns, Column{Name: name})
		}
	}
	for _, r := range t.Records {
		score, unit, se := Number(r.Score, 0), "", Cell{}
		if score != (Cell{}) && t.Columns.Scale == "" {
			unit = t.Columns.Unit
		}
		if r.SE > 0 {
			se = Number(r.SE, 0)
		}
		note := r.Reason.Text
		if note != "" && r.Note != "" {
			note += "; "
		}
		row := []Cell{Number(float64(r.Line), 0), Text(r.ID), Text(r.Text), Text(r.Input), score, Text(map[int]string{1: ">", -1: "<"}[r.Bound]), Text(unit), se,
			Text(string(r.State)), Text(string(r.Reason.Code)), Text(note + r.Note)}
		if joined {
			row = append([]Cell{Text(r.File)}, row...)
		}
		s.Rows = append(s.Rows, row)
	}
	return s.WriteCSV(w)
}
