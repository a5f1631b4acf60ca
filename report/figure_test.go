package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestTicks(t *testing.T) {
	tests := []struct {
		low, high float64
		want      string
	}{
		{0, 500, "0 100 200 300 400 500"},
		{-10, 10, "-10 -5 0 5 10"},
		{-0.3, 2.4, "0.0 0.5 1.0 1.5 2.0"},
		{0.0012, 0.0021, "0.0012 0.0014 0.0016 0.0018 0.0020"},
		{9, 17, "10 12 14 16"},
		{-3e6, 5e6, "-2000000 0 2000000 4000000"},
		{1, math.Nextafter(1, 2), "1 1.0000000000000002"},
		{8e16, 8e16 + 64, "8e+16 8.000000000000006e+16"},
		{8e16, 8e16, "8e+16 8e+16"},
		{0, 1.3e-11, "0 2e-12 4e-12 6e-12 8e-12 1e-11 1.2e-11"},
		{-5e8, 0, "-5e+08 -4e+08 -3e+08 -2e+08 -1e+08 0"},
	}
	for _, test := range tests {
		var labels []string
		for _, tick := range (ticks{intervals: 4}).Ticks(test.low, test.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("from %g to %g: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}

// Ticks without room for a label have none, but two always have one.
func TestTicksThatFit(t *testing.T) {
	for letters, want := range map[int]string{0: "5.0|5.1|5.2|5.3|5.4", 25: "5.0|5.1|5.2|5.3|5.4", 20: "5.0||5.2||5.4", 10: "5.0|||5.3|", 1: "5.0||||5.4"} {
		var labels []string
		for _, tick := range (ticks{4, letters}).Ticks(4.99, 5.41) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, "|"); got != want {
			t.Errorf("%d letters: %s, want %s", letters, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	font := style(10)
	for _, tt := range []struct {
		name     string
		minimize bool
		width    string // as wide as this
		want     string
	}{
		{"logP", true, "logP (min) and more", "logP (min)"},
		{"docking score", false, "docking score", "docking score\n(max)"},
		{"docking score", false, "docking sco", "docking\nscore (max)"},
		{"docking_score", false, "docking_sco", "docking_\nscore (max)"},
		{"dockingscore", false, "dockingsc", "dockingsc\nore (max)"},
		{"affinity to a long list of targets", true, "affinity to a long", "affinity to a long\nlist of… (min)"},
		{"µµµµµµµµµµ", true, "µµµµµµµµ", "µµµµµµµµ\nµµ (min)"},
	} {
		got := Objective{tt.name, tt.minimize}.label(font, font.Width(tt.width), 2)
		if got != tt.want {
			t.Errorf("%s in the width of %q: %q, want %q", tt.name, tt.width, got, tt.want)
		}
		for line := range strings.Lines(got) {
			if line = strings.TrimSpace(line); font.Width(line) > font.Width(tt.width) {
				t.Errorf("%q is wider than %q", line, tt.width)
			}
		}
	}
}

// The staircase has a corner between two neighbours of the front, on the side of the worse values.
func TestStaircase(t *testing.T) {
	for _, tt := range []struct {
		name  string
		x, y  bool // minimized
		front [][]float64
		worst [2]float64
		want  plotter.XYs
	}{
		{"both maximized", false, false, [][]float64{{2, 1}, {1, 3}}, [2]float64{0, 0}, plotter.XYs{{X: 0, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 0}}},
		{"both minimized", true, true, [][]float64{{2, 1}, {1, 3}}, [2]float64{9, 9}, plotter.XYs{{X: 9, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 9}}},
		{"the first minimized", true, false, [][]float64{{1, 1}, {2, 3}}, [2]float64{9, 0}, plotter.XYs{{X: 9, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 0}}},
		{"the second minimized", false, true, [][]float64{{1, 1}, {2, 3}}, [2]float64{0, 9}, plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 9}}},
		{"equal points", false, false, [][]float64{{1, 3}, {1, 3}}, [2]float64{0, 0}, plotter.XYs{{X: 0, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 0}}},
	} {
		f := Front{Objectives: []Objective{{"x", tt.x}, {"y", tt.y}}}
		if got := f.staircase(tt.front, tt.worst); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The area of the hypervolume excludes points of the front that are worse than the reference; the boundary includes them.
func TestBoundary(t *testing.T) {
	f := Front{Objectives: []Objective{{Name: "x"}, {Name: "y"}}, Reference: []float64{1, 1}}
	below, keys := f.boundary(shown{front: [][]float64{{0, 5}, {2, 3}, {4, 2}, {5, 1}}})
	area := below[0].(*plotter.Polygon).XYs[0]
	if want := (plotter.XYs{{X: 1, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 4, Y: 1}, {X: 1, Y: 1}}); !slices.Equal(area, want) {
		t.Errorf("area %v, want %v", area, want)
	}
	line := below[1].(*plotter.Line).XYs
	if want := (plotter.XYs{{X: -0.2, Y: 5}, {X: 0, Y: 5}, {X: 0, Y: 3}}); !slices.Equal(line[:3], want) || len(keys) != 2 {
		t.Errorf("boundary begins %v, want %v; %d keys, want 2", line[:3], want, len(keys))
	}
	f.Reference = []float64{6, 6}
	if below, keys := f.boundary(shown{front: [][]float64{{0, 5}}}); len(below) != 1 || len(keys) != 1 {
		t.Errorf("%d plotters and %d keys with a reference above all points, want the boundary alone", len(below), len(keys))
	}
}

func TestLines(t *testing.T) {
	f := Front{Objectives: []Objective{{Name: "maximized"}, {"minimized", true}, {Name: "all equal"}}}
	got := f.lines([][]float64{{1, 1, 7}, {5, 3, 7}, {2, 5, 7}})
	want := [][]float64{{0, 1, 0.5}, {1, 0.5, 0.5}, {0.25, 0, 0.5}}
	for i, line := range got {
		for j, p := range line {
			if p.X != float64(j) || p.Y != want[i][j] {
				t.Errorf("line %d is %v at objective %d, want height %g", i, p, j, want[i][j])
			}
		}
	}
}
