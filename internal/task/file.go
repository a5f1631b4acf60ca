package task

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/sequence"
)

// File is a file that a run reads. A specification tells files apart by their content, wherever they lie.
type File struct {
	Path   string `json:"-"`               // "-": standard input
	Name   string `json:"name,omitzero"`   // base name, for people
	SHA256 string `json:"sha256,omitzero"` // first 8 hexadecimal digits of the content's digest

	Encoding string `json:"-"` // of text in a table, as table.Options has it

	content []byte // of a stream, which can be read only once, or of a file that may be gone
}

// Set, String and Type let a flag name the file.
func (f *File) Set(path string) error { *f = File{Path: path}; return nil }
func (f *File) String() string        { return f.Path }
func (f *File) Type() string          { return "string" }

// Given reports whether there is a file.
func (f File) Given() bool { return f.Path != "" || f.SHA256 != "" }

// Stream reports whether the file can be read only once, as standard input and pipes can.
func (f File) Stream() bool {
	info, err := os.Stat(f.Path)
	return f.Path == "-" || err == nil && !info.Mode().IsRegular()
}

// Open opens the file; Path "-" and "" stand for standard input, unless the file has a digest, as that of a specification.
func (f File) Open() (io.ReadCloser, error) {
	if f.content != nil {
		return io.NopCloser(bytes.NewReader(f.content)), nil
	}
	if f.Path == "" && f.SHA256 != "" {
		return nil, fmt.Errorf("the path of the file %s is not known", f.Name)
	}
	if f.Path == "-" || f.Path == "" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(f.Path)
}

// IsTable reports whether the file is a table with a header, by its name.
func (f File) IsTable() bool {
	ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(f.Path), ".gz"))
	return ext == ".csv" || ext == ".tsv"
}

// Source names the file for people.
func (f File) Source() string {
	if f.Path == "-" || f.Path == "" {
		return "standard input"
	}
	return f.Path
}

// Digest reads the file and sets Name and SHA256. It keeps the content of a stream.
func (f *File) Digest() error {
	if f.Path == "" || f.SHA256 != "" {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return usage.Wrap(err)
	}
	defer r.Close()
	h := sha256.New()
	if f.Stream() {
		if f.content, err = io.ReadAll(r); err != nil {
			return usage.Wrap(err)
		}
		r = io.NopCloser(bytes.NewReader(f.content))
	}
	if _, err := io.Copy(h, r); err != nil {
		return usage.Wrap(err)
	}
	f.Name, f.SHA256 = filepath.Base(f.Path), fmt.Sprintf("%.4x", h.Sum(nil))
	return nil
}

// Read returns the content; nil if it has more than most bytes.
func (f File) Read(most int) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil || len(content) > most {
		return nil, err
	}
	return content, nil
}

// ReadAll returns the content, however large, which must not be changed.
func (f File) ReadAll() ([]byte, error) {
	if f.content != nil {
		return f.content, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// With returns f as a file with this content, wherever it was read from.
func (f File) With(content []byte) File {
	f.content = content
	return f
}

// BuiltIn returns a File for the weights of a built-in model, which has no path.
func BuiltIn(model string) (File, error) {
	weights := grammar.ExpressionFile
	if model == MoleculeModel {
		weights = sequence.MoleculesFile
	}
	h := sha256.New()
	_, err := io.Copy(h, weights())
	return File{SHA256: fmt.Sprintf("%.4x", h.Sum(nil))}, err
}
