// Package report draws figures of runs as SVG, each with the numbers it shows as CSV beside it.
package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette holds colours that the colour-blind tell apart and that stand out from white (Okabe & Ito
// 2008, without yellow).
var palette = []color.RGBA{
	{0, 114, 178, 255},   // blue
	{213, 94, 0, 255},    // vermilion
	{0, 158, 115, 255},   // green
	{204, 121, 167, 255}, // purple
	{230, 159, 0, 255},   // orange
	{86, 180, 233, 255},  // sky blue
	{0, 0, 0, 255},
}

// dashes differ beyond colour, for print; the first is solid.
var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}

// curve returns the style of the i-th curve of a figure.
func curve(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: vg.Points(1.6), Dashes: dashes[i%len(dashes)]}
}

const (
	width  = 16 * vg.Centimeter
	height = 10 * vg.Centimeter
)

// newFigure returns a plot with a light grid, in sans serif.
func newFigure(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.Title.TextStyle.Font = sans(13)
	p.Legend.TextStyle.Font = sans(10)
	p.Legend.Padding = vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(28)
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(-6), vg.Points(-6)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(11)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(9)
		axis.LineStyle.Width = vg.Points(0.6)
		axis.Tick.LineStyle.Width = vg.Points(0.6)
		axis.Tick.Marker = ticks{}
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

func writeSVG(w io.Writer, p *plot.Plot) error {
	canvas := vgsvg.New(width, height)
	paper := draw.New(canvas)
	paper.SetColor(color.White)
	paper.Fill(paper.Rectangle.Path())
	const margin = vg.Length(10)
	p.Draw(draw.Crop(paper, margin, -margin, margin, -margin))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return fmt.Errorf("write figure: %w", err)
	}
	// Where Liberation Sans is missing, one of its metric twins or any sans serif, instead of Times.
	text := bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"))
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write figure: %w", err)
	}
	return nil
}
