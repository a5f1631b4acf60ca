package experiment_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

var nan = math.NaN()

// words are measured strings; the score counts pairs of A and C.
func words() []table.Record {
	var rows []table.Record
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE"} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("W-%d", i+1), Input: x, State: table.Measured, Score: float64(strings.Count(x, "AC"))})
	}
	return rows
}

// begin creates an experiment in a file, from rows that have been measured.
func begin(t *testing.T, path string, spec experiment.RunSpec, rows []table.Record) (*experiment.Experiment, error) {
	read := &table.Table{Records: rows}
	objective, err := spec.Objective()
	if err != nil {
		return nil, err
	}
	if objective != nil {
		for i := range rows {
			rows[i].State = table.Missing
		}
		experiment.ScoreTable(read, objective)
	}
	p, err := spec.BuildMeasured(t.Context(), read)
	if err != nil {
		return nil, err
	}
	columns := experiment.Columns{Columns: table.Columns{Input: "word", Score: "activity", ID: "name"}}
	return experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{Columns: columns})
}

func create(t *testing.T, rows []table.Record, constraints ...study.Constraint) (*experiment.Experiment, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lab.db")
	spec := experiment.RunSpec{Task: "strings"}
	spec.Constraints = constraints
	b, err := begin(t, path, spec, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, path
}

// with returns a row with a further outcome.
func with(r table.Record, toxicity float64) table.Record {
	r.Others = map[string]float64{"toxicity": toxicity}
	return r
}

func reopen(t *testing.T, b *experiment.Experiment, path string) *experiment.Experiment {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := experiment.Open(t.Context(), path, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func tell(t *testing.T, b *experiment.Experiment, correct bool, rows ...table.Record) string {
	t.Helper()
	outcomes, err := b.Tell(t.Context(), rows, correct)
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, o := range outcomes {
		what = append(what, fmt.Sprintf("%d %s", o.Trial, o))
	}
	return strings.Join(what, "; ")
}

// Weeks of a laboratory: each begins with the file of the one before.
func TestWeeks(t *testing.T) {
	b, path := create(t, append(words(), table.Record{Line: 8, ID: "W-1", Input: "ACDEAC", State: table.Measured, Score: 2.5}, table.Record{Line: 9, ID: "W-7", Input: "DEDEDE", Score: nan}))
	if s := b.Status(); s.Strings != 6 || s.Measurements != 7 || s.Noise[0].Repeated != 1 || s.Failed != 0 || math.Abs(s.Noise[0].SD-math.Sqrt(0.125)) > 1e-12 {
		t.Errorf("at first %+v", s)
	}
	b = reopen(t, b, path)
	asked, err := b.Ask(t.Context(), 3)
	if err != nil || len(asked) != 3 {
		t.Fatalf("%v, %v", asked, err)
	}
	b = reopen(t, b, path)
	again, err := b.Ask(t.Context(), 2)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(asked) {
		t.Errorf("asked again: %v, %v, want those that wait: %v", again, err, asked)
	}
	week := []table.Record{
		{Line: 2, ID: b.Name(asked[0]), Input: asked[0].Input, Score: 2},
		{Line: 3, ID: b.Name(asked[1]), Score: nan, State: table.Failed, Reason: table.Reason{Text: "would not fold"}},
		{Line: 4, ID: b.Name(asked[2]), Score: nan},
		{Line: 5, ID: "mine", Input: "ACACAC", Score: 3},
	}
	if got := tell(t, b, false, week...); got != fmt.Sprintf("%d measured; %d failed; %d no score yet; %d measured", asked[0].ID, asked[1].ID, asked[2].ID, asked[2].ID+1) {
		t.Error(got)
	}
	b = reopen(t, b, path)
	if got := tell(t, b, false, week...); strings.Count(got, "known already") != 3 {
		t.Errorf("told again: %s", got)
	}
	if got := tell(t, b, false, table.Record{Line: 2, ID: "mine", Score: 3.5}); !strings.Contains(got, "another measurement") {
		t.Errorf("another score: %s", got)
	}
	if got := tell(t, b, true, table.Record{Line: 2, ID: b.Name(asked[0]), Score: 1.5}); !strings.Contains(got, "corrected") {
		t.Errorf("a correction: %s", got)
	}
	for _, test := range []struct {
		rows []float64
		want string // of "mine", which has 3 and 3.5
	}{
		{[]float64{3.2}, "not taken: it has 2 measurements, and any of them may be meant: include all, and leave correct ones unchanged"},
		{[]float64{3}, "known already"},
		{[]float64{3.25, 3.5}, "corrected, known already"},
		{[]float64{3.75, 3.25}, "corrected, known already"}, // 3.75 for 3.5
		{[]float64{3, 2.5}, "corrected, corrected"},
		{[]float64{3, 2.5, 3.5}, "known already, known already, another measurement"},
		{[]float64{3.5, 2.75, 2.5}, "known already, corrected, known already"}, // 2.75 for 3
		{[]float64{3.5, 3, nan}, "known already, corrected, corrected"},
		{[]float64{3, nan, 3.5}, "known already, known already, known already"},
	} {
		var rows []table.Record
		for i, score := range test.rows {
			r := table.Record{Line: i + 2, ID: "mine", Score: score}
			if math.IsNaN(score) {
				r.State, r.Reason.Text = table.Failed, "no yield"
			}
			rows = append(rows, r)
		}
		var got []string
		for _, line := range strings.Split(tell(t, b, true, rows...), "; ") {
			_, what, _ := strings.Cut(line, " ")
			got = append(got, what)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("corrections %v: %q, want %s", test.rows, got, test.want)
		}
	}
	withdrawn, err := b.Withdraw(t.Context(), []int{asked[2].ID, asked[2].ID}, "too expensive")
	if err != nil || len(withdrawn) != 1 || withdrawn[0].Input != asked[2].Input {
		t.Errorf("withdrawn %v, %v", withdrawn, err)
	}
	b = reopen(t, b, path)
	s := b.Status()
	if s.Best[0].Name != "mine" || s.Best[0].Score != 3.25 || s.Strings != 8 || s.Failed != 2 || s.Compared != 1 || len(s.Waiting) != 0 {
		t.Errorf("in the end %+v", s)
	}
	next, err := b.Ask(t.Context(), 4)
	if err != nil || len(next) != 4 {
		t.Fatalf("%v, %v", next, err)
	}
	for _, p := range next {
		for _, old := range asked {
			if p.Input == old.Input {
				t.Errorf("%s is proposed again", p.Input)
			}
		}
	}
	sheet, err := b.Sheet(next)
	if err != nil {
		t.Fatal(err)
	}
	var shown, all bytes.Buffer
	if err := sheet.WriteCSV(&shown); err != nil || !strings.HasPrefix(shown.String(), "name,word,predicted,predicted_sd,nearest,similarity,activity\n") || strings.Count(shown.String(), ",\n") != 4 {
		t.Errorf("%v:\n%s", err, &shown)
	}
	if err := b.Export(false).WriteCSV(&all); err != nil || !strings.Contains(all.String(), ",mine,ACACAC,3,1,,measured,0,,,\n") || !strings.Contains(all.String(), "would not fold") {
		t.Errorf("%v:\n%s", err, &all)
	}
}

// A row that contradicts what is known is refused, and the others are taken.
func TestRefusedRows(t *testing.T) {
	b, _ := create(t, words())
	got := tell(t, b, false,
		table.Record{Line: 2, ID: "W-1", Input: "CCCCCC", Score: 1}, table.Record{Line: 3, ID: "nobody", Score: 1},
		table.Record{Line: 4, Input: "AC?", Score: 1}, table.Record{Line: 5, Input: "AACC", Score: 1})
	for _, want := range []string{"W-1 is ACDEAC, and this row has CCCCCC", `nothing is called "nobody"`, "no symbol of the alphabet", "; 7 measured"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q in it", got, want)
		}
	}
	for _, trial := range []int{1, -1, 0, 99} {
		if _, err := b.Withdraw(t.Context(), []int{trial}, ""); err == nil || err.Error() != fmt.Sprintf("trial %d waits for no measurement", trial) {
			t.Errorf("trial %d was withdrawn: %v", trial, err)
		}
	}
	path := filepath.Join(t.TempDir(), "few.db")
	if _, err := begin(t, path, experiment.RunSpec{Task: "strings"}, append(words()[:1], table.Record{Input: "AACC", State: table.Failed, Score: nan})); err == nil || !strings.Contains(err.Error(), "strings with a score: 1,") {
		t.Errorf("one string: %v", err)
	}
}

// Where the user's own names are numbers, proposals are called otherwise, and a number that may be either is not guessed.
func TestNumericNames(t *testing.T) {
	rows := words()
	for i := range rows {
		rows[i].ID = []string{"1", "2", "P3", "x", "8", "9"}[i]
	}
	b, path := create(t, rows)
	asked, err := b.Ask(t.Context(), 4) // trials 7 to 10
	if err != nil {
		t.Fatal(err)
	}
	b = reopen(t, b, path)
	sheet, err := b.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	if err := sheet.WriteCSV(&shown); err != nil || !strings.Contains(shown.String(), "\nPP9,"+asked[2].Input+",") {
		t.Errorf("%v:\n%s", err, &shown)
	}
	if got := b.Status().String(); !strings.Contains(got, "4 for a measurement: PP7, PP8, PP9, PP10\n") {
		t.Errorf("the state has other names:\n%s", got)
	}
	in := func(i int) string { return asked[i-7].Input }
	for _, test := range []struct {
		name string
		row  table.Record
		want string
	}{
		{"as ask calls it", table.Record{ID: "PP7", Score: 1}, "7 measured"},
		{"as ask called it before, with its string", table.Record{ID: "9", Input: in(9), Score: 2}, "9 measured"},
		{"as ask called it before, and no compound is called so", table.Record{ID: "10", Score: 3}, "10 measured"},
		{"a name of the user, though a trial has the number", table.Record{ID: "8", Score: 4}, "5 another measurement"},
		{"a compound of the user", table.Record{ID: "8", Input: "AAAACC", Score: 5}, "5 another measurement"},
		{"a new one with the number of a trial", table.Record{ID: "7", Input: "ACACAC", Score: 6}, "11 measured"},
		{"which is now called so", table.Record{ID: "7", Input: "ACACAC", Score: 6}, "11 known already"},
		{"or the proposal is meant", table.Record{ID: "7", Score: 6}, "7 is ACACAC, and trial 7 is " + in(7) + "; give the string, too, or P"},
		{"the string of another compound", table.Record{ID: "1", Input: "AAAACC", Score: 7}, "1 is ACDEAC, and this row has AAAACC"},
	} {
		if got := tell(t, b, false, test.row); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for name, want := range map[string]int{"8": 5, "7": 11, "PP8": 8} {
		if got, err := b.Numbered(name); err != nil || got != want {
			t.Errorf("%s is trial %d, %v, want %d", name, got, err, want)
		}
	}
	if p := b.Lookup(in(7)).Proposal; p.Name != "" {
		t.Errorf("the name that ask gave is stored as the user's: %q", p.Name)
	}
	if _, err := b.Waiting("9"); err == nil || !strings.Contains(err.Error(), `"9" waits for no measurement; give one of these that do: PP8`) {
		t.Errorf("it waits: %v", err)
	}
	if waiting, err := b.Waiting("8"); err != nil || waiting.Input != in(8) {
		t.Errorf("waiting: %v, %v", waiting, err)
	}
}

// partlyNamed is a searcher of a pool of two strings. The second one has a number as its name.
type partlyNamed struct{}

func (partlyNamed) Propose(context.Context, study.Ledger, int) ([]study.Proposal, error) {
	return []study.Proposal{{X: "AC", Mean: nan, SD: nan}, {X: "CA", Name: "3", Mean: nan, SD: nan}}, nil
}

func (partlyNamed) Observe(context.Context, ...study.Trial) error { return nil }

func (partlyNamed) Check(string) error { return nil }

// A name that is the number of another proposal is not guessed, and neither proposal is withdrawn for the other.
func TestPartlyNamed(t *testing.T) {
	b, err := experiment.Custom(t.Context(), "lab.db", study.Problem{Init: []study.Observation{{X: "AA", Measurements: study.Measured(1)}, {X: "CC", Measurements: study.Measured(2)}}}, partlyNamed{}, study.Options{Budget: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Ask(t.Context(), 2); err != nil { // trials 3 and 4, which is called 3
		t.Fatal(err)
	}
	if _, err := b.Waiting("3"); err == nil || err.Error() != `"3" is CA, and trial 3 is AC; give P3 for the trial, or tell CA as failed` {
		t.Errorf("it may be either: %v", err)
	}
	if waiting, err := b.Waiting("P3"); err != nil || waiting.ID != 3 {
		t.Errorf("waiting: %v, %v", waiting, err)
	}
	if w, err := b.Withdraw(t.Context(), []int{4}, "cannot be made"); err != nil || w[0].Input != "CA" || len(b.Pending()) != 1 {
		t.Errorf("withdrawn: %v, %v", w, err)
	}
	if waiting, err := b.Waiting("3"); err != nil || waiting.ID != 3 {
		t.Errorf("waiting: %v, %v", waiting, err)
	}
}

// A table may have further outcomes, and constraints on them. The best is the best that keeps them.
func TestConstraints(t *testing.T) {
	rows := words()
	for i := range rows {
		rows[i] = with(rows[i], float64(i)/10)
	}
	limit := study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3}
	b, path := create(t, rows, limit)
	b = reopen(t, b, path)
	if s := b.Status(); s.Strings != 6 || s.Violating != 3 || s.Best[0].Violates([]study.Constraint{limit}) != "" || !strings.Contains(s.String(), "Constraints") {
		t.Errorf("of six strings three keep the constraint: %+v", s)
	}
	asked, err := b.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := b.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	if err := sheet.WriteCSV(&shown); err != nil || !strings.HasPrefix(shown.String(), "name,word,predicted,predicted_sd,predicted_toxicity,predicted_toxicity_sd,constraints_chance,nearest,similarity,activity,toxicity\n") {
		t.Errorf("%v:\n%s", err, &shown)
	}
	f := asked[0].Forecast
	if chance := math.Erfc((f.Mean[0]-0.3)/f.SD[0]/math.Sqrt2) / 2; math.Abs(f.Chance-chance) > 1e-9 {
		t.Errorf("toxicity %g ± %g is below 0.3 with a chance of %g, want %g", f.Mean, f.SD, f.Chance, chance)
	}
	// The score first, the outcome a week later, and then both again.
	row := table.Record{Line: 2, ID: b.Name(asked[0]), Input: asked[0].Input, Score: 9}
	for _, c := range []struct {
		row  table.Record
		want string
		best bool
	}{
		{row, "measured", false}, {with(row, 0.1), "further outcomes added", true}, {row, "known already", true}, {with(row, 0.1), "known already", true},
		{with(row, 0.6), "another measurement", false}, {with(row, 0.1), "known already", false},
	} {
		if got := tell(t, b, false, c.row); !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v is %q, want %q", c.row, got, c.want)
		}
		if best := b.Status().Best[0].ID == asked[0].ID; best != c.best {
			t.Errorf("after %+v it is the best: %t, want %t", c.row, best, c.best)
		}
	}
	if got := tell(t, b, true, with(row, 0.1), with(row, 0.8)); !strings.HasSuffix(got, "known already; "+fmt.Sprint(asked[0].ID)+" corrected") {
		t.Errorf("a correction: %s", got)
	}
	if n := len(b.Lookup(asked[0].Input).Measurements); n != 2 {
		t.Errorf("%d measurements, want 2", n)
	}
	var all bytes.Buffer
	if err := b.Export(false).WriteCSV(&all); err != nil || !strings.Contains(all.String(), ",activity,toxicity,measurement,se,") || !strings.Contains(all.String(), "toxicity = 0.45 is not < 0.3") {
		t.Errorf("%v:\n%s", err, &all)
	}
}

// Outcomes that arrive in several tables, over several weeks.
func TestParts(t *testing.T) {
	others := func(kv ...any) map[string]float64 {
		m := map[string]float64{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1].(float64)
		}
		return m
	}
	type step struct {
		name   string
		row    table.Record
		want   string
		scores string // of the trial's measurements afterwards

		correct bool
	}
	for _, test := range []struct {
		name    string
		options task.Options
		filled  string
		steps   []step
	}{
		{"a score of properties", task.Options{Properties: []oracle.Property{{Name: "yield", Weight: 1}, {Name: "purity", Weight: 2}}}, "[yield purity]", []step{
			{"a part", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 kept until the rest is told", "[NaN]", false},
			{"again", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 known already", "[NaN]", false},
			{"a replicate of the part", table.Record{Score: nan, Others: others("yield", 1.5)}, "7 not taken: a part with another value is kept; correct it, or tell all outcomes of each measurement in a row", "[NaN]", false},
			{"put right", table.Record{Score: nan, Others: others("yield", 1.5)}, "7 kept until the rest is told", "[NaN]", true},
			{"nothing", table.Record{Score: nan}, "7 no score yet", "[NaN]", false},
			{"the rest", table.Record{Score: nan, Others: others("purity", 2.0)}, "7 measured", "[5.5]", false},
			{"the rest again", table.Record{Score: nan, Others: others("purity", 2.0)}, "7 known already", "[5.5]", false},
			{"both again", table.Record{Score: nan, Others: others("purity", 2.0, "yield", 1.5)}, "7 known already", "[5.5]", false},
			{"a part of another measurement", table.Record{Score: nan, Others: others("purity", 3.0)}, "7 no score yet: yield is missing; nothing of this row is stored, tell yield and purity together", "[5.5]", false},
			{"another measurement", table.Record{Score: nan, Others: others("purity", 3.0, "yield", 1.0)}, "7 another measurement", "[5.5 7]", false},
			{"a part of a string of one's own", table.Record{Input: "CACACA", Score: nan, Others: others("yield", 1.0)}, "8 kept until the rest is told", "[NaN]", false},
			{"again", table.Record{Input: "CACACA", Score: nan, Others: others("yield", 1.0)}, "8 known already", "[NaN]", false},
			{"its rest", table.Record{Input: "CACACA", Score: nan, Others: others("purity", 2.0)}, "8 measured", "[5]", false},
		}},
		{"several objectives", task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}}}, "[yield purity]", []step{
			{"the first, of what was asked for", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 kept until the rest is told", "[NaN]", false},
			{"the first, of another string", table.Record{Input: "CACACA", Score: nan, Others: others("yield", 1.0)}, "8 measured", "[1]", false},
			{"the second", table.Record{Input: "CACACA", Score: nan, Others: others("purity", 2.0)}, "8 further outcomes added", "[1]", false},
			{"the second of one more", table.Record{Input: "ACACAC", Score: nan, Others: others("purity", 2.0)}, "9 kept until the rest is told", "[NaN]", false},
			{"and the first", table.Record{Input: "ACACAC", Score: nan, Others: others("yield", 3.0)}, "9 measured", "[3]", false},
			{"the second, of what was asked for", table.Record{Score: nan, Others: others("purity", 1.0)}, "7 measured", "[1]", false},
			{"both again", table.Record{Input: "ACACAC", Score: nan, Others: others("yield", 3.0, "purity", 2.0)}, "9 known already", "[3]", false},
		}},
		{"a whole measurement beside a part of another", task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}}}, "[yield purity]", []step{
			{"the first", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 kept until the rest is told", "[NaN]", false},
			{"both, with another yield", table.Record{Score: nan, Others: others("yield", 3.0, "purity", 2.0)}, "7 another measurement", "[NaN 3]", false},
			{"the first again", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 known already", "[NaN 3]", false},
			{"both again", table.Record{Score: nan, Others: others("yield", 3.0, "purity", 2.0)}, "7 known already", "[NaN 3]", false},
		}},
		{"a part that was wrong", task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}}}, "[yield purity]", []step{
			{"the first", table.Record{Score: nan, Others: others("yield", 1.0)}, "7 kept until the rest is told", "[NaN]", false},
			{"both, put right", table.Record{Score: nan, Others: others("yield", 3.0, "purity", 2.0)}, "7 measured", "[3]", true},
		}},
		{"three objectives", task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}, {Name: "toxicity"}}}, "[yield purity toxicity]", []step{
			{"the second", table.Record{Score: nan, Others: others("purity", 1.0)}, "7 kept until the rest is told", "[NaN]", false},
			{"the third", table.Record{Score: nan, Others: others("toxicity", 0.1)}, "7 kept until the rest is told", "[NaN]", false},
			{"both again", table.Record{Score: nan, Others: others("purity", 1.0, "toxicity", 0.1)}, "7 known already", "[NaN]", false},
			{"the first", table.Record{Score: nan, Others: others("yield", 2.0)}, "7 measured", "[2]", false},
			{"the first, put right", table.Record{Score: nan, Others: others("yield", 3.0)}, "7 corrected", "[3]", true},
			{"the others are as they were", table.Record{Score: nan, Others: others("purity", 1.0, "toxicity", 0.1, "yield", 3.0)}, "7 known already", "[3]", false},
			{"the second, put right", table.Record{Score: nan, Others: others("purity", 1.5)}, "7 corrected", "[3]", true},
			{"the others are as they were", table.Record{Score: nan, Others: others("purity", 1.5, "toxicity", 0.1, "yield", 3.0)}, "7 known already", "[3]", false},
			{"the third once more", table.Record{Score: nan, Others: others("toxicity", 0.3)}, "7 another measurement", "[3 NaN]", false},
			{"all again", table.Record{Score: nan, Others: others("purity", 1.5, "toxicity", 0.1, "yield", 3.0)}, "7 known already", "[3 NaN]", false},
		}},
		{"a constraint", task.Options{Constraints: []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.3}}}, "[activity toxicity]", []step{
			{"the outcome alone", table.Record{Score: nan, Others: others("toxicity", 0.1)}, "7 kept until the rest is told", "[NaN]", false},
			{"the score alone", table.Record{Score: 4}, "7 measured", "[4]", false},
			{"the score again", table.Record{Score: 4}, "7 known already", "[4]", false},
			{"another score alone", table.Record{Score: 5}, "7 another measurement", "[4 5]", false},
			{"its outcome", table.Record{Score: nan, Others: others("toxicity", 0.2)}, "7 further outcomes added", "[4 5]", false},
			{"that outcome again", table.Record{Score: nan, Others: others("toxicity", 0.2)}, "7 known already", "[4 5]", false},
			{"a third one", table.Record{Score: nan, Others: others("toxicity", 0.4)}, "7 another measurement", "[4 5 NaN]", false},
			{"again", table.Record{Score: nan, Others: others("toxicity", 0.4)}, "7 known already", "[4 5 NaN]", false},
			{"put right", table.Record{Score: nan, Others: others("toxicity", 0.5)}, "7 not taken: 3 of its measurements have other values, and any of them may be meant: include all, and leave correct ones unchanged", "[4 5 NaN]", true},
		}},
		{"that failed in the end", task.Options{Constraints: []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.3}}}, "[activity toxicity]", []step{
			{"the outcome alone", table.Record{Score: nan, Others: others("toxicity", 0.1)}, "7 kept until the rest is told", "[NaN]", false},
			{"a failure", table.Record{Score: nan, State: table.Failed, Reason: table.Reason{Text: "insoluble"}}, "7 failed", "[NaN]", false},
			{"again", table.Record{Score: nan, State: table.Failed, Reason: table.Reason{Text: "insoluble"}}, "7 known already", "[NaN]", false},
		}},
		{"with the same desirability", task.Options{Properties: []oracle.Property{{Name: "yield", Zero: 0, One: 3}, {Name: "purity", Zero: 0, One: 1}}, Product: true}, "[yield purity]", []step{
			{"a measurement", table.Record{Score: nan, Others: others("yield", 3.5, "purity", 1.0)}, "7 measured", "[1]", false},
			{"another one with this score", table.Record{Score: nan, Others: others("yield", 9.5, "purity", 1.0)}, "7 another measurement", "[1 1]", false},
			{"the first again", table.Record{Score: nan, Others: others("yield", 3.5, "purity", 1.0)}, "7 known already", "[1 1]", false},
		}},
		{"a constraint on the score", task.Options{Constraints: []study.Constraint{{Outcome: "Activity", Op: "<", Bound: 3}}}, "[activity]", []step{
			{"a score", table.Record{Score: 2, Others: others("Activity", 2.0)}, "7 measured", "[2]", false},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := words()
			for i := range rows {
				rows[i].Others = others("yield", float64(i), "purity", 1.0, "toxicity", 0.1, "Activity", rows[i].Score)
			}
			path := filepath.Join(t.TempDir(), "lab.db")
			b, err := begin(t, path, experiment.RunSpec{Task: "strings", Options: test.options}, rows)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { b.Close() })
			if got := fmt.Sprint(b.Filled()); got != test.filled {
				t.Errorf("columns to fill in: %s, want %s", got, test.filled)
			}
			asked, err := b.Ask(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range test.steps {
				b = reopen(t, b, path)
				s.row.Input = cmp.Or(s.row.Input, asked[0].Input)
				if got := tell(t, b, s.correct, s.row); got != s.want && !(strings.HasSuffix(s.want, "nothing") && strings.HasPrefix(got, s.want)) {
					t.Errorf("%s: %s, want %s", s.name, got, s.want)
				}
				scores := []float64{}
				for _, m := range b.Lookup(s.row.Input).Measurements {
					scores = append(scores, m.Score)
				}
				if got := fmt.Sprint(scores); got != s.scores {
					t.Errorf("%s: measurements %s, want %s", s.name, got, s.scores)
				}
			}
			if next, err := b.Ask(t.Context(), 1); err != nil || next[0].ID == asked[0].ID { // the search goes on
				t.Errorf("%v, %v", next, err)
			}
		})
	}
}

