package evolve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// spoilt are Descriptions that cannot be used, made of good ones.
var spoilt = map[string]struct {
	spoil func(d *evolve.Description)
	want  string
}{
	"an ID without a number": {func(d *evolve.Description) { d.Groups[0].N = nil }, "group 0 of its Description: "},
	"unsorted IDs":           {func(d *evolve.Description) { d.Groups[1] = gp.Counts{IDs: []uint64{2, 1}, N: []uint32{1, 1}} }, "group 1 of its Description: "},
	"a group is missing":     {func(d *evolve.Description) { d.Groups = d.Groups[:1] }, "1 groups of features"},
	"a short Trend":          {func(d *evolve.Description) { d.Trend = d.Trend[:1] }, "its Description has 1 numbers, and that of another string 2"},
	"a long Trend":           {func(d *evolve.Description) { d.Trend = append(d.Trend, 1) }, "its Description has 3 numbers, and that of another string 2"},
	"a Trend of NaN":         {func(d *evolve.Description) { d.Trend[0] = math.NaN() }, "not finite"},
	"Known is missing":       {func(d *evolve.Description) { d.Known = nil }, "0 Known values, and the Space Knows 1"},
}

// wide returns the space of words with a Trend and a Known outcome. Read spoils the descriptions of some strings.
func wide(spoil func(d *evolve.Description), which func(x string) bool) evolve.Space {
	s := space(alphabet)
	read := s.Read
	s.Knows = []string{"cs"}
	s.Check = func(x string) error { _, err := read(x); return err }
	s.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Trend, d.Known = []float64{float64(strings.Count(x, "d")), float64(strings.Count(x, "e"))}, []float64{float64(strings.Count(x, "c"))}
		if err == nil && which(x) {
			spoil(&d)
		}
		return d, err
	}
	return s
}

// several is the problem of start with the outcome that wide knows as an objective.
func several() study.Problem {
	p := start()
	p.Objectives = []study.Objective{{Name: "sites"}, {Name: "cs"}}
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		r := sites(x)
		r.Others = map[string]float64{"sites": r.Score, "cs": float64(strings.Count(x, "c"))}
		return r
	})
	return p
}

// A string whose Description cannot be used is an error that names it if it is known, and no string of the space if it
// is a child, whether its operator described it or Read did. With one objective and with two, the search goes on
// without such children.
func TestDescriptionsAreChecked(t *testing.T) {
	bad := func(x string) bool { return strings.HasSuffix(x, "c") }
	never := func(string) bool { return false }
	few := evolve.Options{Children: 20, Generations: 2}
	for name, test := range spoilt {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, problem := range []study.Problem{start(), several()} {
				problem.Init = append(initial("facedbeadfab", "facadefacade"), initial("bedbedbedbed", "deafdeafdeaf", "cabbedfacede")...)
				bySpace := wide(test.spoil, bad)
				byOperator := describe(wide(test.spoil, never), bySpace.Read)
				for how, s := range map[string]evolve.Space{"Read": bySpace, "an operator": byOperator} {
					for _, trial := range run(t, problem, searcher(t, s, few), study.Options{Budget: 10}).Trials() {
						if bad(trial.X) {
							t.Errorf("%q was proposed, which %s describes wrongly", trial.X, how)
						}
					}
				}
				problem.Init = append(problem.Init, study.Observation{X: "abcabcabcabc", Checked: true}) // nobody asks the searcher before
				err := begin(t, problem, searcher(t, bySpace, few), study.Options{Budget: 10}).Run(t.Context())
				if err == nil || !strings.Contains(err.Error(), test.want) && !strings.Contains(err.Error(), "and that of another string") || !strings.Contains(err.Error(), `"abcabcabcabc"`) {
					t.Errorf("error %v, want one that names the string and says %q", err, test.want)
				}
			}
		})
	}
}

// An aligned string of another length than the Sites is not of the space.
func TestAlignedDescriptionsAreChecked(t *testing.T) {
	s := space(alphabet)
	s.Kernels = []gp.Term{{Kernel: gp.SiteSum, Groups: []int{0}, Sites: &gp.Sites{Positions: 2, Tokens: 2, Distances: [][]float64{{0, 1, 1, 0}}}}}
	s.Read = func(x string) (d evolve.Description, _ error) {
		var c gp.Counts
		for i := range x {
			c.IDs, c.N = append(c.IDs, gp.Site(i, int(x[i]-'a'))), append(c.N, 1)
		}
		return evolve.Description{Groups: []gp.Counts{c}}, nil
	}
	e := searcher(t, s, quick)
	for x, want := range map[string]string{"ab": "", "aba": "3 tokens, want 2", "ac": "no Site of 2 tokens"} {
		if err := e.Check(x); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", x, err, want)
		}
	}
}

