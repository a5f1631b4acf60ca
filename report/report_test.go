package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/report"
)

var nan, inf = math.NaN(), math.Inf(1)

func TestCurvesCSV(t *testing.T) {
	tests := []struct {
		name string
		c    report.Curves
		want string
	}{
		{"one run, first without a score", report.Curves{Methods: []report.Method{
			{"a", [][]float64{{nan, 1, 1, 2}}},
		}}, "a,1,1,0,1\na,2,1,0,1\na,3,2,0,1\n"},
		// The standard error of 1 and 3 is √2/√2. The second run has no score at call 0.
		{"two runs to the end of the shorter", report.Curves{Methods: []report.Method{
			{"a", [][]float64{{0, 1, 5}, {nan, 3}}},
			{"b", [][]float64{{7}}},
		}}, "a,1,2,1,2\nb,0,7,0,1\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var csv strings.Builder
			test.c.X, test.c.Y = report.Axis{Column: "call"}, report.Axis{Column: "best"}
			if err := test.c.WriteCSV(&csv); err != nil {
				t.Fatal(err)
			}
			if want := "method,call,best,standard_error,runs\n" + test.want; csv.String() != want {
				t.Errorf("got %q, want %q", csv.String(), want)
			}
		})
	}
}

func TestCurvesErrors(t *testing.T) {
	tests := []struct {
		name    string
		methods []report.Method
		want    string
	}{
		{"no methods", nil, "no methods"},
		{"no runs", []report.Method{{"a", nil}}, "a: no position where all 0 runs have a value"},
		{"an infinite score", []report.Method{{"a", [][]float64{{1, math.Inf(1)}}}}, "infinite"},
		{"never a score", []report.Method{{"a", [][]float64{{1, 2}, {nan, nan}}}}, "a: no position where all 2 runs have a value"},
	}
	for _, test := range tests {
		err := report.Curves{Methods: test.methods}.WriteSVG(io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
		}
	}
}

func TestFiguresWithoutMethods(t *testing.T) {
	for name, f := range map[string]func(io.Writer) error{
		"curves": report.Curves{}.WriteSVG, "calls": report.Calls{}.WriteSVG, "alignment": report.Alignment{}.WriteSVG, "predictions": report.Predictions{}.WriteSVG,
	} {
		if err := f(io.Discard); err == nil || !strings.Contains(err.Error(), "to show") {
			t.Errorf("%s: error %v, want one with \"to show\"", name, err)
		}
	}
}

// Of 1 and 3 the mean is 2 and the standard error 1.
func TestFigureCSV(t *testing.T) {
	tests := []struct {
		name  string
		write func(io.Writer) error
		want  string
	}{
		{"curves at places of their own", report.Curves{X: report.Axis{Column: "side"}, Y: report.Axis{Column: "error"}, At: []float64{0.5, 2}, Methods: []report.Method{
			{"a", [][]float64{{1, 3}, {3, nan}}},
			{"b", [][]float64{{4, 5, 6}}},
		}}.WriteCSV, "method,side,error,standard_error,runs\na,0.5,2,1,2\nb,0.5,4,0,1\nb,2,5,0,1\n"},
		{"alignment", report.Alignment{
			Aligned:       []report.Method{{"a", [][]float64{{1, 1}, {3, 1}}}, {"b", [][]float64{{0.25}}}},
			Dissimilarity: []report.Method{{"a", [][]float64{{0, 0.5}, {0, 0.5}}}, {"b", [][]float64{{0.5}}}},
		}.WriteCSV, "method,batch,aligned,aligned_standard_error,dissimilarity,dissimilarity_standard_error,runs\na,1,2,1,0,0,2\na,2,1,0,0.5,0,2\nb,1,0.25,0,0.5,0,1\n"},
		{"calls", report.Calls{Methods: []report.CallCounts{
			{"a", [2][]float64{{10, 30}, {5, 5}}, [2][]float64{{1, 3}, {0, 0}}},
		}}.WriteCSV, "method,purpose,calls,calls_standard_error,new_bests,new_bests_standard_error,runs\na,acquisition,20,10,2,1,2\na,recentering,5,0,0,0,2\n"},
		{"predictions", report.Predictions{Models: []report.Predicted{
			{Name: "a", Truth: []float64{1}, Mean: []float64{2}, Low: []float64{0}, High: []float64{4}, R2: 0.5, Rank: nan},
		}}.WriteCSV, "model,truth,prediction,low,high,r2,rank_correlation\na,1,2,0,4,0.5,NaN\n"},
		{"front", report.Front{
			Objectives: []report.Objective{{Name: "pIC50"}, {"logP", true}}, Points: [][]float64{{7, 3}, {6, nan}, {5, 2.5}}, Members: []int{2, 0},
		}.WriteCSV, "point,pIC50,logP,front\n0,7,3,true\n1,6,NaN,false\n2,5,2.5,true\n"},
		{"hypervolume", report.Hypervolume("", report.Method{"evolve", [][]float64{{0, 1.5}}}).WriteCSV, "method,call,hypervolume,standard_error,runs\nevolve,0,0,0,1\nevolve,1,1.5,0,1\n"},
	}
	for _, test := range tests {
		var csv strings.Builder
		if err := test.write(&csv); err != nil || csv.String() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, csv.String(), err, test.want)
		}
	}
}

