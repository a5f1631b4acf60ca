package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Opened is an open file of strings in a notation. Its columns are known, and may be chosen before it is read.
type Opened struct {
	*table.Rows
	Source   string // the file's name
	notation Notation
	check    func(x string) error // of the model's strings; may be nil
}

// Strings are the rows of a file, with the strings of a model or a search.
type Strings struct {
	*table.Table
	Source string
	X      []string // of each of Records; "" for those that are table.Invalid
	noun   string   // what they are, in the plural
}

// Open opens a file of strings. The check, which may be nil, says which of the model's strings can be used. Columns are
// the options that name columns, as far as they are known.
func (n Notation) Open(f File, columns table.Options, check func(x string) error) (*Opened, error) {
	o := &Opened{Source: f.Source(), notation: n, check: check}
	columns.CSV, columns.Encoding = f.IsTable(), cmp.Or(columns.Encoding, f.Encoding)
	if err := n.set(&columns, check); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, usage.Wrap(err)
	}
	defer r.Close()
	if o.Rows, err = table.Open(r, columns); err != nil {
		return nil, o.wrap(err)
	}
	return o, nil
}

// set sets the options of tables that are the notation's and a model's.
func (n Notation) set(o *table.Options, check func(x string) error) error {
	o.NoComments = n.hash
	switch {
	case n.prepare != nil:
		return usage.Wrap(n.prepare(o))
	case check != nil:
		o.Normalize = func(text string) (string, string, error) { return text, "", check(text) }
	}
	return nil
}

func (o *Opened) wrap(err error) error { return usage.Errorf("%s: %w", o.Source, err) }

// Read reads the strings. A row that cannot be used is table.Invalid; the error says if most are.
func (o *Opened) Read(ctx context.Context, columns table.Options) (*Strings, error) {
	own := false
	if columns.Input == "" {
		columns.Input, own = o.Find(o.notation.own...)
	}
	if err := o.notation.set(&columns, o.check); err != nil {
		return nil, err
	}
	show, stop := progress.Rows("read ", nil)
	columns.Progress = show
	t, err := o.Rows.Read(ctx, columns)
	stop()
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, o.wrap(err)
	}
	s, err := o.notation.strings(ctx, t, columns.Molecules, own, o.check)
	if err != nil {
		return nil, err
	}
	s.Source = o.Source
	if err := t.MostlyUsable(); err != nil {
		return nil, o.wrap(err)
	}
	return s, nil
}

// strings returns the rows of a table with the model's strings. own says that the column is of these.
func (n Notation) strings(ctx context.Context, t *table.Table, molecules, own bool, check func(x string) error) (*Strings, error) {
	s := &Strings{Table: t, X: make([]string, len(t.Records)), noun: "strings"}
	if molecules {
		s.noun = "compounds"
	}
	odd := 0 // lines that are hardly strings, unless most are like that
	for _, r := range t.Records {
		if n.line != nil && t.Format.Kind == "lines" && !t.Format.Header && r.State != table.Invalid && n.line(r.Text) != nil {
			odd++
		}
	}
	lines := odd > 0 && 2*odd <= len(t.Records)
	errs := make([]error, len(t.Records))
	err := parallel.ForContext(ctx, len(t.Records), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r := t.Records[i]
			if r.State == table.Invalid {
				continue
			}
			if lines {
				errs[i] = n.line(r.Text)
			}
			if errs[i] == nil {
				s.X[i], errs[i] = n.string(r, own, check)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			t.Refuse(i, err)
			s.X[i] = ""
		}
	}
	return s, nil
}

// string returns the model's string of a record, which the model can encode.
func (n Notation) string(r table.Record, own bool, check func(x string) error) (x string, err error) {
	switch {
	case n.encode == nil:
		x = r.Input
	case r.Changed():
		x, err = n.encode(r.Input)
	case own:
		x = r.Text
	default:
		x, err = n.encode(r.Text)
	}
	if err == nil && n.check != nil {
		err = n.check(x)
	}
	if err != nil || check == nil || n.prepare == nil { // then Normalize has checked it
		return x, err
	}
	if err := check(x); err != nil {
		if n.why == nil {
			return "", err
		}
		return "", fmt.Errorf("%q: %w%s", usage.Shorten(r.Text, 60), err, n.why(r.Text))
	}
	return x, nil
}

// Note says what people should know of the strings: what was changed, what was left out, and in which format they were;
// "" if that is nothing.
func (s *Strings) Note() string {
	notes := s.Remarks
	if summary := s.noteSummary(); summary != "" {
		notes = append([]string{summary}, notes...)
	}
	return strings.Join(notes, "\n")
}

// noteSummary is the summary of a file that has more than plain strings; "" of another.
func (s *Strings) noteSummary() string {
	format := s.Format.Kind != "CSV" && s.Format.Kind != "lines" || s.Format.DecimalComma
	if format || slices.ContainsFunc(s.Records, func(r table.Record) bool { return r.Changed() || r.Unused() || r.State == table.Invalid }) {
		return s.Source + ": " + s.Summary(s.noun)
	}
	return ""
}

// Usable returns the strings of the rows that can be used.
func (s *Strings) Usable() []string {
	return slices.DeleteFunc(slices.Clone(s.X), func(x string) bool { return x == "" })
}

// Read reads the strings of a file that a check, which may be nil, has no error for, without scores. Columns are the
// options that name columns.
func (n Notation) Read(ctx context.Context, f File, columns table.Options, check func(x string) error) (*Strings, error) {
	columns.Score = []string{table.NoScores}
	o, err := n.Open(f, columns, check)
	if err != nil {
		return nil, err
	}
	return o.Read(ctx, columns)
}

// Strings returns texts as Read returns those of a file.
func (n Notation) Strings(ctx context.Context, texts []string) (*Strings, error) {
	var o table.Options
	if err := n.set(&o, nil); err != nil {
		return nil, err
	}
	return n.strings(ctx, table.Of(texts, o), o.Molecules, false, nil)
}

// The tasks of strings of a user's own.
const (
	OwnMolecules = "molecules"
	OwnStrings   = "strings"
)

// Guess returns the task of the strings of a file: OwnMolecules if their column says so or most of the first ones are
// SMILES, as far as this build can tell, or OwnStrings.
func Guess(f File, columns table.Options) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", usage.Wrap(err)
	}
	defer r.Close()
	molecules, err := table.AreMolecules(r, columns)
	if err != nil {
		return "", usage.Errorf("%s: %w", f.Source(), err)
	}
	if molecules {
		return OwnMolecules, nil
	}
	return OwnStrings, nil
}

// GuessOf is Guess for given strings.
func GuessOf(texts []string) string {
	const looked = 100 // at the first ones
	n := 0
	texts = texts[:min(len(texts), looked)]
	for _, text := range texts {
		if _, err := molecule.Canonical(text); err == nil {
			n++
		}
	}
	if 2*n > len(texts) {
		return OwnMolecules
	}
	return OwnStrings
}
