package report

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Front shows the measured points of two to four objectives, and which of them no other dominates. Two objectives share
// one panel, with the boundary of the region that the front dominates. More have a panel per pair, and parallel
// coordinates of the points on the front.
type Front struct {
	Title      string
	Objectives []Objective
	Points     [][]float64 // (point, objective), in the units of the objectives; NaN for a missing value
	Labels     []string    // (point), of WriteCSV, such as the strings; nil: their numbers
	Members    []int       // indices of the points on the front
	Reference  []float64   // (objective), the point above which hypervolumes count; nil: none
}

// Objective describes an objective of a Front.
type Objective struct {
	Name     string // with the unit, if any
	Minimize bool
}

// Hypervolume returns the figure of the hypervolume after each oracle call, a curve per method. The first value of a
// run is that of the initial design.
func Hypervolume(title string, methods ...Method) Curves {
	return Curves{Title: title, X: Axis{"oracle calls", "call"}, Y: Axis{"hypervolume", "hypervolume"}, Methods: methods}
}

// WriteCSV writes the points, each with whether it is on the front.
func (f Front) WriteCSV(w io.Writer) error {
	if _, err := f.shown(); err != nil {
		return err
	}
	head := []string{"point"}
	for _, o := range f.Objectives {
		head = append(head, o.Name)
	}
	rows := [][]string{append(head, "front")}
	for i, p := range f.Points {
		row := []string{strconv.Itoa(i)}
		if f.Labels != nil {
			row[0] = f.Labels[i]
		}
		for _, v := range p {
			row = append(row, number(v))
		}
		rows = append(rows, append(row, strconv.FormatBool(slices.Contains(f.Members, i))))
	}
	return writeCSV(w, rows)
}

// shown holds the points that can be drawn.
type shown struct {
	front, others [][]float64
	missing       int // points without a finite value of every objective
}

// shown checks the figure, and returns what to draw.
func (f Front) shown() (s shown, err error) {
	d := len(f.Objectives)
	if d < 2 || d > 4 {
		return s, fmt.Errorf("front: %d objectives, want 2 to 4", d)
	}
	if f.Reference != nil && (len(f.Reference) != d || plotter.CheckFloats(f.Reference...) != nil) {
		return s, fmt.Errorf("front: reference %v, want %d numbers", f.Reference, d)
	}
	for _, i := range f.Members {
		if i < 0 || i >= len(f.Points) {
			return s, fmt.Errorf("front: member %d of %d points", i, len(f.Points))
		}
	}
	for i, p := range f.Points {
		switch {
		case len(p) != d:
			return s, fmt.Errorf("front: point %d has %d values, want %d", i, len(p), d)
		case plotter.CheckFloats(p...) != nil:
			s.missing++
		case slices.Contains(f.Members, i):
			s.front = append(s.front, p)
		default:
			s.others = append(s.others, p)
		}
	}
	if len(s.front) == 0 {
		return s, errors.New("front: no points of the front to show")
	}
	return s, nil
}

// WriteSVG draws the front.
func (f Front) WriteSVG(w io.Writer) error {
	points, err := f.shown()
	if err != nil {
		return err
	}
	if len(f.Objectives) == 2 {
		below, keys := f.boundary(points)
		p := f.panel(points, 0, 1, room{12 * vg.Centimeter, 7 * vg.Centimeter, 4}, below...)
		return page{f.Title, []*plot.Plot{p}, append(f.legend(points), keys...)}.writeSVG(w)
	}
	const width, height = 8.5 * vg.Centimeter, 7 * vg.Centimeter // of a panel with its labels
	n := len(f.Objectives) - 1                                   // rows and columns
	panels := make([][]*plot.Plot, n)
	for row := range panels {
		for column := range n {
			p := plot.New()
			p.HideAxes() // plot.Align misplaces panels beside those that are nil
			if column <= row {
				p = f.panel(points, column, row+1, room{5.2 * vg.Centimeter, 4.4 * vg.Centimeter, 3})
			}
			panels[row] = append(panels[row], p)
		}
	}
	legend := append(f.legend(points), key{text: "lines: best values at the top, coloured by the first objective"})
	s := sheet{f.Title, legend, vg.Length(n) * width, vg.Length(n) * height}
	return s.writeSVG(w, func(body draw.Canvas) {
		tiles := draw.Tiles{Rows: n, Cols: n, PadX: 12, PadY: 12}
		for row, canvases := range plot.Align(panels, tiles, body) {
			for column, c := range canvases[:row+1] {
				panels[row][column].Draw(c)
			}
		}
		free := tiles.At(body, 1, 0) // the panels leave the upper right free
		free.Max.X = body.Max.X
		f.parallel(points.front, free.Max.X-free.Min.X).Draw(free)
	})
}