func TestFrontErrors(t *testing.T) {
	two := []report.Objective{{Name: "a"}, {Name: "b"}}
	for _, tt := range []struct {
		f    report.Front
		want string
	}{
		{report.Front{Objectives: two[:1], Points: [][]float64{{1}}, Members: []int{0}}, "1 objectives, want 2 to 4"},
		{report.Front{Objectives: two, Points: [][]float64{{1, 2}, {1}}, Members: []int{0}}, "point 1 has 1 values, want 2"},
		{report.Front{Objectives: two, Points: [][]float64{{1, 2}}, Members: []int{1}}, "member 1 of 1 points"},
		{report.Front{Objectives: two, Points: [][]float64{{1, 2}}, Members: []int{0}, Reference: []float64{1}}, "want 2 numbers"},
		{report.Front{Objectives: two, Points: [][]float64{{1, 2}}, Members: []int{0}, Reference: []float64{1, nan}}, "want 2 numbers"},
		{report.Front{Objectives: two, Points: [][]float64{{1, nan}}, Members: []int{0}}, "no points of the front to show"},
	} {
		for _, write := range []func(io.Writer) error{tt.f.WriteSVG, tt.f.WriteCSV} {
			if err := write(io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that contains %q", err, tt.want)
			}
		}
	}
}

// Every panel shows all points that have all values, and names its axes with their directions.
func TestFrontPanels(t *testing.T) {
	objectives := []report.Objective{{Name: "potency"}, {"toxicity", true}, {"weight", true}, {Name: "yield"}}
	for d := 2; d <= 4; d++ {
		f := report.Front{Objectives: objectives[:d], Members: []int{0, 1}}
		for _, p := range [][]float64{{4, 2, 7, 1}, {5, 3, 8, 1}, {3, 3, 9, 0}, {3, 4, 8, 0}, {2, 4, 9, 1}, {1, inf, 2, 3}} {
			f.Points = append(f.Points, p[:d])
		}
		f.Reference = []float64{1, 5, 10, 0}[:d]
		var svg strings.Builder
		if err := f.WriteSVG(&svg); err != nil {
			t.Fatal(err)
		}
		panels, axes := d*(d-1)/2, d-1
		if d > 2 {
			axes++ // of the parallel coordinates
		}
		for what, want := range map[string]int{
			`style="fill:#0072B2" />`: 2*panels + 1, // one in the legend
			`style="fill:#777777;`:    3*panels + 1,
			">potency (max)<":         axes, ">toxicity (min)<": axes, ">front (2)<": 1, ">other points (3)<": 1, ">reference<": 1,
			">not shown: 1 points with missing values<": 1,
		} {
			if got := strings.Count(svg.String(), what); got != want {
				t.Errorf("%d objectives: %d times %s, want %d", d, got, what, want)
			}
		}
	}
}

