package experiment_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/study"
)

// Values that may be fractions are not taken by a study of percentages without being asked about: several are refused,
// and of one people are told. A study that knows weak compounds takes what it is told.
func TestFractionsToldToPercentages(t *testing.T) {
	strong := []float64{12, 45, 60, 88, 93, 97}
	weak := []float64{0.2, 0.9, 14, 60, 88, 93}
	type row struct {
		x    string
		cell string
	}
	rows := func(cells ...string) (all []row) {
		for i, cell := range cells {
			all = append(all, row{"CCCC" + strings.Repeat("A", i+1), cell})
		}
		return all
	}
	for _, test := range []struct {
		name   string
		known  []float64
		column string
		told   []row
		o      table.Options
		want   []string // what becomes of each, and what it says
	}{
		{"fractions", strong, "Inhibition (%)", rows("0.95", "0.93", "0.88"), table.Options{}, []string{"not taken: 0.95 may be 0.95 % or, as a fraction, 95 %", "not taken: 0.93 may be", "not taken: 0.88 may be"}},
		{"above 1 by noise", strong, "Inhibition (%)", rows("0.95", "1.04", "0.88"), table.Options{}, []string{"not taken: 0.95 may be", "not taken: 1.04 may be 1.04 % or, as a fraction, 104 %", "not taken: 0.88 may be"}},
		{"a bound and a failure", strong, "Inhibition (%)", rows("0.95", "<0.1", "0.8", "failed"), table.Options{}, []string{"not taken: 0.95 may be", "not taken: 0.1 may be", "not taken: 0.8 may be", "failed"}},
		{"a weak compound", strong, "Inhibition (%)", rows("0.9"), table.Options{}, []string{"measured 0.9 is taken as 0.9 %, and the median of the known values is 88 %; if it is a fraction, correct it to 90 %"}},
		{"a weak compound among others", strong, "Inhibition (%)", rows("0.9", "45", "0.2"), table.Options{}, []string{"measured", "measured", "measured"}},
		{"no inhibition", strong, "Inhibition (%)", rows("0", "0", "0"), table.Options{}, []string{"measured", "measured", "measured"}},
		{"weak compounds are known", weak, "Inhibition (%)", rows("0.9", "0.8", "0.2"), table.Options{}, []string{"measured", "measured", "measured"}},
		{"with the sign", strong, "Inhibition (%)", rows("0.9 %", "0.8%", "95%"), table.Options{}, []string{"measured", "measured", "measured"}},
		{"with the unit as an option", strong, "Inhibition (%)", rows("0.9", "0.8", "0.2"), table.Options{Unit: "%"}, []string{"measured", "measured", "measured"}},
		{"in a column of fractions", strong, "Inhibition (fraction)", rows("0.9", "0.8", "0.2"), table.Options{}, []string{"measured", "measured", "measured"}},
		{"known already", strong, "Inhibition (%)", []row{{"ACDEAC", "12"}, {"DDEEAA", "45"}}, table.Options{}, []string{"known already", "known already"}},
	} {
		var known []table.Record
		for i, v := range test.known {
			known = append(known, table.Record{Line: i + 2, Input: words()[i].Input, State: table.Measured, Score: v})
		}
		e := percentages(t, known, experiment.RunSpec{Task: "strings"})
		content := "word," + test.column + "\n"
		for _, r := range test.told {
			content += r.x + "," + r.cell + "\n"
		}
		o, err := e.TableOptions()
		if err != nil {
			t.Fatal(err)
		}
		o.Unit, o.CSV = test.o.Unit, true
		read, err := table.Read(t.Context(), strings.NewReader(content), o)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for range 2 { // what is known already raises no doubt
			told, err := e.Tell(t.Context(), read.Records, false)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range told {
				got := strings.TrimSpace(r.String() + " " + strings.Join(r.Doubts, "; "))
				if !strings.HasPrefix(got, test.want[i]) || len(r.Doubts) > 0 && got != test.want[i] {
					t.Errorf("%s: %q, want %q", test.name, got, test.want[i])
				}
				if r.Taken() {
					test.want[i] = "known already"
				}
			}
		}
	}
}