var (
	memberStyle    = draw.GlyphStyle{Color: colour(0), Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}
	otherStyle     = draw.GlyphStyle{Color: color.NRGBA{120, 120, 120, 110}, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	referenceStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3.2), Shape: draw.BoxGlyph{}}
)

// legend returns the entries that all panels share.
func (f Front) legend(points shown) []key {
	keys := []key{{fmt.Sprintf("front (%d)", len(points.front)), &plotter.Scatter{GlyphStyle: memberStyle}}}
	if n := len(points.others); n > 0 {
		keys = append(keys, key{fmt.Sprintf("other points (%d)", n), &plotter.Scatter{GlyphStyle: otherStyle}})
	}
	if f.Reference != nil {
		keys = append(keys, key{"reference", &plotter.Scatter{GlyphStyle: referenceStyle}})
	}
	if points.missing > 0 {
		keys = append(keys, key{text: fmt.Sprintf("not shown: %d points with missing values", points.missing)})
	}
	return keys
}

// room is what the axes of a panel offer: about their lengths, and the least number of intervals between ticks.
type room struct {
	width, height vg.Length
	intervals     int
}

// panel draws objective y against x, above other plotters.
func (f Front) panel(points shown, x, y int, r room, below ...plot.Plotter) *plot.Plot {
	p := newPlot("", "")
	p.BackgroundColor = nil // labels may reach into the space of a neighbour
	p.Add(below...)
	for _, axis := range []struct {
		*plot.Axis
		objective int
		length    vg.Length
		marks     ticks
	}{{&p.X, x, r.width, ticks{r.intervals, int(r.width / 5)}}, {&p.Y, y, r.height, ticks{intervals: r.intervals}}} {
		axis.Min, axis.Max = f.limits(points, axis.objective)
		axis.Label.TextStyle.Font = sans(10)
		axis.Label.Text = f.Objectives[axis.objective].label(axis.Label.TextStyle, axis.length, 2)
		axis.Tick.Marker = axis.marks
	}
	for _, layer := range []struct {
		points [][]float64
		style  draw.GlyphStyle
	}{{points.others, otherStyle}, {points.front, memberStyle}, {f.references(), referenceStyle}} {
		dots := &plotter.Scatter{GlyphStyle: layer.style}
		for _, v := range layer.points {
			dots.XYs = append(dots.XYs, plotter.XY{X: v[x], Y: v[y]})
		}
		p.Add(dots)
	}
	return p
}

// references returns the reference as a list, empty without one.
func (f Front) references() [][]float64 {
	if f.Reference == nil {
		return nil
	}
	return [][]float64{f.Reference}
}

// limits returns the range of an objective over all that is shown, with a margin.
func (f Front) limits(points shown, objective int) (low, high float64) {
	low, high = span(slices.Concat(points.front, points.others, f.references()), objective)
	margin := 0.04 * (high - low)
	if low == high {
		margin = cmp.Or(0.1*math.Abs(low), 1)
	}
	return low - margin, high + margin
}

// span returns the least and greatest value of an objective.
func span(points [][]float64, objective int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p[objective]), max(high, p[objective])
	}
	return low, high
}

// boundary returns the boundary of the region that the front dominates in two objectives, and with a reference the area
// between both, which is the hypervolume.
func (f Front) boundary(points shown) (below []plot.Plotter, keys []key) {
	var worst [2]float64
	for j, o := range f.Objectives {
		worst[j], _ = o.order(f.limits(points, j))
	}
	if f.Reference != nil {
		corner := [2]float64(f.Reference)
		var above [][]float64
		for _, p := range points.front {
			if f.Objectives[0].compare(p[0], corner[0]) > 0 && f.Objectives[1].compare(p[1], corner[1]) > 0 {
				above = append(above, p)
			}
		}
		if len(above) > 0 {
			area := &plotter.Polygon{Color: light(0), XYs: []plotter.XYs{append(f.staircase(above, corner), plotter.XY{X: corner[0], Y: corner[1]})}}
			below, keys = append(below, area), append(keys, key{"hypervolume", area})
		}
	}
	style := curve(0)
	style.Width = vg.Points(1.2)
	line := &plotter.Line{XYs: f.staircase(points.front, worst), LineStyle: style}
	return append(below, line), append(keys, key{"boundary of the dominated region", line})
}