// A part of the outcomes beside a score is known, may get a name, and can be corrected.
func TestPartBesideAScore(t *testing.T) {
	rows := words()
	for i := range rows {
		rows[i].Others = map[string]float64{"yield": float64(i), "purity": 1}
	}
	part := table.Record{Line: 9, Input: "DADADA", State: table.Missing, Score: math.NaN(), Others: map[string]float64{"purity": 2}}
	whole := table.Record{Line: 10, Input: "DADADA", Others: map[string]float64{"yield": 4, "purity": 3}}
	whole.State, whole.Score = table.Measured, 4
	b, err := begin(t, filepath.Join(t.TempDir(), "lab.db"), experiment.RunSpec{Task: "strings", Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}}}}, append(rows, whole, part))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	trial := b.Lookup("DADADA")
	at := 1 + slices.IndexFunc(trial.Measurements, study.Measurement.Part)
	if trial.Score != 4 || len(trial.Measurements) != 2 || at == 0 {
		t.Fatalf("trial %+v", trial)
	}
	part.ID = "mine"
	if got := tell(t, b, false, part); !strings.HasSuffix(got, "known already") || b.Lookup("DADADA").Name != "mine" {
		t.Errorf("told again: %s, and it is called %q", got, b.Lookup("DADADA").Name)
	}
	what, err := b.Correct(t.Context(), trial.ID, at, table.Record{Score: math.NaN(), Others: map[string]float64{"purity": 2.5}})
	if got := b.Lookup("DADADA"); err != nil || what != experiment.Corrected || got.Score != 4 || got.Outcome("purity") != 2.75 {
		t.Errorf("%s, %v: %+v", what, err, got)
	}
}

