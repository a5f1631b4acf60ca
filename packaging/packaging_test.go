package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPackageVersion(t *testing.T) {
	commit := time.Date(2026, 1, 2, 15, 4, 5, 0, time.FixedZone("", 3600))
	for describe, want := range map[string]string{
		"v1.2.0":                       "1.2.0",
		"v1.2.0-dirty":                 "1.2.0+dirty",
		"v1.2.0-rc.1":                  "1.2.0~rc.1",
		"v1.2.0-3-g1a2b3c4":            "1.2.0+3.g1a2b3c4",
		"v1.2.0-rc.1-3-g1a2b3c4-dirty": "1.2.0~rc.1+3.g1a2b3c4+dirty",
		"1a2b3c4":                      "0~20260102140405.g1a2b3c4",
		"f423f18-dirty":                "0~20260102140405.gf423f18+dirty",
	} {
		if got := packageVersion(describe, commit); got != want {
			t.Errorf("packageVersion(%q) = %s, want %s", describe, got, want)
		}
	}
}

// An archive depends on the names, modes and contents of its files only.
func TestArchivesAreReproducible(t *testing.T) {
	commit := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for name, write := range map[string]func(string, []entry, time.Time) error{"a.tar.gz": writeTar, "a.zip": writeZip} {
		var archives [2][]byte
		for i := range archives {
			folder := t.TempDir()
			file := filepath.Join(folder, "file")
			if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(file, time.Time{}, commit.AddDate(i, 0, 0)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(folder, name)
			if err := write(path, []entry{{"a/file", file, 0o755}}, commit); err != nil {
				t.Fatal(err)
			}
			var err error
			if archives[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(archives[0], archives[1]) {
			t.Errorf("%s: two archives of the same file differ", name)
		}
	}
}

// A bill of materials has the packages of npm beside the modules of Go.
func TestAddScripts(t *testing.T) {
	bill := filepath.Join(t.TempDir(), "bill.json")
	if err := os.WriteFile(bill, []byte(`{"bomFormat": "CycloneDX", "components": [{"name": "gonum.org/v1/gonum"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := addScripts(bill, "../internal/page/web/package-lock.json"); err != nil {
		t.Fatal(err)
	}
	var b struct {
		BOMFormat  string
		Components []struct {
			Name, PURL string
			Hashes     []struct{ Alg, Content string }
		}
	}
	if err := readJSON(bill, &b); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range b.Components {
		names = append(names, c.Name)
		if c.PURL != "" && (!strings.HasPrefix(c.PURL, "pkg:npm/"+c.Name+"@") || len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 128) {
			t.Errorf("component %+v", c)
		}
	}
	if want := []string{"gonum.org/v1/gonum", "htmx-ext-sse", "htmx.org", "uplot"}; b.BOMFormat != "CycloneDX" || !slices.Equal(names, want) {
		t.Errorf("%s with %q, want %q", b.BOMFormat, names, want)
	}
}
