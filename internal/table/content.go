package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Limits, which no table of measurements reaches: they bound the memory that a broken or malicious file takes.
const (
	maxBytes   = 256 << 20 // of a file, unpacked
	maxField   = 1 << 16   // bytes of a cell; the longest human protein has 34,350 letters
	maxColumns = 5_000
)

// Format says how a file is written.
type Format struct {
	Kind         string // "CSV" for text with separators, "lines" for text without, "SDF", "FASTA" or "Excel"
	Separator    string // of a CSV: "comma", "semicolon", "tab", "pipe" or "blank"
	DecimalComma bool   // numbers are written as 5,3
	Encoding     string // "UTF-8", "UTF-16" or "Windows-1252"; empty for Excel
	Gzip         bool
	Sheet        string // of an Excel workbook
	Header       bool   // the first row names the columns
	Layout       string // of a known source, whose first rows say what columns hold: "PubChem"
}

// String describes what is not plain: "semicolons, decimal commas, Windows-1252, no header"; empty if nothing is.
func (f Format) String() string {
	var parts []string
	add := func(when bool, part string) {
		if when {
			parts = append(parts, part)
		}
	}
	add(f.Layout != "", f.Layout)
	add(f.Kind == "SDF" || f.Kind == "FASTA", f.Kind)
	add(f.Kind == "Excel", fmt.Sprintf("Excel sheet %q", f.Sheet))
	add(f.Separator != "" && f.Separator != "comma", f.Separator+"s")
	add(f.DecimalComma, "decimal commas")
	add(f.Encoding != "" && f.Encoding != "UTF-8", f.Encoding)
	add(f.Gzip, "gzip")
	add(!f.Header, "no header")
	return strings.Join(parts, ", ")
}

// load reads a file and undoes gzip.
func load(r io.Reader) (content []byte, zipped bool, err error) {
	content, err = readAll(r)
	if err != nil || !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return content, false, err
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err == nil {
		content, err = readAll(z)
	}
	if err != nil {
		return nil, true, fmt.Errorf("gzip: %w", err)
	}
	return content, true, nil
}

func readAll(r io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(content) > maxBytes {
		err = fmt.Errorf("it has more than %d MiB: split it", maxBytes>>20)
	}
	return content, err
}

// foreign lists formats that are not read, by how a file begins, and what to do.
var foreign = []struct{ magic, remedy string }{
	{"\xd0\xcf\x11\xe0", "it is an .xls workbook, or one with a password: save it as .xlsx or CSV without"},
	{"%PDF", "it is a PDF: give the table as CSV or .xlsx"},
	{"PAR1", "it is Parquet: write it as CSV"},
	{"\x89HDF", "it is HDF5: write the table as CSV"},
	{"BZh", "it is packed by bzip2: unpack it first, or use gzip"},
	{"\xfd7zXZ", "it is packed by xz: unpack it first, or use gzip"},
	{"\x28\xb5\x2f\xfd", "it is packed by zstd: unpack it first, or use gzip"},
	{"\x1f\x8b", "it is packed by gzip twice: unpack it once"},
}

func refuse(content []byte) error {
	for _, f := range foreign {
		if bytes.HasPrefix(content, []byte(f.magic)) {
			return errors.New(f.remedy)
		}
	}
	return nil
}

// decode returns text in UTF-8 with \n at the ends of lines, and the encoding that it was in.
func decode(content []byte) (text, name string, err error) {
	name = "UTF-8"
	var d encoding.Encoding
	switch zeros := bytes.Count(content[:min(len(content), 1000)], []byte{0}); {
	case bytes.HasPrefix(content, []byte("\xef\xbb\xbf")):
		content = content[3:]
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("\xfe\xff")):
		name, d = "UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case 3*zeros > min(len(content), 1000) && content[0] != 0:
		name, d = "UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case 3*zeros > min(len(content), 1000):
		name, d = "UTF-16", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	if d == nil && !utf8.Valid(content) {
		name, d = "Windows-1252", charmap.Windows1252
	}
	if d != nil {
		if content, err = d.NewDecoder().Bytes(content); err != nil {
			return "", "", fmt.Errorf("%s: %w", name, err)
		}
	}
	if bytes.IndexByte(content, 0) >= 0 {
		return "", "", errors.New("it is neither text nor a workbook: give CSV, .smi, SDF, FASTA or .xlsx")
	}
	text = strings.ReplaceAll(string(content), "\r\n", "\n")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as Macs once did
	}
	return text, name, nil
}