// A table gives a name to one string only. Several measurements of a new string are kept, but not as corrections, which
// there are none to make of.
func TestNamesOfATable(t *testing.T) {
	b, path := create(t, words())
	asked, err := b.Ask(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	sheet := []table.Record{{Line: 2, ID: "X1", Input: asked[0].Input, Score: 1}, {Line: 3, ID: "X1", Input: asked[1].Input, Score: 2}}
	for _, want := range []string{"7 measured; ", "7 known already; "} {
		if got := tell(t, b, false, sheet...); !strings.HasPrefix(got, want) || !strings.Contains(got, "not taken: X1 is "+asked[0].Input) {
			t.Errorf("one name for two strings: %s, want %s", got, want)
		}
		b = reopen(t, b, path)
	}
	var replicates []table.Record
	for i, score := range []float64{3, 3.2, 3.4} {
		replicates = append(replicates, table.Record{Line: i + 2, ID: "n1", Input: "AAAAAA", Score: score})
	}
	refused := "0 not taken: it has no measurement to correct; tell it without correct"
	waits := table.Record{Line: 5, ID: b.Name(asked[1]), Score: 2}
	if got := tell(t, b, true, append(replicates, waits, table.Record{Line: 6, ID: "X1", Score: 1.5})...); got != strings.Repeat(refused+"; ", 4)+"7 corrected" {
		t.Errorf("corrections of a new string and of one that waits: %s", got)
	}
	if got := tell(t, b, false, replicates...); got != "9 measured; 9 another measurement; 9 another measurement" {
		t.Errorf("three measurements of a new string: %s", got)
	}
}

// A standard error is added to a score that has none, and replaced by a correction. A correction of the score alone
// keeps it, unless there is no exact score then.
func TestStandardErrorsThatAreTold(t *testing.T) {
	b, path := create(t, words())
	row := func(score, se float64) table.Record { return table.Record{Line: 2, ID: "W-1", Score: score, SE: se} }
	bound := row(3, 0)
	bound.Bound = 1
	for _, test := range []struct {
		name    string
		row     table.Record
		correct bool
		what    string
		se      float64
	}{
		{"added", row(2, 0.1), false, "standard error added", 0.1},
		{"told again", row(2, 0.1), false, "known already", 0.1},
		{"without it", row(2, 0), true, "known already", 0.1},
		{"another one", row(2, 0.3), false, "known already", 0.1},
		{"another one, as a correction", row(2, 0.3), true, "corrected", 0.3},
		{"another score", row(2.5, 0), true, "corrected", 0.3},
		{"both", row(2.75, 0.2), true, "corrected", 0.2},
		{"a bound", bound, true, "corrected", 0},
	} {
		if test.name == "added" {
			b.Correct(t.Context(), 1, 1, table.Record{Score: 2})
		}
		if got := tell(t, b, test.correct, test.row); got != "1 "+test.what {
			t.Errorf("%s: %s, want %s", test.name, got, test.what)
		}
		b = reopen(t, b, path)
		if got := b.Page(0, 1)[0].Measurements[0].SE; got != test.se {
			t.Errorf("%s: standard error %g, want %g", test.name, got, test.se)
		}
	}
	for _, score := range []float64{4, 5} { // as on the page and with invbo correct
		r := row(score, 0)
		if score == 4 {
			r.SE = 0.25
		}
		if what, err := b.Correct(t.Context(), 1, 1, r); err != nil || what != experiment.Corrected || b.Page(0, 1)[0].Measurements[0].SE != 0.25 {
			t.Errorf("one measurement to %g: %s, %v, %+v", score, what, err, b.Page(0, 1)[0].Measurements)
		}
	}
}

// A proposal that is kept in part is withdrawn as a whole, and is known when its export is told.
func TestWithdrawPart(t *testing.T) {
	b, path := create(t, []table.Record{with(words()[0], 0.1), with(words()[1], 0.1), with(words()[2], 0.5)}, study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3})
	asked, err := b.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	part := with(table.Record{Line: 2, ID: b.Name(asked[0]), Score: nan}, 0.2)
	tell(t, b, false, part)
	if _, err := b.Withdraw(t.Context(), []int{asked[0].ID}, "no yield"); err != nil {
		t.Fatal(err)
	}
	b = reopen(t, b, path)
	if m := b.Lookup(asked[0].Input).Measurements; len(m) != 1 || m[0].Others["toxicity"] != 0.2 || m[0].Reason != "no yield" {
		t.Errorf("withdrawn: %+v, want one measurement with the part", m)
	}
	part.State, part.Reason.Text = table.Failed, "no yield"
	if got := tell(t, b, false, part); !strings.HasSuffix(got, "known already") {
		t.Errorf("told again: %s", got)
	}
}

