package molecule

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// A Drawing is a molecule with a legend below it.
type Drawing struct {
	Molecule *Molecule
	Legend   string // lines; one that is too long is written in smaller letters
}

// Draw returns a grid of molecules as a standalone SVG on white, row by row, each in a square of size pixels above its
// legend. It panics if there are no drawings, columns or pixels.
func Draw(drawings []Drawing, columns, size int) ([]byte, error) {
	if len(drawings) == 0 || columns < 1 || size < 1 {
		panic(fmt.Sprintf("molecule: Draw: %d drawings, %d columns, %d pixels", len(drawings), columns, size))
	}
	const (
		letter, line = 14, 18   // heights
		wide         = 0.56     // mean width of a letter, as a share of its height
		below        = line / 2 // a legend
	)
	legends, lines := make([][]string, len(drawings)), 0
	for i, d := range drawings {
		if d.Legend != "" {
			legends[i] = strings.Split(d.Legend, "\n")
		}
		lines = max(lines, len(legends[i]))
	}
	row := size
	if lines > 0 {
		row += line*lines + below
	}
	width, height := size*columns, row*((len(drawings)+columns-1)/columns)
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif' text-anchor='middle'>\n", width, height, width, height)
	fmt.Fprintf(&b, "<rect width='%d' height='%d' fill='white'/>\n", width, height)
	for i, d := range drawings {
		picture, err := picture(d.Molecule, size)
		if err != nil {
			return nil, fmt.Errorf("molecule %d: %w", i+1, err)
		}
		x, y := i%columns*size, i/columns*row
		fmt.Fprintf(&b, "<svg x='%d' y='%d' %s\n", x, y, picture)
		for k, text := range legends[i] {
			height := min(letter, float64(size)/(wide*float64(len([]rune(text))+2)))
			fmt.Fprintf(&b, "<text x='%d' y='%d' font-size='%.3g'>%s</text>\n", x+size/2, y+size+line*k+letter, height, html.EscapeString(text))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// picture returns what follows <svg of a drawing of a molecule.
func picture(m *Molecule, size int) (string, error) {
	depicted, err := made(m.depicted())
	if err != nil {
		return "", err
	}
	defer depicted.Close()
	svg, err := depicted.draw(size)
	if err != nil {
		return "", err
	}
	_, inside, ok := strings.Cut(svg, "<svg")
	if !ok {
		return "", fmt.Errorf("RDKit drew no SVG")
	}
	return strings.TrimSpace(inside), nil
}