func TestFitErrors(t *testing.T) {
	err := fit("x", "exp(exp(exp(3)))", 0).WriteSVG(io.Discard)
	if want := "target exp(exp(exp(3))) has no finite values"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that contains %q", err, want)
	}
}

// fit returns the figure of two expressions from -10 to 10.
func fit(found, target string, score float64) report.Fit {
	f := report.Fit{Found: report.Line{Name: found}, Target: report.Line{Name: target}, Score: score}
	for i := range 2001 {
		f.X = append(f.X, float64(i-1000)/100)
	}
	for _, l := range []*report.Line{&f.Found, &f.Target} {
		var err error
		if l.Y, err = expression.Eval(l.Name, f.X); err != nil {
			panic(err)
		}
	}
	return f
}

// figures returns figures of all kinds, difficult ones included.
func figures() map[string]func(io.Writer) error {
	rng := rand.New(rand.NewPCG(1, 2))
	runs := func(n int, rate float64) [][]float64 {
		all := make([][]float64, n)
		for i := range all {
			level := 2.0
			for range 301 {
				if rng.Float64() < rate {
					level *= 0.4 + 0.6*rng.Float64()
				}
				all[i] = append(all[i], level+rng.Float64())
			}
		}
		return all
	}
	calls, score := report.Axis{Label: "oracle calls"}, report.Axis{Label: "score, log(1 + MSE)"}
	one := report.Curves{Title: "expression", X: calls, Y: score,
		Methods: []report.Method{{"cobo+invbo", runs(1, 0.03)}}}
	many := report.Curves{Title: "expression, 10 seeds", X: calls, Y: score}
	for i, name := range []string{"lbo", "turbo", "lolbo", "cobo", "cobo+invbo"} {
		many.Methods = append(many.Methods, report.Method{Name: name, Runs: runs(10, 0.01*float64(i+1))})
	}
	far, share := make([]float64, 40), make([]float64, 40)
	for i := range share {
		share[i], far[i] = 0.2+0.1*rng.Float64(), 0.4+0.005*float64(i)+0.05*rng.Float64()
	}
	aligned := report.Alignment{
		Title:         "med2, with and without inversion",
		Aligned:       []report.Method{{"cobo+invbo", [][]float64{slices.Repeat([]float64{1}, 40)}}, {"cobo", [][]float64{share}}},
		Dissimilarity: []report.Method{{"cobo+invbo", [][]float64{make([]float64, 40)}}, {"cobo", [][]float64{far}}},
	}
	truth, guess, low, high := make([]float64, 100), make([]float64, 100), make([]float64, 100), make([]float64, 100)
	for i := range truth {
		truth[i] = rng.Float64()
		guess[i] = 0.7*truth[i] + 0.2*rng.Float64()
		low[i], high[i] = guess[i]-0.1-0.1*rng.Float64(), guess[i]+0.2
	}
	model := report.Predicted{Name: "encoder", Truth: truth, Mean: guess, Low: low, High: high, R2: 0.61, Rank: 0.8}
	other := model
	other.Name = "inversion"
	// front returns points below a sphere in some objectives. Half of these are minimized.
	front := func(n int, members []int, scale float64, names ...string) report.Front {
		f := report.Front{Title: "PDE5 inhibitors", Members: members}
		for j, name := range names {
			f.Objectives = append(f.Objectives, report.Objective{name, j%2 == 1})
			f.Reference = append(f.Reference, 5)
		}
		for range n {
			p, norm := make([]float64, len(names)), 0.0
			for j := range p {
				p[j] = math.Abs(rng.NormFloat64())
				norm = math.Hypot(norm, p[j])
			}
			for j := range p {
				p[j] = 5 + scale*p[j]/norm*float64(1-j%2*2)
			}
			f.Points = append(f.Points, p)
		}
		return f
	}
	all := make([]int, 300)
	for i := range all {
		all[i] = i
	}
	long, longer := "predicted probability of inhibition of phosphodiesterase 5A at 10 µM in the cell assay", "glide_docking_score_2h42_standard_precision_kcal_per_mol"
	single := report.Alignment{Title: "med2", Aligned: aligned.Aligned[:1], Dissimilarity: aligned.Dissimilarity[:1]}
	return map[string]func(io.Writer) error{
		"alignment": aligned.WriteSVG,
		"aligned":   single.WriteSVG,
		"one-run":   one.WriteSVG,
		"many-runs": many.WriteSVG,
		"fit":       fit("x/1+sin(3)+sin(x*x)", "1/3+x+sin(x*x)", 0.036).WriteSVG,
		"calls": report.Calls{Title: "med2, 500 calls", Methods: []report.CallCounts{
			{"lolbo", [2][]float64{{300, 340}, {200, 160}}, [2][]float64{{5, 7}, {0, 0}}},
			{"cobo", [2][]float64{{320, 310}, {180, 190}}, [2][]float64{{8, 9}, {0, 1}}},
			{"cobo+invbo", [2][]float64{{500}, {0}}, [2][]float64{{12}, {0}}},
		}}.WriteSVG,
		"predictions": report.Predictions{Title: "med2: 100 strings not seen", Score: "median similarity", Models: []report.Predicted{model, other}}.WriteSVG,
		"misfit":      fit("exp(x*x)/exp(x*x)+exp(2*x)", "1/3+x+sin(x*x)", 6.9).WriteSVG,
		"front-2":     front(300, all, 1, "pIC50", "logP").WriteSVG,
		"front-3":     front(300, all, 1e-5, "pIC50", long, longer).WriteSVG,
		"front-4":     front(300, all, 1e9, "pIC50", "docking score (kcal/mol)", long, longer).WriteSVG,
		"front-one":   front(1, all[:1], 1, "pIC50", "logP", "QED").WriteSVG,
		"front-zero":  report.Front{Objectives: []report.Objective{{Name: "a"}, {Name: "b"}}, Points: [][]float64{{0, 0}}, Members: all[:1]}.WriteSVG,
		"hypervolume": report.Hypervolume("PDE5 inhibitors", report.Method{"evolve", [][]float64{{0, 1e-13, 1e-13, 2e-13}}}).WriteSVG,
		"constant":    fit("1/x", "2", 0).WriteSVG,
		"far":         fit("1/x", "exp(3*3*(3+2))", 0).WriteSVG,
	}
}

