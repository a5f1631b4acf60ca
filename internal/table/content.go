package table

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Limits, which no table of measurements reaches: they bound the memory that a broken or malicious file takes.
const (
	maxBytes   = 256 << 20 // of a file that is read as a whole, unpacked
	maxScanned = 700 << 20 // of a file that is scanned, unpacked
	maxRow     = 64 << 20  // of a row of a file that is scanned
	maxField   = 1 << 16   // of a cell; the longest human protein has 34,350 letters
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

const structures = "MOL2 and PDB files are not read: write it as SDF (obabel FILE -O FILE.sdf)"

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
	{"@<TRIPOS>", structures}, {"HEADER    ", structures}, {"COMPND    ", structures}, {"REMARK   ", structures}, {"ATOM      ", structures}, {"HETATM", structures},
}

func refuse(content []byte) error {
	for _, f := range foreign {
		if bytes.HasPrefix(content, []byte(f.magic)) {
			return errors.New(f.remedy)
		}
	}
	return nil
}
