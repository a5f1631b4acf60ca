package table

import "github.com/invbo/invbo/internal/table/bioseq"

// writeAlike writes strings that are neither molecules nor sequences as most of them are written.
func (t *Table) writeAlike(o Options) error {
	if o.Alike == nil || o.Molecules || t.Sequences != bioseq.None {
		return nil
	}
	var texts []string
	for _, r := range t.Records {
		if r.Input != "" {
			texts = append(texts, r.Input)
		}
	}
	spell, notes, err := o.Alike(texts)
	if err != nil || spell == nil {
		return err
	}
	t.Notes = append(t.Notes, notes...)
	for i := range t.Records {
		r := &t.Records[i]
		if r.Input == "" {
			continue
		}
		s := spell(r.Input)
		if s.Err != nil {
			*r = r.invalid(BadString, "%v", s.Err)
			continue
		}
		r.Input, r.odd = s.Text, s.Odd
		r.changed = joined(" and ", r.changed, s.Changed)
		r.annotate(joined("; ", s.Changed, s.Odd))
	}
	return nil
}
