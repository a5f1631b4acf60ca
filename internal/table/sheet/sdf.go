package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// WriteSDF writes the table as an SD file: each row as a record with the structure of its string, its name as the
// title, and all cells as properties. Line ends and tabs of texts become blanks. A string that is no molecule has a
// structure without atoms.
func (s *Sheet) WriteSDF(w io.Writer) error {
	if err := CheckName(".sdf", s.Molecules); err != nil {
		return usage.Wrap(err)
	}
	for rows := range slices.Chunk(s.Rows, 1024) {
		texts := make([]string, len(rows))
		parallel.For(len(rows), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				texts[i] = s.sdfRecord(rows[i])
			}
		})
		for _, text := range texts {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// sdfRecord returns a row as a record of an SD file.
func (s *Sheet) sdfRecord(row []Cell) string {
	var b bytes.Buffer
	b.WriteString(oneLine(s.cell(cellOf(row, s.columnOf(Names)), properties)) + "\n")
	block, err := molblock(cellOf(row, s.columnOf(Strings)).text)
	if err != nil {
		block = "\n     InvBO\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
	}
	_, rest, _ := strings.Cut(block, "\n") // the first line is the title
	b.WriteString(rest)
	for i, c := range s.Columns {
		fmt.Fprintf(&b, ">  <%s>\n", noAngles.Replace(oneLine(readable(c.header()))))
		if text := oneLine(s.cell(cellOf(row, i), properties)); text != "" {
			b.WriteString(text + "\n")
		}
		b.WriteByte('\n')
	}
	b.WriteString("$$$$\n")
	return b.String()
}

// molblock returns the molblock of a SMILES.
func molblock(smiles string) (string, error) {
	if smiles == "" {
		return "", errors.New("no molecule")
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return m.Block()
}

// noAngles drops what ends the name of a property.
var noAngles = strings.NewReplacer("<", "", ">", "")