// Where compounds were measured several times, the best is also named by its expected score.
func TestExpect(t *testing.T) {
	b, _ := create(t, words())
	if e, err := b.Expect(t.Context()); err != nil || e.ID != 0 {
		t.Errorf("without noise %+v, %v", e, err)
	}
	tell(t, b, false, table.Record{Line: 2, ID: "W-1", Score: 5}, table.Record{Line: 3, ID: "W-1", Score: 5.4})
	s := b.Status()
	e, err := b.Expect(t.Context())
	if err != nil || e.ID == 0 || !(e.SD > 0) {
		t.Errorf("with noise %+v, %v", e, err)
	}
	s.Expected = e
	if !strings.Contains(s.String(), "best expected score") {
		t.Errorf("the state does not name it:\n%s", s)
	}
}

// What was corrected or struck stays so when its table is told again.
func TestTellAgainAfterCorrection(t *testing.T) {
	row := func(id string, score float64) table.Record {
		return table.Record{ID: id, Score: score, State: table.Measured}
	}
	lab := words()
	lab[0] = with(lab[0], 3)
	for _, test := range []struct {
		name    string
		first   []table.Record // is told before, and again after change
		trial   int
		change  func(*experiment.Experiment) error
		want    []experiment.What
		measure int // how many measurements the trial has then
	}{
		{"corrected", []table.Record{row("W-2", 99)}, 2, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 2, 2, row("", 9.9))
			return err
		}, []experiment.What{experiment.Outdated}, 2},
		{"corrected twice", []table.Record{row("W-2", 99)}, 2, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 2, 2, row("", 9.9))
			if err == nil {
				_, err = b.Correct(t.Context(), 2, 2, row("", 9.8))
			}
			return err
		}, []experiment.What{experiment.Outdated}, 2},
		{"corrected back", []table.Record{row("W-2", 99)}, 2, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 2, 2, row("", 9.9))
			if err == nil {
				_, err = b.Correct(t.Context(), 2, 2, row("", 99))
			}
			return err
		}, []experiment.What{experiment.Known}, 2},
		{"struck", []table.Record{row("W-2", 99)}, 2, func(b *experiment.Experiment) error {
			_, err := b.Strike(t.Context(), 2, 2, "wrong well")
			return err
		}, []experiment.What{experiment.Outdated}, 2},
		{"the initial data", words()[1:2], 2, func(b *experiment.Experiment) error {
			_, err := b.Strike(t.Context(), 2, 1, "wrong well")
			return err
		}, []experiment.What{experiment.Outdated}, 1},
		{"one of two", []table.Record{row("W-2", 7), row("W-2", 8)}, 2, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 2, 3, row("", 7))
			return err
		}, []experiment.What{experiment.Known, experiment.Outdated}, 3},
		{"a further outcome", lab[:1], 1, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 1, 1, with(row("", lab[0].Score), 4))
			return err
		}, []experiment.What{experiment.Outdated}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			constraint, err := study.ParseConstraint("toxicity<=5")
			if err != nil {
				t.Fatal(err)
			}
			rows := words()
			for i := range rows {
				rows[i] = with(rows[i], 3)
			}
			b, path := create(t, rows, constraint)
			if _, err := b.Tell(t.Context(), test.first, false); err != nil {
				t.Fatal(err)
			}
			if err := test.change(b); err != nil {
				t.Fatal(err)
			}
			b = reopen(t, b, path)
			told, err := b.Tell(t.Context(), test.first, false)
			if err != nil {
				t.Fatal(err)
			}
			var got []experiment.What
			for _, row := range told {
				got = append(got, row.What)
			}
			if n := len(b.Page(test.trial-1, 1)[0].Measurements); !slices.Equal(got, test.want) || n != test.measure {
				t.Errorf("%v, and %d measurements; want %v, and %d", got, n, test.want, test.measure)
			}
			if other, err := b.Tell(t.Context(), []table.Record{row("W-2", 5.5)}, false); err != nil || other[0].What != experiment.Repeated {
				t.Errorf("another score: %v, %v", other, err)
			}
		})
	}
}

