package experiment

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Place is where an experiment is kept: one of its fields. The zero value is memory.
type Place struct {
	File   string // an SQLite database
	Folder string // with such a file, study.db, and tables and figures for people
	URL    string // of a PostgreSQL database, with Study, a name in it
	Study  string
}

// studyKey is the key of a URL's query that names the study.
const studyKey = "study"

// ParsePlace reads what people call an experiment: a file, a folder, or postgres://HOST/DATABASE?study=NAME.
func ParsePlace(text string) (Place, error) {
	if strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://") {
		u, err := url.Parse(text)
		if err != nil {
			return Place{}, usage.Errorf("it is not the URL of a PostgreSQL database; give one like postgres://ann@db.example.org/lab?study=first")
		}
		query := u.Query()
		name := query.Get(studyKey)
		if name == "" {
			return Place{}, usage.Errorf("a database holds several studies; name one at the end of its URL: ?study=NAME")
		}
		query.Del(studyKey)
		u.RawQuery = query.Encode()
		return Place{URL: u.String(), Study: name}, nil
	}
	info, err := os.Stat(text)
	switch {
	case err == nil && info.IsDir() && !files.Exists(filepath.Join(text, studyFile)):
		return Place{}, usage.Errorf("%s holds no %s: it is no folder of a run", text, studyFile)
	case err == nil && info.IsDir():
		return Place{Folder: text}, nil
	case filepath.Base(text) == studyFile && files.Exists(filepath.Join(filepath.Dir(text), specFile)):
		return Place{Folder: filepath.Dir(text)}, nil
	}
	return Place{File: text}, nil
}

// String names the place as ParsePlace reads it, without a password.
func (p Place) String() string {
	switch {
	case p.URL != "":
		u, err := url.Parse(p.URL)
		if err != nil { // it may hold a password
			return "the study " + p.Study
		}
		query := u.Query()
		query.Del("password")
		query.Set(studyKey, p.Study)
		u.RawQuery = query.Encode()
		if u.User != nil {
			u.User = url.User(u.User.Username())
		}
		return u.String()
	case p.Folder != "":
		return p.Folder
	}
	return p.File
}

// Name is what the study is called in lists: its file or folder without .db, or its name in the database.
func (p Place) Name() string {
	if p.URL != "" {
		return p.Study
	}
	return strings.TrimSuffix(filepath.Base(p.String()), ".db")
}

// store keeps the events of an experiment and, where it is more than memory, what is lent of its proposals.
type store interface {
	study.Store
	SaveLeases(ctx context.Context, leases []sqlite.Lease) error
	Leases(ctx context.Context) ([]sqlite.Lease, error)
	History(ctx context.Context, trial int) ([]sqlite.Change, error)
	Latest(ctx context.Context) (time.Time, error)
	Reachable(ctx context.Context) error
	Respecify(ctx context.Context, specification json.RawMessage) error
	Close() error
}

// memory is a store that ends with the process, and its leases, too.
type memory struct{ study.Memory }

func (*memory) SaveLeases(context.Context, []sqlite.Lease) error      { return nil }
func (*memory) Leases(context.Context) ([]sqlite.Lease, error)        { return nil, nil }
func (*memory) History(context.Context, int) ([]sqlite.Change, error) { return nil, nil }
func (*memory) Latest(context.Context) (time.Time, error)             { return time.Time{}, nil }
func (*memory) Reachable(context.Context) error                       { return nil }
func (*memory) Respecify(context.Context, json.RawMessage) error      { return nil }
func (*memory) Close() error                                          { return nil }

// database is the file of a place that has one.
func (p Place) database() string {
	if p.Folder != "" {
		return filepath.Join(p.Folder, studyFile)
	}
	return p.File
}

// create makes the store of a new experiment, with its first events.
func (p Place) create(ctx context.Context, record []byte, events []study.Event) (store, error) {
	about := sqlite.Meta{Specification: record, Program: Version()}
	if p.URL == "" {
		return sqlite.Create(ctx, p.database(), about, events...)
	}
	return postgres.Create(ctx, p.URL, p.Study, about, events...)
}

// open opens a store, and returns the record of its specification.
func (p Place) open(ctx context.Context, readOnly bool) (store, []byte, error) {
	var s interface {
		store
		Meta() sqlite.Meta
	}
	var err error
	if opts := (sqlite.Options{ReadOnly: readOnly, Program: Version()}); p.URL != "" {
		s, err = postgres.Open(ctx, p.URL, p.Study, opts)
	} else {
		s, err = sqlite.Open(ctx, p.database(), opts)
	}
	if err != nil {
		return nil, nil, err
	}
	return s, s.Meta().Specification, nil
}