// So it is with each of several outcomes.
func TestFractionsOfAnOutcome(t *testing.T) {
	var known []table.Record
	for i, v := range []float64{12, 45, 60, 88, 93, 97} {
		known = append(known, table.Record{Line: i + 2, Input: words()[i].Input, Others: map[string]float64{"yield (%)": v, "tox": 5}})
	}
	spec := experiment.RunSpec{Task: "strings"}
	spec.Objectives = []study.Objective{{Name: "yield (%)"}, {Name: "tox", Minimize: true}}
	e := percentages(t, known, spec)
	o, err := e.TableOptions()
	if err != nil {
		t.Fatal(err)
	}
	o.CSV = true
	read, err := table.Read(t.Context(), strings.NewReader("word,yield (%),tox\nCCA,0.95,4\nCCD,0.9,0.5\nCCC,0.8,0.3\n"), o)
	if err != nil {
		t.Fatal(err)
	}
	told, err := e.Tell(t.Context(), read.Records, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range told {
		if r.Taken() || !strings.Contains(r.Why, "as a fraction") {
			t.Errorf("%v", r)
		}
	}
}

// A study of fractions that states no unit converts numbers in %, and refuses several that are far above 1.
func TestPercentagesToldToFractions(t *testing.T) {
	for _, test := range []struct{ name, score, content, want string }{
		{"cells in %", "Yield", "word,Yield\nCCCA,45%\nCCCC,7%\n", "0.45 0.07"},
		{"some cells in %", "Yield", "word,Yield\nCCCA,45%\nCCCC,0.5\nCCCD,0.25\n", "0.45 0.5 0.25"},
		{"a column in %", "Yield", "word,Yield (%)\nCCCA,45\nCCCC,7\n", "0.45 0.07"},
		{"fractions", "Yield", "word,Yield\nCCCA,0.45\nCCCC,1.05\nCCCD,0\n", "0.45 1.05 0"},
		{"plain numbers", "Yield", "word,Yield\nCCCA,45\nCCCC,7\nCCCD,0\nCCCE,90\n", "refused refused 0 refused"},
		{"two plain numbers", "Yield", "word,Yield\nCCCA,45\nCCCC,7\n", "45 doubtful 7 doubtful"},
		{"a concentration", "IC50", "word,IC50\nCCCA,45\nCCCC,7\nCCCE,90\n", "45 7 90"},
	} {
		var known []table.Record
		for i, v := range []float64{0.12, 0.45, 0.6, 0.88, 0.93, 1} {
			known = append(known, table.Record{Line: i + 2, Input: words()[i].Input, State: table.Measured, Score: v})
		}
		e := ofColumns(t, known, experiment.RunSpec{Task: "strings"}, table.Columns{Input: "word", Score: test.score})
		o, err := e.TableOptions()
		if err != nil {
			t.Fatal(err)
		}
		o.CSV = true
		read, err := table.Read(t.Context(), strings.NewReader(test.content), o)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		told, err := e.Tell(t.Context(), read.Records, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range told {
			switch {
			case !r.Taken():
				got = append(got, "refused")
			case len(r.Doubts) > 0:
				got = append(got, fmt.Sprint(r.Score), "doubtful")
			default:
				got = append(got, fmt.Sprint(r.Score))
			}
			if !r.Taken() && !strings.Contains(r.Why, "if it is in per cent") {
				t.Errorf("%s: %s", test.name, r.Why)
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// percentages creates an experiment whose scores are percentages.
func percentages(t *testing.T, known []table.Record, spec experiment.RunSpec) *experiment.Experiment {
	t.Helper()
	return ofColumns(t, known, spec, table.Columns{Input: "word", Score: "Inhibition (%)", Unit: "%"})
}

func ofColumns(t *testing.T, known []table.Record, spec experiment.RunSpec, c table.Columns) *experiment.Experiment {
	t.Helper()
	objective, err := spec.Objective()
	if err != nil {
		t.Fatal(err)
	}
	read := &table.Table{Records: known}
	if objective != nil {
		for i := range known {
			known[i].State = table.Missing
		}
		experiment.ScoreTable(read, objective)
	}
	p, err := spec.BuildMeasured(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	columns := experiment.Columns{Columns: c}
	e, err := experiment.Create(t.Context(), experiment.Place{File: filepath.Join(t.TempDir(), "lab.db")}, p, experiment.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}
