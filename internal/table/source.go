package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Limits, which no table of measurements reaches: they bound the memory that a broken or malicious file takes.
const (
	maxBytes   = 256 << 20 // of a file that is read as a whole, unpacked
	maxScanned = 700 << 20 // of a file that is scanned, unpacked
	scanned    = 4 << 20   // of a file that is scanned, read at a time
	maxRow     = 64 << 20  // of a row of a file that is scanned
	maxField   = 1 << 16   // of a cell; the longest human protein has 34,350 letters
	maxColumns = 5_000
)

// source reads a file block by block: gzip is undone, and text becomes UTF-8 with \n at the ends of lines.
type source struct {
	r        io.Reader // unpacked
	block    int       // bytes that are read at a time
	zipped   bool
	workbook bool
	encoding string
	lineEnd  byte   // \n, or \r in files of old Macs
	cut      []byte // a line that the last block has the beginning of
	ended    bool
	failed   error
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

// newSource begins to read a file of at most so many bytes, in blocks of about that size.
func newSource(r io.Reader, most, block int) (*source, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	s := &source{block: block, encoding: "UTF-8", lineEnd: '\n'}
	unpacked := io.Reader(b)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		s.zipped, unpacked = true, z
	}
	b = bufio.NewReaderSize(&limited{r: unpacked, left: most, most: most}, 1<<16)
	begin, err := b.Peek(1000)
	if err != nil && err != io.EOF {
		return nil, s.explain(err)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(begin, []byte(f.magic)) {
			return nil, errors.New(f.remedy)
		}
	}
	s.r = b
	if s.workbook = bytes.HasPrefix(begin, []byte("PK\x03\x04")); s.workbook {
		return s, nil
	}
	zeros := 3*bytes.Count(begin, []byte{0}) > len(begin)
	decode := func(e unicode.Endianness, b unicode.BOMPolicy) {
		s.encoding, s.r = "UTF-16", transform.NewReader(s.r, unicode.UTF16(e, b).NewDecoder())
	}
	switch {
	case bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")):
		b.Discard(3)
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")), zeros && begin[0] != 0:
		decode(unicode.LittleEndian, unicode.UseBOM)
	case zeros:
		decode(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return s, nil
}

// next returns the text of the next block: whole lines. The error is io.EOF after the last.
func (s *source) next() (string, error) {
	if s.ended {
		return "", io.EOF
	}
	content := s.cut
	for {
		n := len(content)
		read, err := io.ReadAll(io.LimitReader(s.r, int64(s.block)))
		if content = append(content, read...); err != nil {
			return "", s.explain(err)
		}
		if s.ended = len(read) < s.block; s.ended {
			s.cut = nil
			break
		}
		if n == 0 && !bytes.Contains(content, []byte("\n")) && bytes.Contains(content, []byte("\r")) {
			s.lineEnd = '\r'
		}
		if end := bytes.LastIndexByte(content, s.lineEnd) + 1; end > 0 {
			s.cut = bytes.Clone(content[end:])
			content = content[:end]
			break
		}
		if len(content) > maxRow {
			return "", tooLong()
		}
	}
	return s.text(content)
}

// text decodes a block.
func (s *source) text(content []byte) (string, error) {
	if !utf8.Valid(content) {
		s.encoding = "Windows-1252"
		var err error
		if content, err = charmap.Windows1252.NewDecoder().Bytes(content); err != nil {
			return "", fmt.Errorf("%s: %w", s.encoding, err)
		}
	}
	if bytes.IndexByte(content, 0) >= 0 {
		return "", errors.New("it is neither text nor a workbook: give CSV, .smi, SDF, FASTA or .xlsx")
	}
	text := string(content)
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as Macs once did
	}
	return text, nil
}

func (s *source) explain(err error) error {
	if err != nil && s.zipped && !errors.As(err, new(tooLarge)) {
		return fmt.Errorf("gzip: %w", err)
	}
	return err
}

func tooLong() error { return fmt.Errorf("it has a line or record of more than %d MiB", maxRow>>20) }

// limited reads a file up to a limit, beyond which it returns an error.
type limited struct {
	r          io.Reader
	left, most int
}

// tooLarge is the error about a file of more than so many bytes.
type tooLarge int

func (most tooLarge) Error() string {
	return fmt.Sprintf("it has more than %d MiB, unpacked: split it", int(most)>>20)
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left == 0 { // is there more?
		var one [1]byte
		if n, err := io.ReadFull(l.r, one[:]); n == 0 {
			return 0, err
		}
		return 0, tooLarge(l.most)
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// body is the text of a file: all of it, or its beginning, which ends with a line.
type body struct {
	begin string
	more  *source // nil: begin is all
}

// err returns why the rest of a body could not be read.
func (b body) err() error {
	if b.more == nil {
		return nil
	}
	return b.more.failed
}

// next returns more text; empty at the end, and after an error.
func (b body) next() string {
	if b.more == nil {
		return ""
	}
	piece, err := b.more.next()
	if err != nil && err != io.EOF {
		b.more.failed = err
	}
	return piece
}

// lines returns the lines of a body, with their line ends.
func (b body) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece := b.begin; piece != ""; piece = b.next() {
			for line := range strings.Lines(piece) {
				if !yield(line) {
					return
				}
			}
		}
	}
}