// A spreadsheet shows fewer digits than it stores, and writes them as CSV: both are one measurement.
func TestNumbersOfASpreadsheet(t *testing.T) {
	mean := 7.1 + 7.3 + 7.4
	for _, test := range []struct {
		stored, written float64
		want            experiment.What
	}{
		{7.1000000000000005, 7.1, experiment.Known},
		{6.3999999999999995, 6.4, experiment.Known},
		{mean / 3, 7.26666666666667, experiment.Known},
		{-1e-9, -1.00000000000001e-9, experiment.Known},
		{7.1, 7.10000001, experiment.Repeated},
		{0, 1e-12, experiment.Repeated},
	} {
		for _, order := range [][2]float64{{test.stored, test.written}, {test.written, test.stored}} {
			b, _ := create(t, words())
			rows := func(score float64) []table.Record {
				return []table.Record{{Input: "CCCCAA", Score: score, Others: map[string]float64{"toxicity": score}, State: table.Measured}}
			}
			if _, err := b.Tell(t.Context(), rows(order[0]), false); err != nil {
				t.Fatal(err)
			}
			for _, correct := range []bool{false, true} {
				want := test.want
				if correct && want == experiment.Repeated {
					continue
				}
				if told, err := b.Tell(t.Context(), rows(order[1]), correct); err != nil || told[0].What != want {
					t.Errorf("%v after %v, correct %t: %v, %v; want %s", order[1], order[0], correct, told, err, want)
				}
			}
		}
	}
}

