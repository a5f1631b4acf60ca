package reaction

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// Scheme is a route with what is written above it.
type Scheme struct {
	Title string
	Steps []Step
}

// Draw draws routes below each other, as a standalone SVG on white: a row for each step with its reactants, the arrow
// with the name of the reaction, and the product.
func Draw(schemes []Scheme) ([]byte, error) {
	const (
		size   = 190 // of a molecule
		gap    = 40  // for a plus
		arrow  = 170
		title  = 34
		legend = 34
		row    = size + legend
	)
	reactants, height := 1, 0
	for _, s := range schemes {
		height += title + row*len(s.Steps)
		for _, step := range s.Steps {
			reactants = max(reactants, len(step.Reactants))
		}
	}
	width := reactants*(size+gap) - gap + arrow + size
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>\n", width, height, width, height)
	fmt.Fprintf(&b, "<rect width='%d' height='%d' fill='white'/>\n", width, height)
	text := func(x, y int, anchor, content string) {
		fmt.Fprintf(&b, "<text x='%d' y='%d' text-anchor='%s'>%s</text>\n", x, y, anchor, html.EscapeString(content))
	}
	picture := func(x, y int, smiles string, captions ...string) error {
		svg, err := square(smiles, size)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "<svg x='%d' y='%d' %s\n", x, y, svg)
		for i, c := range captions {
			text(x+size/2, y+size+12+15*i, "middle", shorten(c, 30))
		}
		return nil
	}
	y := 0
	for _, s := range schemes {
		fmt.Fprintf(&b, "<text x='8' y='%d' font-weight='bold' font-size='14'>%s</text>\n", y+22, html.EscapeString(s.Title))
		y += title
		for i, step := range s.Steps {
			x := (reactants - len(step.Reactants)) * (size + gap)
			for k, r := range step.Reactants {
				if k > 0 {
					fmt.Fprintf(&b, "<text x='%d' y='%d' text-anchor='middle' font-size='22'>+</text>\n", x-gap/2, y+size/2)
				}
				if err := picture(x, y, r.SMILES, r.captions()...); err != nil {
					return nil, err
				}
				x += size + gap
			}
			x += arrow - gap
			from, to, at := x-arrow+10, x-10, y+size/2
			fmt.Fprintf(&b, "<path d='M%d %dH%dm-8 -5l8 5l-8 5' fill='none' stroke='black'/>\n", from, at, to)
			for k, line := range wrap(fmt.Sprintf("%d. %s", i+1, step.Reaction), 24) {
				text((from+to)/2, at+18+15*k, "middle", line)
			}
			caption := ""
			if i < len(s.Steps)-1 {
				caption = fmt.Sprintf("product of %d", i+1)
			}
			if err := picture(x, y, step.Product, caption); err != nil {
				return nil, err
			}
			y += row
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// captions are what stands below a reactant.
func (r Reactant) captions() []string {
	switch {
	case r.Step > 0:
		return []string{fmt.Sprintf("product of %d", r.Step)}
	case math.IsNaN(r.Price):
		return []string{r.Name}
	}
	return []string{r.Name, strconv.FormatFloat(r.Price, 'g', -1, 64)}
}

// square returns a picture of a molecule as what follows <svg of an SVG.
func square(smiles string, size int) (string, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", fmt.Errorf("draw %s: %w", smiles, err)
	}
	defer m.Close()
	svg, err := molecule.Draw([]molecule.Drawing{{Molecule: m}}, 1, size)
	if err != nil {
		return "", fmt.Errorf("draw %s: %w", smiles, err)
	}
	_, inside, ok := strings.Cut(string(svg), "<svg")
	if !ok {
		return "", fmt.Errorf("draw %s: no SVG", smiles)
	}
	return inside, nil
}

// shorten returns a text of at most n characters.
func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// wrap returns the lines of a text of about n characters each.
func wrap(text string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
