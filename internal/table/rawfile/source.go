// Package rawfile reads a file into rows of cells, whatever they mean: text in several encodings with separated cells
// or none, FASTA, SD files, and sheets of .xlsx workbooks, any of them packed by gzip.
package rawfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/invbo/invbo/internal/option"
)

// Limits, which no table of measurements reaches: they bound the memory that a broken or malicious file takes.
const (
	MaxCell    = 1 << 16   // bytes of a cell; the longest human protein has 34,350 letters
	MaxColumns = 5_000     // cells of a row
	maxBytes   = 256 << 20 // of a file that is read into memory, unpacked
	maxScanned = 700 << 20 // of a file that is read block by block, unpacked
	scanned    = 4 << 20   // bytes of a block
	maxRow     = 64 << 20  // bytes of a row of a file that is read block by block
)

// File is a file whose beginning has been read.
type File struct {
	Gzip     bool
	Workbook bool   // it is a zip file, which OpenWorkbook may open
	Encoding string // of text: UTF-8, UTF-16, Windows-1252, or the one that was given; empty for a workbook
	Text     Text   // empty for a workbook
	source   *source
}

// Open reads a file of up to 256 MiB, unpacked, into memory. Text has the given encoding, named as in HTML, or is in
// UTF-8, UTF-16 or Windows-1252 if that is empty. Formats that are not read are refused with what to convert them to.
func Open(r io.Reader, encoding string) (*File, error) {
	return open(r, maxBytes, 2*maxBytes, encoding) // UTF-8 may take more than UTF-16
}

// OpenLarge is Open for up to 700 MiB, unpacked: of text that is longer than 4 MiB only the beginning is read into
// memory, and the rest with its rows.
func OpenLarge(r io.Reader, encoding string) (*File, error) {
	return open(r, maxScanned, scanned, encoding)
}

// open reads the first block of a file of at most so many bytes.
func open(r io.Reader, most, block int, encoding string) (*File, error) {
	s, err := newSource(r, most, block, encoding)
	if err != nil {
		return nil, err
	}
	f := &File{Gzip: s.zipped, Workbook: s.workbook, source: s}
	if !s.workbook {
		f.Text = Text{Begin: s.next(), rest: s}
	}
	f.Encoding = s.encoding // which is known now
	return f, s.failed
}

// source reads a file block by block: gzip is undone, and text becomes UTF-8 with \n at the ends of lines.
type source struct {
	r        io.Reader         // unpacked
	left     *io.LimitedReader // of what may be read, and a byte more
	most     int               // bytes that may be read
	block    int               // bytes that are read at a time
	zipped   bool
	workbook bool
	encoding string // of text
	given    encoding.Encoding
	lineEnd  byte   // \n, or \r in files of old Macs
	cut      []byte // a line that the last block has the beginning of
	ended    bool   // no more is to come
	failed   error  // why
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

// newSource begins to read a file of at most so many bytes, in blocks of about that size. Text has the given encoding,
// if there is one.
func newSource(r io.Reader, most, block int, given string) (*source, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	s := &source{most: most, block: block, lineEnd: '\n'}
	if given != "" {
		var err error
		if s.given, err = htmlindex.Get(given); err != nil {
			return nil, option.Errorf("%s: no such encoding is known; names are utf-8, windows-1251, gbk, shift_jis and so on", option.Setting{Name: "encoding", Value: given})
		}
	}
	unpacked := io.Reader(b)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		s.zipped, unpacked = true, z
	}
	s.left = &io.LimitedReader{R: unpacked, N: int64(most) + 1}
	b = bufio.NewReaderSize(s.left, 1<<16)
	begin, _ := b.Peek(1000) // an error is met again
	for _, f := range foreign {
		if bytes.HasPrefix(begin, []byte(f.magic)) {
			return nil, errors.New(f.remedy)
		}
	}
	s.r = b
	if s.workbook = bytes.HasPrefix(begin, []byte("PK\x03\x04")); s.workbook {
		return s, nil
	}
	if s.given != nil && s.given != unicode.UTF8 { // whose text is checked as it is
		s.encoding = given
		s.r = transform.NewReader(b, unicode.BOMOverride(s.given.NewDecoder()))
		return s, nil
	}
	s.encoding = "UTF-8"
	zeros := 3*bytes.Count(begin, []byte{0}) > len(begin)
	switch {
	case bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")):
		b.Discard(3)
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")), zeros:
		endianness := unicode.LittleEndian // unless a mark says otherwise
		if begin[0] == 0 {
			endianness = unicode.BigEndian
		}
		s.encoding, s.r = "UTF-16", transform.NewReader(b, unicode.UTF16(endianness, unicode.UseBOM).NewDecoder())
	}
	return s, nil
}

