package study_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

func TestParseObjective(t *testing.T) {
	for _, text := range []string{"pIC50 max", "hERG min", "log S max zero=-6", "hERG min zero=0"} {
		o, err := study.ParseObjective(text)
		if err != nil || o.String() != text {
			t.Errorf("%q is read as %q, %v", text, o, err)
		}
	}
	for text, want := range map[string]string{
		"": "write NAME max or NAME min", "pIC50": "write NAME max", "max": "write NAME max", "pIC50 maximal": "write NAME max",
		"pIC50 max zero=x": "number after zero=", "pIC50 max zero=NaN": "number after zero=", "pIC50 max weight=2": "there is no weight", "zero=1": "write NAME max",
	} {
		if _, err := study.ParseObjective(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// both returns a trial with two outcomes, NaN for one that is not known.
func both(id int, a, b float64) study.Trial {
	others := map[string]float64{}
	for name, v := range map[string]float64{"a": a, "b": b} {
		if !math.IsNaN(v) {
			others[name] = v
		}
	}
	return study.Trial{Proposal: study.Proposal{ID: id}, State: study.Scored, Score: a, Value: a, Measurements: []study.Measurement{{ID: id, Score: a, Others: others}}}
}

func ids(trials []study.Trial) (all []int) {
	for _, t := range trials {
		all = append(all, t.ID)
	}
	return all
}

func TestFrontOf(t *testing.T) {
	objectives := []study.Objective{{Name: "a"}, {Name: "b", Minimize: true}}
	nan := math.NaN()
	trials := []study.Trial{both(1, 0, 5), both(2, 2, 7), both(3, 2, 7), both(4, 1, 8), both(5, 8, nan), both(6, -1, 1)}
	f := study.FrontOf(trials, objectives, nil)
	if want := []int{2, 3, 1, 6}; !slices.Equal(ids(f.Trials), want) {
		t.Errorf("trials %v on the front, want %v: the best in the first objective first, equal ones too", ids(f.Trials), want)
	}
	// The worst of the front are -1 and 7; the medians, 1 and 7, are no worse. Half of 3 and of 6 below.
	if want := []float64{-2.5, -10}; math.Abs(f.Reference[0]-want[0]) > 1e-12 || math.Abs(f.Reference[1]-want[1]) > 1e-12 {
		t.Errorf("reference %v, want %v", f.Reference, want)
	}
	if want := 4.5*3 + 2.5*2 + 1.5*4; math.Abs(f.Hypervolume-want) > 1e-12 {
		t.Errorf("hypervolume %g, want %g", f.Hypervolume, want)
	}
	// What is found later leaves the reference point where it is.
	initial := slices.Clone(trials)
	for i := range initial {
		initial[i].Kind = study.Initial
	}
	later := study.FrontOf(append(initial, both(7, 20, 0.1), both(8, 30, 0.2)), objectives, nil)
	if !slices.Equal(later.Reference, f.Reference) || later.Hypervolume <= f.Hypervolume {
		t.Errorf("later the reference is %v, and the hypervolume %g; want %v, and more than %g", later.Reference, later.Hypervolume, f.Reference, f.Hypervolume)
	}
	volumes := study.Hypervolumes(trials, objectives, nil, f.Reference)
	if !slices.IsSorted(volumes) || volumes[len(volumes)-1] != f.Hypervolume {
		t.Errorf("hypervolumes %v, want ascending ones that end in %g", volumes, f.Hypervolume)
	}
	zero := 6.0
	objectives[1].Zero = &zero
	if f := study.FrontOf(trials, objectives, nil); f.Reference[1] != -6 || math.Abs(f.Hypervolume-(2.5*1+1.5*4)) > 1e-12 {
		t.Errorf("with zero=6: reference %v, hypervolume %g", f.Reference, f.Hypervolume)
	}
	f = study.FrontOf(trials, objectives, []study.Constraint{{Outcome: "b", Op: ">=", Bound: 5}})
	if want := []int{2, 3, 1}; !slices.Equal(ids(f.Trials), want) {
		t.Errorf("with a constraint on an objective, %v, want %v", ids(f.Trials), want)
	}
	if f := study.FrontOf(trials[4:5], objectives, nil); f.Trials != nil || f.Reference != nil || f.Hypervolume != 0 {
		t.Errorf("front %+v of trials without all objectives", f)
	}
}

// What is maximized and never negative, such as a rate, is compared with 0 at least; an explicit zero stays.
func TestReferenceOfPositiveValues(t *testing.T) {
	zero := -5.0
	for _, test := range []struct {
		name string
		a    study.Objective
		of   []float64
		want float64
	}{
		{"half of the range below", study.Objective{Name: "a"}, []float64{100, 120, 110}, 90},
		{"not below 0", study.Objective{Name: "a"}, []float64{50, 1330, 90}, 0},
		{"0 is a value", study.Objective{Name: "a"}, []float64{0, 1330, 90}, 0},
		{"equal values", study.Objective{Name: "a"}, []float64{0.5, 0.5, 0.5}, 0},
		{"zeros alone", study.Objective{Name: "a"}, []float64{0, 0, 0}, -1},
		{"a negative value", study.Objective{Name: "a"}, []float64{-1, 5, 2}, -4},
		{"a zero that is given", study.Objective{Name: "a", Zero: &zero}, []float64{50, 1330, 90}, -5},
		{"minimized", study.Objective{Name: "a", Minimize: true}, []float64{50, 1330, 90}, -1970},
	} {
		var trials []study.Trial
		for i, a := range test.of {
			b := test.a.Own(a) // worse where a is better
			trials = append(trials, both(i+1, a, b))
		}
		f := study.FrontOf(trials, []study.Objective{test.a, {Name: "b", Minimize: true}}, nil)
		if f.Reference[0] != test.want {
			t.Errorf("%s: reference %g, want %g", test.name, f.Reference[0], test.want)
		}
	}
}

// A value that is known to be better than something counts as that; one that is known to be worse keeps a trial off the
// front.
func TestBoundsOfObjectives(t *testing.T) {
	o := study.Objective{Name: "b", Minimize: true}
	for bound, want := range map[study.Bound]float64{study.Exact: -4, study.Below: -4, study.Above: math.NaN()} {
		trial := both(1, 1, 4)
		trial.Measurements[0].OtherBounds = map[string]study.Bound{"b": bound}
		if v := o.Value(&trial); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
			t.Errorf("value %g of %v4, to be minimized; want %g", v, bound, want)
		}
	}
}

func TestObjectivesAreChecked(t *testing.T) {
	a := study.Objective{Name: "a"}
	for want, objectives := range map[string][]study.Objective{
		"two objectives are named a": {a, a},
		"two objectives are named A": {a, {Name: "A"}},
		"give at most 4":             {a, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}},
		"first objective is a min":   {{Name: "a", Minimize: true}, {Name: "b"}},
	} {
		p := study.Problem{Objectives: objectives, Oracle: oracle.Func(func(string) oracle.Result { return oracle.Result{} }), Init: []study.Observation{{X: "x"}, {X: "y"}}}
		if _, err := study.New(t.Context(), p, &script{}, study.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
