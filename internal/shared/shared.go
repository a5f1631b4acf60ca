// Package shared opens reference values and data that lie beside the module, in ../shared, for tests. A test that needs
// them skips where they are not, as at a user's.
package shared

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Open returns the content of a file by its path in ../shared, such as golden/sa_nibr.csv.gz, unzipped. It is closed at
// the test's end.
func Open(tb testing.TB, name string) io.Reader {
	tb.Helper()
	root, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		if filepath.Dir(root) == root {
			tb.Fatal("no go.mod above the test's folder")
		}
		root = filepath.Dir(root)
	}
	if err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(filepath.Join(filepath.Dir(root), "shared", filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("needs ../shared/%s beside the module", name)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	if filepath.Ext(name) != ".gz" {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return z
}

// Rows returns the rows of a CSV file, the header first, as Open finds it.
func Rows(tb testing.TB, name string) [][]string {
	tb.Helper()
	rows, err := csv.NewReader(Open(tb, name)).ReadAll()
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return rows
}