// New refuses terms that no Mixture can have, and names that do not go with the strings.
func TestSpaceIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *evolve.Space)
		want   string
	}{
		"empty groups":            {func(s *evolve.Space) { s.Kernels[1].Groups = []int{} }, "Kernels and Further: gp: unusable data: term 1: no groups"},
		"a negative group":        {func(s *evolve.Space) { s.Kernels[0].Groups = []int{-1} }, "group -1"},
		"an unknown kernel":       {func(s *evolve.Space) { s.Kernels[0].Kernel = 99 }, "no kernel 99"},
		"novelty of empty groups": {func(s *evolve.Space) { s.Novelty = &gp.Term{Groups: []int{}} }, "Novelty: "},
		"fewer names":             {func(s *evolve.Space) { s.Only, s.Names = []string{"a", "b"}, []string{"A"} }, "1 Names for the 2 strings"},
		"names of nothing":        {func(s *evolve.Space) { s.Names = []string{"A"} }, "1 Names for the 0 strings"},
	} {
		s := space(alphabet)
		test.change(&s)
		if _, err := evolve.New(s, quick); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, test.want)
		}
	}
}

// A string that may be proposed counts once, with its first name, and the caller's lists stay as they are.
func TestOnlyOnce(t *testing.T) {
	s := space(alphabet)
	only := []string{"facede", "beaded", "facede", "facade", "beaded", "decade"}
	s.Only, s.Names = slices.Clone(only), []string{"first", "second", "third", "fourth", "fifth", "sixth"}
	p := start()
	p.Init = initial("aaaaaa", "bbbbbb")
	st := begin(t, p, searcher(t, s, quick), study.Options{Budget: 20})
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
		t.Fatalf("error %v, want ErrExhausted", err)
	}
	got := map[string]string{}
	for _, trial := range st.Trials()[2:] {
		if _, again := got[trial.X]; again {
			t.Errorf("%q was proposed twice", trial.X)
		}
		got[trial.X] = trial.Name
	}
	for x, name := range map[string]string{"facede": "first", "beaded": "second", "facade": "fourth", "decade": "sixth"} {
		if got[x] != name {
			t.Errorf("%q has the name %q, want %q", x, got[x], name)
		}
	}
	if len(got) != 4 || !slices.Equal(s.Only, only) {
		t.Errorf("proposed %v of %v", got, s.Only)
	}
}

// A snapshot that no search like this one can have left is foreign, and changes nothing.
func TestForeignSnapshots(t *testing.T) {
	s := wide(nil, func(string) bool { return false })
	p := start()
	p.Constraints = []study.Constraint{{Outcome: "cs", Op: "<", Bound: 4}}
	p.Oracle = several().Oracle
	e := searcher(t, s, quick)
	run(t, p, e, study.Options{Budget: 10})
	good, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	change := func(path ...any) func(state map[string]any) { // to the last of path
		return func(state map[string]any) {
			var at any = state
			for _, key := range path[:len(path)-2] {
				switch key := key.(type) {
				case string:
					at = at.(map[string]any)[key]
				case int:
					at = at.([]any)[key]
				}
			}
			switch key := path[len(path)-2].(type) {
			case string:
				at.(map[string]any)[key] = path[len(path)-1]
			case int:
				at.([]any)[key] = path[len(path)-1]
			}
		}
	}
	for name, change := range map[string]func(state map[string]any){
		"a negative weight":                  change("Surrogate", "Weights", 0, -1),
		"a weight too few":                   change("Surrogate", "Weights", []float64{1}),
		"negative noise":                     change("Surrogate", "Noise", -1),
		"negative noise and no weights":      change("Surrogate", map[string]any{"Noise": -1}),
		"an unknown transform":               change("Surrogate", "Transform", 9),
		"slopes of another trend":            change("Surrogate", "Slopes", []float64{1}),
		"parameters of sites":                change("Surrogate", "Sites", []float64{1}),
		"a negative weight of an outcome":    change("Outcomes", 0, "Weights", 1, -1),
		"no outcome":                         change("Outcomes", []any{}),
		"no records":                         change("Records", []any{}),
		"a record with a negative number":    change("Records", 0, "Improved", -5),
		"the best of strings that there are": change("Best", []int{5, -1}),
		"no Makers":                          func(state map[string]any) { delete(state, "Makers") },
		"a maker that there is not":          change("Makers", map[string]int{"abc": 99}),
		"a negative maker":                   change("Makers", map[string]int{"abc": -1}),
		"a negative phase":                   change("Phase", "Number", -1),
	} {
		var state map[string]any
		if err := json.Unmarshal(good, &state); err != nil {
			t.Fatal(err)
		}
		change(state)
		bad, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Restore(bad); !errors.Is(err, study.ErrForeign) {
			t.Errorf("%s: %v, want ErrForeign", name, err)
		}
		if now, err := e.Snapshot(); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: the search is another one after it: %s, %v", name, now, err)
		}
	}
	if err := e.Restore(good); err != nil {
		t.Errorf("its own snapshot: %v", err)
	}
}
