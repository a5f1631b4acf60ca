package page

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/stats"
)

type studiesView struct {
	frame
	Studies []studyRow
}

// studyRow is a study in the list.
type studyRow struct {
	Name    string
	Task    string
	Summary summary
	Trials  int
	Touched time.Time
	Spark   string // points of a polyline in a box of sparkWidth by sparkHeight; empty: too few scores
}

const sparkWidth, sparkHeight = 120, 28

func (p *Page) showStudies(w http.ResponseWriter, r *http.Request) error {
	v := studiesView{frame: p.frame(r, "Studies")}
	v.Live = "/live"
	for _, b := range p.boards {
		s := b.snapshot()
		v.Studies = append(v.Studies, studyRow{Name: b.Name, Task: b.Task.Name, Summary: b.summary(s), Trials: len(s.trials), Touched: b.touched(r.Context()), Spark: spark(s.bests)})
	}
	return p.views.show(w, r, http.StatusOK, "studies", v)
}

// spark returns the points of the best score so far.
func spark(bests []float64) string {
	known := slices.DeleteFunc(slices.Clone(bests), math.IsNaN)
	if len(known) < 2 {
		return ""
	}
	low, high := slices.Min(known), slices.Max(known)
	const most = 60
	var points []string
	n := min(most, len(known))
	for i := range n {
		at := i * (len(known) - 1) / (n - 1)
		y := 0.5
		if high > low {
			y = (known[at] - low) / (high - low)
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", 2+float64(i)/float64(n-1)*(sparkWidth-4), sparkHeight-2-y*(sparkHeight-4)))
	}
	return strings.Join(points, " ")
}

type comparisonView struct {
	frame
	Chosen []choice
	Groups []group
	Charts string
	Mixed  bool // their scores are different ones
}

// group is studies that differ only by their seeds.
type group struct {
	Name    string
	Studies []string
	Score   string
	Best    float64 // mean at the end
	Calls   int     // of the one with the fewest
	Above   string  // reference point of a hypervolume; empty: the score is compared
	of      string  // see experiment.Experiment.Measures
	runs    [][]float64
}

// reference is the reference point of a hypervolume.
type reference struct {
	at   []float64
	text string
}

// groups returns the studies of a comparison, those that differ only by seed together.
func (p *Page) groups(names []string) (groups []group) {
	var firsts []*board
	references := map[string]reference{} // of studies with the same objectives, that of the first
	for _, b := range p.boards {
		if !slices.Contains(names, b.Name) {
			continue
		}
		at := slices.IndexFunc(firsts, func(first *board) bool { return first.Spec.DiffersBySeed(b.Spec) })
		if at < 0 {
			at, firsts = len(firsts), append(firsts, b)
			groups = append(groups, group{Name: b.Name, Score: b.Columns.Score, of: b.Measures()})
		}
		g := &groups[at]
		g.Studies = append(g.Studies, b.Name)
		if len(b.Spec.Objectives) < 2 {
			g.runs = append(g.runs, b.BestAfterCalls())
			continue
		}
		r, known := references[g.of]
		if s := b.snapshot(); !known && s.status.Front.Reference != nil {
			r = reference{s.status.Front.Reference, b.summary(s).Reference}
			references[g.of] = r
		}
		g.Score, g.Above = "hypervolume of "+strings.Join(objectiveNames(b.Spec.Objectives), ", "), r.text
		if r.at == nil { // no trial has all objectives
			g.runs = append(g.runs, make([]float64, b.Experiment.Study.Status().Calls+1))
			continue
		}
		g.runs = append(g.runs, b.HypervolumeAfterCalls(r.at))
	}
	for i := range groups {
		g := &groups[i]
		g.Calls = len(slices.MinFunc(g.runs, func(a, b []float64) int { return len(a) - len(b) })) - 1
		var ends []float64
		for _, run := range g.runs {
			ends = append(ends, run[g.Calls])
		}
		g.Best, _ = stats.MeanStdErr(ends)
		if n := len(g.Studies); n > 1 {
			g.Name = fmt.Sprintf("%s and %d more", g.Studies[0], n-1)
		}
	}
	return groups
}

func (p *Page) showComparison(w http.ResponseWriter, r *http.Request) error {
	names := r.URL.Query()["study"]
	v := comparisonView{frame: p.frame(r, "Comparison"), Groups: p.groups(names), Charts: "/compare.json?" + url.Values{"study": names}.Encode()}
	v.Live = "/live?" + url.Values{"study": names}.Encode()
	for _, b := range p.boards {
		v.Chosen = append(v.Chosen, choice{b.Name, slices.Contains(names, b.Name)})
	}
	for _, g := range v.Groups {
		v.Mixed = v.Mixed || g.of != v.Groups[0].of
	}
	return p.views.show(w, r, http.StatusOK, "comparison", v)
}

// curves are means over seeds after 0, 1, … calls, with a standard error.
type curves struct {
	Names       []string
	Mean, Error [][]experiment.Number // (group, call)
}

func (p *Page) chartComparison(w http.ResponseWriter, r *http.Request) error {
	c := curves{Names: []string{}}
	for _, g := range p.groups(r.URL.Query()["study"]) {
		mean, se := make([]experiment.Number, g.Calls+1), make([]experiment.Number, g.Calls+1)
		for call := range mean {
			var at []float64
			for _, run := range g.runs {
				at = append(at, run[call])
			}
			m, e := stats.MeanStdErr(at)
			mean[call], se[call] = experiment.Number(m), experiment.Number(e)
		}
		c.Names, c.Mean, c.Error = append(c.Names, g.Name), append(c.Mean, mean), append(c.Error, se)
	}
	return writeJSON(w, c)
}
