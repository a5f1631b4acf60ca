// Package report draws figures of runs: each type is a figure, with WriteSVG for the drawing and WriteCSV for its
// numbers.
package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette holds colours that are distinguishable with colour blindness and on white (Okabe & Ito 2008, without yellow).
var palette = []color.NRGBA{
	{0, 114, 178, 255},   // blue
	{213, 94, 0, 255},    // vermilion
	{0, 158, 115, 255},   // green
	{204, 121, 167, 255}, // purple
	{230, 159, 0, 255},   // orange
	{86, 180, 233, 255},  // sky blue
	{0, 0, 0, 255},
}

// dashes distinguish curves in black and white; the first is solid.
var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}

// colour returns the colour of the i-th method of a figure.
func colour(i int) color.NRGBA { return palette[i%len(palette)] }

// curve returns the style of the i-th curve of a figure.
func curve(i int) draw.LineStyle {
	return draw.LineStyle{Color: colour(i), Width: vg.Points(1.6), Dashes: dashes[i%len(dashes)]}
}

// light returns the colour of the band around the i-th curve.
func light(i int) color.NRGBA {
	c := colour(i)
	c.A = 50
	return c
}

// newPlot returns labelled axes with a light grid.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle.Font = sans(11)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(11)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(9)
		axis.LineStyle.Width = vg.Points(0.6)
		axis.Tick.LineStyle.Width = vg.Points(0.6)
		axis.Tick.Marker = ticks{intervals: 4}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color = color.Gray{215}
	grid.Vertical.Color = color.Gray{235}
	p.Add(grid)
	return p
}

func sans(points float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(points)}
}

// page is a figure of plots side by side.
type page struct {
	title  string
	plots  []*plot.Plot
	legend []key
}

// sheet is the paper of a figure: a title above, a legend below, and space between.
type sheet struct {
	title         string
	legend        []key
	width, height vg.Length // height without the legend
}

// key is an entry of a legend.
type key struct {
	text  string
	thumb plot.Thumbnailer // nil for a note
}

const (
	height  = 10 * vg.Centimeter // without the legend
	margin  = vg.Length(10)
	thumb   = vg.Length(28)
	keyGap  = vg.Length(16) // between entries
	keyLine = vg.Length(15) // height of a row of entries
)

// width returns the width of the page.
func (g page) width() vg.Length {
	if len(g.plots) == 1 {
		return 16 * vg.Centimeter
	}
	return vg.Length(len(g.plots)) * 12 * vg.Centimeter
}

// writeSVG draws the page. It is an error if a value is not finite.
func (g page) writeSVG(w io.Writer) error {
	for _, p := range g.plots {
		if err := plotter.CheckFloats(p.X.Min, p.X.Max, p.Y.Min, p.Y.Max); err != nil {
			return fmt.Errorf("figure %q: %w", g.title, err)
		}
	}
	return sheet{g.title, g.legend, g.width(), height}.writeSVG(w, func(body draw.Canvas) {
		tiles := draw.Tiles{Rows: 1, Cols: len(g.plots), PadX: 16}
		for i, c := range plot.Align([][]*plot.Plot{g.plots}, tiles, body)[0] {
			g.plots[i].Draw(c)
		}
	})
}

// writeSVG draws the sheet, with what fill draws between title and legend.
func (s sheet) writeSVG(w io.Writer, fill func(body draw.Canvas)) error {
	rows := s.rows()
	foot := vg.Length(len(rows)) * keyLine
	canvas := vgsvg.New(s.width, s.height+foot)
	paper := draw.New(canvas)
	paper.SetColor(color.White)
	paper.Fill(paper.Rectangle.Path())
	paper = draw.Crop(paper, margin, -margin, margin, -margin)
	for i, row := range rows {
		drawRow(draw.Crop(paper, 0, 0, foot-vg.Length(i+1)*keyLine, 0), row)
	}
	title := style(13)
	title.XAlign, title.YAlign = text.XCenter, text.YTop
	paper.FillText(title, vg.Point{X: paper.Center().X, Y: paper.Max.Y}, s.title)
	fill(draw.Crop(paper, 0, 0, foot+4, -title.Height(s.title)-8))
	var svg strings.Builder
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	// If Liberation Sans is missing, use a metrically equal font or any sans serif instead of Times.
	fonts := strings.NewReplacer("font-family:Liberation Sans;", "font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;")
	_, err := fonts.WriteString(w, svg.String())
	return err
}