// staircase returns the boundary of the region that points of a front dominate in two objectives, from the worst value
// of the first to that of the second.
func (f Front) staircase(front [][]float64, worst [2]float64) plotter.XYs {
	front = slices.Clone(front)
	slices.SortFunc(front, func(p, q []float64) int { // the first objective improves, the second worsens
		return cmp.Or(f.Objectives[0].compare(p[0], q[0]), f.Objectives[1].compare(q[1], p[1]))
	})
	path := plotter.XYs{{X: worst[0], Y: front[0][1]}}
	for i, p := range front {
		path = append(path, plotter.XY{X: p[0], Y: p[1]})
		next := worst[1]
		if i+1 < len(front) {
			next = front[i+1][1]
		}
		path = append(path, plotter.XY{X: p[0], Y: next})
	}
	return path
}

// compare is positive if a is better than b, and negative if it is worse.
func (o Objective) compare(a, b float64) int {
	if o.Minimize {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

// order returns the worse and the better end of a range.
func (o Objective) order(low, high float64) (worst, best float64) {
	if o.Minimize {
		return high, low
	}
	return low, high
}

// label returns the name with the direction, in at most some lines of a width. A longer name is cut at its end.
func (o Objective) label(font text.Style, width vg.Length, most int) string {
	direction := " (max)"
	if o.Minimize {
		direction = " (min)"
	}
	lines := wrap(o.Name+direction, font, width)
	if len(lines) > most {
		lines = lines[:most]
		direction = "…" + direction
		lines[most-1] = wrap(lines[most-1], font, width-font.Width(direction))[0] + direction
	}
	return strings.Join(lines, "\n")
}

// parallel draws the points on the front as lines across an axis per objective. The colour of a line is that of its
// value of the first.
func (f Front) parallel(front [][]float64, width vg.Length) *plot.Plot {
	p := newPlot("", "")
	p.BackgroundColor = nil
	p.Title.Text = "front"
	p.HideY()
	p.X.Tick.Label.Font = sans(9)
	for _, line := range f.lines(front) {
		p.Add(&plotter.Line{XYs: line, LineStyle: draw.LineStyle{Color: blend(line[0].Y), Width: vg.Points(1)}})
	}
	tops, top := &plotter.Labels{Offset: vg.Point{Y: 3}}, style(9)
	top.XAlign = text.XCenter
	var names []string
	for j, o := range f.Objectives {
		low, high := span(front, j)
		worst, best := o.order(low, high)
		axis := plotter.XYs{{X: float64(j), Y: 0}, {X: float64(j), Y: 1}}
		p.Add(&plotter.Line{XYs: axis, LineStyle: plotter.DefaultLineStyle})
		tops.XYs, tops.Labels, tops.TextStyle = append(tops.XYs, axis[1]), append(tops.Labels, end(best, low, high)), append(tops.TextStyle, top)

		const most = 4
		name := o.label(p.X.Tick.Label, width/(vg.Length(len(f.Objectives))+0.5), most)
		name += strings.Repeat("\n ", most-1-strings.Count(name, "\n")) // labels begin at one height if they have as many lines
		names = append(names, end(worst, low, high)+"\n"+name)
	}
	p.Add(tops)
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.4, float64(len(f.Objectives))-0.6
	return p
}

// lines returns the parallel coordinates of the points on the front: at the number of each objective a height from 0,
// the worst value on the front, to 1, the best. If all are equal it is ½.
func (f Front) lines(front [][]float64) []plotter.XYs {
	all := make([]plotter.XYs, len(front))
	for j, o := range f.Objectives {
		low, high := span(front, j)
		worst, best := o.order(low, high)
		for i, p := range front {
			y := 0.5
			if low < high {
				y = (p[j] - worst) / (best - worst)
			}
			all[i] = append(all[i], plotter.XY{X: float64(j), Y: y})
		}
	}
	return all
}

// end formats an end of a range with digits down to a thousandth of it.
func end(v, low, high float64) string {
	if low == high {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return rounded(v, max(-low, high), int(math.Floor(math.Log10(high-low)))-2)
}

// blend returns a colour from blue at 0 to orange at 1.
func blend(t float64) color.NRGBA {
	from, to := colour(0), colour(4)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + t*(float64(b)-float64(a))) }
	return color.NRGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 200}
}