// Figures are well-formed and deterministic, with labels. To look at them, set INVBO_FIGURES to a folder.
func TestSVG(t *testing.T) {
	draw := figures()
	again := figures()
	for name := range draw {
		t.Run(name, func(t *testing.T) {
			var svg, second bytes.Buffer
			if err := errors.Join(draw[name](&svg), again[name](&second)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(svg.Bytes(), second.Bytes()) {
				t.Error("two drawings differ")
			}
			var text strings.Builder
			decoder := xml.NewDecoder(bytes.NewReader(svg.Bytes()))
			for {
				token, err := decoder.Token()
				if err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if chars, ok := token.(xml.CharData); ok {
					text.Write(chars)
				}
			}
			for _, label := range map[string][]string{
				"one-run":   {"oracle calls", "score, log(1 + MSE)"},
				"many-runs": {"oracle calls", "cobo+invbo (10 runs)", "mean ± standard error"},
				"front-2":   {"pIC50 (max)", "logP (min)", "front (300)", "boundary of the dominated region", "hypervolume"},
				"front-4":   {"docking score (kcal/mol)", "glide_docking_score_", "coloured by the first objective"},
				"fit":       {"value", "x/1+sin(3)+sin(x*x)", "1/3+x+sin(x*x)"},
			}[name] {
				if !strings.Contains(text.String(), label) {
					t.Errorf("%q is not in the figure", label)
				}
			}
			if strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") {
				t.Error("a coordinate is not finite")
			}
			if dir := os.Getenv("INVBO_FIGURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+".svg"), svg.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