// style returns the style of text of a size.
func style(points float64) text.Style {
	return text.Style{Color: color.Black, Font: sans(points), Handler: plot.DefaultTextHandler}
}

// width returns the width of an entry.
func (k key) width() vg.Length {
	w := style(10).Width(k.text)
	if k.thumb != nil {
		w += thumb + 6
	}
	return w
}

// rows breaks the legend into rows that fit on the sheet.
func (s sheet) rows() [][]key {
	var rows [][]key
	left := vg.Length(0)
	for _, k := range s.legend {
		w := k.width() + keyGap
		if w > left+keyGap {
			rows, left = append(rows, nil), s.width-2*margin
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		left -= w
	}
	return rows
}

// drawRow draws entries centred along the lower edge of c.
func drawRow(c draw.Canvas, row []key) {
	total := -keyGap
	for _, k := range row {
		total += k.width() + keyGap
	}
	label := style(10)
	label.YAlign = -0.3 // centres capitals vertically
	at := vg.Point{X: c.Center().X - total/2, Y: c.Min.Y + keyLine/2}
	for _, k := range row {
		if k.thumb != nil {
			k.thumb.Thumbnail(&draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: at.Add(vg.Point{Y: -4}), Max: at.Add(vg.Point{X: thumb, Y: 4}),
			}})
			at.X += thumb + 6
		}
		c.FillText(label, at, k.text)
		at.X += label.Width(k.text) + keyGap
	}
}

// ticks places labelled ticks at multiples of 1, 2 or 5 times a power of ten, or one at each end if float64 is too
// coarse for these.
type ticks struct {
	intervals int // at least this many, and at most two and a half times as many
	letters   int // room for labels along the axis: if they do not fit, only every second or third has one; 0 for any number
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	part := (high - low) / float64(t.intervals)
	power := math.Floor(math.Log10(part))
	step := math.Pow(10, power)
	for _, factor := range []float64{5, 2} {
		if factor*step <= part {
			step *= factor
			break
		}
	}
	far := max(-low, high)
	if math.Nextafter(far, math.Inf(1))-far > step { // multiples of step would coincide
		return []plot.Tick{{Value: low, Label: number(low)}, {Value: high, Label: number(high)}}
	}
	var all []plot.Tick
	letters := 0
	for i := math.Ceil(low/step) + 0; i*step <= high; i++ { // + 0 turns -0 into 0
		all = append(all, plot.Tick{Value: i * step, Label: rounded(i*step, far, int(power))})
		letters += len(all[len(all)-1].Label) + 2
	}
	if t.letters > 0 && len(all) > 2 {
		every := min((letters-1)/t.letters+1, len(all)-1) // two labels at least
		for i := range all {
			if i%every != 0 {
				all[i].Label = ""
			}
		}
	}
	return all
}

// rounded formats v with its digits down to that of 10^power. Where far, the largest value of an axis, is very large or
// small, it uses an exponent.
func rounded(v, far float64, power int) string {
	if far >= 1e-4 && far < 1e7 {
		return strconv.FormatFloat(v, 'f', max(0, -power), 64)
	}
	return strconv.FormatFloat(v, 'g', int(math.Floor(math.Log10(far)))-power+1, 64)
}

// wrap breaks s into lines of at most a width: at spaces, in long words after a sign, or else anywhere.
func wrap(s string, font text.Style, width vg.Length) (lines []string) {
	for s != "" {
		n := 0
		for i, r := range s {
			end := i + utf8.RuneLen(r)
			if i > 0 && font.Width(s[:end]) > width {
				break
			}
			n = end
		}
		if n < len(s) {
			if space := strings.LastIndex(s[:n+1], " "); space > 0 {
				n = space
			} else if sign := strings.LastIndexAny(s[:n], "_-/,"); sign > 0 {
				n = sign + 1
			}
		}
		lines = append(lines, s[:n])
		s = strings.TrimLeft(s[n:], " ")
	}
	return lines
}