// read reads up to so many bytes.
func (s *source) read(most int) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(s.r, int64(most)))
	switch {
	case err != nil && s.zipped:
		err = fmt.Errorf("gzip: %w", err)
	case err == nil && s.left.N == 0:
		err = fmt.Errorf("it has more than %d MiB, unpacked: split it", s.most>>20)
	}
	return content, err
}

// next returns the text of the next block, whole lines; empty at the end, after an error and of no source.
func (s *source) next() (text string) {
	if s == nil || s.ended {
		return ""
	}
	content, err := s.lines()
	if err == nil {
		text, err = s.text(content)
	}
	if err != nil {
		s.ended, s.failed = true, err
	}
	return text
}

// lines reads a block.
func (s *source) lines() ([]byte, error) {
	content := s.cut
	for {
		n := len(content)
		read, err := s.read(s.block)
		if err != nil {
			return nil, err
		}
		content = append(content, read...)
		if s.ended = len(read) < s.block; s.ended {
			return content, nil
		}
		if n == 0 && !bytes.Contains(content, []byte("\n")) && bytes.Contains(content, []byte("\r")) {
			s.lineEnd = '\r'
		}
		if end := bytes.LastIndexByte(content, s.lineEnd) + 1; end > 0 {
			s.cut = bytes.Clone(content[end:])
			return content[:end], nil
		}
		if len(content) > maxRow {
			return nil, tooLong()
		}
	}
}

// text decodes a block.
func (s *source) text(content []byte) (string, error) {
	if bytes.IndexByte(content, 0) >= 0 {
		return "", errors.New("it is neither text nor a workbook: give CSV, .smi, SDF, FASTA or .xlsx")
	}
	if !utf8.Valid(content) {
		if s.given != nil {
			return "", s.notGiven()
		}
		if !western(content) {
			return "", ErrEncoding
		}
		s.encoding = "Windows-1252"
		var err error
		if content, err = charmap.Windows1252.NewDecoder().Bytes(content); err != nil {
			return "", fmt.Errorf("%s: %w", s.encoding, err)
		}
	}
	if s.given != nil && s.given != unicode.UTF8 && bytes.ContainsRune(content, utf8.RuneError) {
		return "", s.notGiven()
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as Macs once did
	}
	return text, nil
}

// notGiven reports text that is not in the given encoding.
func (s *source) notGiven() error {
	return option.Errorf("%s: the text has bytes that this encoding has not", option.Setting{Name: "encoding", Value: s.encoding})
}

// ErrEncoding reports text in an encoding that is not known: it is no UTF-8, and hardly Windows-1252.
var ErrEncoding = errors.New("its text is neither in UTF-8 nor, as it seems, in Windows-1252: save it as UTF-8")

// western reports whether text may be in Windows-1252, where accented letters stand alone or in pairs between the
// letters of ASCII. In Cyrillic and Asian encodings whole words are not ASCII, and some of these use bytes that
// Windows-1252 leaves out, or its ‚ and ƒ before most letters.
func western(content []byte) bool {
	const long = 3
	letter := func(c byte) bool { return c >= 0xc0 }
	others, inLong, run, letters := 0, 0, 0, 0
	for i, c := range content {
		switch {
		case slices.Contains([]byte{0x81, 0x8d, 0x8f, 0x90, 0x9d}, c):
			return false
		case (c == 0x82 || c == 0x83) && i+1 < len(content) && content[i+1] >= '@': // kana of Shift JIS, whose second byte may be ASCII
			others, inLong = others+long, inLong+long
		case c < utf8.RuneSelf:
			run, letters = 0, 0
			continue
		}
		run++
		if letter(c) {
			letters++
		}
		if ends := i+1 == len(content) || content[i+1] < utf8.RuneSelf; ends && letters > 0 {
			others += run
			if run >= long {
				inLong += run
			}
		}
	}
	return 2*inLong <= others
}

func tooLong() error { return fmt.Errorf("it has a line or record of more than %d MiB", maxRow>>20) }

// Text is the text of a file in UTF-8, with \n at the ends of lines: all of it, or its beginning in memory and the rest
// still to be read.
type Text struct {
	Begin string  // whole lines
	rest  *source // nil: Begin is all
}

// Err returns why the rows of a text ended before those of the file, the last of them perhaps cut; nil if they did not,
// or not yet.
func (t Text) Err() error {
	if t.rest == nil {
		return nil
	}
	return t.rest.failed
}

// ended reports whether all of a text is in memory.
func (t Text) ended() bool { return t.rest == nil || t.rest.ended }

// lines returns the lines of a text, with their line ends.
func (t Text) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece := t.Begin; piece != ""; piece = t.rest.next() {
			for line := range strings.Lines(piece) {
				if !yield(line) {
					return
				}
			}
		}
	}
}