// A string keeps its name, and the score that a row leaves out: a row with another name, or without a value, says so.
func TestWhatStays(t *testing.T) {
	b, _ := create(t, words())
	for _, test := range []struct {
		name         string
		row          table.Record
		what, called string
	}{
		{"another name", table.Record{ID: "BATCH-7", Input: "ACDEAC", Score: 5}, "another measurement", "W-1"},
		{"again", table.Record{ID: "BATCH-7", Input: "ACDEAC", Score: 5}, "known already", "W-1"},
		{"its name", table.Record{ID: "W-1", Input: "ACDEAC", Score: 6}, "another measurement", ""},
		{"no name", table.Record{Input: "ACDEAC", Score: 7}, "another measurement", ""},
		{"a new string", table.Record{ID: "BATCH-8", Input: "CAACAA", Score: 7}, "measured", ""},
		{"no value", table.Record{ID: "W-2", Score: nan, State: table.Missing}, "no value (the known score stays)", ""},
	} {
		for _, correct := range []bool{false, true} {
			if correct && test.name != "no value" {
				continue
			}
			told, err := b.Tell(t.Context(), []table.Record{test.row}, correct)
			if err != nil || string(told[0].What) != test.what || told[0].Called != test.called {
				t.Fatalf("%s: %+v, %v; want %s, called %q", test.name, told, err, test.what, test.called)
			}
			if remark := strings.Join(told[0].Remarks(), "; "); strings.Contains(remark, "it is called W-1, and keeps that name: BATCH-7 is not used") != (test.called != "") {
				t.Errorf("%s: remarks %q", test.name, remark)
			}
		}
	}
}
